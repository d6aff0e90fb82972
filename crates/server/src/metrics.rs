use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::jobs::{JobState, Jobs};

/// Counters since the server started.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    /// Responses by the first digit of the status, from 1.
    responses: [AtomicU64; 5],
}

impl Metrics {
    pub(crate) fn count(&self, status: u16) {
        if let Some(counter) = self.responses.get(usize::from(status / 100).saturating_sub(1)) {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The counters in the text format of Prometheus.
    pub(crate) fn text(&self, jobs: &Jobs) -> String {
        let mut text = String::from(
            "# HELP precedent_responses_total HTTP responses by class of status.\n# TYPE precedent_responses_total counter\n",
        );
        for (class, counter) in (1..).zip(&self.responses) {
            let count = counter.load(Ordering::Relaxed);
            let _ = writeln!(text, "precedent_responses_total{{class=\"{class}xx\"}} {count}");
        }
        text.push_str("# HELP precedent_runs Runs by state.\n# TYPE precedent_runs gauge\n");
        let counts = jobs.counts();
        for state in JobState::ALL {
            let count = counts.get(&state).copied().unwrap_or_default();
            let _ = writeln!(text, "precedent_runs{{state=\"{}\"}} {count}", state.word());
        }
        text
    }
}
