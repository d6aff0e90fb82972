//! Reports on the novelty points of a paper in the same three formats, with the same escaping.
//!
//! In: a [`PointsReport`](precedent_domain::PointsReport). Out: the bytes of `points.json`, `points.md`, `points.html`, in the published form: three
//! numbered sections and a reference list. Without a model, the sections contain quotes from the paper and similar passages.

mod html;
mod json;
mod markdown;
mod shown;

pub(crate) use html::html;
pub use json::{points_schema, read_points};
pub(crate) use markdown::markdown;
