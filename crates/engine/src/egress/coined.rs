use std::collections::BTreeSet;

use precedent_domain::{Reference, title_key};
use precedent_language::wording::{Word, is_function_word, offer_end, words};

use crate::extract::{Reading, tokens};

/// Maximum number of query words that are compared with one coined name: `AutoScholarQuery` may be written as three words.
pub(super) const MOST_PARTS: usize = 4;
/// Minimum letters of a mixed-case name.
const FEWEST_LETTERS: usize = 4;

/// The names that a paper coins, each as one word without spaces and hyphens. In addition to those found by extraction: mixed-case names
/// (`AutoScholarQuery`) in a sentence about the paper's contributions, unless a preposition comes before the name (`on ImageNet`) or the entry of a
/// cited work contains it.
pub(super) fn coined_names(reading: &Reading<'_>) -> BTreeSet<String> {
    let (_, mut coined) = reading.names().listed();
    let cited: BTreeSet<String> = reading.paper().references.iter().flat_map(names_in).collect();
    for sentence in reading.sentences() {
        let text = reading.slice(sentence.span);
        let Some(end) = offer_end(text) else { continue };
        let found = words(text.get(end..).unwrap_or_default(), 0);
        for (at, word) in found.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|before| found.get(before));
            let is_object =
                before.is_none_or(|before| word.after_break || !is_function_word(&before.lower) || is_article(before));
            if is_object && is_mixed_case(&word.text) && !cited.contains(&solid(&word.text)) {
                coined.push(word.text.clone());
            }
        }
    }
    coined
        .iter()
        .map(|name| solid(name))
        .filter(|name| name.chars().nth(1).is_some())
        .collect()
}

pub(super) fn solid(name: &str) -> String {
    tokens(name).iter().map(|part| title_key(part)).collect()
}

fn names_in(reference: &Reference) -> Vec<String> {
    words(&reference.text, 0).iter().map(|word| solid(&word.text)).collect()
}

fn is_article(word: &Word) -> bool {
    matches!(word.lower.as_str(), "a" | "an" | "the" | "our" | "and")
}

/// A capital after a lower-case letter, as in `AutoScholarQuery` and `PaSa`.
fn is_mixed_case(word: &str) -> bool {
    let after_small = word
        .chars()
        .zip(word.chars().skip(1))
        .any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    after_small && word.chars().filter(|c| c.is_alphabetic()).count() >= FEWEST_LETTERS
}
