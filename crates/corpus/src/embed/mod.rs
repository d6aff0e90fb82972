//! Texts as vectors, without a download: each term has a vector in a table of our own, and a text's vector is the weighted sum of its terms'.
//!
//! In: terms and counts. Out: unit vectors as signed bytes, kept beside the index ([`SegmentVectors`]), and how near each work is to a query.
//! The table is made by `cargo xtask train-embedding`; `docs/model-card.md` says from what. Vectors are a pure function of a
//! segment of the index and the table: files of them may be deleted at any time and are made anew.

mod cells;
mod gist;
mod model;
mod segment_vectors;
mod vector;

pub(crate) use cells::SegmentCells;
pub use gist::Gist;
pub(crate) use model::{Model, model};
pub(crate) use segment_vectors::SegmentVectors;
pub(crate) use vector::Vector;

#[cfg(test)]
mod tests;
