//! `precedent rank` and `precedent compare`: ideas put in order by a judge that sees them in several orders.

pub(crate) mod arguments;
mod run;

pub(super) use run::{compare, rank};
