//! `precedent idea`: checks one or many ideas against prior work.

pub(crate) mod arguments;
mod run;
mod summary;

pub(super) use run::{run, stdin, text_or_file};
pub(super) use summary::summary;
