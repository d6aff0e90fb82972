//! Reports on what a paper offers as new: the same three formats, escaped by the same means, from a [`PointsReport`](precedent_domain::PointsReport).
//!
//! In: what a run found about the points of one paper. Out: the bytes of `points.json`, `points.md`, `points.html`, in the published form of three numbered sections
//! with the list of references behind them. Without a model the sections hold what can be shown: the paper's own words and passages beside them.

mod html;
mod json;
mod markdown;
mod render;
mod shown;

pub(crate) use html::html;
pub(crate) use json::json;
pub use json::{points_schema, read_points};
pub(crate) use markdown::markdown;
pub use render::{points_file_name, points_formats, render_points};
