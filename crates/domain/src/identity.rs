use unicode_normalization::UnicodeNormalization;

use crate::title::{Closeness, closeness, numbers, shared_words};
use crate::{Author, Identifiers, PublicationDate, Work};

/// What is known of a work when comparing it with another.
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
    /// The abstract, if known.
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

/// Required shares of common words in two abstracts: for a title without its subtitle, for a preprint with another title, for a title with a typo, and
/// for two numbers in one archive. `docs/benchmarks.md` has the measurements.
const SAME_ABSTRACT: f64 = 0.95;
const RENAMED_ABSTRACT: f64 = 0.75;
const KINDRED_ABSTRACT: f64 = 0.3;
const OF_TWO_NUMBERS: f64 = 0.6;
/// Maximum number of years between a preprint and its publication under another title.
const RENAMED_YEARS: u16 = 3;
/// Minimum gap in years that makes two records with the same identifier contradictory.
const FAR_YEARS: u16 = 3;

/// A title in the form used for comparison: NFKC, lower case, letters, digits and the signs that distinguish names (`+`, `#`, `β`), one space between
/// words. Works for any script. Empty only for a title without letters or digits.
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

/// Whether two records are of the same work.
///
/// They are if they share an identifier, unless it is only a DOI and everything else contradicts it. Otherwise they need the same title, matching
/// authors and close years. Titles are the same if they differ only in case, spaces, accents, punctuation and typesetting. If the years are at most
/// one apart, three more kinds of titles count:
/// - titles that differ by a typo, if the first author matches and the abstracts are not too different;
/// - titles with a subtitle that names a version, such as `extended version`, if all authors of the shorter list are in the longer one;
/// - titles with any other subtitle, if in addition the abstracts are the same. Usually such a title is a sequel.
///
/// A preprint and its publication may have any two titles with the same numbers, if authors match, the years are at most three apart and the
/// abstracts share three quarters of their words.
///
/// Titles alone never suffice: comments, discussions and prefaces share theirs. Authors match if the first authors are the same person, or if at
/// least two and most of the shorter list are in the longer one (orders differ between venues). Years may be two apart, or ten if all of the shorter
/// list, at least two, are in the longer one: preprints are uploaded years later. If the authors of one record are unknown, the year must be the same
/// and the title needs four words.
///
/// Measured on pairs of records with the same or nearly the same title, see `docs/benchmarks.md`. Two different identifiers of one kind mean little,
/// because archives contain works twice, but then the abstracts must match.
#[must_use]
pub fn is_same_work(a: Identity<'_>, b: Identity<'_>) -> bool {
    if a.identifiers.agree(b.identifiers) {
        return !(only_doi_agrees(a.identifiers, b.identifiers) && doi_is_borrowed(a, b));
    }
    if is_heading(&title_key(a.title)) || is_heading(&title_key(b.title)) {
        return false;
    }
    let close = closeness(a.title, b.title);
    let apart = years_apart(a, b);
    let may_be_renamed = is_renamed_preprint(a, b, apart);
    if close == Closeness::Other && !may_be_renamed {
        return false;
    }
    let agreement = agreement(a.authors, b.authors);
    if matches!(agreement, AuthorAgreement::None) {
        return false;
    }
    let all = matches!(agreement, AuthorAgreement::One | AuthorAgreement::All);
    let shared = shared_words(a.summary, b.summary);
    let shared_at_least = |share: f64| shared.is_some_and(|shared| shared >= share);
    if may_be_renamed && !matches!(agreement, AuthorAgreement::Unknown) && shared_at_least(RENAMED_ABSTRACT) {
        return true;
    }
    // A title that is not quite the same needs known years at most one apart, and matching authors.
    let next = apart.is_some_and(|apart| apart <= 1);
    match close {
        Closeness::Same => one_title(a, b, &agreement, apart, shared),
        Closeness::Slip => {
            let authors = all || matches!(agreement, AuthorAgreement::First);
            next && authors && shared.is_none_or(|shared| shared >= KINDRED_ABSTRACT)
        }
        Closeness::Version => next && all,
        Closeness::Subtitle => next && all && shared_at_least(SAME_ABSTRACT),
        Closeness::Other => false,
    }
}

/// Whether two records with different titles can be a preprint and its publication: at least one is in an archive, they have no two numbers in one
/// archive, their titles have the same numbers (`2017`, `II`), and they are at most three years apart. Two publications with different titles are
/// different papers.
fn is_renamed_preprint(a: Identity<'_>, b: Identity<'_>, apart: Option<u16>) -> bool {
    let (a_ids, b_ids) = (a.identifiers, b.identifiers);
    apart.is_some_and(|apart| apart <= RENAMED_YEARS)
        && (in_archive(a_ids) || in_archive(b_ids))
        && !(a_ids.arxiv.is_some() && b_ids.arxiv.is_some())
        && !(a_ids.openreview.is_some() && b_ids.openreview.is_some())
        && numbers(&title_key(a.title)) == numbers(&title_key(b.title))
}

fn in_archive(identifiers: &Identifiers) -> bool {
    identifiers.arxiv.is_some() || identifiers.openreview.is_some()
}

/// What two records with the same identifier disagree on: `title`, `authors`, `year`. Titles differ if they have no longer word in common, authors if
/// the lists share nobody. Years differ if they are at least three apart and neither record has an archive id: a preprint precedes its publication by
/// years and may be renamed.
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
    if years_apart(a, b).is_some_and(|apart| apart >= FAR_YEARS)
        && !in_archive(a.identifiers)
        && !in_archive(b.identifiers)
    {
        on.push("year");
    }
    on
}

