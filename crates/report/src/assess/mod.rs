//! The report on a paper.
//!
//! In: an [`Assessment`](precedent_domain::Assessment) through a [`Digest`](crate::view::Digest). Out: blocks, in the order of the page: findings,
//! claims with evidence, then everything else folded.

mod claims;
mod field;
mod figures;
mod page;
mod papers;
mod parts;
mod run;

pub(crate) use page::{compose, compose_short};
