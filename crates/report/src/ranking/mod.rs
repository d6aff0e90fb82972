//! Ideas put in order, as JSON and as Markdown.
//!
//! In: a [`GroupRanking`](precedent_domain::GroupRanking). Out: the bytes of `ranking.json`, `ranking.md`. Where the judge followed the order of the question there is no
//! order, and the report says so first.

mod json;
mod markdown;

pub use json::{ranking_json, ranking_schema};
pub use markdown::ranking_markdown;
