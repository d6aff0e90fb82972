//! The events of a run for a client that may come late, leave and come back.
//!
//! The id of an event is `EXECUTION.NUMBER`. A client that sends the last id it received (`Last-Event-ID`) gets what followed. The last event is
//! `end`; a client that has it gets nothing more.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use axum::response::sse::Event;
use futures_util::{Stream, stream};
use precedent_app::EVENTS_FILE;

use super::feed::Feed;
use super::{JobState, Jobs};

/// The last event that a client received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LastEvent {
    execution: u32,
    /// `None` for the event `end`.
    number: Option<u64>,
}

impl LastEvent {
    pub(crate) fn parse(id: &str) -> Option<Self> {
        let (execution, number) = id.split_once('.')?;
        let number = match number {
            "end" => None,
            number => Some(number.parse().ok()?),
        };
        Some(Self {
            execution: execution.parse().ok()?,
            number,
        })
    }

    /// Whether the client has everything of this execution.
    pub(crate) fn is_end_of(self, execution: u32) -> bool {
        self.execution == execution && self.number.is_none()
    }
}

struct Following {
    jobs: Arc<Jobs>,
    id: String,
    /// The execution that is being sent; 0 for none.
    execution: u32,
    /// Lines of it that were sent.
    sent: usize,
    /// Events to send next.
    waiting: VecDeque<Event>,
    /// The position in the queue that was sent last.
    position: Option<usize>,
    ended: bool,
}

/// The events of a run, from the one after `last`.
pub(crate) fn events(
    jobs: Arc<Jobs>,
    id: String,
    last: Option<LastEvent>,
) -> impl Stream<Item = Result<Event, std::convert::Infallible>> + Send + 'static {
    let following = Following {
        jobs,
        id,
        execution: last.map_or(0, |last| last.execution),
        sent: last
            .and_then(|last| last.number)
            .and_then(|number| usize::try_from(number).ok())
            .unwrap_or(0),
        waiting: VecDeque::new(),
        position: None,
        ended: false,
    };
    stream::unfold(following, |mut following| async move {
        let event = following.next().await?;
        Some((Ok(event), following))
    })
}

impl Following {
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return Some(event);
            }
            if self.ended {
                return None;
            }
            // Subscribed before looking, so that no change is missed.
            let mut changes = self.jobs.changes();
            changes.mark_unchanged();
            let Ok(record) = self.jobs.get(&self.id) else {
                // Deleted.
                self.ended = true;
                continue;
            };
            if let Some(feed) = self.jobs.feed(&self.id) {
                self.follow(&feed).await;
                continue;
            }
            match record.state {
                JobState::Queued | JobState::Running => {
                    let position = self.jobs.position(&self.id);
                    if position != self.position {
                        self.position = position;
                        let text = serde_json::json!({ "event": "queued", "position": position }).to_string();
                        self.waiting.push_back(Event::default().event("queued").data(text));
                        continue;
                    }
                    // The server ends, or the user was removed or changed. A client connects again.
                    if self.jobs.is_closing() || changes.changed().await.is_err() {
                        self.ended = true;
                    }
                }
                _ => {
                    self.start(record.executions);
                    let path = self.jobs.dir(&record).join(EVENTS_FILE);
                    self.send_file(path).await;
                    let text = serde_json::json!({ "event": "end", "state": record.state.word() }).to_string();
                    let end = Event::default()
                        .event("end")
                        .id(format!("{}.end", record.executions))
                        .data(text);
                    self.waiting.push_back(end);
                    self.ended = true;
                }
            }
        }
    }

    /// Starts with the first event of an execution, unless the client has some of it.
    fn start(&mut self, execution: u32) {
        if self.execution != execution {
            (self.execution, self.sent) = (execution, 0);
        }
    }

    async fn follow(&mut self, feed: &Feed) {
        self.start(feed.execution);
        match feed.line(self.sent) {
            Some(line) => self.send(&line),
            None if feed.has(self.sent).await => {}
            // The process has ended, and the record is about to say so.
            None => tokio::time::sleep(std::time::Duration::from_millis(20)).await,
        }
    }

    fn send(&mut self, line: &str) {
        self.sent += 1;
        let name = serde_json::from_str::<serde_json::Value>(line).ok();
        let name = name
            .as_ref()
            .and_then(|value| value.get("event"))
            .and_then(serde_json::Value::as_str);
        let event = Event::default()
            .event(name.unwrap_or("note"))
            .id(format!("{}.{}", self.execution, self.sent))
            .data(line);
        self.waiting.push_back(event);
    }

    async fn send_file(&mut self, path: PathBuf) {
        let read = tokio::task::spawn_blocking(move || std::fs::read_to_string(path)).await;
        // A run that failed before it read its input has no events.
        let text = read.ok().and_then(Result::ok).unwrap_or_default();
        for line in text.lines().skip(self.sent) {
            self.send(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_id_names_execution_and_number() {
        let last = LastEvent::parse("2.17").unwrap();
        assert_eq!((last.execution, last.number), (2, Some(17)));
        assert!(LastEvent::parse("3.end").unwrap().is_end_of(3));
        assert!(!LastEvent::parse("3.end").unwrap().is_end_of(4));
        assert!(!last.is_end_of(2));
        for wrong in ["", "2", "2.", "x.1", "1.x", "-1.2", "1.2.3"] {
            assert_eq!(LastEvent::parse(wrong), None, "{wrong}");
        }
    }
}
