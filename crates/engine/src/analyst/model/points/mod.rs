//! Points: read, searched for, compared, held against their sources and summed up by a model; every answer held against the texts.
//!
//! A sentence on another work stands only with a citation of a passage that was shown, and with words of that passage that were located. What a source
//! contradicts is mended or taken out, what a rule finds false is so whatever a judge says, and every repair is listed. Polish changes words and nothing else. Marks of
//! citation never stand in a model's text: they are kept beside it, so that no rewording can move them.

mod answers;
mod compare;
mod conclude;
mod judge;
mod polish;
mod queries;
mod read;
mod sentence;
mod told;
mod validate;

pub(super) use answers::{Judgement, ValidatedSaid};
pub(crate) use sentence::speaks_of_others;
