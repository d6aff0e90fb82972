//! The port to language models.
//!
//! In: the id of a prompt, its inputs, and the checks of its answer. Out: an answer that passed the checks, or none. An answer that fails a check is
//! sent back once. What still fails is counted, and the caller uses the program's own answer, labelled. The checks are made of rules for prose,
//! numbers, quotations and lengths. A model's words never become a path, an address, a query operator or a quote. Under the reviewer policy no
//! sentence of a model is printed. What is asked, and what follows from an answer, is in the `model` folder of each job or step. Not in this module:
//! the network (`http`) and provider formats (`llm`).

mod analyst;
pub(crate) mod asker;
pub(crate) mod checks;
mod estimate;
mod limits;
mod log;
pub(crate) mod policy;
mod prompts;
pub(crate) mod prose;
mod quotations;
mod settings;
pub(crate) mod texts;
mod violation;

pub use analyst::ModelAnalyst;
pub use asker::StageModels;
pub use estimate::EstimatedStage;
pub(crate) use limits::{model_incomplete, model_limits, sent};
pub use log::{Asked, ModelLog, NoteInWords, NoteKind};
pub use prompts::prompt_list;
pub(crate) use prose::{figures, quotes_are_found};
pub use settings::{Depth, ModelSettings, Policy};
