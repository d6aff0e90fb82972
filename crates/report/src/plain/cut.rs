use std::borrow::Cow;

/// A text as it is shown: the whole, or its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shown<'a> {
    /// What is shown: the text itself or a prefix of it, never other words.
    pub(crate) text: &'a str,
    /// Whether more follows in the source, to be marked by an ellipsis.
    pub(crate) cut: bool,
}

/// The first `max` words of `text`. A word longer than twelve characters counts as several, so that text without spaces is cut too.
/// For display only: the report's JSON always holds the whole.
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
                // Inside an ordinary word: back to the one before it. Inside a script without spaces: here.
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

/// The last `max` words of `text`, in the manner of [`cut_words`]; an ellipsis goes before them where it is cut.
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
    // A script without spaces is one long word: cut by letters instead.
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

/// `text` on one line: every run of white space is one space.
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
        Cow::Owned(folded.split_whitespace().collect::<Vec<_>>().join(" "))
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
