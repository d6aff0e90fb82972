//! The assessment pipeline: a paper in, an assessment out (OpenNovelty, Figure 1).

pub mod analysis;
pub mod judge;
mod material;
mod model;
mod options;
mod pipeline;

pub use material::{Judged, Material};
pub use options::AssessOptions;
pub use pipeline::assess;

#[cfg(test)]
mod tests;
