//! The stages and the pipelines made of them.
//!
//! In: a [`Paper`](precedent_domain::Paper), sources of prior work, a ledger. Out: an [`Assessment`](precedent_domain::Assessment).
//! A run is a pure function of its [`World`]: clock, ledger, sources, analyst, budget and seed all stand there. Each stage is an
//! `async fn(input, &World) -> Result<output>` over domain types, and its output is kept in the ledger under the stage's version and the
//! hash of its input, so that a killed run resumes where it stopped. Deliberately not here: files, formats of reports, arguments.

mod analyst;
pub mod board;
pub mod citations;
mod egress;
mod error;
pub mod library;
mod passages;
pub mod pipelines;
mod progress;
pub mod runs;
#[cfg(test)]
mod sample;
pub mod stages;
mod texts;
mod wording;
mod world;

pub use analyst::{Analyst, AuditQueries, ClaimDraft, CoreTaskDraft, OfflineAnalyst, model};
pub use egress::{CheckedRelation, EgressGate};
pub use error::EngineError;
pub use passages::PassageModels;
pub use progress::{Progress, SilentProgress, StageEvent};
pub use stages::extract::{Reading, Sentence, Zone};
pub use texts::{TextSettings, WholeTexts};
pub use world::{Budget, Clock, FrozenClock, SystemClock, World};

// The one door: front ends reach the rooms below through here.
pub use precedent_corpus as corpus;
pub use precedent_domain as domain;
pub use precedent_ledger as ledger;
pub use precedent_llm as llm;
pub use precedent_read as read;
pub use precedent_sources as sources;
pub use precedent_text as text;

/// What a stage or a pipeline returns.
pub type Result<T> = std::result::Result<T, EngineError>;
