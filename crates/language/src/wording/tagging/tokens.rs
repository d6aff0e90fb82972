use std::ops::Range;

/// A word or a punctuation mark, as the tagger reads them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    /// Its byte range.
    pub range: Range<usize>,
    /// Whether it is a word: it has a letter or a digit, or is `'s`.
    pub is_word: bool,
}

/// The tokens of `text` in order: runs of letters and digits with hyphens, points and apostrophes inside them. `'s` and every other sign are separate
/// tokens.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        if c.is_whitespace() {
            continue;
        }
        let mut end = start + c.len_utf8();
        if !c.is_alphanumeric() {
            found.push(Token {
                range: start..end,
                is_word: false,
            });
            continue;
        }
        while let Some(&(at, next)) = chars.peek() {
            let after = text.get(at + next.len_utf8()..).and_then(|rest| rest.chars().next());
            let inside = matches!(next, '-' | '\u{2010}' | '\u{2011}' | '.' | '\'' | '’' | '_' | '\u{ad}')
                && after.is_some_and(char::is_alphanumeric);
            if !(next.is_alphanumeric() || inside || matches!(next, '+' | '#' | '\u{300}'..='\u{36f}')) {
                break;
            }
            end = at + next.len_utf8();
            chars.next();
        }
        let word = text.get(start..end).unwrap_or_default();
        let clitic = ["'s", "’s", "'S"]
            .iter()
            .find(|clitic| word.len() > clitic.len() && word.ends_with(**clitic));
        let split = end - clitic.map_or(0, |clitic| clitic.len());
        found.push(Token {
            range: start..split,
            is_word: true,
        });
        if split < end {
            found.push(Token {
                range: split..end,
                is_word: true,
            });
        }
    }
    found
}
