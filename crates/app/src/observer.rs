use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use precedent_engine::runs::RunStatus;
use precedent_engine::{Clock, Progress, StageEvent, SystemClock};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What happens during a job, in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum RunEvent {
    /// The run's folder is locked and its manifest is written.
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
    /// The run ended, and its manifest is written.
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

/// Name of the file in a run's folder that lists its events. Each execution starts it again.
pub const EVENTS_FILE: &str = "events.jsonl";

/// Passes events on and appends them to the run's folder.
pub(crate) struct EventLog {
    observer: Arc<dyn Observer>,
    file: Mutex<(u64, Option<File>)>,
}

impl EventLog {
    /// A log in the folder `dir`. If the file cannot be created, events are only passed on: they are not part of the result.
    pub(crate) fn start(observer: Arc<dyn Observer>, dir: &Path) -> Self {
        let file = File::create(dir.join(EVENTS_FILE));
        if let Err(error) = &file {
            tracing::warn!("failed to create {EVENTS_FILE}: {error}");
        }
        Self {
            observer,
            file: Mutex::new((0, file.ok())),
        }
    }
}

impl Observer for EventLog {
    fn event(&self, event: &RunEvent) {
        let mut held = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let (number, file) = &mut *held;
        *number += 1;
        let line = EventLine {
            number: *number,
            time: SystemClock.unix_seconds(),
            event: event.clone(),
        };
        if let (Some(open), Ok(mut text)) = (file.as_mut(), serde_json::to_vec(&line)) {
            text.push(b'\n');
            if let Err(error) = open.write_all(&text) {
                tracing::warn!("failed to write {EVENTS_FILE}: {error}");
                *file = None;
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

    fn warning(&self, message: &str) {
        self.events.warning(message);
    }
}
