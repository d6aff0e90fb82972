use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::runs::RunStatus;
use precedent_engine::{Clock, ModelProgress, Progress, SourceProgress, StageEvent, SystemClock};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What happens during a job, in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum RunEvent {
    /// The run's folder is locked.
    Started {
        /// Id of the run.
        run: String,
    },
    /// A stage started or ended.
    Stage {
        /// Its name, such as `search`.
        name: String,
        /// What happened to it.
        state: StageState,
    },
    /// A figure of a stage, such as "20 candidates, 8 with full text".
    Progress {
        /// In words.
        message: String,
    },
    /// A source of prior work answered, or failed to answer, all its queries.
    Source {
        /// Its name.
        name: String,
        /// Results, before duplicates are removed.
        found: usize,
        /// Queries without an answer.
        failed: usize,
    },
    /// A model finished one item, such as one paper compared with the claims.
    Model {
        /// The kind of item, such as `compare`.
        what: String,
        /// Items finished.
        done: usize,
        /// Items in all.
        of: usize,
        /// Requests of the run so far.
        calls: u64,
        /// Tokens sent and received in the run so far.
        tokens: u64,
        /// Cost of the run so far, in US dollars; `None` if a price is unknown.
        dollars: Option<f64>,
    },
    /// The number of model calls changed that wait for their provider: it is down, asks to slow down, or failed and is asked again.
    Waiting {
        /// Calls that wait.
        calls: usize,
    },
    /// A message that a quiet front end may hide.
    Note {
        /// In words.
        message: String,
    },
    /// A message that the user should see.
    Warning {
        /// In words.
        message: String,
    },
    /// The result of one idea of a batch.
    Answer {
        /// A line of `ideas.jsonl`.
        line: Value,
    },
    /// A file was written to the run's folder.
    FileWritten {
        /// Its name.
        name: String,
    },
    /// This execution ended.
    Finished {
        /// How it ended.
        status: RunStatus,
    },
}

/// What happened to a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StageState {
    /// It started.
    Started,
    /// Its output was already recorded.
    Reused,
    /// Its output was computed.
    Finished,
}

/// Receives the events of a job. Events of one job come in order, possibly from several threads.
pub trait Observer: Send + Sync {
    /// Something happened.
    fn event(&self, event: &RunEvent);
}

/// Shorthands for the two kinds of messages.
pub(crate) trait Messages {
    fn note(&self, message: &str);
    fn warning(&self, message: &str);
}

impl Messages for dyn Observer + '_ {
    fn note(&self, message: &str) {
        let message = message.to_owned();
        self.event(&RunEvent::Note { message });
    }

    fn warning(&self, message: &str) {
        let message = message.to_owned();
        self.event(&RunEvent::Warning { message });
    }
}

/// Discards every event.
#[derive(Debug, Clone, Copy, Default)]
pub struct SilentObserver;

impl Observer for SilentObserver {
    fn event(&self, _event: &RunEvent) {}
}

/// A line of `events.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EventLine {
    /// From 1, within one execution of the run.
    pub number: u64,
    /// Seconds since 1970-01-01, UTC.
    pub time: u64,
    /// The event.
    #[serde(flatten)]
    pub event: RunEvent,
}

/// Name of the file in a run's folder that lists its events. Each execution starts it again once the input is read.
pub const EVENTS_FILE: &str = "events.jsonl";

/// Passes events on and writes them to the run's folder.
pub(crate) struct EventLog {
    observer: Arc<dyn Observer>,
    lines: Mutex<EventLines>,
}

#[derive(Default)]
struct EventLines {
    /// Number of the last event.
    number: u64,
    /// Events from before the file was started.
    waiting: Vec<u8>,
    file: Option<File>,
    /// Whether the file was started, even if it could not be written.
    started: bool,
}

impl EventLog {
    /// A log that keeps the events until [`EventLog::start_file`].
    pub(crate) fn new(observer: Arc<dyn Observer>) -> Self {
        Self {
            observer,
            lines: Mutex::default(),
        }
    }

    /// Writes the events to the folder `dir` from here on, after those that are kept. If the file cannot be written, events are only passed on: they
    /// are not part of the result.
    pub(crate) fn start_file(&self, dir: &Path) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::replace(&mut lines.started, true) {
            return;
        }
        let waiting = std::mem::take(&mut lines.waiting);
        match File::create(dir.join(EVENTS_FILE)) {
            Ok(file) => {
                lines.file = Some(file);
                lines.write(&waiting);
            }
            Err(error) => tracing::warn!("failed to create {EVENTS_FILE}: {error}"),
        }
    }
}

impl EventLines {
    fn write(&mut self, text: &[u8]) {
        if let Some(file) = &mut self.file
            && let Err(error) = file.write_all(text)
        {
            tracing::warn!("failed to write {EVENTS_FILE}: {error}");
            self.file = None;
        }
    }
}

impl Observer for EventLog {
    fn event(&self, event: &RunEvent) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.number += 1;
        let line = EventLine {
            number: lines.number,
            time: SystemClock.unix_seconds(),
            event: event.clone(),
        };
        if let Ok(mut text) = serde_json::to_vec(&line) {
            text.push(b'\n');
            match lines.started {
                true => lines.write(&text),
                false => lines.waiting.extend(text),
            }
        }
        // Under the lock, so that observers see the order of the file.
        self.observer.event(event);
    }
}

/// Turns the engine's progress into events.
pub(crate) struct PipelineProgress {
    pub(crate) events: Arc<dyn Observer>,
    /// Pass on only warnings, for pipelines that run many times in one run.
    pub(crate) only_warnings: bool,
}

impl Progress for PipelineProgress {
    fn stage(&self, stage: &'static str, event: StageEvent) {
        if self.only_warnings {
            return;
        }
        self.events.event(&RunEvent::Stage {
            name: stage.to_owned(),
            state: match event {
                StageEvent::Started => StageState::Started,
                StageEvent::Reused => StageState::Reused,
                _ => StageState::Finished,
            },
        });
    }

    fn note(&self, message: &str) {
        if !self.only_warnings {
            let message = message.to_owned();
            self.events.event(&RunEvent::Progress { message });
        }
    }

    fn source(&self, source: &SourceProgress) {
        if !self.only_warnings {
            self.events.event(&RunEvent::Source {
                name: source.name.clone(),
                found: source.found,
                failed: source.failed,
            });
        }
    }

    fn model(&self, model: &ModelProgress) {
        if !self.only_warnings {
            self.events.event(&RunEvent::Model {
                what: model.what.to_owned(),
                done: model.done,
                of: model.of,
                calls: model.calls,
                tokens: model.tokens,
                dollars: model.dollars,
            });
        }
    }

    fn waiting(&self, calls: usize) {
        if !self.only_warnings {
            self.events.event(&RunEvent::Waiting { calls });
        }
    }

    fn warning(&self, message: &str) {
        self.events.warning(message);
    }
}
