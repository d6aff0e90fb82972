//! `precedent points`: compares each contribution of a paper with earlier papers.

pub(crate) mod arguments;
mod run;
mod summary;

pub(super) use run::run;
pub(super) use summary::summary;
