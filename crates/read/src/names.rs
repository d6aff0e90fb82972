use precedent_domain::Author;
use precedent_text::pattern;
use regex::Captures;

/// Maximum characters of an affiliation in brackets. A limit inside the pattern would take long to compile.
const LONGEST_AFFILIATION: usize = 120;

/// The names in a line of an author block: `Ann Lee¹, Bob Roy and Chi Wu`. Empty if the line looks like anything else (an affiliation, an address,
/// a sentence).
pub(crate) fn names_in_line(line: &str) -> Vec<Author> {
    // `Ann Lee (Town University), Bob Roy (Rope Labs)`: affiliations are not part of the names.
    let line = pattern!(r"\s*\([^()]*\)").replace_all(line, |found: &Captures<'_>| {
        let brackets = found.get(0).map_or("", |whole| whole.as_str());
        let inside = brackets.trim_start().chars().count().saturating_sub(2);
        if inside > LONGEST_AFFILIATION {
            brackets.to_owned()
        } else {
            String::new()
        }
    });
    // `PLOS ONE 2015`: a venue. Its year is not an author mark.
    if pattern!(r"\p{L}\s+(?:19|20)\d\d\s*$").is_match(&line) {
        return Vec::new();
    }
    let line = line.replace([';', '·', '•', '|', '，', '、', '；'], ",");
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
    let mut unsure = 0;
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
        if is_name(&name) || is_short_name(&name) && !has_function_word(&name) {
        } else if is_short_name(&name) || is_lower_case_name(&name) || is_name_without_spaces(&name) {
            unsure += 1;
        } else {
            return Vec::new();
        }
        names.push(Author::new(&name));
    }
    // `Bo An` or a lower-case name alone is ambiguous; among other names it is a name.
    let is_list_without_spaces = names.len() > 1 && names.iter().all(|author| is_name_without_spaces(&author.name));
    if unsure * 2 > names.len() && !is_list_without_spaces {
        names.clear();
    }
    names
}

/// Two or three words of at most two letters: `Bo An`, `J. Li`.
fn is_short_name(name: &str) -> bool {
    let short = |word: &str| {
        let mut letters = word.chars();
        letters.next().is_some_and(char::is_uppercase)
            && letters.next().is_none_or(|c| c.is_lowercase() || c == '.')
            && letters.next().is_none()
    };
    let whole = |word: &str| word.chars().filter(|c| c.is_alphabetic()).count() == 2;
    (2..=3).contains(&name.split_whitespace().count())
        && name.split_whitespace().all(short)
        && name.split_whitespace().any(whole)
}

/// `zhuoyi lu`.
pub(crate) fn is_lower_case_name(name: &str) -> bool {
    let words = name.split_whitespace().count();
    (2..=3).contains(&words)
        && name
            .split_whitespace()
            .all(|word| word.chars().all(|c| c.is_lowercase() || c == '-'))
        && !has_function_word(name)
        && !has_institution_word(name)
}

/// A name in a script that writes no spaces between family and given name: `王小明`.
fn is_name_without_spaces(name: &str) -> bool {
    let is_letter = |c: char| matches!(c, '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}');
    (2..=4).contains(&name.chars().count()) && name.chars().all(is_letter)
}

/// Whether this can be a name where the format says that names are here: letter words without an institution or a function word.
pub(crate) fn is_stated_name(name: &str) -> bool {
    let words = name.split_whitespace().count();
    (1..=5).contains(&words)
        && name.chars().filter(|c| c.is_alphabetic()).count() >= 2
        && name
            .chars()
            .all(|c| c.is_alphabetic() || c == ' ' || matches!(c, '.' | '-' | '\'' | '’' | '`' | 'ʼ' | '‐'))
        && !has_institution_word(name)
        && (is_short_name(name) || !has_function_word(name))
}

/// Whether it has a word that sentences have and names do not, or only rarely.
fn has_function_word(name: &str) -> bool {
    const FUNCTION: &str = "a an the of in on at by to for from with and or we our us it is are was as be do go he if me my no so up am this that \
        these their not can via using based et al";
    let is_function = |word: &str| {
        FUNCTION
            .split_whitespace()
            .any(|other| other.eq_ignore_ascii_case(word))
    };
    name.split_whitespace().any(is_function)
}

fn has_institution_word(name: &str) -> bool {
    name.split_whitespace()
        .any(|word| AFFILIATION.contains(&word.trim_end_matches('.').to_lowercase().as_str()))
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
                | "do"
                | "des"
                | "vom"
                | "zum"
                | "zur"
                | "op"
                | "'t"
                | "’t"
                | "tot"
                | "ben"
                | "bint"
                | "abu"
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
    fits && !has_institution_word(name) && words.iter().any(|word| word.chars().count() > 2 || !word.is_ascii())
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
        assert_eq!(names("Qi Qi"), ["Qi Qi"]);
        assert_eq!(names("J. Li, X Y Wu and Ke Xu"), ["J. Li", "X Y Wu", "Ke Xu"]);
        assert_eq!(
            names("Nan An, Qi Qi, Lu Li, Ke Xu, zhuoyi lu"),
            ["Nan An", "Qi Qi", "Lu Li", "Ke Xu", "zhuoyi lu"]
        );
        assert!(names("zhuoyi lu").is_empty());
        assert!(names("We study ropes, as found in kelp").is_empty());
    }

    #[test]
    fn names_without_spaces_and_particles_are_kept() {
        assert_eq!(names("王小明，李华、张伟"), ["王小明", "李华", "张伟"]);
        assert!(names("摘要").is_empty());
        assert_eq!(
            names("Vincent van 't Hof and Ana Maria dos Santos"),
            ["Vincent van 't Hof", "Ana Maria dos Santos"]
        );
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
