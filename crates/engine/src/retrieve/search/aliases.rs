//! Short names for citing, `Knuth 1989`, with letters to tell duplicates apart.

use std::collections::BTreeMap;

use precedent_domain::Work;

/// One alias per work, in the same order, all different.
pub(crate) fn aliases(works: &[&Work]) -> Vec<String> {
    let bases: Vec<String> = works.iter().map(|work| base(work)).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for base in &bases {
        *counts.entry(base).or_default() += 1;
    }
    let mut given: BTreeMap<&str, usize> = BTreeMap::new();
    bases
        .iter()
        .map(|base| {
            if counts.get(base.as_str()) == Some(&1) {
                return base.clone();
            }
            let number = given.entry(base).or_default();
            *number += 1;
            // `Knuth 1989a`; a space is needed only if the name does not end in a digit.
            let gap = if base.ends_with(|c: char| c.is_ascii_digit()) {
                ""
            } else {
                " "
            };
            format!("{base}{gap}{}", letters(*number - 1))
        })
        .collect()
}

fn base(work: &Work) -> String {
    let family = work
        .authors
        .first()
        .map(|author| author.family_name().trim())
        .filter(|name| !name.is_empty());
    let name = match family {
        Some(name) => name.chars().take(40).collect(),
        // No author known: the first words of the title.
        None => work
            .title
            .split_whitespace()
            .take(3)
            .collect::<Vec<_>>()
            .join(" ")
            .trim_end_matches([':', ',', '.'])
            .to_owned(),
    };
    let name = if name.is_empty() { "Untitled".to_owned() } else { name };
    match work.year() {
        Some(year) => format!("{name} {year}"),
        None => format!("{name} n.d."),
    }
}

/// `a` … `z`, `aa`, `ab` …
fn letters(number: usize) -> String {
    let letter = |at: usize| char::from(b'a' + u8::try_from(at % 26).unwrap_or_default());
    if number < 26 {
        letter(number).to_string()
    } else {
        format!("{}{}", letters(number / 26 - 1), letter(number))
    }
}

#[cfg(test)]
mod tests {
    use precedent_domain::{Author, DateOrigin, PublicationDate};

    use super::*;

    fn work(author: &str, year: Option<&str>, title: &str) -> Work {
        Work {
            authors: if author.is_empty() {
                vec![]
            } else {
                vec![Author::new(author)]
            },
            dates: year
                .map(|year| PublicationDate {
                    date: year.parse().unwrap(),
                    origin: DateOrigin::Record("c".into()),
                })
                .into_iter()
                .collect(),
            ..Work::titled("w:1".parse().unwrap(), title.into())
        }
    }

    #[test]
    fn aliases_differ() {
        let works = [
            work("Donald E. Knuth", Some("1989"), "A"),
            work("Knuth, Donald", Some("1989-05"), "B"),
            work("Mei Tanaka", None, "C"),
            work("", Some("2013"), "A Survey of Rope-Line Telemetry"),
            work("Mei Tanaka", None, "D"),
        ];
        let refs: Vec<&Work> = works.iter().collect();
        assert_eq!(
            aliases(&refs),
            [
                "Knuth 1989a",
                "Knuth 1989b",
                "Tanaka n.d. a",
                "A Survey of 2013",
                "Tanaka n.d. b"
            ]
        );
        assert_eq!(letters(26), "aa");
    }
}
