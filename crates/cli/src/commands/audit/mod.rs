//! `precedent audit`: how well a report on points is made.

pub(crate) mod arguments;
mod run;

pub(super) use run::run;
