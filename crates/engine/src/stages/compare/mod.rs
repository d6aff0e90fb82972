//! Comparison of a claim with a candidate by words.
//!
//! Input: a contribution, and the candidates with their texts. Output: the most similar passages, shared and missing terms, and a status
//! that the words alone support.
//! Meaning is out of scope. Two texts that say the same in different words are at best `unclear`; only a reader or a model can decide.

mod claim;
mod contribution;
mod evidence;
mod judge;
mod matching;
mod note;
mod passages;
mod relevance;
#[cfg(test)]
mod tests;

pub use contribution::{compare, compare_with};
pub(crate) use matching::{MatchingPassage, matching_passage, shared_words};
