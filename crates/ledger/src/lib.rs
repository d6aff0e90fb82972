//! Records the outputs of a run's stages, the responses of external services, and the requests sent to them.
//!
//! Input: the output of a stage, keyed by the stage, its version and the hash of its input; a response, keyed by its request; a log entry for every
//! request. Output: the same bytes in any later run.
//! A killed run resumes because finished stages are look-ups. A finished run replays because responses are too. Not included: the meaning of the
//! bytes, reports, the network.
//!
//! One SQLite file with a write-ahead log holds everything. With the feature `postgres`, a PostgreSQL database can hold the ledgers of many runs, which
//! several machines share. The tables carry a format version, and a newer one is rejected.

mod answer;
mod cache;
mod claim;
#[cfg(feature = "postgres")]
mod connection;
mod error;
mod key;
mod ledger;
mod mirror;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "postgres")]
mod queue;
mod run_cost;
mod sqlite;
mod store;

pub use answer::{Answer, Sent};
pub use cache::AnswerCache;
pub use claim::{Claim, Lease};
pub use error::{DatabaseProblem, LedgerError};
pub use key::InputHash;
pub use ledger::Ledger;
#[cfg(feature = "postgres")]
pub use queue::{
    BatchCounts, BudgetChunk, JobQueue, OpenBatch, PaperFilter, QueueUser, QueuedBatch, QueuedPaper, Settlement,
    SettlementOutcome, SharedPaper, TakenPaper,
};
pub use run_cost::RunCost;
