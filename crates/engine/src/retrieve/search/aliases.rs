//! Short names for citing, `Knuth 1989` or, without an author, `“Survey of Rope-Line” 2013`. Letters tell duplicates apart.

use std::collections::BTreeMap;

use precedent_domain::Work;
use precedent_language::wording::is_function_word;

/// Maximum words of a title in a short name.
const TITLE_WORDS: usize = 3;

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
        None => short_title(&work.title),
    };
    let name = if name.is_empty() { "Untitled".to_owned() } else { name };
    match work.year() {
        Some(year) => format!("{name} {year}"),
        None => format!("{name} n.d."),
    }
}

/// The first words of a title in quotes, without an article before them or a preposition after them.
fn short_title(title: &str) -> String {
    let is_light = |word: &&str| is_function_word(&word.to_lowercase());
    let all: Vec<&str> = title.split_whitespace().collect();
    let begin = all.iter().take_while(|word| is_light(word)).count() % all.len().max(1);
    let words: Vec<&str> = all.into_iter().skip(begin).take(TITLE_WORDS).collect();
    let end = words
        .iter()
        .rposition(|word| !is_light(word))
        .map_or(words.len(), |last| last + 1);
    let short = words.iter().take(end).copied().collect::<Vec<_>>().join(" ");
    let short = short.trim_end_matches([':', ',', '.']);
    if short.is_empty() {
        String::new()
    } else {
        format!("“{short}”")
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
            work("", Some("2017"), "Attention Is All You Need"),
            work("", Some("2020"), "What It Is"),
            work("", None, ""),
        ];
        let refs: Vec<&Work> = works.iter().collect();
        assert_eq!(
            aliases(&refs),
            [
                "Knuth 1989a",
                "Knuth 1989b",
                "Tanaka n.d. a",
                "“Survey of Rope-Line” 2013",
                "Tanaka n.d. b",
                "“Attention” 2017",
                "“What It Is” 2020",
                "Untitled n.d."
            ]
        );
        assert_eq!(letters(26), "aa");
    }
}
