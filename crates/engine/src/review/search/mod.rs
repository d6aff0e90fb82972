//! Searches for evidence related to an idea, in rounds (InnoEval, 3.1).
//!
//! Input: the parts of an idea. Output: the most similar records of each kind, best first, with similarity and permitted use by date, and separately
//! the records that are certainly later. The order of sources and records does not change the result. With a model, the best records are read between rounds;
//! the others are read elsewhere.

mod asking;
mod found;
mod rerank;
mod rounds;
mod similarity;
mod texts;

pub(super) use found::{Found, Record};
pub(super) use rounds::{kinds, search};
pub(super) use similarity::OWN;

#[cfg(test)]
mod tests;
