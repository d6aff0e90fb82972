//! The field around the paper as a tree.
//!
//! In: the paper and the candidates found for its core task. Out: a tree in which every work stands in exactly one leaf, by
//! construction: the set is divided by the phrases that its works share, and each work goes to one of the phrases it has. So a name holds for the
//! works under it; works that share no phrase stand under a name that says so. Notes say how many of the members have the phrase.
//! Deliberately not here: what a work means. The groups are works that speak of the same things.

mod group;
mod grow;
mod label;
mod near;
mod notes;
#[cfg(test)]
mod tests;

pub use grow::{taxonomy, taxonomy_over};
