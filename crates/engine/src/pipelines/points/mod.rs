//! A paper in, what it offers as new out, point by point beside the literature (NoveltyAgent, 3).
//!
//! In: a paper. Out: a [`PointsReport`](precedent_domain::PointsReport): up to five typed points, for each the passages of earlier works that stand nearest to it; with a
//! model the comparison in four parts, every sentence on another work with the words it rests on, held against its sources, and a score. Without a model no prose
//! and no score. Deliberately not here: files and arguments; words of models are checked in `analyst::model::points`.

mod assemble;
mod base;
mod cited;
mod class;
mod limits;
mod material;
mod number;
mod pipeline;
mod queries;
mod read;
mod retrieve;
mod texts;

pub use base::points_queries;
pub use material::{PointDraft, PointsJudged, PointsMaterial, PointsReading, Retrieved};
pub use pipeline::{PointsOptions, points};
pub(crate) use queries::{filled_up, own_queries, queries_of};
pub(crate) use read::MOST_POINTS;

#[cfg(test)]
mod tests;
