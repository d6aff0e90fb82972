//! Batches that several machines share: the papers and corpora are in an object store, and the jobs in a PostgreSQL database.
//!
//! [`coordinator`] puts a batch there, waits for its papers and fetches the runs. [`worker`] runs papers. What a worker reads from the queue is checked in
//! [`spec`]: it names objects by hash, and no path. [`corpora`] keeps corpora in a store under names.

mod budget;
mod coordinator;
mod corpora;
mod errors;
mod overview;
mod provider_queues;
mod pull;
mod run_notices;
mod spec;
mod status;
mod store;
mod store_and_queue;
mod tree;
mod worker;
mod worker_files;

pub(crate) use coordinator::Fleet;
pub(crate) use corpora::{pull_corpus, push_corpus};
pub(crate) use overview::Overview;
pub(crate) use pull::pull;
pub(crate) use spec::allowed_url;
pub(crate) use status::{status, users};
pub(crate) use store::StoreError;
pub(crate) use worker::work;
