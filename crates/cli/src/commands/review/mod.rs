//! `precedent review`: evidence for and against an idea, and scores by a review board.

pub(crate) mod arguments;
mod estimate;
mod request;
mod run;
mod summary;

pub(super) use run::{resume, run};
