//! `precedent points`: compares each contribution of a paper with earlier papers.

pub(crate) mod arguments;
mod estimate;
mod run;
mod summary;

pub(super) use run::{resume, run};
