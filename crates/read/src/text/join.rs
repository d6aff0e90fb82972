use std::collections::HashSet;

use crate::hyphens::is_one_word;

/// Joins the lines of a paragraph. Distinguishes line-end hyphens from word hyphens with the vocabulary of the whole text.
#[derive(Debug, Default)]
pub(crate) struct Joiner {
    words: HashSet<String>,
}

impl Joiner {
    /// Collects the words of `text` that are not broken by a line end.
    pub(crate) fn of(text: &str) -> Self {
        let mut words = HashSet::new();
        for line in text.lines() {
            for word in line.split(|c: char| !(c.is_alphanumeric() || c == '-')) {
                if word.len() > 2 && !word.ends_with('-') {
                    words.insert(word.to_lowercase());
                }
            }
        }
        Self { words }
    }

    /// Appends a line to a paragraph.
    pub(crate) fn append(&self, paragraph: &mut String, line: &str) {
        if let Some(bare) = paragraph.strip_suffix('\u{ad}') {
            paragraph.truncate(bare.len());
            paragraph.push_str(line);
            return;
        }
        let Some(first) = half_word(paragraph) else {
            if !paragraph.is_empty() {
                paragraph.push(' ');
            }
            paragraph.push_str(line);
            return;
        };
        let second: String = line.chars().take_while(|c| c.is_alphanumeric() || *c == '-').collect();
        if second.is_empty() {
            paragraph.push(' ');
        } else if !self.keeps_hyphen(first, &second) {
            paragraph.pop();
        }
        paragraph.push_str(line);
    }

    fn keeps_hyphen(&self, first: &str, second: &str) -> bool {
        if !second.starts_with(char::is_lowercase) {
            return true;
        }
        !is_one_word(first, second, |word| u32::from(self.words.contains(word)))
    }
}

/// The word before the hyphen at the end of a paragraph.
fn half_word(paragraph: &str) -> Option<&str> {
    let body = paragraph.strip_suffix(['-', '‐'])?;
    let start = body
        .char_indices()
        .rev()
        .take_while(|(_, c)| c.is_alphanumeric() || *c == '-')
        .last()
        .map(|(at, _)| at)?;
    body.get(start..).filter(|word| word.ends_with(char::is_alphabetic))
}
