use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::runs::RunRequest;
use precedent_engine::ledger::{JobQueue, OpenBatch};
use precedent_engine::llm::{BatchQueue, NetworkPolicy};

use super::run_notices::RunNotices;
use crate::{AppError, WorkerEvent, models, provider_batches};

/// Queues of calls that go to batch endpoints of providers. The papers that a worker runs of one batch share a queue, and all workers share its record.
#[derive(Default)]
pub(super) struct ProviderQueues(Mutex<BTreeMap<String, BatchQueue>>);

impl ProviderQueues {
    /// The queue for the papers of `batch`. `None` if their model is called directly.
    pub(super) fn of(
        &self,
        batch: &str,
        jobs: &JobQueue,
        request: &RunRequest,
        limit: Option<&NetworkPolicy>,
        notices: &Arc<RunNotices>,
    ) -> Result<Option<BatchQueue>, AppError> {
        let Some(model) = request.model.as_ref().filter(|model| model.provider_batch) else {
            return Ok(None);
        };
        let mut queues = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = queues.get(batch).filter(|known| !known.has_stopped()) {
            return Ok(Some(known.clone()));
        }
        let reach = limit.cloned().unwrap_or_else(|| models::reach(model));
        let record = jobs.ledger(&format!("provider batches of {batch}"));
        let notices = Arc::clone(notices);
        let notice = move |message: &str| {
            let message = message.to_owned();
            notices.add(WorkerEvent::Progress { message });
        };
        let opened = provider_batches::open_shared(record, model, reach, notice)?;
        queues.insert(batch.to_owned(), opened.clone());
        Ok(Some(opened))
    }

    /// Ends the queues of other batches than these, when their last runs end.
    pub(super) fn keep(&self, open: &[OpenBatch]) {
        let mut queues = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        queues.retain(|batch, _| open.iter().any(|one| one.id == *batch));
    }
}
