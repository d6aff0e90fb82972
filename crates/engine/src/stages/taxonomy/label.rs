//! Names for the groups of a tree.

use super::group::{Above, Group};
use crate::stages::ComparisonSet;
use crate::stages::terms::{Phrase, TermId, WordKind};

/// The name of a group, and the phrases behind it.
#[derive(Debug, Clone)]
pub(super) struct Label<'a> {
    pub(super) name: String,
    /// The phrase of the name first, if there is one, then others that the papers share.
    pub(super) phrases: Vec<&'a Phrase>,
    /// Whether the first of `phrases` is the name.
    pub(super) is_named: bool,
}

/// Names for sibling groups.
pub(super) fn labels<'a>(set: &'a ComparisonSet<'_>, groups: &[Group<'a>], above: &Above) -> Vec<Label<'a>> {
    groups.iter().map(|group| label(set, group, above)).collect()
}

fn label<'a>(set: &'a ComparisonSet<'_>, group: &Group<'a>, above: &Above) -> Label<'a> {
    let Some(phrase) = group.phrase else {
        return Label {
            name: without_common_term(set, &group.members, above),
            phrases: Vec::new(),
            is_named: false,
        };
    };
    let mut phrases = vec![phrase];
    phrases.extend(also_shared(set, &group.members, phrase));
    Label {
        name: title_case(&phrase.surface),
        phrases,
        is_named: true,
    }
}

/// Stems of a name that no name below may repeat: its content words, or its generic words if it has no others.
pub(super) fn own_terms(set: &ComparisonSet<'_>, label: &Label<'_>) -> Vec<TermId> {
    let Some(phrase) = label.phrases.first().filter(|_| label.is_named) else {
        return Vec::new();
    };
    let words = set.read(&phrase.surface);
    words
        .iter()
        .filter(|word| word.kind == WordKind::Substance)
        .map(|word| word.term)
        .collect()
}

/// How many of `works` have the phrase.
pub(super) fn count(phrase: &Phrase, works: &[usize]) -> usize {
    works.iter().filter(|&&work| phrase.stands_in(work)).count()
}

/// The two most shared phrases besides the name, with other words.
fn also_shared<'a>(set: &'a ComparisonSet<'_>, members: &[usize], name: &Phrase) -> Vec<&'a Phrase> {
    let mut shared: Vec<(usize, &'a Phrase)> = set
        .phrases()
        .filter(|phrase| phrase.names_a_group() && phrase.terms.len() > 1 && !phrase.touches(&name.terms))
        .map(|phrase| (count(phrase, members), phrase))
        .filter(|(count, _)| *count >= 2)
        .collect();
    shared.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.surface.cmp(&b.1.surface)));
    let mut kept: Vec<&'a Phrase> = Vec::new();
    for (_, phrase) in shared {
        if kept.len() < 2 && kept.iter().all(|other| !phrase.touches(&other.terms)) {
            kept.push(phrase);
        }
    }
    kept
}

/// A name for papers without a common term: two of their topics, and the fact that nothing connects them.
fn without_common_term(set: &ComparisonSet<'_>, members: &[usize], above: &Above) -> String {
    let mut kept: Vec<&Phrase> = Vec::new();
    for &work in members.iter().filter(|&&work| work > 0) {
        let best = set
            .phrases()
            .filter(|phrase| {
                phrase.names_a_group()
                    && (2..=3).contains(&phrase.terms.len())
                    && phrase.in_titles.contains(&work)
                    && !phrase.touches(&above.names)
                    && kept.iter().all(|other| !phrase.touches(&other.terms))
            })
            .max_by(|a, b| {
                let weight = |phrase: &Phrase| (!phrase.is_name, phrase.substance, phrase.works.len());
                weight(a).cmp(&weight(b)).then_with(|| b.surface.cmp(&a.surface))
            });
        kept.extend(best);
        if kept.len() == 2 {
            break;
        }
    }
    match kept.as_slice() {
        [one, other] => format!(
            "Without a Common Term: {}; {}",
            title_case(&one.surface),
            title_case(&other.surface)
        ),
        _ => "Works without a Common Term".to_owned(),
    }
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
