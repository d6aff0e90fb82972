use std::collections::BTreeSet;

use precedent_text::terms::StopWords;

use super::cut_words;

/// A part of a text, printed with an ellipsis where it is shortened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window<'a> {
    /// The text or a part of it, never other words.
    pub(crate) text: &'a str,
    /// Whether text was cut before it.
    pub(crate) cut_before: bool,
    /// Whether text was cut after it.
    pub(crate) cut: bool,
}

/// The part of `text`, at most `longest` words, that shares the most words with `other`. Prefers the beginning on a tie.
pub(crate) fn nearest<'a>(text: &'a str, longest: usize, other: &str) -> Window<'a> {
    let whole = cut_words(text, longest);
    let beginning = Window {
        text: whole.text,
        cut_before: false,
        cut: whole.cut,
    };
    if !whole.cut {
        return beginning;
    }
    let from = nearest_start(text, longest, &content_words(other));
    let Some(tail) = text.get(from..).filter(|_| from > 0) else {
        return beginning;
    };
    let shown = cut_words(tail, longest);
    Window {
        text: shown.text,
        cut_before: true,
        cut: shown.cut,
    }
}

/// The start of the window of `longest` words that contains most of `shared`. Keeps a little context before the first shared word, and moves
/// away from the beginning only for a gain of more than one word.
fn nearest_start(text: &str, longest: usize, shared: &BTreeSet<String>) -> usize {
    const CONTEXT: usize = 3;
    let words: Vec<(usize, bool)> = spaced_words(text)
        .map(|(start, word)| (start, word_starts(word).any(|(_, part)| shared.contains(&fold(part)))))
        .collect();
    let held = |from: usize| {
        words
            .iter()
            .skip(from)
            .take(longest)
            .filter(|(_, shared)| *shared)
            .count()
    };
    let (mut best, mut most) = (0, held(0) + 1);
    for from in 1..=words.len().saturating_sub(longest) {
        if held(from) > most {
            (best, most) = (from, held(from));
        }
    }
    // Start shortly before the first shared word of the best window.
    let first = words.iter().skip(best).position(|(_, shared)| *shared).unwrap_or(0) + best;
    let start = if best == 0 { 0 } else { first.saturating_sub(CONTEXT) };
    words.get(start).map_or(0, |(at, _)| *at)
}

/// The content words of `text`, normalized, to compare two passages.
pub(crate) fn content_words(text: &str) -> BTreeSet<String> {
    word_starts(text)
        .map(|(_, word)| fold(word))
        .filter(|word| word.chars().count() > 2 && !StopWords::Highlights.contains(word))
        .collect()
}

fn spaced_words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let base = text.as_ptr() as usize;
    text.split_whitespace()
        .map(move |word| (word.as_ptr() as usize - base, word))
}

/// Every word with its start offset.
pub(crate) fn word_starts(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let base = text.as_ptr() as usize;
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(move |word| (word.as_ptr() as usize - base, word))
}

/// Lower case without a plural `s`. This is enough for highlighting; the statuses are computed elsewhere.
pub(crate) fn fold(word: &str) -> String {
    let lower = word.to_lowercase();
    match lower.strip_suffix('s') {
        Some(stem) if stem.len() > 3 && !stem.ends_with('s') => stem.to_owned(),
        _ => lower,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_passage_is_cut_around_the_shared_words() {
        let text = "Here is a long beginning that says nothing of it, and only then do we route whole prosodic phrases to experts by pitch.";
        let shared = content_words("a router of whole prosodic phrases and experts");
        let from = nearest_start(text, 9, &shared);
        assert!(
            text[from..].starts_with("do we route whole prosodic phrases"),
            "{}",
            &text[from..]
        );
        assert_eq!(nearest_start(text, 9, &content_words("a long beginning")), 0);
        assert_eq!(nearest_start("", 9, &shared), 0);
    }
}
