//! `precedent rank` and `precedent compare`: rank ideas with a judge that sees them in several orders.

pub(crate) mod arguments;
mod run;

pub(super) use run::{compare, rank, summary};
