//! The field around the paper as a tree.
//!
//! In: the paper and the candidates found for its core task. Out: a tree in which every work stands in exactly one leaf, by
//! construction: groups are made by dividing the set, never by assigning works to names. Names and notes say which terms the members
//! share, with figures.
//! Deliberately not here: what a work means. The groups are works that speak of the same things.

mod group;
mod grow;
mod label;
mod notes;
#[cfg(test)]
mod tests;

pub use grow::taxonomy;
