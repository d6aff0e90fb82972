//! A claim set against a candidate.
//!
//! In: a contribution and the candidates with their texts. Out: the passages that stand nearest each other, what they share, what
//! differs, and a status that the words themselves carry.
//! Deliberately not here: meaning. Two texts that say one thing in other words are `unclear` at best; only a reader or a model can tell.

mod claim;
mod contribution;
mod evidence;
mod judge;
mod note;
mod passages;
mod standing;
mod stands;
#[cfg(test)]
mod tests;

pub use contribution::{compare, compare_with};
pub(crate) use stands::{Counterpassage, counterpassage, shared_words};
