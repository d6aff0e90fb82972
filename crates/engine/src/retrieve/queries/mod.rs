//! The search queries (OpenNovelty, 2.1, A): one primary query and two variants for the core task and for each contribution.
//!
//! Input: what was extracted from the paper. Output: queries within their limits, no two of one scope alike, without names coined by the paper.

mod model;
mod plan;
mod query_plan;
mod worded;
mod wording;

pub use plan::queries;
pub use query_plan::QueryPlan;
pub(crate) use worded::worded;
pub(crate) use wording::alike;

#[cfg(test)]
mod tests;
