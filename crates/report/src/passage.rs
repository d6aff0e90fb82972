use std::collections::BTreeSet;

use precedent_domain::Quote;

use crate::plain::{content_words, cut_words, cut_words_before, fold, nearest, word_starts};
use crate::words;

/// Maximum length of a passage, in words.
pub(crate) const LONGEST: usize = 160;
/// The same for a passage in a list of passages.
const EXCERPT: usize = 90;
/// Maximum context before and after a passage, in words.
const AROUND: usize = 70;

/// Marks at the start of an item of a list.
const BULLETS: [char; 12] = ['•', '‣', '◦', '▪', '▸', '●', '○', '■', '·', '-', '–', '*'];

/// `text` without the bullet of its list. What is left are still the source's own characters. A mark that no space follows is part of the text.
#[must_use]
pub fn without_bullet(text: &str) -> &str {
    let mut text = text;
    while let Some(rest) = text.trim_start().strip_prefix(BULLETS)
        && rest.starts_with(char::is_whitespace)
    {
        text = rest.trim_start();
    }
    text
}

/// A quote, ready for display. Joined, the pieces are the source's own characters without a bullet, or their beginning if `cut`.
#[derive(Debug, Clone)]
pub(crate) struct Passage {
    /// The text, split into shared and other words.
    pub(crate) pieces: Vec<Piece>,
    /// Whether an ellipsis precedes it.
    pub(crate) cut_before: bool,
    /// Whether an ellipsis follows.
    pub(crate) cut: bool,
    /// The byte range in the source: `120-245`.
    pub(crate) span: String,
    /// Section and page.
    pub(crate) place: String,
}

/// A run of text in a passage.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    /// The text.
    pub(crate) text: String,
    /// Whether the other passage has these words too.
    pub(crate) shared: bool,
}

/// A passage in its paragraph.
#[derive(Debug, Clone)]
pub(crate) struct Side {
    /// The text of the paragraph before the passage, or its end.
    pub(crate) before: String,
    /// Whether `before` is shortened.
    pub(crate) before_cut: bool,
    /// The passage.
    pub(crate) passage: Passage,
    /// The text of the paragraph after the passage, or its beginning.
    pub(crate) after: String,
    /// Whether `after` is shortened.
    pub(crate) after_cut: bool,
    /// How the words searched for differed; empty if they did not.
    pub(crate) edits: Vec<String>,
}

impl Passage {
    /// `quote`, shortened to the length of an excerpt.
    pub(crate) fn of(quote: &Quote) -> Self {
        Self::new(quote, EXCERPT)
    }

    /// The full quote.
    pub(crate) fn whole(quote: &Quote) -> Self {
        Self::new(quote, usize::MAX)
    }

    /// The words without marks.
    pub(crate) fn text(&self) -> String {
        self.pieces.iter().map(|piece| piece.text.as_str()).collect()
    }

    /// `quote`, shortened to `longest` words.
    pub(crate) fn new(quote: &Quote, longest: usize) -> Self {
        Self::beside(quote, longest, "")
    }

    /// `quote`, shortened, with the words marked that `other` also has.
    pub(crate) fn beside(quote: &Quote, longest: usize, other: &str) -> Self {
        let shown = cut_words(without_bullet(quote.text()), longest);
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
    /// The part of `quote`, at most `longest` words, that shares the most words with `other`. Prefers the beginning on a tie.
    pub(crate) fn nearest(quote: &Quote, longest: usize, other: &str) -> Self {
        let window = nearest(without_bullet(quote.text()), longest, other);
        Self {
            pieces: mark(window.text, &content_words(other)),
            cut_before: window.cut_before,
            cut: window.cut,
            ..Self::beside(quote, 0, "")
        }
    }
}

impl Side {
    /// `quote` within `context`, with the words marked that `other` also has.
    pub(crate) fn new(quote: &Quote, context: Option<&Quote>, other: &Quote) -> Self {
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

impl From<Passage> for Side {
    fn from(passage: Passage) -> Self {
        Self {
            before: String::new(),
            before_cut: false,
            passage,
            after: String::new(),
            after_cut: false,
            edits: Vec::new(),
        }
    }
}

/// The text before and after `quote` in `context`. `None` if `context` does not contain it.
fn around<'a>(quote: &Quote, context: &'a Quote) -> Option<(&'a str, &'a str)> {
    let from = quote.span().start.checked_sub(context.span().start)?;
    let to = from + quote.text().len();
    let text = context.text();
    (text.get(from..to)? == quote.text()).then_some(())?;
    Some((text.get(..from)?, text.get(to..)?))
}

/// Splits `text` into words that are in `shared` and the text between them.
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
    fn a_quote_does_not_start_with_the_bullet_of_its_list() {
        for text in ["Ropes • buoys", "•", "", "-1 is a number", "•Ropes"] {
            assert_eq!(without_bullet(text), text);
        }
        assert_eq!(without_bullet("  ▪ Ropes"), "Ropes");
        assert_eq!(without_bullet("- • Ropes"), "Ropes");
        assert_eq!(without_bullet("• Ropes wear out."), "Ropes wear out.");
    }

    #[test]
    fn shared_words_are_marked() {
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
