use unicode_normalization::UnicodeNormalization;

use crate::title::{Closeness, closeness, shared_words};
use crate::{Author, Identifiers, PublicationDate};

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

/// Share of the words of two abstracts that makes a work and its namesake with a subtitle one; that which a title with a slip needs at least, and that
/// which two numbers of one archive need.
const SAME_ABSTRACT: f64 = 0.95;
const KINDRED_ABSTRACT: f64 = 0.3;
const OF_TWO_NUMBERS: f64 = 0.6;

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

/// Whether two records are of one work: a shared identifier; or one title, authors that agree, and years that lie near. Titles are one that differ in
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
        return true;
    }
    let key = title_key(a.title);
    let close = closeness(a.title, b.title);
    if close == Closeness::Other || is_heading(&key) || is_heading(&title_key(b.title)) {
        return false;
    }
    let year = |dates: &[PublicationDate]| dates.iter().map(|dated| dated.date.year()).min();
    let apart = match (year(a.dates), year(b.dates)) {
        (Some(a), Some(b)) => Some(a.abs_diff(b)),
        _ => None,
    };
    let long = key.split(' ').count() >= 4 || key.chars().any(is_ideograph);
    let within = |years: u16| apart.is_none_or(|apart| apart <= years);
    let agreement = agreement(a.authors, b.authors);
    // A title that is not quite the same needs more: years that are known and next to each other, and the authors.
    let shared = shared_words(a.summary, b.summary);
    let next = apart.is_some_and(|apart| apart <= 1);
    let all = matches!(agreement, Agreement::One | Agreement::All);
    match close {
        Closeness::Same | Closeness::Other => {}
        Closeness::Slip => {
            let authors = all || matches!(agreement, Agreement::First);
            return next && authors && shared.is_none_or(|shared| shared >= KINDRED_ABSTRACT);
        }
        Closeness::Version => return next && all,
        Closeness::Subtitle => return next && all && shared.is_some_and(|shared| shared >= SAME_ABSTRACT),
    }
    let two_numbers = match (&a.identifiers.arxiv, &b.identifiers.arxiv) {
        (Some(a), Some(b)) => a != b,
        _ => false,
    };
    if two_numbers && shared.is_some_and(|shared| shared < OF_TWO_NUMBERS) {
        return false;
    }
    match agreement {
        Agreement::Unknown => apart == Some(0) && long,
        Agreement::None => false,
        Agreement::First | Agreement::Most => within(2),
        Agreement::One => within(2) || long && within(5),
        Agreement::All => within(2) || long && within(10),
    }
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
mod tests {
    use super::*;

    #[test]
    fn title_keys_keep_what_tells_works_apart() {
        for (a, b) in [
            ("β-VAE", "VAE"),
            ("C++", "C#"),
            ("基于深度学习的 BERT 模型", "面向法律文本的 BERT 应用"),
            ("QA", "Q&A 2"),
        ] {
            assert_ne!(title_key(a), title_key(b), "{a} / {b}");
        }
        assert_eq!(
            title_key("Graph-Based  Parsing:\u{a0}A Survey"),
            title_key("Graph based parsing – a survey")
        );
    }

    #[test]
    fn persons_are_told_apart_as_far_as_their_names_are_printed() {
        let same = |a: &str, b: &str| same_person(&Author::new(a), &Author::new(b));
        for (a, b) in [
            ("Elin Marsh", "Marsh, Elin"),
            ("E. Marsh", "Elin Marsh"),
            ("Xiao Ming Li", "Xiaoming Li"),
            ("Xiao-Ming Li", "Xiaoming Li"),
            ("Jürgen Müller", "Jurgen Muller"),
            ("Marsh", "Elin Marsh"),
        ] {
            assert!(same(a, b) && same(b, a), "{a} / {b}");
        }
        for (a, b) in [
            ("Elin Marsh", "Tomas Marsh"),
            ("Wei Wang", "Weijia Wang"),
            ("E. Marsh", "T. Marsh"),
            ("", ""),
        ] {
            assert!(!same(a, b), "{a} / {b}");
        }
    }

