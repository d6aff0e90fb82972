//! The analyst: the interface between the stages and whatever makes their judgements.
//!
//! In: a paper laid out for reading, or a question about papers. Out: drafts and verdicts. An analyst proposes and the stage enforces
//! (word limits, words found verbatim in the paper, one claim once). So no analyst, model or not, can break a promise of the report.
//! [`OfflineAnalyst`] uses only cues, positions and counts.

pub mod model;
mod offline;
mod traits;

pub use offline::OfflineAnalyst;
pub use traits::{Analyst, AuditQueries, ClaimDraft, CoreTaskDraft};
