//! Compares a paper's contributions with the literature, point by point (NoveltyAgent, 3).
//!
//! Input: a paper. Output: a [`PointsReport`](precedent_domain::PointsReport) with up to five typed points, and the most similar passages of earlier
//! works for each. With a model it also has the comparison in four parts and a score. Every sentence about another work then quotes its evidence and
//! is checked against its sources. Without a model there is no prose and no score. Out of scope: files and command-line arguments, and checking a
//! model's words (see `model`).

mod assemble;
mod base;
mod cited;
mod class;
mod limits;
mod material;
pub(crate) mod model;
mod number;
mod pipeline;
mod queries;
mod read;
mod retrieve;
mod texts;

pub use base::points_queries;
pub use material::{PointDraft, PointsJudged, PointsMaterial, PointsReading, Retrieved};
pub(crate) use pipeline::points_and_matches;
pub use pipeline::{PointsOptions, points};
pub(crate) use queries::own_queries;
pub use read::MOST_POINTS;
pub(crate) use retrieve::ENOUGH as CLOSE;

#[cfg(test)]
mod tests;
