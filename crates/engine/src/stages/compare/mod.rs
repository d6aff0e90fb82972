//! Comparison of a claim with candidates.
//!
//! Input: a contribution, and the candidates with their texts. Output: the most similar passages, shared and missing terms, and a status.
//! The matcher (crate `precedent-matcher`) orders the candidates and decides which ones a reader should look at. Only words decide that a candidate
//! anticipates a claim: it must state the claim nearly word for word. What is similar in other words is at best `unclear`.

mod claim;
mod contribution;
mod evidence;
mod judge;
mod matching;
mod note;
mod passages;
#[cfg(test)]
mod tests;

pub use contribution::compare;
pub(crate) use matching::{MatchingPassage, literal_passage, matching_passage, shared_words};
