//! Reviews of ideas by a model. Every answer is checked against what was shown.
//!
//! A statement needs words of the idea, evidence needs words of the document, and a score must be on its scale. A sentence may cite only documents
//! that were shown, its quotes and cited figures must be in their texts, and it may name no decision but the rule's. What fails is sent back once,
//! then left out, and the report says so.

mod board;
mod ground;
mod meta;
mod parts;
mod queries;
mod relevance;
mod report;
pub(crate) mod sentences;
pub(crate) mod shown;
mod suggest;

pub(super) use board::review_dimension;
pub(super) use ground::ground_pieces;
pub(super) use meta::meta_review;
pub(super) use parts::read_parts;
pub(super) use queries::word_knowledge;
pub(super) use relevance::{BATCH as JUDGED_AT_ONCE, judge_knowledge};
pub(super) use report::report_documents;
pub(super) use suggest::suggest;
