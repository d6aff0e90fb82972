//! Stages, and the pipelines that combine them.
//!
//! Input: a [`Paper`](precedent_domain::Paper), sources of prior work and a ledger. Output: an [`Assessment`](precedent_domain::Assessment). A run is
//! a pure function of its input and its [`World`]: clock, ledger, sources, model, budget and seed. Each stage is an
//! `async fn(input, &World) -> Result<output>` over domain types. The ledger caches its output under the stage's version and the hash of its input,
//! so an interrupted run resumes where it stopped. Out of scope: files, report formats and command-line arguments.

pub mod assess;
pub mod audit;
pub mod board;
pub mod compare;
mod egress;
mod error;
pub mod extract;
pub mod idea;
pub mod library;
pub mod model;
pub mod points;
mod progress;
pub mod rank;
pub mod retrieve;
pub mod review;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod scripted_tests;
mod world;

pub use egress::{CheckedRelation, EgressGate};
pub use error::EngineError;
pub use extract::{Reading, Sentence, Zone};
pub use progress::{ModelProgress, Progress, SilentProgress, SourceProgress, StageEvent};
pub use retrieve::passages::PassageModels;
pub use retrieve::texts::{FullTextFetcher, TextSettings};
pub use world::{Budget, Clock, FrozenClock, SystemClock, World};

// Front ends use the lower crates only through these re-exports.
pub use precedent_corpus as corpus;
pub use precedent_domain as domain;
pub use precedent_language as language;
pub use precedent_ledger as ledger;
pub use precedent_llm as llm;
pub use precedent_matcher as matcher;
pub use precedent_read as read;
pub use precedent_sources as sources;
pub use precedent_text as text;

/// Result of a stage or a pipeline.
pub type Result<T> = std::result::Result<T, EngineError>;
