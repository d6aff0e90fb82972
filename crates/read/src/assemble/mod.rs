//! From what a format reader hands over to a paper.
//!
//! In: a [`Draft`](crate::draft::Draft) of any format. Out: a [`Paper`](precedent_domain::Paper) with one text and all places in it.
//! Deliberately not here: anything that depends on the format.

mod block;
mod front;
mod heading_mend;
mod imprint;
mod invisible;
mod layout;
mod paper;

pub(crate) use block::{floor_boundary, tail};
pub(crate) use paper::assemble;

#[cfg(test)]
mod tests;
