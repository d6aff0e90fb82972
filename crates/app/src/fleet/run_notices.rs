use std::sync::{Mutex, PoisonError};

use crate::{Observer, RunEvent, WorkerEvent};

/// Collects what runs report about a provider, such as that it asks to slow down.
#[derive(Default)]
pub(crate) struct RunNotices(Mutex<Vec<WorkerEvent>>);

impl RunNotices {
    pub(crate) fn add(&self, event: WorkerEvent) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(event);
    }

    /// The notices since the last call.
    pub(crate) fn take(&self) -> Vec<WorkerEvent> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Observer for RunNotices {
    fn event(&self, event: &RunEvent) {
        if let RunEvent::Warning { message } = event {
            self.add(WorkerEvent::Warning {
                message: message.clone(),
            });
        }
    }
}
