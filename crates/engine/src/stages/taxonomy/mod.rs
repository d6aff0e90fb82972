//! The field around the paper as a tree.
//!
//! Input: the paper and the candidates for its core task. Output: a tree with every paper in exactly one leaf, by construction. The set is
//! divided by shared phrases, and each paper goes to a phrase that it has, so a group's name applies to its papers. Papers without a shared
//! phrase are in a group with a name that says so. Notes give the number of members with the phrase.
//! Meaning is out of scope: groups are papers with the same terms.

mod group;
mod grow;
mod label;
mod notes;
mod similarity;
#[cfg(test)]
mod tests;

pub use grow::{taxonomy, taxonomy_over};
