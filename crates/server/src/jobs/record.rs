use std::fs;
use std::path::Path;

use precedent_app::runs::write_whole;
use precedent_app::{App, Clock, SystemClock};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::Problem;
use crate::request::JobRequest;

/// The file with a job's record.
const FILE: &str = "job.json";

/// The state of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum JobState {
    /// Prepared on the page *New*, not started.
    Draft,
    /// Waiting for a free process.
    Queued,
    /// Running.
    Running,
    /// Ended with a report.
    Finished,
    /// Stopped by the user; can be resumed.
    Stopped,
    /// Ended with an error; can be resumed.
    Failed,
}

impl JobState {
    pub(crate) const ALL: [Self; 6] = [
        Self::Draft,
        Self::Queued,
        Self::Running,
        Self::Finished,
        Self::Stopped,
        Self::Failed,
    ];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Finished => "finished",
            Self::Stopped => "stopped",
            Self::Failed => "failed",
        }
    }

    /// The label on pages.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Draft => "Not started",
            Self::Queued => "Waiting",
            Self::Running => "Running",
            Self::Finished => "Finished",
            Self::Stopped => "Stopped",
            Self::Failed => "Failed",
        }
    }

    /// Whether a process works on it or will.
    pub(crate) fn is_active(self) -> bool {
        matches!(self, Self::Queued | Self::Running)
    }
}

/// A run of this server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct JobRecord {
    /// Its id. The same request has the same id.
    pub(crate) id: String,
    /// Its place in the order of the queue.
    pub(crate) number: u64,
    /// What happens to it.
    pub(crate) state: JobState,
    /// The request.
    pub(crate) request: JobRequest,
    /// The watch that it is a check of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) watch: Option<String>,
    /// Name of the uploaded file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) input_name: Option<String>,
    /// Title of the paper, once it is read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    /// Seconds since 1970-01-01, UTC.
    pub(crate) created: u64,
    /// Start of the last execution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) started: Option<u64>,
    /// End of the last execution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ended: Option<u64>,
    /// Executions so far. A run that was stopped and resumed has two.
    pub(crate) executions: u32,
    /// How the last execution ended: `complete`, `incomplete`, `over_budget` or `nothing_searched`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<String>,
    /// Files of the report.
    #[serde(default)]
    pub(crate) files: Vec<String>,
    /// Spent on models, in US dollars, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) dollars: Option<f64>,
    /// What it may have spent at most, in US dollars, while it has not recorded what it spent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reserved: Option<f64>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) problem: Option<Problem>,
    /// The secret of the link under which anybody can read its report, if its owner made one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) shared: Option<String>,
}

impl JobRecord {
    /// What counts against the budget of its user.
    pub(super) fn charged(&self) -> f64 {
        self.dollars.unwrap_or_default().max(self.reserved.unwrap_or_default())
    }

    /// What pages call it: the title of the paper, or else the file or the start of the text.
    pub(crate) fn name(&self) -> String {
        let text = || self.request.text.as_deref().map(start);
        let known = self.title.clone().or_else(|| self.input_name.clone());
        known.or_else(text).unwrap_or_else(|| self.id.clone())
    }

    /// Every name and text by which it can be sought.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let names = [&self.title, &self.input_name, &self.request.text];
        names
            .into_iter()
            .flatten()
            .map(String::as_str)
            .chain([self.id.as_str()])
    }

    pub(crate) fn read(folder: &Path) -> Option<Self> {
        let text = fs::read(folder.join(FILE)).ok()?;
        serde_json::from_slice(&text)
            .inspect_err(|error| tracing::warn!("{} is not a job: {error}", folder.display()))
            .ok()
    }

    pub(crate) fn write(&self, folder: &Path) -> std::io::Result<()> {
        write_whole(&folder.join(FILE), &serde_json::to_vec_pretty(self)?)
    }

    /// Takes over what the run's manifest says.
    pub(crate) fn update_from_manifest(&mut self, folder: &Path) {
        let Ok(run) = App::default().stored_run(folder) else {
            return;
        };
        let manifest = run.manifest;
        self.title = manifest.title.or_else(|| self.title.take());
        self.files = manifest.files.into_iter().map(|file| file.name).collect();
        self.status = Some(manifest.status.word().to_owned());
        let dollars: Option<f64> = match manifest.models.is_empty() {
            true => None,
            false => manifest.models.iter().map(|one| one.dollars).sum(),
        };
        // An execution that was stopped early has made fewer requests than an earlier one.
        self.dollars = match (self.dollars, dollars) {
            (Some(before), Some(now)) => Some(before.max(now)),
            (before, now) => now.or(before),
        };
    }
}

/// Length of the start of a text that names it, in characters.
const LONGEST_START: usize = 100;

/// The start of a text, which names it.
fn start(text: &str) -> String {
    match text.char_indices().nth(LONGEST_START) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

pub(crate) fn now() -> u64 {
    SystemClock.unix_seconds()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_charged_with_the_most_that_it_may_have_spent() {
        let text = r#"{"id": "x", "number": 1, "state": "running", "request": {"job": "idea"}, "created": 0, "executions": 1}"#;
        let mut record: JobRecord = serde_json::from_str(text).unwrap();
        let mut charged = |dollars, reserved| {
            (record.dollars, record.reserved) = (dollars, reserved);
            record.charged()
        };
        assert_eq!(charged(None, None), 0.0);
        assert_eq!(charged(Some(1.5), None), 1.5);
        // Its process was killed, so nobody knows what it spent.
        assert_eq!(charged(Some(1.5), Some(20.0)), 20.0);
    }
}
