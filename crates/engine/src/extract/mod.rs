//! Phase I: the topic and claims of a paper (OpenNovelty, 2.1, A).
//!
//! Input: a paper. Output: its core task and up to three contributions, each claim quoted from the paper. Only title, abstract, introduction
//! and conclusion are read. Queries (they search the sources) and judgements of novelty are out of scope.

mod claim;
mod claims;
mod classifier;
mod clause;
mod core_task;
mod cues;
mod cut;
mod draft;
mod extraction;
mod idea;
mod marked;
pub(crate) mod model;
mod naming;
mod original;
mod own;
mod personal;
mod plain;
mod reading;
mod restated;
mod result;
mod stand_ins;
mod task_phrase;
mod title;

pub(crate) use claims::claim_drafts;
pub use claims::{claim_drafts_by, sentence_features};
pub use classifier::{ClaimClassifier, SentenceFeatures};
pub(crate) use core_task::core_task_drafts;
pub use draft::{ClaimDraft, CoreTaskDraft};
pub(crate) use extraction::extract_up_to;
pub use extraction::{ExtractedContribution, ExtractedCoreTask, Extraction, extract};
pub use idea::Idea;
pub(crate) use idea::as_paper;
pub(crate) use original::{original, running_words};
pub(crate) use personal::{Personal, tokens};
pub use reading::{Reading, Sentence, Zone};

#[cfg(test)]
mod tests;
