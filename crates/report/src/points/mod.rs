//! Reports on the novelty points of a paper in the same three formats, with the same escaping.
//!
//! In: a [`PointsReport`](precedent_domain::PointsReport). Out: the bytes of `points.json`, `points.md`, `points.html`, in the published form: three
//! numbered sections and a reference list. Without a model, the sections contain quotes from the paper and similar passages.

mod findings;
mod json;
mod page;
mod shown;

pub use json::{points_schema, read_points};
pub(crate) use page::compose;
pub use shown::{PointAtAGlance, points_at_a_glance};
