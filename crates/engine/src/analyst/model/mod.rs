//! An analyst that calls a model and checks its answers.
//!
//! In: the same questions as for any analyst. Out: answers, every part of which was checked against the texts. Claims and quotes are located, ids
//! must come from the given set, words are counted, and addresses and markup are refused. An answer that fails a check is sent back once. What
//! still fails is dropped and counted, and the offline analyst's answer is used instead, labelled. A model's words never become a path, an
//! address, a query operator or a quote. Not in this module: the network (`http`), provider formats (`llm`), the order of stages (`pipelines`).

mod analyst;
mod answers;
mod asker;
mod audit;
mod checks;
mod compare;
mod estimate;
mod extract;
mod field;
mod idea;
mod judge;
mod log;
mod material;
mod passages;
mod points;
mod policy;
mod position;
mod prompts;
mod prose;
mod queries;
mod quotations;
mod rank;
mod relevance;
mod review;
mod settings;
mod survey;
mod taxonomy;

pub use analyst::ModelAnalyst;
pub use asker::StageModels;
pub use estimate::EstimatedStage;
pub use log::{Asked, ModelLog, Note, NoteKind};
pub use material::{Judged, Material};
pub(crate) use points::speaks_of_others;
pub use prompts::prompt_list;
pub(crate) use prose::{figures, quotes_stand};
pub use settings::{Depth, ModelSettings, Policy};

#[cfg(test)]
mod tests;
