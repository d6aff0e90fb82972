//! `precedent audit`: checks the quality of a points report.

pub(crate) mod arguments;
mod run;

pub(super) use run::{run, summary};
