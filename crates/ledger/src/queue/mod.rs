//! The papers of batches that several machines share. apalis-postgres keeps the jobs: it claims one, and gives it to another worker when its worker shows
//! no sign of life. What a job led to is decided here, by the token of its last claim.

mod budget;
mod jobs;
mod papers;
mod settle;
mod status;
mod tasks;

pub use jobs::JobQueue;
pub use papers::{
    BatchCounts, BudgetChunk, OpenBatch, PaperFilter, QueueUser, QueuedBatch, QueuedPaper, Settlement,
    SettlementOutcome, SharedPaper, TakenPaper,
};
