//! Dates printed in the front matter, and how far each can be trusted.
//!
//! In: what stands before the paper proper, and its own identifiers. Out: dates with granularity and origin, most trusted first.
//! Deliberately not here: what a record of a corpus or a source says of the paper.

mod calendar;
mod front;

pub(crate) use front::find;
