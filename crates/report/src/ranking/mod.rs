//! A ranking of ideas, in every format.
//!
//! In: a [`GroupRanking`](precedent_domain::GroupRanking). Out: the bytes of `ranking.json`, `ranking.md`, `ranking.html`. If there
//! is no ranking, the report says so first, with the reason.

mod json;
mod page;
mod reviews;
mod shown;

pub use json::ranking_schema;
pub(crate) use page::compose;
pub use shown::{position_interval, ranking_tests, why_unranked};
