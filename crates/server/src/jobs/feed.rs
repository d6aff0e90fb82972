use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

/// The events of one execution, as JSON lines, while it runs.
#[derive(Debug)]
pub(crate) struct Feed {
    /// Which execution of the run it is, from 1.
    pub(crate) execution: u32,
    lines: Mutex<Vec<Arc<str>>>,
    /// Number of lines, and whether there will be more.
    state: watch::Sender<(usize, bool)>,
}

impl Feed {
    pub(crate) fn new(execution: u32) -> Arc<Self> {
        Arc::new(Self {
            execution,
            lines: Mutex::default(),
            state: watch::Sender::new((0, true)),
        })
    }

    pub(crate) fn push(&self, line: &str) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.push(line.into());
        self.state.send_replace((lines.len(), true));
    }

    /// No more lines will come.
    pub(crate) fn close(&self) {
        self.state.send_modify(|state| state.1 = false);
    }

    /// The line at this position, from 0.
    pub(crate) fn line(&self, at: usize) -> Option<Arc<str>> {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.get(at).cloned()
    }

    /// All lines so far.
    pub(crate) fn lines(&self) -> Vec<Arc<str>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits for the line at this position. `false` if it will not come.
    pub(crate) async fn has(&self, at: usize) -> bool {
        let mut state = self.state.subscribe();
        let found = state.wait_for(|(count, open)| *count > at || !open).await;
        found.is_ok_and(|state| state.0 > at)
    }
}
