use std::borrow::Cow;

/// A text as shown: all of it, or its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shown<'a> {
    /// The text or a prefix of it, never other words.
    pub(crate) text: &'a str,
    /// Whether it is shortened, so that an ellipsis follows.
    pub(crate) cut: bool,
}

/// The first `max` words of `text`. A word longer than twelve characters counts as several, so text without spaces is shortened too.
/// For display only: the JSON report always contains the full text.
pub(crate) fn cut_words(text: &str, max: usize) -> Shown<'_> {
    const LONG: usize = 12;
    let (mut count, mut end, mut letters, mut last_word_end) = (0, 0, 0, 0);
    for (at, c) in text.char_indices() {
        if c.is_whitespace() {
            letters = 0;
            last_word_end = end;
            continue;
        }
        if letters % LONG == 0 {
            if count == max {
                // Inside an ordinary word, cut before the word. In a script without spaces, cut here.
                let at = if letters < 3 * LONG { last_word_end } else { end };
                let head = text.get(..at).unwrap_or_default();
                return Shown { text: head, cut: true };
            }
            count += 1;
        }
        letters += 1;
        end = at + c.len_utf8();
    }
    Shown { text, cut: false }
}

/// The last `max` words of `text`, like [`cut_words`]. If it is shortened, an ellipsis precedes it.
pub(crate) fn cut_words_before(text: &str, max: usize) -> Shown<'_> {
    let letters = text.chars().filter(|c| !c.is_whitespace()).count();
    let mut starts: Vec<usize> = Vec::new();
    let mut space = true;
    for (at, c) in text.char_indices() {
        if space && !c.is_whitespace() {
            starts.push(at);
        }
        space = c.is_whitespace();
    }
    let from = starts.len().checked_sub(max).and_then(|skip| starts.get(skip)).copied();
    // Text without spaces is one long word, so cut by characters instead.
    let by_letters = (letters > max * 12)
        .then(|| text.char_indices().rev().nth(max * 12).map(|(at, _)| at))
        .flatten();
    let at = from.unwrap_or(0).max(by_letters.unwrap_or(0));
    match text.get(at..) {
        Some(tail) if at > 0 && text.get(..at).is_some_and(|head| !head.trim().is_empty()) => {
            Shown { text: tail, cut: true }
        }
        _ => Shown { text, cut: false },
    }
}

/// `text` with a capital letter at the start.
pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `text` on one line, with each run of white space as one space.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    let folded = text.trim();
    let mut space = false;
    let plain = folded.chars().all(|c| {
        let double = space && c == ' ';
        space = c == ' ';
        !double && (c == ' ' || !c.is_whitespace())
    });
    if plain {
        Cow::Borrowed(folded)
    } else {
        Cow::Owned(precedent_text::one_line(folded))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_between_words() {
        assert_eq!(
            cut_words("one two three", 3),
            Shown {
                text: "one two three",
                cut: false
            }
        );
        assert_eq!(
            cut_words("one two three", 2),
            Shown {
                text: "one two",
                cut: true
            }
        );
        assert_eq!(cut_words("", 2), Shown { text: "", cut: false });
        assert_eq!(cut_words("word", 0), Shown { text: "", cut: true });
    }

    #[test]
    fn text_without_spaces_is_cut_too() {
        let text = "基".repeat(100);
        let shown = cut_words(&text, 4);
        assert_eq!((shown.text.chars().count(), shown.cut), (48, true));
        let shown = cut_words("an internationalization effort", 2);
        assert_eq!(shown.text, "an");
    }

    #[test]
    fn a_long_text_is_cut_at_its_beginning() {
        assert_eq!(
            cut_words_before("one two three", 2),
            Shown {
                text: "two three",
                cut: true
            }
        );
        assert_eq!(
            cut_words_before("one two", 2),
            Shown {
                text: "one two",
                cut: false
            }
        );
        assert_eq!(cut_words_before(&"基".repeat(100), 2).text.chars().count(), 25);
        assert_eq!(cut_words_before("", 2).text, "");
    }

    #[test]
    fn white_space_is_folded() {
        assert_eq!(one_line(" a\n b\t\u{a0}c "), "a b c");
        assert!(matches!(one_line("a b"), Cow::Borrowed(_)));
    }
}
