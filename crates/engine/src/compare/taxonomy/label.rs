//! Names for the groups of a tree.

use precedent_language::terms::{Phrase, TermId, WordKind};

use super::group::{Group, count};
use crate::compare::ComparisonSet;

/// The name of a group, and the phrases behind it.
#[derive(Debug, Clone)]
pub(super) struct Label<'a> {
    pub(super) name: String,
    /// The phrases of the name first, then others that the papers share.
    pub(super) phrases: Vec<&'a Phrase>,
    /// Whether phrases name it.
    pub(super) is_named: bool,
}

/// Names for sibling groups.
pub(super) fn labels<'a>(set: &'a ComparisonSet<'_>, groups: &[Group<'a>]) -> Vec<Label<'a>> {
    groups.iter().map(|group| label(set, group)).collect()
}

fn label<'a>(set: &'a ComparisonSet<'_>, group: &Group<'a>) -> Label<'a> {
    let mut phrases = group.phrases.clone();
    if !phrases.is_empty() {
        phrases.extend(also_shared(set, &group.members, &group.phrases));
    }
    let surfaces: Vec<&str> = group.phrases.iter().map(|phrase| phrase.surface.as_str()).collect();
    Label {
        name: match surfaces.as_slice() {
            [] => "Topics of Single Papers".to_owned(),
            named => title_case(&named.join(" and ")),
        },
        phrases,
        is_named: !surfaces.is_empty(),
    }
}

/// Stems of a name that no name below may repeat: its content words.
pub(super) fn own_terms(set: &ComparisonSet<'_>, label: &Label<'_>) -> Vec<TermId> {
    let words = if label.is_named {
        set.read(&label.name)
    } else {
        Vec::new()
    };
    words
        .iter()
        .filter(|word| word.kind == WordKind::Substance)
        .map(|word| word.term)
        .collect()
}

/// The most shared phrases besides those of the name, with other words.
fn also_shared<'a>(set: &'a ComparisonSet<'_>, members: &[usize], named: &[&Phrase]) -> Vec<&'a Phrase> {
    let mut shared: Vec<(usize, &'a Phrase)> = set
        .phrases()
        .filter(|phrase| phrase.names_a_group() && phrase.terms.len() > 1)
        .filter(|phrase| named.iter().all(|name| !phrase.touches(&name.terms)))
        .map(|phrase| (count(phrase, members), phrase))
        .filter(|(count, _)| *count >= 2)
        .collect();
    shared.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.surface.cmp(&b.1.surface)));
    let mut kept: Vec<&'a Phrase> = Vec::new();
    for (_, phrase) in shared {
        if kept.len() + named.len() < 3 && kept.iter().all(|other| !phrase.touches(&other.terms)) {
            kept.push(phrase);
        }
    }
    kept
}

/// Title case; words with their own capitals keep them.
pub(super) fn title_case(text: &str) -> String {
    const SMALL: [&str; 16] = [
        "a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with", "via",
    ];
    let capital = |part: &str| {
        if part.chars().any(char::is_uppercase) {
            return part.to_owned();
        }
        let mut chars = part.chars();
        let Some(first) = chars.next() else {
            return String::new();
        };
        // A ligature expands to two letters, and only the first is capitalised.
        let mut letters = first.to_uppercase();
        let first = letters.next();
        first
            .into_iter()
            .chain(letters.flat_map(char::to_lowercase))
            .chain(chars)
            .collect()
    };
    let words: Vec<String> = text
        .split_whitespace()
        .enumerate()
        .map(|(index, word)| {
            if index > 0 && SMALL.contains(&word) {
                return word.to_owned();
            }
            let parts: Vec<String> = word
                .split('-')
                .enumerate()
                .map(|(at, part)| {
                    if at > 0 && SMALL.contains(&part) {
                        part.to_owned()
                    } else {
                        capital(part)
                    }
                })
                .collect();
            parts.join("-")
        })
        .collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_title_case() {
        assert_eq!(
            title_case("graph-based dependency parsing with LSTMs"),
            "Graph-Based Dependency Parsing with LSTMs"
        );
        assert_eq!(
            title_case("LLM-based state-of-the-art search"),
            "LLM-Based State-of-the-Art Search"
        );
        assert_eq!(title_case("NF-κB signalling"), "NF-κB Signalling");
        assert_eq!(title_case(""), "");
        assert_eq!(title_case("the  élan"), "The Élan");
        assert_eq!(title_case("ﬁlter swell"), "Filter Swell");
    }
}
