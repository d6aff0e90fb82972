use std::collections::BTreeMap;

use precedent_text::terms::stem;

use super::words::{Word, words};
use super::{is_evaluative, is_function_word, is_generic};

/// A phrase that says what a text is about.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyPhrase {
    /// As first printed.
    pub text: String,
    /// The stems of its words.
    pub stems: Vec<String>,
    /// Importance; only the order is meaningful.
    pub weight: f64,
}

/// Maximum number of words in a key phrase.
const LONGEST: usize = 4;

/// The key phrases of weighted texts, best first. A title weighs more than an introduction.
///
/// A phrase is a run of words between function words and punctuation, weighted by how often and where its words occur. The general vocabulary of
/// papers counts little. `skip` identifies words that no phrase may contain, such as coined names.
pub fn key_phrases(texts: &[(&str, f64)], skip: &dyn Fn(&str) -> bool) -> Vec<KeyPhrase> {
    let mut word_weight: BTreeMap<String, f64> = BTreeMap::new();
    let mut runs: BTreeMap<Vec<String>, (String, f64, usize)> = BTreeMap::new();
    let mut order = 0;
    for (text, weight) in texts {
        let found = words(text, 0);
        for word in found.iter().filter(|word| word.is_content()) {
            *word_weight.entry(stem(&word.lower)).or_default() += weight * worth(&word.lower);
        }
        for run in runs_of(&found, skip) {
            let stems: Vec<String> = run.iter().map(|word| stem(&word.lower)).collect();
            let Some((first, last)) = run.first().zip(run.last()) else {
                continue;
            };
            let printed = text.get(first.span.start..last.span.end).unwrap_or_default();
            order += 1;
            let entry = runs.entry(stems).or_insert_with(|| (printed.to_owned(), 0.0, order));
            entry.1 += weight;
        }
    }
    let mut phrases: Vec<(usize, KeyPhrase)> = runs
        .into_iter()
        .map(|(stems, (text, seen, order))| {
            let sum: f64 = stems.iter().filter_map(|one| word_weight.get(one)).sum();
            #[expect(clippy::cast_precision_loss, reason = "a phrase has at most four words")]
            let length = stems.len() as f64;
            // Words that repeatedly occur together weigh more than words that occur apart.
            let weight = sum / length.sqrt() * (1.0 + seen).ln();
            (
                order,
                KeyPhrase {
                    text: precedent_text::one_line(&text),
                    stems,
                    weight,
                },
            )
        })
        .collect();
    phrases.sort_by(|(a_order, a), (b_order, b)| b.weight.total_cmp(&a.weight).then(a_order.cmp(b_order)));
    phrases.into_iter().map(|(_, phrase)| phrase).collect()
}

/// The most important words of the texts, each as first printed, by weight: the query of a plain word search.
pub fn keywords(texts: &[(&str, f64)], most: usize, skip: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut weights: BTreeMap<String, (f64, usize, String)> = BTreeMap::new();
    let mut order = 0;
    for (text, weight) in texts {
        for word in words(text, 0) {
            let plain = word.is_content()
                && word.text.chars().count() > 2
                && word.text.chars().all(|c| c.is_alphanumeric() || c == '-');
            if !plain || skip(&word.text) || is_generic(&word.lower) || is_evaluative(&word.lower) {
                continue;
            }
            order += 1;
            weights
                .entry(stem(&word.lower))
                .or_insert_with(|| (0.0, order, word.text.clone()))
                .0 += weight;
        }
    }
    let mut ranked: Vec<(f64, usize, String)> = weights.into_values().collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    // After the first ten, a word must occur more than once.
    let said_again = |(at, (weight, _, _)): &(usize, &(f64, usize, String))| *at < 10 || *weight > 1.0;
    ranked
        .iter()
        .enumerate()
        .filter(said_again)
        .take(most)
        .map(|(_, (_, _, word))| word.clone())
        .collect()
}

fn worth(lower: &str) -> f64 {
    if is_generic(lower) || is_evaluative(lower) {
        0.15
    } else {
        1.0
    }
}

/// Runs of content words without a break, with evaluative and generic words trimmed from both ends.
fn runs_of<'a>(found: &'a [Word], skip: &dyn Fn(&str) -> bool) -> Vec<&'a [Word]> {
    let usable = |word: &Word| {
        word.is_content()
            && !skip(&word.text)
            && !word
                .lower
                .chars()
                .any(|c| matches!(c, '\\' | '$' | '{' | '}' | '_' | '^' | '@'))
    };
    let mut runs = Vec::new();
    let mut start = 0;
    while start < found.len() {
        let rest = found.get(start..).unwrap_or_default();
        let length = rest
            .iter()
            .enumerate()
            .take_while(|(at, word)| usable(word) && (*at == 0 || !word.after_break))
            .count();
        let run = trim(rest.get(..length).unwrap_or_default());
        if !run.is_empty() && run.len() <= LONGEST && run.iter().any(|word| !is_generic(&word.lower)) {
            runs.push(run);
        }
        start += length.max(1);
    }
    runs
}

fn trim(run: &[Word]) -> &[Word] {
    let head_cut = |word: &Word| {
        is_generic(&word.lower)
            || is_evaluative(&word.lower)
            || word.lower.ends_with("ly")
            || is_function_word(&word.lower)
    };
    let tail_cut = |word: &Word| {
        word.lower.ends_with("ly")
            || (is_evaluative(&word.lower) || is_generic(&word.lower)) && !is_head_noun(&word.lower)
    };
    let from = run.iter().take_while(|word| head_cut(word)).count();
    let run = run.get(from..).unwrap_or_default();
    let cut = run.iter().rev().take_while(|word| tail_cut(word)).count();
    run.get(..run.len() - cut).unwrap_or_default()
}

/// Generic nouns that may end a phrase: `language model`, `sorting problem`.
fn is_head_noun(lower: &str) -> bool {
    const HEADS: [&str; 28] = [
        "analysis",
        "model",
        "models",
        "modeling",
        "modelling",
        "network",
        "networks",
        "system",
        "systems",
        "data",
        "method",
        "methods",
        "theory",
        "problem",
        "problems",
        "function",
        "functions",
        "framework",
        "task",
        "tasks",
        "technology",
        "research",
        "set",
        "sets",
        "behavior",
        "evaluation",
        "test",
        "design",
    ];
    HEADS.contains(&lower)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_phrases_come_first() {
        let texts = [
            ("Named Entity Transliteration With Comparable Corpora", 3.0),
            (
                "We investigate named entity transliteration using comparable corpora. A novel method is proposed.",
                1.0,
            ),
        ];
        let phrases = key_phrases(&texts, &|_| false);
        let first: Vec<&str> = phrases.iter().take(2).map(|phrase| phrase.text.as_str()).collect();
        assert!(first.contains(&"Named Entity Transliteration"), "{first:?}");
        assert!(first.contains(&"Comparable Corpora"), "{first:?}");
        assert!(phrases.iter().all(|phrase| !phrase.text.contains("novel")));
    }

    #[test]
    fn coined_names_are_skipped() {
        let phrases = key_phrases(&[("TRIDENT learns molecular representations", 1.0)], &|word| {
            word == "TRIDENT"
        });
        assert!(phrases.iter().all(|phrase| !phrase.text.contains("TRIDENT")));
    }
}
