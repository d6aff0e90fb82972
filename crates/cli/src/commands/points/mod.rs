//! `precedent points`: what a paper offers as new, point by point beside earlier works.

pub(crate) mod arguments;
mod estimate;
mod run;
mod summary;

pub(super) use run::{resume, run};
