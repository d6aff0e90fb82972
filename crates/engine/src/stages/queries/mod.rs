//! The questions put to sources (OpenNovelty, 2.1, A): for the core task and for each contribution one primary query and two variants.
//!
//! In: what was taken from the paper, and the sources, whose own titles tell how the field words things. Out: queries within their limits,
//! no two of one scope alike, none with a name the paper coined.

mod feedback;
mod plan;
mod worded;
mod wording;

pub use plan::{QueryPlan, queries};
pub(crate) use worded::worded;
pub(crate) use wording::alike;

#[cfg(test)]
mod tests;
