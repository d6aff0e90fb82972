//! Text vectors without a download: a built-in table has one vector per term, and the vector of a text is the weighted sum of its terms' vectors.
//!
//! Input: terms and counts. Output: unit vectors as signed bytes, stored beside the index ([`SegmentVectors`]), and the similarity of each work to a
//! query.
//! `cargo xtask train-embedding` makes the table; `docs/model-card.md` documents its training data. Vectors depend only on a segment of the index and
//! the table, so their files can be deleted at any time and are made again.

mod cells;
mod model;
mod segment_vectors;
mod topic_vector;
mod vector;

pub(crate) use cells::SegmentCells;
pub(crate) use model::{DIMENSIONS, Model, model};
pub(crate) use segment_vectors::SegmentVectors;
pub use topic_vector::{TopicVector, term_weight, text_vector};
pub(crate) use vector::Vector;

#[cfg(test)]
mod tests;
