use std::path::PathBuf;
use std::sync::Arc;

use crate::runs::RunFolder;
use precedent_engine::ledger::Sent;
use precedent_engine::llm::{BatchQueue, NetworkPolicy, SharedBudget};

use crate::Database;

/// What a run shares with others.
#[derive(Clone, Default)]
pub(crate) struct SharedAccess {
    /// Where model requests go, if they are sent in batches.
    pub(crate) queue: Option<BatchQueue>,
    /// The database whose ledgers several processes use.
    pub(crate) database: Option<Database>,
    /// What the record says about an object store on another machine that receives the run.
    pub(crate) store: Option<Sent>,
    /// Hosts that this machine allows, if fewer than the request. It is no part of the request, so it does not change the run's id.
    pub(crate) limit: Option<NetworkPolicy>,
    /// Where corpora that are given as files are indexed, if not in the folder of the run.
    pub(crate) index: Option<PathBuf>,
    /// A budget that other runs share.
    pub(crate) budget: Option<Arc<dyn SharedBudget>>,
}

impl SharedAccess {
    /// Where the corpora of the run in `folder` are indexed that are given as files.
    pub(crate) fn index(&self, folder: &RunFolder) -> PathBuf {
        self.index.clone().unwrap_or_else(|| folder.index_path())
    }
}
