//! Points: a model reads them, words queries, compares passages, validates sentences and sums up. Every answer is checked against the texts.
//!
//! A sentence about another work needs a citation of a passage that was shown, with words located in that passage. What a source contradicts is
//! repaired or removed. What a rule finds false stays false, whatever a judge says. Every repair is listed. Polishing changes the wording only.
//! Citation marks are never part of a model's text. They are stored next to it, so that no rewording can move them.

mod answers;
mod compare;
mod conclude;
mod judge;
mod polish;
mod queries;
mod read;
mod sentence;
mod shown;
mod validate;

pub(crate) use answers::{Judgement, ValidatedReply};
pub(super) use judge::judge_points;
pub(super) use queries::word_points;
pub(super) use read::read_points;
pub(crate) use sentence::speaks_of_others;
