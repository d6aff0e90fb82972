//! One module per job: it reads the input, runs the pipeline and writes the reports.

mod assess;
pub(crate) mod audit;
mod batch_line;
mod idea;
pub(crate) mod idea_estimate;
pub mod idea_input;
mod ideas;
mod job;
mod points;
pub(crate) mod points_estimate;
mod rank;
pub(crate) mod rank_estimate;
pub(crate) mod rank_input;
mod review;
pub(crate) mod review_estimate;
mod review_files;
pub(crate) mod review_input;
mod reviews;
mod session;

pub use ideas::IdeasSummary;
pub use job::Report;
pub(crate) use job::work;
pub use reviews::ReviewsSummary;
pub use session::IdeaSession;
