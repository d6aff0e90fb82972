//! A paper in, an assessment out (OpenNovelty, Figure 1).

mod limits;
mod original;
mod pipeline;
mod told;

pub(super) use limits::sources_asked;
pub use pipeline::{AssessOptions, assess};
pub(super) use told::{model_limits, sent};

#[cfg(test)]
mod tests;
