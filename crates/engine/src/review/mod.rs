//! Reviews a research idea: splits it into parts, collects evidence from papers, web pages and repositories, and has a board judge it (InnoEval).
//!
//! Input: an idea or a paper. Output: an [`IdeaReview`](precedent_domain::IdeaReview). Without a model the review has evidence but no scores.
//! Files and arguments are handled elsewhere. The readers and dimensions are in `board`; model answers are checked in `model`.

mod board;
mod confidence;
mod cutoff;
#[cfg(test)]
pub(crate) mod fakes;
mod gather;
mod ground;
mod judge;
mod limits;
mod lowering;
mod material;
mod meta;
pub(crate) mod model;
mod parts;
mod pipeline;
mod queries;
mod questions;
mod reading;
mod reports;
pub mod review_defaults;
mod search;
mod suggest;

pub use board::{BoardMaterial, BoardPiece, CheckedAnswer, OpinionDraft, OpinionQuestion};
pub(crate) use gather::together as sent_together;
pub use judge::judge as judge_gathered;
pub use lowering::{LoweringDraft, MOST_LOWERED};
pub use material::{Gathered, ReviewInput, ReviewJudged, ReviewOptions};
pub use meta::{MOST_DELTA, MOST_KEY_EVIDENCE, MetaDraft, MetaQuestion, dimension_scores};
pub use parts::idea_parts;
pub(crate) use parts::without_figures;
pub use pipeline::{review, review_queries};
pub use questions::{BearingQuestion, ClosestRecord, GroundQuestion, Grounded, PartsReading, QueriesQuestion};
pub use suggest::{LaterPiece, SuggestQuestion};

#[cfg(test)]
mod tests;
