//! Batch endpoints of providers: many calls in one file, answered within a day at a lower price.
//!
//! In: the calls of all runs of a process ([`BatchQueue`]). They are collected until no more come for a while, submitted as one batch for each provider
//! and model, and polled. Out: the answer to each call, as if it had been sent directly. Batches and answers are recorded, so that a later process
//! collects them and nothing is paid twice. Not included: threads, and when to use a batch (crate `app`).

mod api;
mod queue;
mod record;
mod worker;

pub use api::{BatchApi, BatchCall, BatchEntry, BatchStatus};
pub(crate) use api::{authorized, is_plain_id};
pub use queue::{BatchQueue, BatchRules, BatchWorker};
pub use record::SubmittedBatch;
