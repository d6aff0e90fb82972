//! Text analysis, the same for stored texts and queries.
//!
//! Text is normalized (NFKC), lower-cased and stripped of accents; stop words are removed and English words stemmed (Porter 2).
//! Scripts without spaces between words (Han, kana, Hangul, Thai, Lao, Khmer, Burmese) yield every character and every pair of adjacent characters.
//! There are no query operators.

mod analyzer;
mod fold;
mod tokenizer;
mod words;

pub(crate) use analyzer::Analyzer;
pub use analyzer::terms;
pub(crate) use tokenizer::WordTokenizer;

#[cfg(test)]
mod tests;
