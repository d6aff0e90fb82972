//! An idea in, a review out: what it says part by part, what was found for and against it in papers, pages and repositories, and what a board of different readers makes of it
//! (InnoEval).
//!
//! In: an idea or a paper. Out: an [`IdeaReview`](precedent_domain::IdeaReview). Without a model everything that can be located is there, and no score. Deliberately not
//! here: files and arguments; who judges and by what is in `board`; words of models are checked in `analyst::model::review`.

mod bench;
mod board;
#[cfg(test)]
pub(crate) mod fakes;
mod gather;
mod ground;
mod judge;
mod law;
mod limits;
mod material;
mod meta;
mod parts;
mod pipeline;
mod queries;
mod questions;
mod reading;
pub mod review_defaults;
mod search;
mod suggest;

pub use bench::{
    ClassAgreement, ConfusionRow, LabelScore, PointAgreement, PointOutcome, PointTask, RecordCheck, check_record,
    point_agreement, point_tasks, venue_record,
};
pub use board::{BoardMaterial, BoardPiece, Heard, OpinionDraft, OpinionQuestion};
pub use judge::judge as judge_gathered;
pub use material::{Gathered, ReviewInput, ReviewJudged, ReviewOptions};
pub use meta::{MOST_DELTA, MOST_KEY_EVIDENCE, MetaDraft, MetaQuestion, dimension_scores};
pub(crate) use parts::without_figures;
pub use pipeline::{review, review_queries};
pub use questions::{BearingQuestion, GroundQuestion, Grounded, PartsReading, QueriesQuestion};
pub use suggest::{LaterPiece, SuggestQuestion};

#[cfg(test)]
mod tests;
