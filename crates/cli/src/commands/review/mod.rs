//! `precedent review`: evidence for and against an idea, and scores by a review board.

pub(crate) mod arguments;
mod run;
mod summary;

pub(super) use run::run;
pub(super) use summary::summary;
