use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

/// Cancels a job from another thread or task. Clones cancel the same job. Each run needs a token of its own.
///
/// Cancelling at any moment is safe, because every file of a run is written atomically and every recorded answer is kept. The run's manifest says
/// `interrupted`, and the same request continues the run.
#[derive(Clone)]
pub struct CancelToken {
    shared: Arc<CancelState>,
}

struct CancelState {
    cancelled: watch::Sender<bool>,
    /// Records the interruption in the manifest of the run in progress.
    record: Mutex<Option<CancelRecord>>,
}

type CancelRecord = Box<dyn FnOnce() + Send>;

impl Default for CancelToken {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for CancelToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CancelToken")
            .field("cancelled", &self.is_cancelled())
            .finish_non_exhaustive()
    }
}

impl CancelToken {
    /// A token that is not cancelled.
    #[must_use]
    pub fn new() -> Self {
        Self {
            shared: Arc::new(CancelState {
                cancelled: watch::Sender::new(false),
                record: Mutex::new(None),
            }),
        }
    }

    /// Cancels the job. If its input was read, the manifest says so when this returns, and the process may exit. The job itself ends at the next
    /// request, question or stage.
    pub fn cancel(&self) {
        let mut record = self.shared.record.lock().unwrap_or_else(PoisonError::into_inner);
        self.shared.cancelled.send_replace(true);
        // It holds the run's folder, which another run may need from now on.
        if let Some(record) = record.take() {
            record();
        }
    }

    /// Whether `other` cancels the same job.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// Whether the job was cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        *self.shared.cancelled.borrow()
    }

    /// Waits until the job is cancelled.
    pub(crate) async fn cancelled(&self) {
        let mut receiver = self.shared.cancelled.subscribe();
        // The sender lives as long as `self`, so this cannot fail.
        let _ = receiver.wait_for(|cancelled| *cancelled).await;
    }

    /// Sets how a cancellation is recorded, replacing the previous way. An earlier cancellation is recorded now.
    pub(crate) fn record_with(&self, record: impl FnOnce() + Send + 'static) {
        let mut held = self.shared.record.lock().unwrap_or_else(PoisonError::into_inner);
        match self.is_cancelled() {
            true => record(),
            false => *held = Some(Box::new(record)),
        }
    }

    /// Records no cancellation from here on.
    pub(crate) fn forget(&self) {
        *self.shared.record.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Runs `last`, which records how the run ended. After it, a cancellation records nothing. `None` if the run was cancelled before.
    pub(crate) fn settle<T>(&self, last: impl FnOnce() -> T) -> Option<T> {
        let mut record = self.shared.record.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_cancelled() {
            return None;
        }
        let outcome = last();
        *record = None;
        Some(outcome)
    }
}
