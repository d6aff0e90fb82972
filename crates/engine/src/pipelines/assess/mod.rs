//! A paper in, an assessment out (OpenNovelty, Figure 1).

mod limits;
mod original;
mod pipeline;
mod told;

pub use pipeline::{AssessOptions, assess};

#[cfg(test)]
mod tests;
