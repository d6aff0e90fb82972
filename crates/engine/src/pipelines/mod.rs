//! Pipelines, each a sequence of stages.

mod assess;
mod audit;
mod idea;
mod points;
mod rank;
mod review;

pub use assess::{AssessOptions, assess};
pub use audit::*;
pub use idea::*;
pub(crate) use idea::{as_paper, bracketed, clustered, undecided};
pub use points::*;
pub(crate) use points::{MOST_POINTS, filled_up, own_queries, queries_of};
pub use rank::*;
#[cfg(test)]
pub(crate) use review::fakes;
pub(crate) use review::without_figures;
pub use review::*;
