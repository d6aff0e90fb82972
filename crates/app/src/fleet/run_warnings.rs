use std::sync::{Mutex, PoisonError};

use crate::{Observer, RunEvent};

/// Collects the warnings of runs, such as that a provider asks to slow down.
#[derive(Default)]
pub(crate) struct RunWarnings(Mutex<Vec<String>>);

impl RunWarnings {
    /// The warnings since the last call.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Observer for RunWarnings {
    fn event(&self, event: &RunEvent) {
        if let RunEvent::Warning { message } = event {
            let mut warnings = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            warnings.push(message.clone());
        }
    }
}
