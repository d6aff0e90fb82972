use unicode_normalization::UnicodeNormalization;

use crate::title::{Closeness, closeness, shared_words};
use crate::{Author, Identifiers, PublicationDate, Work};

/// What is known of a work for telling whether another is the same.
#[derive(Debug, Clone, Copy)]
pub struct Identity<'a> {
    /// Title.
    pub title: &'a str,
    /// Authors in order.
    pub authors: &'a [Author],
    /// Dates.
    pub dates: &'a [PublicationDate],
    /// Identifiers.
    pub identifiers: &'a Identifiers,
    /// Abstract, where it is known.
    pub summary: Option<&'a str>,
}

impl<'a> From<&'a Work> for Identity<'a> {
    fn from(work: &'a Work) -> Self {
        Self {
            title: &work.title,
            authors: &work.authors,
            dates: &work.dates,
            identifiers: &work.identifiers,
            summary: work.summary.as_deref(),
        }
    }
}

/// Share of the words of two abstracts that makes a work and its namesake with a subtitle one; that which a title with a slip needs at least, and that
/// which two numbers of one archive need.
const SAME_ABSTRACT: f64 = 0.95;
const KINDRED_ABSTRACT: f64 = 0.3;
const OF_TWO_NUMBERS: f64 = 0.6;
/// Years between two records of one identifier that nothing explains.
const FAR_YEARS: u16 = 3;

/// A title in the form in which two printings of it agree: NFKC, lower case, letters, digits and the signs that tell names apart
/// (`+`, `#`, `β`), one space between words. Works for any script; empty only for a title without letters or digits.
#[must_use]
pub fn title_key(title: &str) -> String {
    let mut key = String::with_capacity(title.len());
    let mut gap = false;
    for c in title.nfkc().flat_map(char::to_lowercase) {
        if c.is_alphanumeric() || matches!(c, '+' | '#') {
            if gap && !key.is_empty() {
                key.push(' ');
            }
            gap = false;
            key.push(c);
        } else if !matches!(c, '\u{ad}' | '\u{200b}' | '\'' | '’') {
            gap = true;
        }
    }
    key
}

/// Whether two records are of one work: a shared identifier, unless it is a DOI alone and all else speaks against it; or one title, authors that agree, and years that lie near. Titles are one that differ in
/// case, spaces, accents, signs and type-setting; with years next to each other, also those that differ by a slip of the pen (the first author agrees, and
/// the abstracts are not strangers) or by a subtitle that names a printing, such as `extended version` (all of the shorter list of authors stand in the longer).
/// A title with another subtitle is a sequel more often than not, and is the same work only where the abstracts are the same, too.
///
/// Titles alone never suffice: comments, discussions and prefaces share theirs. Authors agree when the first of both is one person, or when
/// at least two and most of the shorter list stand in the longer (orders differ between venues). Years may lie two apart, and ten where all of the
/// shorter list, two at least, stand in the longer: preprints are put up years later. Unknown authors on either side need the very same year
/// and a title of four words.
///
/// Measured on pairs of records with one title and with titles that are nearly one, see `docs/benchmarks.md`. Two identifiers of one kind that differ say
/// little, since archives hold works twice, but their abstracts must then agree.
#[must_use]
pub fn is_same_work(a: Identity<'_>, b: Identity<'_>) -> bool {
    if a.identifiers.agree(b.identifiers) {
        return !(only_doi_agrees(a.identifiers, b.identifiers) && doi_is_borrowed(a, b));
    }
    let close = closeness(a.title, b.title);
    if close == Closeness::Other || is_heading(&title_key(a.title)) || is_heading(&title_key(b.title)) {
        return false;
    }
    let apart = years_apart(a, b);
    let agreement = agreement(a.authors, b.authors);
    let all = matches!(agreement, Agreement::One | Agreement::All);
    let shared = shared_words(a.summary, b.summary);
    // A title that is not quite the same needs more: years that are known and next to each other, and the authors.
    let next = apart.is_some_and(|apart| apart <= 1);
    match close {
        Closeness::Same => one_title(a, b, &agreement, apart, shared),
        Closeness::Slip => {
            let authors = all || matches!(agreement, Agreement::First);
            next && authors && shared.is_none_or(|shared| shared >= KINDRED_ABSTRACT)
        }
        Closeness::Version => next && all,
        Closeness::Subtitle => next && all && shared.is_some_and(|shared| shared >= SAME_ABSTRACT),
        Closeness::Other => false,
    }
}

