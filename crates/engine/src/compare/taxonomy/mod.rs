//! The field around the paper as a tree.
//!
//! Input: the paper and the candidates for its core task. Output: a tree with every paper in exactly one leaf, by construction. Similar papers form
//! groups (Ward's method on the similarity of title and abstract). A group is named by one or two phrases that are more frequent in it than beside it.
//! Papers unlike all others are in a group with a name that says so. Notes give the number of members with each phrase.
//! Meaning is out of scope: groups are papers with similar terms.

mod group;
mod grow;
mod label;
mod notes;
mod similarity;
#[cfg(test)]
mod tests;

pub use grow::{taxonomy, taxonomy_over};
