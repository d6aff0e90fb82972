use std::collections::HashSet;

/// Joins the lines of a paragraph. Distinguishes line-end hyphens from word hyphens with the vocabulary of the whole text.
#[derive(Debug, Default)]
pub(crate) struct Joiner {
    words: HashSet<String>,
}

/// First halves that keep their hyphen if nothing else decides.
const KEPT: [&str; 14] = [
    "self", "non", "well", "state", "multi", "cross", "semi", "high", "low", "large", "real", "long", "short", "end",
];

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
        let (first, second) = (first.to_lowercase(), second.to_lowercase());
        // `state-of-the-` and `art`: a word with other hyphens is one compound.
        if self.words.contains(&format!("{first}-{second}")) {
            return true;
        }
        if self.words.contains(&format!("{first}{second}")) {
            return false;
        }
        first.contains('-') || KEPT.contains(&first.as_str())
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
