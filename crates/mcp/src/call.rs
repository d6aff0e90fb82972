use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use precedent_app::text::{counted, plain};
use precedent_app::{ErrorKind, Observer, RunEvent, StageState};
use tokio::sync::mpsc::UnboundedSender;

use crate::error::Failure;

/// One call of a tool: receives its progress and warnings, and knows whether the client cancelled it.
#[derive(Debug)]
pub(crate) struct Call {
    progress: UnboundedSender<String>,
    warnings: Mutex<Vec<String>>,
    cancelled: Arc<AtomicBool>,
}

impl Call {
    /// A call whose progress goes to `progress`.
    pub(crate) fn new(progress: UnboundedSender<String>) -> Self {
        Self {
            progress,
            warnings: Mutex::default(),
            cancelled: Arc::default(),
        }
    }

    /// Set it to cancel the call.
    pub(crate) fn cancel_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancelled)
    }

    /// Whether the client cancelled the call.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Sends a note to the client.
    pub(crate) fn note(&self, message: &str) {
        // Nobody listens if the client wants no progress.
        let _ = self.progress.send(message.to_owned());
    }

    /// Adds a warning to the answer.
    pub(crate) fn warn(&self, message: impl Into<String>) {
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        let message = message.into();
        if !warnings.contains(&message) {
            warnings.push(message);
        }
    }

    /// The warnings so far.
    pub(crate) fn take_warnings(&self) -> Vec<String> {
        std::mem::take(&mut *self.warnings.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Observer for Call {
    fn event(&self, event: &RunEvent) {
        match event {
            RunEvent::Warning { message } => self.warn(plain(message)),
            other => {
                if let Some(message) = in_words(other) {
                    self.note(&message);
                }
            }
        }
    }
}

/// The failure of a call that its client cancelled.
pub(crate) fn interrupted() -> Failure {
    Failure::new(ErrorKind::Interrupted, "the call was cancelled").hint("repeat it")
}

/// An event in a few words. `None` if it says nothing to a reader.
pub(crate) fn in_words(event: &RunEvent) -> Option<String> {
    let words = match event {
        RunEvent::Started { run } => format!("run {run} started"),
        RunEvent::Stage { name, state } => match state {
            StageState::Started => format!("{name}: started"),
            StageState::Reused => format!("{name}: already recorded"),
            _ => format!("{name}: finished"),
        },
        RunEvent::Progress { message } | RunEvent::Note { message } => plain(message),
        RunEvent::Warning { message } => format!("warning: {}", plain(message)),
        RunEvent::Source { name, found, failed: 0 } => format!("{name}: {}", counted(*found, "result")),
        RunEvent::Source { name, found, failed } => {
            format!("{name}: {}, {failed} queries failed", counted(*found, "result"))
        }
        RunEvent::Model {
            what,
            done,
            of,
            dollars,
            ..
        } => match dollars {
            Some(dollars) => format!("{what} {done}/{of}, ${dollars:.2}"),
            None => format!("{what} {done}/{of}"),
        },
        RunEvent::FileWritten { name } => format!("{name} written"),
        RunEvent::Finished { status } => format!("run ended: {}", status.word().replace('_', " ")),
        _ => return None,
    };
    Some(words)
}
