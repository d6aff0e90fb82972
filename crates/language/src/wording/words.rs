use std::collections::BTreeSet;

use precedent_domain::Span;
use precedent_text::terms::stem;

use super::vocabulary::{is_function_word, is_generic};

/// A count with words that agree with it: `1 request was`, `2 requests were`.
pub fn agreeing(count: usize, one: &str, many: &str) -> String {
    let words = if count == 1 { one } else { many };
    format!("{count} {words}")
}

/// `a`, `a and b`, `a, b and c`.
pub fn and_list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [head @ .., last] => format!("{} and {last}", head.join(", ")),
    }
}

/// The first `most` words of a text, unchanged, or all of it if it is shorter.
pub fn first_words(text: &str, most: usize) -> &str {
    let mut words = 0;
    let mut inside = false;
    for (at, c) in text.char_indices() {
        if c.is_whitespace() {
            inside = false;
        } else if !inside {
            inside = true;
            words += 1;
            if words > most {
                return text.get(..at).unwrap_or(text).trim_end();
            }
        }
    }
    text
}

/// A word with its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Its byte range, without surrounding punctuation.
    pub span: Span,
    /// Its characters.
    pub text: String,
    /// In lower case.
    pub lower: String,
    /// Whether phrase-ending punctuation separates it from the word before.
    pub after_break: bool,
}

impl Word {
    /// Whether it is a content word: contains a letter, and is neither a function word nor markup.
    pub fn is_content(&self) -> bool {
        self.lower.chars().any(char::is_alphabetic) && !is_function_word(&self.lower) && self.lower.chars().count() > 1
    }

    /// Whether its form suggests a name: capitals after the first letter, or letters with digits.
    pub fn looks_like_name(&self) -> bool {
        let mut chars = self.text.chars();
        chars.next();
        let inner_capital = chars.clone().any(char::is_uppercase);
        let letters = self.text.chars().any(char::is_alphabetic);
        let digits = self.text.chars().any(|c| c.is_ascii_digit());
        letters && (inner_capital || digits)
    }
}

/// The words of `text` in order; spans start at `offset`.
pub fn words(text: &str, offset: usize) -> Vec<Word> {
    let mut found: Vec<Word> = Vec::new();
    let mut last_end = 0;
    for (start, piece) in pieces(text) {
        let Some((from, to)) = core(piece) else { continue };
        let span = Span::new(start + from, start + to);
        let Some(core_text) = span.slice(text) else { continue };
        let between = text.get(last_end..span.start).unwrap_or_default();
        found.push(Word {
            span: Span::new(offset + span.start, offset + span.end),
            text: core_text.to_owned(),
            lower: core_text.to_lowercase(),
            after_break: found.is_empty() || between.chars().any(ends_phrase),
        });
        last_end = span.end;
    }
    found
}

/// Pieces between white space, dashes between words, slashes and brackets, with their byte offsets.
fn pieces(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let splits =
        |c: char| c.is_whitespace() || matches!(c, '—' | '–' | '/' | '(' | ')' | '[' | ']' | ';' | '…' | '“' | '”');
    let base = text.as_ptr() as usize;
    text.split(splits)
        .filter(|piece| !piece.is_empty())
        .map(move |piece| (piece.as_ptr() as usize - base, piece))
}

/// The part of a piece from its first to its last letter or digit (keeps `+` and `#`: C++, C#).
fn core(piece: &str) -> Option<(usize, usize)> {
    let from = piece.find(char::is_alphanumeric)?;
    let (last, c) = piece
        .char_indices()
        .rfind(|&(_, c)| c.is_alphanumeric() || matches!(c, '+' | '#'))?;
    Some((from, last + c.len_utf8()))
}

fn ends_phrase(c: char) -> bool {
    matches!(
        c,
        ',' | ';' | ':' | '.' | '!' | '?' | '(' | ')' | '[' | ']' | '—' | '–' | '“' | '”' | '"' | '•' | '…' | '='
    )
}

/// Number of words as used in limits: runs of non-space characters.
pub fn word_count(text: &str) -> usize {
    text.split_whitespace().count()
}

/// Distinct stems of the content words without generic ones. Hyphenated words also give the stems of their parts.
pub fn content_stems(text: &str) -> BTreeSet<String> {
    let mut stems = BTreeSet::new();
    for word in words(text, 0) {
        if !word.is_content() || is_generic(&word.lower) {
            continue;
        }
        for part in word
            .lower
            .split('-')
            .filter(|part| part.chars().count() > 2 && !is_function_word(part))
        {
            stems.insert(stem(part));
        }
        if !word.lower.contains('-') {
            stems.insert(stem(&word.lower));
        }
    }
    stems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_their_positions() {
        let text = "We propose “C++” (LLM/VLM-powered) agents, end-to-end.";
        let found = words(text, 7);
        let list: Vec<&str> = found.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(
            list,
            ["We", "propose", "C++", "LLM", "VLM-powered", "agents", "end-to-end"]
        );
        for word in &found {
            assert_eq!(&text[word.span.start - 7..word.span.end - 7], word.text);
        }
        assert!(found[2].after_break && found[6].after_break);
    }

    #[test]
    fn forms_of_a_word_share_a_stem() {
        assert_eq!(
            content_stems("parsing of parsers"),
            content_stems("parse the parser of parsing")
        );
        assert!(content_stems("we propose a novel method").is_empty());
    }

    proptest::proptest! {
        #[test]
        fn spans_always_fit(text in "\\PC{0,200}") {
            for word in words(&text, 0) {
                proptest::prop_assert_eq!(word.span.slice(&text), Some(word.text.as_str()));
            }
        }
    }
}
