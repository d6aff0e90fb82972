use std::collections::BTreeSet;

use precedent_domain::Quote;

use crate::plain::{content_words, cut_words, cut_words_before, fold, nearest, word_starts};
use crate::words;

/// Longest passage shown in full, in words.
pub(super) const LONGEST: usize = 160;
/// How much of a paragraph is shown before and after its passage, in words.
const AROUND: usize = 70;

/// Words cut from a source, ready for printing. Joined, the pieces are the source's own characters, or their beginning where `cut`.
pub(super) struct Passage {
    /// The words, those that the other side has too apart.
    pub(super) pieces: Vec<Piece>,
    /// Whether an ellipsis goes before.
    pub(super) cut_before: bool,
    /// Whether an ellipsis follows.
    pub(super) cut: bool,
    /// The bytes of the source that the passage was cut from: `120-245`.
    pub(super) span: String,
    /// Section and page.
    pub(super) place: String,
}

/// A run of a passage.
pub(super) struct Piece {
    /// Its characters.
    pub(super) text: String,
    /// Whether the other side has these words too.
    pub(super) shared: bool,
}

/// A passage in its paragraph.
pub(super) struct Side {
    /// The paragraph before it, or the end of that.
    pub(super) before: String,
    /// Whether more stands before.
    pub(super) before_cut: bool,
    /// The passage.
    pub(super) passage: Passage,
    /// The paragraph after it, or the beginning of that.
    pub(super) after: String,
    /// Whether more follows.
    pub(super) after_cut: bool,
    /// What the words that were looked for had differently; empty where nothing.
    pub(super) edits: Vec<String>,
}

impl Passage {
    /// `quote`, cut for display at `longest` words.
    pub(super) fn new(quote: &Quote, longest: usize) -> Self {
        Self::beside(quote, longest, "")
    }

    /// `quote`, cut for display, with the words marked that `other` has too.
    pub(super) fn beside(quote: &Quote, longest: usize, other: &str) -> Self {
        let shown = cut_words(quote.text(), longest);
        let span = quote.span();
        Self {
            pieces: mark(shown.text, &content_words(other)),
            cut_before: false,
            cut: shown.cut,
            span: format!("{}-{}", span.start, span.end),
            place: words::place(quote.place()),
        }
    }
}

impl Passage {
    /// The part of `quote`, at most `longest` words, that has most words in common with `other`; the beginning where that does as well.
    pub(super) fn nearest(quote: &Quote, longest: usize, other: &str) -> Self {
        let window = nearest(quote.text(), longest, other);
        Self {
            pieces: mark(window.text, &content_words(other)),
            cut_before: window.cut_before,
            cut: window.cut,
            ..Self::beside(quote, 0, "")
        }
    }
}

impl Side {
    /// `quote` within `context`, with the words marked that `other` has too.
    pub(super) fn new(quote: &Quote, context: Option<&Quote>, other: &Quote) -> Self {
        let (before, after) = context.and_then(|context| around(quote, context)).unwrap_or_default();
        let (head, tail) = (cut_words_before(before, AROUND), cut_words(after, AROUND));
        Self {
            before: head.text.to_owned(),
            before_cut: head.cut,
            passage: Passage::beside(quote, LONGEST, other.text()),
            after: tail.text.to_owned(),
            after_cut: tail.cut,
            edits: words::edits(quote.edits()),
        }
    }
}

/// What stands before and after `quote` in `context`; `None` where it does not stand there.
fn around<'a>(quote: &Quote, context: &'a Quote) -> Option<(&'a str, &'a str)> {
    let from = quote.span().start.checked_sub(context.span().start)?;
    let to = from + quote.text().len();
    let text = context.text();
    (text.get(from..to)? == quote.text()).then_some(())?;
    Some((text.get(..from)?, text.get(to..)?))
}

/// The pieces of `text`: runs of words that are in `shared`, and what stands between.
fn mark(text: &str, shared: &BTreeSet<String>) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut add = |text: &str, shared: bool| match pieces.last_mut() {
        Some(last) if last.shared == shared => last.text.push_str(text),
        _ if text.is_empty() => {}
        _ => pieces.push(Piece {
            text: text.to_owned(),
            shared,
        }),
    };
    let mut done = 0;
    for (start, word) in word_starts(text) {
        let end = start + word.len();
        if shared.contains(&fold(word)) {
            add(text.get(done..start).unwrap_or_default(), false);
            add(word, true);
            done = end;
        }
    }
    add(text.get(done..).unwrap_or_default(), false);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(pieces: &[Piece]) -> String {
        pieces.iter().map(|piece| piece.text.as_str()).collect()
    }

    #[test]
    fn marking_changes_no_character() {
        for text in [
            "We route whole phrases, not frames.",
            "",
            "  spaced  ",
            "基于 phrase 的模型",
            "phrase phrase",
            "a-b phrase’s",
        ] {
            let pieces = mark(text, &content_words("a phrase of frames"));
            assert_eq!(joined(&pieces), text);
        }
    }

    #[test]
    fn words_that_both_have_are_marked() {
        let pieces = mark(
            "We route whole phrases, and the frames.",
            &content_words("a phrase and the router of the whole"),
        );
        let marked: Vec<&str> = pieces
            .iter()
            .filter(|piece| piece.shared)
            .map(|piece| piece.text.as_str())
            .collect();
        assert_eq!(marked, ["whole", "phrases"]);
    }
}
