//! `precedent review`: what an idea says, what was found for and against it, and what a board makes of it.

pub(crate) mod arguments;
mod estimate;
mod meant;
mod run;
mod summary;

pub(super) use run::{resume, run};
