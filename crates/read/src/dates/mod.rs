//! Dates printed in the front matter, and how far each can be trusted.
//!
//! Input: the text before the paper body, and the paper's own identifiers. Output: dates with granularity and origin, most trusted first. Not
//! covered: dates in corpus or source records.

mod calendar;
mod front;

pub(crate) use front::find;
