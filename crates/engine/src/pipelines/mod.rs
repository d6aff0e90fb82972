//! The stages put together, each pipeline a table of contents.

mod assess;
mod idea;
mod points;

pub use assess::{AssessOptions, assess};
pub use idea::*;
pub(crate) use idea::{bracketed, undecided};
pub use points::*;