/// What two records of one identifier disagree on: `title`, `authors`, `year`. Titles are two where they share no longer word, authors where nobody stands in both
/// lists, years where they lie three or more apart and no archive's number explains the earlier: a preprint precedes its printing by years, and may be renamed.
#[must_use]
pub fn disagreements(a: Identity<'_>, b: Identity<'_>) -> Vec<&'static str> {
    let mut on = Vec::new();
    let words = |title: &str| -> Vec<String> {
        let key = title_key(title);
        let long = key.split(' ').filter(|word| word.chars().count() > 3);
        long.map(str::to_owned).collect()
    };
    let latin = |title: &str| title.chars().any(|c| c.is_ascii_alphabetic());
    let (mine, theirs) = (words(a.title), words(b.title));
    let both = !mine.is_empty() && !theirs.is_empty() && latin(a.title) && latin(b.title);
    if both && closeness(a.title, b.title) == Closeness::Other && mine.iter().all(|word| !theirs.contains(word)) {
        on.push("title");
    }
    if !people(a.authors).is_empty() && !people(b.authors).is_empty() && !have_common_author(a, b) {
        on.push("authors");
    }
    let in_archive = |one: &Identity<'_>| one.identifiers.arxiv.is_some() || one.identifiers.openreview.is_some();
    if years_apart(a, b).is_some_and(|apart| apart >= FAR_YEARS) && !in_archive(&a) && !in_archive(&b) {
        on.push("year");
    }
    on
}

/// Whether two records of one title are of one work.
fn one_title(a: Identity<'_>, b: Identity<'_>, agreement: &Agreement, apart: Option<u16>, shared: Option<f64>) -> bool {
    if two_numbers(a.identifiers, b.identifiers) && shared.is_some_and(|shared| shared < OF_TWO_NUMBERS) {
        return false;
    }
    let key = title_key(a.title);
    let long = key.split(' ').count() >= 4 || key.chars().any(is_ideograph);
    let within = |years: u16| apart.is_none_or(|apart| apart <= years);
    match agreement {
        Agreement::Unknown => apart == Some(0) && long,
        Agreement::None => false,
        Agreement::First | Agreement::Most => within(2),
        Agreement::One => within(2) || long && within(5),
        Agreement::All => within(2) || long && within(10),
    }
}

/// Years between the earliest dates of both.
fn years_apart(a: Identity<'_>, b: Identity<'_>) -> Option<u16> {
    let year = |dates: &[PublicationDate]| dates.iter().map(|dated| dated.date.year()).min();
    Some(year(a.dates)?.abs_diff(year(b.dates)?))
}

/// Whether both stand in one archive under two numbers.
fn two_numbers(a: &Identifiers, b: &Identifiers) -> bool {
    a.arxiv.is_some() && b.arxiv.is_some() && a.arxiv != b.arxiv
}

/// Whether the DOI is all that makes two records agree. Archives give their own numbers; DOIs are typed in by authors, and hold slips: the DOI of a journal,
/// of the paper before in the proceedings, of a conference paper at its sequel.
fn only_doi_agrees(a: &Identifiers, b: &Identifiers) -> bool {
    let without_doi = |identifiers: &Identifiers| Identifiers {
        doi: None,
        ..identifiers.clone()
    };
    !without_doi(a).agree(&without_doi(b))
}

/// Whether a DOI that two records share cannot belong to both: their titles are two, and nobody is an author of both, or they are two numbers of one archive with
/// two abstracts. Titles of different scripts may be translations, and say nothing.
fn doi_is_borrowed(a: Identity<'_>, b: Identity<'_>) -> bool {
    let latin = |title: &str| title.chars().any(|c| c.is_ascii_alphabetic());
    let two_titles = latin(a.title)
        && latin(b.title)
        && matches!(closeness(a.title, b.title), Closeness::Other | Closeness::Subtitle);
    let strangers = || !people(a.authors).is_empty() && !people(b.authors).is_empty() && !have_common_author(a, b);
    let numbers = || {
        two_numbers(a.identifiers, b.identifiers)
            && shared_words(a.summary, b.summary).is_some_and(|shared| shared < OF_TWO_NUMBERS)
    };
    two_titles && (strangers() || numbers())
}

/// Whether some person stands in both lists of authors.
fn have_common_author(a: Identity<'_>, b: Identity<'_>) -> bool {
    let others = people(b.authors);
    people(a.authors)
        .iter()
        .any(|person| others.iter().any(|other| person.is(other)))
}

/// Whether two printed names can be one person's: the same family name, and given names that agree as far as both are printed.
#[must_use]
pub fn same_person(a: &Author, b: &Author) -> bool {
    let (family_a, family_b) = (fold_name(a.family_name()), fold_name(b.family_name()));
    if family_a.is_empty() || family_a != family_b {
        return false;
    }
    let (given_a, given_b) = (given_names(a), given_names(b));
    let (Some(first_a), Some(first_b)) = (given_a.first(), given_b.first()) else {
        return true;
    };
    let initial_only = first_a.chars().count() == 1 || first_b.chars().count() == 1;
    if initial_only {
        return first_a.chars().next() == first_b.chars().next();
    }
    // One given name may be printed as two: `Xiao Ming`, `Xiaoming`.
    first_a == first_b || given_a.concat() == given_b.concat()
}

