//! Who judges: the seam between the stages and whatever reads for them.
//!
//! In: a paper as it was laid out for reading, or a question with works. Out: drafts and verdicts. An analyst proposes; the stage enforces
//! (word limits, words that must stand in the paper, one claim once), so that no analyst, model or not, can break a promise of the
//! report. [`OfflineAnalyst`] works by cue, position and counting alone.

pub mod model;
mod offline;
mod seam;

pub use offline::OfflineAnalyst;
pub use seam::{Analyst, AuditQueries, ClaimDraft, CoreTaskDraft};
