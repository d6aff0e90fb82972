//! Phase I: what a paper is about and what it claims (OpenNovelty, 2.1, A).
//!
//! In: a paper. Out: its core task and up to three contributions, every claim cut from the paper. Words are looked for in title, abstract,
//! introduction and conclusion only. Deliberately not here: queries (they ask the sources), any judgement of novelty.

mod claims;
mod clause;
mod core_task;
mod cues;
mod cut;
mod extraction;
mod naming;
mod own;
mod plain;
mod reading;
mod restated;
mod result;
mod task_phrase;
mod title;

pub(crate) use claims::claim_drafts;
pub(crate) use core_task::core_task_drafts;
pub(crate) use extraction::extract_up_to;
pub use extraction::{ExtractedContribution, ExtractedCoreTask, Extraction, extract};
pub use reading::{Reading, Sentence, Zone};

#[cfg(test)]
mod tests;