/// Whether two records with the same title are of the same work.
fn one_title(
    a: Identity<'_>,
    b: Identity<'_>,
    agreement: &AuthorAgreement,
    apart: Option<u16>,
    shared: Option<f64>,
) -> bool {
    if two_numbers(a.identifiers, b.identifiers) && shared.is_some_and(|shared| shared < OF_TWO_NUMBERS) {
        return false;
    }
    let key = title_key(a.title);
    let long = key.split(' ').count() >= 4 || key.chars().any(is_ideograph);
    let within = |years: u16| apart.is_none_or(|apart| apart <= years);
    match agreement {
        AuthorAgreement::Unknown => apart == Some(0) && long,
        AuthorAgreement::None => false,
        AuthorAgreement::First | AuthorAgreement::Most => within(2),
        AuthorAgreement::One => within(2) || long && within(5),
        AuthorAgreement::All => within(2) || long && within(10),
    }
}

/// Years between the earliest dates of the two records.
fn years_apart(a: Identity<'_>, b: Identity<'_>) -> Option<u16> {
    let year = |dates: &[PublicationDate]| dates.iter().map(|dated| dated.date.year()).min();
    Some(year(a.dates)?.abs_diff(year(b.dates)?))
}

/// Whether both records are in the same archive with different numbers.
fn two_numbers(a: &Identifiers, b: &Identifiers) -> bool {
    a.arxiv.is_some() && b.arxiv.is_some() && a.arxiv != b.arxiv
}

/// Whether only the DOI matches. Archives assign their own numbers, but authors type DOIs and make mistakes: the DOI of a journal, of the previous
/// paper in the proceedings, or of a conference paper on its sequel.
fn only_doi_agrees(a: &Identifiers, b: &Identifiers) -> bool {
    let without_doi = |identifiers: &Identifiers| Identifiers {
        doi: None,
        ..identifiers.clone()
    };
    !without_doi(a).agree(&without_doi(b))
}

/// Whether a DOI that two records share cannot belong to both. The titles must differ. In addition, the records share no author, or they have two
/// numbers in one archive and different abstracts. Titles in different scripts may be translations and do not count as different.
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

/// Whether the two author lists share a person.
fn have_common_author(a: Identity<'_>, b: Identity<'_>) -> bool {
    let others = people(b.authors);
    people(a.authors)
        .iter()
        .any(|person| others.iter().any(|other| person.is(other)))
}

/// Whether two printed names can belong to the same person: the same family name, and given names that do not contradict each other.
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
    // One given name may be printed as two words: `Xiao Ming`, `Xiaoming`.
    first_a == first_b || given_a.concat() == given_b.concat()
}

/// The given names, folded.
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

/// Whether two title keys are of the same title: equal apart from gaps between words (`pre training`, `pretraining`).
#[must_use]
pub fn is_same_title(a: &str, b: &str) -> bool {
    a == b || a.replace(' ', "") == b.replace(' ', "")
}

/// Titles that are headings of a kind of text and do not identify a work.
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

/// How well two author lists match.
enum AuthorAgreement {
    /// At least one list is unknown.
    Unknown,
    /// No match.
    None,
    /// The first authors are the same person.
    First,
    /// Both have a single author with the same full name.
    One,
    /// At least two persons and most of the shorter list are in the longer one.
    Most,
    /// The first author or two others match, and all of the shorter list, at least two, are in the longer one.
    All,
}

fn agreement(a: &[Author], b: &[Author]) -> AuthorAgreement {
    let (a, b) = (people(a), people(b));
    let (Some(first), Some(other)) = (a.first(), b.first()) else {
        return AuthorAgreement::Unknown;
    };
    let (short, long) = if a.len() <= b.len() { (&a, &b) } else { (&b, &a) };
    let shared = short
        .iter()
        .filter(|person| long.iter().any(|other| person.is(other)))
        .count();
    if shared >= 2 && shared == short.len() {
        AuthorAgreement::All
    } else if a.len() == 1 && b.len() == 1 && first.words == other.words {
        AuthorAgreement::One
    } else if first.is(other) || first.runs_into(other, &b) || other.runs_into(first, &a) {
        AuthorAgreement::First
    } else if shared >= 2 && shared * 2 > short.len() {
        AuthorAgreement::Most
    } else {
        AuthorAgreement::None
    }
}

/// A name prepared for comparison.
struct PreparedName {
    family: String,
    /// All words of the name in order, including the family name.
    words: Vec<String>,
}

impl Author {
    /// Whether this is a name and not a placeholder, such as `Anonymous Authors`.
    #[must_use]
    pub fn is_named(&self) -> bool {
        let family = fold_name(self.family_name());
        !matches!(
            family.as_str(),
            "" | "anonymous" | "authors" | "unknown" | "others" | "al"
        )
    }
}

/// The distinct people of a list, without placeholders for unnamed authors.
fn people(authors: &[Author]) -> Vec<PreparedName> {
    let mut people: Vec<PreparedName> = Vec::new();
    for author in authors {
        let words: Vec<String> = author
            .name
            .split([' ', ',', '.', '\u{a0}'])
            .map(fold_name)
            .filter(|word| !word.is_empty())
            .collect();
        let family = fold_name(author.family_name());
        if author.is_named() && !people.iter().any(|person| person.words == words) {
            people.push(PreparedName { family, words });
        }
    }
    people
}

impl PreparedName {
    /// Whether two names can belong to the same person: the same family name and compatible given names, or the same words in another order.
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

    /// Whether this name contains all names of another list run together: `David Wolpert Gregory Benford`.
    fn runs_into(&self, first: &Self, all: &[Self]) -> bool {
        all.len() >= 2
            && self
                .words
                .starts_with(&first.words.get(..1).map(<[String]>::to_vec).unwrap_or_default())
            && all.iter().all(|person| self.words.contains(&person.family))
    }
}

/// A word of a name without case, accents and punctuation.
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
