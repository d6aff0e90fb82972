//! Joins the lines of a paragraph, and repairs words broken at line ends if plausible.

use std::collections::HashMap;

use super::kind;
use crate::assemble::tail;
use crate::hyphens::is_one_word;

/// Words of the document, with the number of times they occur inside a line.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    words: HashMap<String, u32>,
}

/// Maximum bytes of a word or address that is examined.
const LONGEST_WORD: usize = 1_024;

impl Vocabulary {
    /// Counts the words inside a line. The first and last word are skipped because they may be fragments.
    pub(super) fn count(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let inner = words.len().saturating_sub(1);
        for word in words.iter().take(inner).skip(1) {
            let word = trim(word).to_lowercase();
            if word.chars().count() > 1 && self.words.len() < 500_000 {
                *self.words.entry(word).or_default() += 1;
            }
        }
    }

    /// How often the word occurs inside a line, in any case.
    pub(super) fn seen(&self, word: &str) -> u32 {
        self.words.get(&word.to_lowercase()).copied().unwrap_or(0)
    }
}

fn trim(word: &str) -> &str {
    word.trim_matches(|character: char| !character.is_alphanumeric())
}

/// Appends a line to a paragraph.
pub(super) fn append_line(paragraph: &mut String, line: &str, vocabulary: &Vocabulary) {
    let line = line.trim();
    if paragraph.is_empty() || line.is_empty() {
        paragraph.push_str(line);
        return;
    }
    let starts_lower = line.chars().next().is_some_and(char::is_lowercase);
    let starts_word = line.chars().next().is_some_and(char::is_alphanumeric);
    // Text further back is not part of the word at the end.
    let body = paragraph
        .strip_suffix('-')
        .map(|body| tail(body, LONGEST_WORD).to_owned());
    if let Some(body) = body
        && body.chars().next_back().is_some_and(char::is_alphanumeric)
        && starts_word
    {
        let first = body.rsplit(char::is_whitespace).next().unwrap_or_default();
        let first = first.trim_start_matches(|character: char| !character.is_alphanumeric());
        let second = line
            .split(|character: char| !character.is_alphanumeric() && character != '-')
            .next()
            .unwrap_or_default();
        let capitals = kind::is_capitals(first) && kind::is_capitals(second);
        let letters = body.chars().next_back().is_some_and(char::is_alphabetic);
        let address = first.contains('/') || first.contains('@') || first.contains("www");
        if (starts_lower || capitals) && letters && !address && is_one_word(first, second, |word| vocabulary.seen(word))
        {
            paragraph.pop();
        }
        paragraph.push_str(line);
        return;
    }
    let last = tail(paragraph, LONGEST_WORD)
        .rsplit(char::is_whitespace)
        .next()
        .unwrap_or_default();
    let address = last.contains("://") || last.starts_with("www.");
    // `searching–` `clarified`, `12–` `15`, but not `of trees –` `as before`.
    let dash = paragraph.strip_suffix('–').is_some_and(|before| {
        line.starts_with(|c: char| c.is_ascii_digit()) || starts_lower && before.ends_with(|c: char| c.is_alphabetic())
    });
    let open_end = dash || paragraph.ends_with(['/', '—']);
    let open_address = address
        && (paragraph.ends_with(['/', '.', '_', '=', '?', '&', '-', '%'])
            || line.starts_with(['/', '.', '?', '&', '=']))
        && !line.contains(". ");
    if !(open_end || open_address) {
        paragraph.push(' ');
    }
    paragraph.push_str(line);
}
