//! `precedent idea`: one idea or many, held against the works nearest to them.

pub(crate) mod arguments;
mod batch;
mod estimate;
mod meant;
mod single;
mod standing;

pub(super) use meant::{absolute, embedder, examples};
pub(super) use single::{note_sent, resume, run};
pub(super) use standing::Desk;
