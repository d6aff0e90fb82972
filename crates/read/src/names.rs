use precedent_domain::Author;
use precedent_text::pattern;

/// The names in a line of an author block: `Ann Lee¹, Bob Roy and Chi Wu`. Empty if the line looks like anything else (an affiliation, an address,
/// a sentence).
pub(crate) fn names_in_line(line: &str) -> Vec<Author> {
    // `Ann Lee (Town University), Bob Roy (Rope Labs)`: affiliations are not part of the names.
    let line = pattern!(r"\s*\([^()]{0,120}\)").replace_all(line, "");
    // `PLOS ONE 2015`: a venue. Its year is not an author mark.
    if pattern!(r"\p{L}\s+(?:19|20)\d\d\s*$").is_match(&line) {
        return Vec::new();
    }
    let line = line.replace([';', '·', '•', '|'], ",");
    if line.contains('@') || line.contains("://") {
        return Vec::new();
    }
    // `Ann Lee 1 ∗ Bob Roy 2`: standalone marks separate the names.
    let is_mark = |word: &str| {
        word.chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '*' | '∗' | '†' | '‡' | '§' | '¶' | ','))
    };
    let parts: Vec<&str> = line
        .split_whitespace()
        .map(|word| if is_mark(word) { "," } else { word })
        .collect();
    let line = parts.join(" ");
    let mut names = Vec::new();
    for part in line
        .split(',')
        .flat_map(|part| part.split(" and "))
        .flat_map(|part| part.split(" & "))
    {
        let part = part.trim().trim_start_matches("and ").trim_start_matches("& ");
        let name = bare_name(part);
        if name.is_empty() || is_title(&name) {
            continue;
        }
        if !is_name(&name) && !is_short_name(&name) {
            return Vec::new();
        }
        names.push(Author::new(&name));
    }
    // `Bo An` alone is ambiguous; among longer names it is a name.
    if names.iter().all(|author| is_short_name(&author.name)) {
        names.clear();
    }
    names
}

/// Two words of at most two letters: `Bo An`, `Si Li`.
fn is_short_name(name: &str) -> bool {
    let short = |word: &str| {
        let mut letters = word.chars();
        letters.next().is_some_and(char::is_uppercase)
            && letters.next().is_some_and(char::is_lowercase)
            && letters.next().is_none()
    };
    name.split_whitespace().count() == 2 && name.split_whitespace().all(short)
}

/// A name without footnote marks.
fn bare_name(part: &str) -> String {
    let is_mark = |c: char| {
        c.is_numeric()
            || matches!(
                c,
                '*' | '∗'
                    | '†'
                    | '‡'
                    | '§'
                    | '¶'
                    | '#'
                    | '^'
                    | '{'
                    | '}'
                    | '♠'
                    | '♣'
                    | '♦'
                    | '♥'
                    | '⋆'
                    | '★'
                    | '✉'
                    | '∥'
                    | '\\'
            )
    };
    part.split_whitespace()
        .map(|word| word.trim_matches(is_mark))
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

fn is_title(name: &str) -> bool {
    matches!(
        name.trim_end_matches('.'),
        "Member"
            | "Senior Member"
            | "Fellow"
            | "Student Member"
            | "Graduate Student Member"
            | "Life Fellow"
            | "IEEE"
            | "ACM"
            | "Jr"
            | "Sr"
            | "PhD"
            | "Ph.D"
            | "MD"
            | "Dr"
            | "Prof"
            | "et al"
    )
}

/// Words that appear in affiliations and addresses, but not in names of people.
const AFFILIATION: [&str; 46] = [
    "university",
    "universität",
    "université",
    "universidad",
    "università",
    "universitat",
    "institute",
    "institut",
    "instituto",
    "department",
    "dept",
    "school",
    "college",
    "laboratory",
    "laboratories",
    "lab",
    "labs",
    "research",
    "center",
    "centre",
    "academy",
    "faculty",
    "inc",
    "ltd",
    "corporation",
    "corp",
    "company",
    "gmbh",
    "google",
    "microsoft",
    "meta",
    "amazon",
    "ibm",
    "deepmind",
    "openai",
    "nvidia",
    "technology",
    "technologies",
    "science",
    "sciences",
    "hospital",
    "group",
    "division",
    "conference",
    "abstract",
    "usa",
];

/// Whether this can be the name of a person: one to six words, each capitalized or a particle, and no institution word.
pub(crate) fn is_name(name: &str) -> bool {
    let words: Vec<&str> = name.split_whitespace().collect();
    if !(2..=6).contains(&words.len()) || name.chars().count() > 60 {
        return false;
    }
    let particle = |word: &str| {
        matches!(
            word.to_lowercase().as_str(),
            "de" | "da"
                | "di"
                | "del"
                | "della"
                | "der"
                | "den"
                | "van"
                | "von"
                | "zu"
                | "la"
                | "le"
                | "el"
                | "al"
                | "bin"
                | "ibn"
                | "dos"
                | "das"
                | "du"
                | "y"
                | "e"
                | "ten"
                | "ter"
                | "af"
        )
    };
    let fits = words.iter().all(|word| {
        let letters = word
            .chars()
            .all(|c| c.is_alphabetic() || matches!(c, '.' | '-' | '\'' | '’' | '`' | 'ʼ' | '‐'));
        let capital = word
            .trim_start_matches(['\'', '’', '`', '-'])
            .starts_with(|c: char| c.is_uppercase() || (c.is_alphabetic() && !c.is_lowercase()));
        letters
            && (capital
                || particle(word)
                || word.starts_with("d'")
                || word.starts_with("d’")
                || word.starts_with("al-"))
    });
    let institution = words
        .iter()
        .any(|word| AFFILIATION.contains(&word.trim_end_matches('.').to_lowercase().as_str()));
    fits && !institution && words.iter().any(|word| word.chars().count() > 2 || !word.is_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(line: &str) -> Vec<String> {
        names_in_line(line).into_iter().map(|author| author.name).collect()
    }

    #[test]
    fn short_names_count_among_longer_ones() {
        assert_eq!(names("Lei Feng, Bo An and Si Li"), ["Lei Feng", "Bo An", "Si Li"]);
        assert!(names("Bo An").is_empty());
        assert!(names("In It").is_empty());
    }

    #[test]
    fn finds_names_and_leaves_addresses() {
        assert_eq!(
            names("Ann B. Lee¹*, José Roy and Chi-Wei Wu2,3"),
            ["Ann B. Lee", "José Roy", "Chi-Wei Wu"]
        );
        assert_eq!(
            names("Ludwig van Beethoven & 王 小明"),
            ["Ludwig van Beethoven", "王 小明"]
        );
        assert_eq!(names("Ann Lee, Member, IEEE, and Bob Roy, Jr."), ["Ann Lee", "Bob Roy"]);
        assert_eq!(
            names("Ann Lee 1 ∗ Bob Roy 1 ∗ Chi Wu 2"),
            ["Ann Lee", "Bob Roy", "Chi Wu"]
        );
        for line in [
            "Stanford University, California",
            "ann@example.org",
            "Department of Computer Science",
            "we propose a method",
            "June 2024",
            "",
        ] {
            assert!(names(line).is_empty(), "{line}");
        }
    }
}
