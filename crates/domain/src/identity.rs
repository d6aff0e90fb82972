use unicode_normalization::UnicodeNormalization;

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
}

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

/// Whether two records are of one work: a shared identifier; or one title, the same first author, and years at most two apart.
/// Titles alone never suffice; unknown authors on either side need the very same year.
#[must_use]
pub fn is_same_work(a: Identity<'_>, b: Identity<'_>) -> bool {
    if a.identifiers.agree(b.identifiers) {
        return true;
    }
    let key = title_key(a.title);
    if key.is_empty() || key != title_key(b.title) {
        return false;
    }
    let year = |dates: &[PublicationDate]| dates.iter().map(|dated| dated.date.year()).min();
    let apart = match (year(a.dates), year(b.dates)) {
        (Some(a), Some(b)) => Some(a.abs_diff(b)),
        _ => None,
    };
    match (a.authors.first(), b.authors.first()) {
        (Some(_), Some(_)) => share_an_author(a.authors, b.authors) && apart.is_none_or(|years| years <= 2),
        _ => apart == Some(0) && key.split(' ').count() >= 4,
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

fn share_an_author(a: &[Author], b: &[Author]) -> bool {
    let family = |author: &Author| fold_name(author.family_name());
    let first = |authors: &[Author]| authors.first().map(family);
    first(a) == first(b)
}

fn fold_name(name: &str) -> String {
    name.nfd()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
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
            }
        }
        assert!(is_same_work(of(&ann, &early, &none), of(&ann, &late, &none)));
        assert!(!is_same_work(of(&ann, &early, &none), of(&bob, &early, &none)));
        assert!(!is_same_work(of(&ann, &early, &none), of(&[], &late, &none)));
    }
}
