//! A ranking of ideas, in every format.
//!
//! In: a [`GroupRanking`](precedent_domain::GroupRanking). Out: the bytes of `ranking.json`, `ranking.md`, `ranking.html`. If the judge followed the
//! order in which the ideas were shown, there is no ranking, and the report says so first.

mod html;
mod json;
mod markdown;
mod shown;

pub(crate) use html::html;
pub use json::ranking_schema;
pub(crate) use markdown::markdown;
