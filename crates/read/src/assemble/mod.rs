//! Assembles the output of a format reader into a paper.
//!
//! Input: a [`Draft`](crate::draft::Draft) of any format. Output: a [`Paper`](precedent_domain::Paper) with one text and all offsets into it.
//! Nothing here depends on the format.

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
