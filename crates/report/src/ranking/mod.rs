//! A ranking of ideas, in every format.
//!
//! In: a [`GroupRanking`](precedent_domain::GroupRanking). Out: the bytes of `ranking.json`, `ranking.md`, `ranking.html`. If the judge followed the
//! order in which the ideas were shown, there is no ranking, and the report says so first.

mod json;
mod page;
mod shown;

pub use json::ranking_schema;
pub(crate) use page::compose;