/// The names besides the family name, folded.
fn given_names(author: &Author) -> Vec<String> {
    let family = author.family_name();
    let given = match author.name.split_once(',') {
        Some((_, given)) => given,
        None => author
            .name
            .rfind(family)
            .and_then(|at| author.name.get(..at))
            .unwrap_or_default(),
    };
    given
        .split([' ', '.'])
        .map(fold_name)
        .filter(|name| !name.is_empty())
        .collect()
}

/// Whether two title keys are of one title: equal but for gaps between words (`pre training`, `pretraining`).
#[must_use]
pub fn is_same_title(a: &str, b: &str) -> bool {
    a == b || a.replace(' ', "") == b.replace(' ', "")
}

/// Titles that are headings of a kind of text, and name no work.
fn is_heading(key: &str) -> bool {
    const HEADINGS: [&str; 21] = [
        "editorial",
        "preface",
        "foreword",
        "introduction",
        "discussion",
        "comment",
        "comments",
        "commentary",
        "reply",
        "rejoinder",
        "response",
        "correction",
        "corrigendum",
        "erratum",
        "book review",
        "book reviews",
        "in memoriam",
        "obituary",
        "abstracts",
        "invited talk",
        "keynote",
    ];
    HEADINGS.contains(&key)
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

/// How far two lists of authors agree.
enum Agreement {
    /// One of them is not known.
    Unknown,
    /// They do not.
    None,
    /// The first of both is one person.
    First,
    /// Both name one person alone, under one full name.
    One,
    /// At least two persons, and most of the shorter list, stand in the longer.
    Most,
    /// The first, or two others, agree, and all of the shorter list, two at least, stand in the longer.
    All,
}

fn agreement(a: &[Author], b: &[Author]) -> Agreement {
    let (a, b) = (people(a), people(b));
    let (Some(first), Some(other)) = (a.first(), b.first()) else {
        return Agreement::Unknown;
    };
    let (short, long) = if a.len() <= b.len() { (&a, &b) } else { (&b, &a) };
    let shared = short
        .iter()
        .filter(|person| long.iter().any(|other| person.is(other)))
        .count();
    if shared >= 2 && shared == short.len() {
        Agreement::All
    } else if a.len() == 1 && b.len() == 1 && first.words == other.words {
        Agreement::One
    } else if first.is(other) || first.runs_into(other, &b) || other.runs_into(first, &a) {
        Agreement::First
    } else if shared >= 2 && shared * 2 > short.len() {
        Agreement::Most
    } else {
        Agreement::None
    }
}

/// A name for comparing.
struct Person {
    family: String,
    /// All words of the name, the family name's included, in order.
    words: Vec<String>,
}

/// The people of a list, each once, without those who only say that nobody is named.
fn people(authors: &[Author]) -> Vec<Person> {
    let mut people: Vec<Person> = Vec::new();
    for author in authors {
        let words: Vec<String> = author
            .name
            .split([' ', ',', '.', '\u{a0}'])
            .map(fold_name)
            .filter(|word| !word.is_empty())
            .collect();
        let family = fold_name(author.family_name());
        let nobody = matches!(
            family.as_str(),
            "" | "anonymous" | "authors" | "unknown" | "others" | "al"
        );
        if !nobody && !people.iter().any(|person| person.words == words) {
            people.push(Person { family, words });
        }
    }
    people
}

impl Person {
    /// Whether two names can be one person's: one family name and no given names that speak against it; or the same words in another order.
    fn is(&self, other: &Self) -> bool {
        if self.family == other.family {
            let given = |person: &Self| -> Vec<String> {
                let words = person.words.iter().filter(|&word| *word != person.family);
                words.cloned().collect()
            };
            let (mine, theirs) = (given(self), given(other));
            let initial = |word: &String| word.chars().next();
            return match (mine.first(), theirs.first()) {
                (Some(a), Some(b)) => initial(a) == initial(b) || mine.iter().any(|word| theirs.contains(word)),
                _ => true,
            };
        }
        let sorted = |person: &Self| {
            let mut words = person.words.clone();
            words.sort();
            words
        };
        self.words.len() >= 2 && sorted(self) == sorted(other)
    }

    /// Whether this name is all of another list's names run together: `David Wolpert Gregory Benford`.
    fn runs_into(&self, first: &Self, all: &[Self]) -> bool {
        all.len() >= 2
            && self
                .words
                .starts_with(&first.words.get(..1).map(<[String]>::to_vec).unwrap_or_default())
            && all.iter().all(|person| self.words.contains(&person.family))
    }
}

/// A word of a name without case, marks and punctuation.
fn fold_name(name: &str) -> String {
    let mut folded = String::with_capacity(name.len());
    for c in name.nfd().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase) {
        match c {
            'ø' => folded.push('o'),
            'ł' => folded.push('l'),
            'đ' => folded.push('d'),
            'ı' => folded.push('i'),
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            other => folded.push(other),
        }
    }
    folded
}

#[cfg(test)]
mod tests;
