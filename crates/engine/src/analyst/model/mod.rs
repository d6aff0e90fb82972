//! An analyst that asks a model, and checks what it says.
//!
//! In: the same questions as any analyst's. Out: answers of which every part was held against the texts: claims and quotes are located, ids come from
//! the set that was given, words are counted, addresses and markup are refused. An answer that does not hold is sent back once; what still does not hold is
//! dropped and counted, and the offline analyst's answer stands in its place, labelled. A model's words never become a path, an address, a query operator or
//! a quote. Deliberately not here: the network (`http`), forms of providers (`llm`), the order of stages (`pipelines`).

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
pub use log::{Asked, AskedLog, Note, NoteKind};
pub use material::{Judged, Material};
pub(crate) use points::speaks_of_others;
pub use prompts::prompt_list;
pub(crate) use prose::{figures, quotes_stand};
pub use settings::{Depth, ModelSettings, Policy};

#[cfg(test)]
mod tests;
