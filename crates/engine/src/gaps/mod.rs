//! What a run did not search, read or judge, and what it sent elsewhere.
//!
//! Input: the outcome of a search, and the log of a model. Output: the caveats that every kind of report starts with.

mod model;
mod search;

pub(crate) use model::{field_not_covered, model_incomplete, model_limits, sent};
pub(crate) use search::{DISCLAIMER, is_of_a_part, left_out_of, limits, other_sources};
