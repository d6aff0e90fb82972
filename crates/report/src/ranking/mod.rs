//! Ideas put in order, in every format.
//!
//! In: a [`GroupRanking`](precedent_domain::GroupRanking). Out: the bytes of `ranking.json`, `ranking.md`, `ranking.html`. Where the judge followed the order of the question there is
//! no order, and the report says so first.

mod html;
mod json;
mod markdown;
mod render;
mod shown;

pub(crate) use html::html;
pub(crate) use json::json;
pub use json::ranking_schema;
pub(crate) use markdown::markdown;
pub use render::{ranking_file_name, ranking_formats, render_ranking};
