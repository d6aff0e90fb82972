use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use precedent_engine::ledger::{JobQueue, LedgerError, RunCost, TakenPaper};
use precedent_engine::llm::{BudgetAnswer, Chunk, HttpError, LlmError, SharedBudget};
use tokio::runtime::Handle;

/// The part of a batch's budget that the run of one paper has.
pub(crate) struct PaperBudget {
    queue: JobQueue,
    /// The runtime of the queue. That of the run ends before the connections of the queue.
    runtime: Handle,
    paper: TakenPaper,
    /// How long after a look the paper is certainly still of this worker: its last sign of life was a quarter of a lease before at most.
    certain: Duration,
    state: Mutex<BudgetState>,
}

#[derive(Default)]
struct BudgetState {
    looked: Option<Instant>,
    cost: Option<RunCost>,
}

impl fmt::Debug for PaperBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PaperBudget").finish_non_exhaustive()
    }
}

impl PaperBudget {
    /// The budget of a paper that was taken a moment ago.
    pub(crate) fn new(queue: &JobQueue, runtime: &Handle, paper: &TakenPaper) -> Self {
        Self {
            queue: queue.clone(),
            runtime: runtime.clone(),
            paper: paper.clone(),
            certain: queue.beat_every() * 2,
            state: Mutex::default(),
        }
    }

    /// What the calls of the paper cost, if its run made or used any.
    pub(crate) fn cost(&self) -> Option<RunCost> {
        self.state().cost
    }

    fn state(&self) -> std::sync::MutexGuard<'_, BudgetState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a query on the runtime of the queue.
    async fn ask<T: Send + 'static>(
        &self,
        query: impl Future<Output = Result<T, LedgerError>> + Send + 'static,
    ) -> Result<T, LlmError> {
        let answer = self.runtime.spawn(query).await;
        // Only the end of the process ends the query without an answer.
        let answer = answer.map_err(|_| LlmError::NoShare)?;
        answer.map_err(|error| LlmError::Http(HttpError::Ledger(error)))
    }
}

impl SharedBudget for PaperBudget {
    fn reserve(&self, spent: f64, held: f64, wanted: f64) -> BudgetAnswer<'_, Chunk> {
        Box::pin(async move {
            let now = Instant::now();
            let (queue, paper) = (self.queue.clone(), self.paper.clone());
            let chunk = self.ask(async move { queue.reserve(&paper, spent, held, wanted).await });
            let chunk = chunk.await?.ok_or(LlmError::NoShare)?;
            self.state().looked = Some(now);
            Ok(Chunk {
                dollars: chunk.dollars,
                may_grow: chunk.may_grow,
            })
        })
    }

    fn is_fresh(&self) -> bool {
        self.state()
            .looked
            .is_some_and(|looked| looked.elapsed() < self.certain)
    }

    fn use_up(&self) -> BudgetAnswer<'_, ()> {
        let (queue, batch) = (self.queue.clone(), self.paper.batch.clone());
        Box::pin(self.ask(async move { queue.use_up(&batch).await }))
    }

    fn costs(&self, so_far: RunCost) {
        self.state().cost = Some(so_far);
    }
}
