//! The assessment pipeline: a paper in, an assessment out (OpenNovelty, Figure 1).

mod limits;
mod original;
mod pipeline;
mod summary;

pub(super) use limits::{UNCLEAR_BY_WORDING, is_of_a_part, limits, sources_asked};
pub(super) use original::{original, running_words};
pub use pipeline::{AssessOptions, assess};
pub(super) use summary::{field_not_covered, model_incomplete, model_limits, sent};

#[cfg(test)]
mod tests;
