//! Words for comparing the topics of texts without an index: tokens, stop words, stems.

use crate::lexicon::is_function_word;
use crate::tokenize::tokenize;
use crate::{Span, TokenKind};

pub use crate::stem::stem;
pub use crate::stop_words::StopWords;

/// The words of `text`, normalised as in [`crate::Source`], each with its span. Signs are skipped.
#[must_use]
pub fn words(text: &str) -> Vec<(String, Span)> {
    let tokens = tokenize(text);
    tokens
        .entries
        .iter()
        .filter(|entry| entry.kind != TokenKind::Symbol)
        .map(|entry| (tokens.norm_of(entry).to_owned(), entry.span()))
        .collect()
}

/// Whether a normalised word is an English function word.
#[must_use]
pub fn is_stopword(word: &str) -> bool {
    is_function_word(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_their_spans() {
        let text = "The Poincaré-ball model’s 1,000 ﬁlters ≥ 5%";
        let found = words(text);
        let normalised: Vec<&str> = found.iter().map(|(word, _)| word.as_str()).collect();
        assert_eq!(
            normalised,
            ["the", "poincare", "ball", "models", "1000", "filters", "5"]
        );
        assert_eq!(found[1].1.slice(text), Some("Poincaré"));
        assert_eq!(stem("filters"), "filter");
        assert_eq!(stem("模型"), "模型");
    }
}
