use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use precedent_http::{Attempt, HttpGateway, Request};
use tokio::sync::{mpsc, oneshot};

use crate::{Endpoint, LlmError, Provider};

/// Collects the calls of all runs of a process. Clones share one queue.
#[derive(Clone)]
pub struct BatchQueue {
    calls: mpsc::UnboundedSender<QueuedCall>,
}

/// How calls are collected, and where the progress is reported.
#[derive(Clone)]
pub struct BatchRules {
    /// How long to wait for further calls before a batch is submitted. The first poll comes after the same time, but at most 5 s.
    pub collect: Duration,
    /// Seconds since 1970-01-01, UTC.
    pub clock: Arc<dyn Fn() -> u64 + Send + Sync>,
    /// Receives the progress.
    pub notice: Arc<dyn Fn(&str) + Send + Sync>,
}

/// The part of a queue that submits and polls. [`BatchWorker::run`] it on a thread that is not blocked by the runs.
pub struct BatchWorker {
    pub(super) calls: mpsc::UnboundedReceiver<QueuedCall>,
    /// The call that [`BatchWorker::has_calls`] waited for.
    pub(super) first: Option<QueuedCall>,
    pub(super) rules: BatchRules,
}

/// A call that waits for its answer.
pub(super) struct QueuedCall {
    pub(super) key: String,
    pub(super) request: Request,
    pub(super) provider: &'static dyn Provider,
    pub(super) endpoint: Endpoint,
    /// Batches that it was part of without being processed.
    pub(super) tries: u32,
    pub(super) reply: oneshot::Sender<Reply>,
}

/// The answer to a call.
#[derive(Debug, Clone)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
    /// Whether the answer is about this call. A failure of the whole batch is not, so the next run asks again.
    pub(super) is_own: bool,
}

impl fmt::Debug for BatchQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BatchQueue")
    }
}

impl BatchQueue {
    /// A queue, and the worker that must run for it.
    #[must_use]
    pub fn new(rules: BatchRules) -> (Self, BatchWorker) {
        let (calls, receiver) = mpsc::unbounded_channel();
        let worker = BatchWorker {
            calls: receiver,
            first: None,
            rules,
        };
        (Self { calls }, worker)
    }

    /// Whether its worker has stopped.
    #[must_use]
    pub fn has_stopped(&self) -> bool {
        self.calls.is_closed()
    }

    /// Queues a request, waits for its answer and records it with `gateway`.
    pub(crate) async fn attempt(
        &self,
        gateway: &HttpGateway,
        provider: &'static dyn Provider,
        endpoint: &Endpoint,
        request: &Request,
    ) -> Result<Attempt, LlmError> {
        let (reply, answer) = oneshot::channel();
        let call = QueuedCall {
            key: request.key().as_str().to_owned(),
            request: request.clone(),
            provider,
            endpoint: endpoint.clone(),
            tries: 0,
            reply,
        };
        // Both fail only if the worker has stopped, which it has reported.
        self.calls.send(call).map_err(|_| LlmError::BatchStopped)?;
        let reply = answer.await.map_err(|_| LlmError::BatchStopped)?;
        Ok(gateway.deliver(request, reply.status, reply.body, reply.is_own).await?)
    }
}

impl BatchWorker {
    /// Waits for the first call. `false` if there will be none.
    pub async fn has_calls(&mut self) -> bool {
        if self.first.is_none() {
            self.first = self.calls.recv().await;
        }
        self.first.is_some()
    }
}