    #[test]
    fn one_title_is_not_one_work() {
        let none = Identifiers::default();
        let dated = |year: &str| {
            vec![PublicationDate {
                date: year.parse().unwrap(),
                origin: crate::DateOrigin::Given,
            }]
        };
        let (ann, bob) = ([Author::new("Ann Lee")], [Author::new("Bob Roy")]);
        let (early, late) = (dated("2018"), dated("2019"));
        fn of<'a>(authors: &'a [Author], dates: &'a [PublicationDate], identifiers: &'a Identifiers) -> Identity<'a> {
            Identity {
                title: "Introduction to the special issue",
                authors,
                dates,
                identifiers,
                summary: None,
            }
        }
        assert!(is_same_work(of(&ann, &early, &none), of(&ann, &late, &none)));
        assert!(!is_same_work(of(&ann, &early, &none), of(&bob, &early, &none)));
        assert!(!is_same_work(of(&ann, &early, &none), of(&[], &late, &none)));
    }

    fn same(title: &str, a: (&[&str], &str), b: (&[&str], &str)) -> bool {
        let none = Identifiers::default();
        let authors = |names: &[&str]| names.iter().map(|name| Author::new(name)).collect::<Vec<_>>();
        let dates = |year: &str| {
            let date = year.parse().ok();
            date.map(|date| PublicationDate {
                date,
                origin: crate::DateOrigin::Given,
            })
            .into_iter()
            .collect::<Vec<_>>()
        };
        let (a_authors, b_authors, a_dates, b_dates) = (authors(a.0), authors(b.0), dates(a.1), dates(b.1));
        let one = Identity {
            title,
            authors: &a_authors,
            dates: &a_dates,
            identifiers: &none,
            summary: None,
        };
        let other = Identity {
            title,
            authors: &b_authors,
            dates: &b_dates,
            identifiers: &none,
            summary: None,
        };
        let answer = is_same_work(one, other);
        assert_eq!(answer, is_same_work(other, one), "the order of the two does not matter");
        answer
    }

    #[test]
    fn versions_of_a_work_are_told_however_their_authors_are_printed() {
        let title = "Learning to align and translate";
        for (a, b) in [
            (
                (&["Ann Lee", "Bob Roy"][..], "2014"),
                (&["A. Lee", "Bob Q. Roy"][..], "2015"),
            ),
            (
                (&["Bob Roy", "Ann Lee", "Eve Poe"], "2017"),
                (&["Ann Lee", "Eve Poe", "Bob Roy"], "2017"),
            ),
            (
                (&["Ann Lee", "Bob Roy"], "2006"),
                (&["Ann Lee", "Bob Roy", "Ann Lee", "Bob Roy"], "2015"),
            ),
            (
                (&["David H. Lee Bob Roy"], "2009"),
                (&["David H. Lee", "Bob Roy"], "2010"),
            ),
            ((&["Anders Sørensen"], "2009"), (&["Anders Sorensen"], "2010")),
            ((&["Serban E. Vlad"], "2004"), (&["Serban E. Vlad"], "2008")),
            ((&["Zhang Wei"], "2019"), (&["Wei Zhang"], "2019")),
            ((&["Anonymous"], "2018"), (&["Ann Lee"], "2018")),
        ] {
            assert!(same(title, a, b), "{a:?} / {b:?}");
        }
        assert!(same(
            "Неглубокий синтаксический разбор русского",
            (&["Иван Петров"], "2018"),
            (&["И. Петров"], "2019")
        ));
        assert!(same(
            "基于深度学习的机器翻译",
            (&["张 伟"], "2018"),
            (&["张 伟"], "2019")
        ));
    }

    #[test]
    fn different_works_of_one_title_stay_apart() {
        let title = "Discussion of a statistical analysis of things";
        for (a, b) in [
            ((&["Ann Lee"][..], "2011"), (&["Bob Roy"][..], "2011")),
            ((&["Ann White"], "2014"), (&["Gentry White"], "2014")),
            (
                (&["Abla Mawu", "Michael Blench"], "2005"),
                (&["Michael Blench"], "2008"),
            ),
            ((&["Ann Lee"], "2012"), (&["Yan Chen", "Ann Lee", "Eve Poe"], "2017")),
            ((&["Ann Lee"], "1999"), (&["Ann Lee"], "2015")),
            ((&[], "2011"), (&["Bob Roy"], "2012")),
            ((&["Anonymous"], "2018"), (&["Ann Lee"], "2019")),
        ] {
            assert!(!same(title, a, b), "{a:?} / {b:?}");
        }
        assert!(!same("Editorial", (&["Ann Lee"], "2018"), (&["Ann Lee"], "2018")));
        assert!(!same("QA", (&[], "2018"), (&[], "2018")));
    }

    #[test]
    fn a_gap_inside_a_word_is_no_other_title() {
        let key = title_key;
        assert!(is_same_title(
            &key("Multi-Agent Pre-training"),
            &key("Multiagent Pretraining")
        ));
        assert!(!is_same_title(&key("Parsing, part 1"), &key("Parsing, part 2")));
        assert!(!is_same_title(&key("β-VAE"), &key("VAE")));
        assert!(!is_same_title(&key("C++ in practice"), &key("C# in practice")));
    }

    /// Whether two records are one work: title, years and abstract; authors are two, the same.
    fn same_titled(
        a: (&str, &str, Option<&str>),
        b: (&str, &str, Option<&str>),
        numbers: Option<(&str, &str)>,
    ) -> bool {
        let authors = [Author::new("Ann Lee"), Author::new("Bob Roy")];
        let dates = |year: &str| {
            [PublicationDate {
                date: year.parse().unwrap(),
                origin: crate::DateOrigin::Given,
            }]
        };
        let number = |number: Option<&str>| Identifiers {
            arxiv: number.map(|number| number.parse().unwrap()),
            ..Identifiers::default()
        };
        let (a_dates, b_dates) = (dates(a.1), dates(b.1));
        let (a_number, b_number) = (number(numbers.map(|two| two.0)), number(numbers.map(|two| two.1)));
        let one = Identity {
            title: a.0,
            authors: &authors,
            dates: &a_dates,
            identifiers: &a_number,
            summary: a.2,
        };
        let other = Identity {
            title: b.0,
            dates: &b_dates,
            identifiers: &b_number,
            summary: b.2,
            ..one
        };
        let answer = is_same_work(one, other);
        assert_eq!(answer, is_same_work(other, one), "the order of the two does not matter");
        answer
    }

    const ROPES: &str = "A rope that hangs between two buoys carries symbols if both ends know how it swings; we show how to predict that \
                         from recent swell and place every pulse where it is taut, without any clock at all.";
    const CREEP: &str = "Under load a polymer rope grows longer over weeks. This paper measures such growth on nine moorings, fits three \
                         models known from materials science, and gives tables for engineers who must choose lengths.";

    #[test]
    fn a_sequel_is_another_work_and_a_printing_is_not() {
        let title = "Signalling along ropes in swell";
        for (subtitle, abstracts, wanted) in [
            ("Signalling along ropes in swell: Part II", (ROPES, CREEP), false),
            (
                "Signalling along ropes in swell: the case of heavy swell",
                (ROPES, CREEP),
                false,
            ),
            (
                "Signalling along ropes in swell: an approach without clocks",
                (ROPES, ROPES),
                true,
            ),
            (
                "Signalling along ropes in swell - Extended Abstract",
                (ROPES, CREEP),
                true,
            ),
            ("Signaling along ropes in swell", (ROPES, ROPES), true),
            ("Signaling along ropes in swell", (ROPES, CREEP), false),
        ] {
            let (mine, theirs) = (
                (title, "2018", Some(abstracts.0)),
                (subtitle, "2019", Some(abstracts.1)),
            );
            assert_eq!(same_titled(mine, theirs, None), wanted, "{subtitle}");
        }
        // Without abstracts nothing tells a work from its sequel.
        let sequel = "Signalling along ropes in swell: an approach without clocks";
        assert!(!same_titled((title, "2018", None), (sequel, "2018", None), None));
        assert!(same_titled(
            (title, "2018", None),
            ("Signaling along ropes in swell", "2018", None),
            None
        ));
        // Years apart a slip is a new work.
        let slip = ("Signaling along ropes in swell", "2021", Some(ROPES));
        assert!(!same_titled((title, "2018", Some(ROPES)), slip, None));
    }

    #[test]
    fn two_numbers_of_one_archive_are_one_work_only_with_one_abstract() {
        let title = "Signalling along ropes in swell";
        let (one, like, other) = (
            (title, "2007", Some(ROPES)),
            (title, "2007", Some(ROPES)),
            (title, "2007", Some(CREEP)),
        );
        let numbers = Some(("0705.1272", "0708.3896"));
        assert!(same_titled(one, like, numbers));
        assert!(!same_titled(one, other, numbers));
        assert!(same_titled(one, other, Some(("0705.1272v1", "arXiv:0705.1272v2"))));
        assert!(same_titled(one, other, None));
    }
}
