//! The stages put together, each pipeline a table of contents.

mod assess;

pub use assess::{AssessOptions, assess};
