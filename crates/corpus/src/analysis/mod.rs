//! How a text becomes terms: the same for what is stored and for what is asked.
//!
//! Compatibility forms are folded (NFKC), letters are lower-cased and lose their accents, stop words go, English words are stemmed (Porter 2).
//! Scripts that put no gaps between words (Han, kana, Hangul, Thai, Lao, Khmer, Burmese) give every character and every pair of neighbours.
//! Nothing in a text is an operator.

mod analyzer;
mod fold;
mod tokenizer;
mod words;

pub(crate) use analyzer::Analyzer;
pub use analyzer::terms;
pub(crate) use tokenizer::WordTokenizer;

#[cfg(test)]
mod tests;
