//! What the events of a run say so far, for a page without JavaScript.

use precedent_app::{EventLine, RunEvent, StageState};

/// Stages, counts and messages.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Progress {
    pub(super) stages: Vec<Stage>,
    /// Model requests, tokens and money so far.
    pub(super) counts: String,
    pub(super) lines: Vec<String>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stage {
    pub(super) name: String,
    /// `started`, `reused` or `finished`.
    pub(super) state: &'static str,
}

impl Stage {
    /// The same words as in the script.
    pub(super) fn label(&self) -> &'static str {
        match self.state {
            "started" => "running",
            "reused" => "from an earlier execution",
            _ => "done",
        }
    }
}

impl Progress {
    /// The progress that JSON lines describe. A line that is none is left out.
    pub(super) fn of<'l>(lines: impl Iterator<Item = &'l str>) -> Self {
        let mut progress = Self::default();
        for line in lines {
            if let Ok(line) = serde_json::from_str::<EventLine>(line) {
                progress.add(line.event);
            }
        }
        progress
    }

    fn add(&mut self, event: RunEvent) {
        match event {
            RunEvent::Stage { name, state } => {
                let state = match state {
                    StageState::Started => "started",
                    StageState::Reused => "reused",
                    _ => "finished",
                };
                match self.stages.iter_mut().find(|stage| stage.name == name) {
                    Some(stage) => stage.state = state,
                    None => self.stages.push(Stage { name, state }),
                }
            }
            RunEvent::Source { name, found, failed } => {
                let failed = if failed > 0 {
                    format!(", {failed} queries failed")
                } else {
                    String::new()
                };
                self.lines.push(format!("{name}: {found} results{failed}"));
            }
            RunEvent::Model {
                what,
                done,
                of,
                calls,
                tokens,
                dollars,
            } => {
                let dollars = dollars.map(|dollars| format!(", ${dollars:.4}")).unwrap_or_default();
                self.counts = format!("{what}: {done} of {of}, {calls} requests, {tokens} tokens{dollars}");
            }
            RunEvent::Progress { message } | RunEvent::Note { message } => self.lines.push(message),
            RunEvent::Warning { message } => self.lines.push(format!("Warning: {message}")),
            RunEvent::FileWritten { name } => self.lines.push(format!("Wrote {name}")),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_become_stages_and_messages() {
        let lines = [
            r#"{"number":1,"time":1,"event":"started","run":"r"}"#,
            r#"{"number":2,"time":1,"event":"stage","name":"extract","state":"started"}"#,
            r#"{"number":3,"time":1,"event":"stage","name":"extract","state":"finished"}"#,
            r#"{"number":4,"time":1,"event":"stage","name":"search","state":"started"}"#,
            r#"{"number":5,"time":1,"event":"source","name":"corpus:works","found":3,"failed":1}"#,
            "not an event",
        ];
        let progress = Progress::of(lines.into_iter());
        let stages: Vec<_> = progress
            .stages
            .iter()
            .map(|stage| (stage.name.as_str(), stage.label()))
            .collect();
        assert_eq!(stages, [("extract", "done"), ("search", "running")]);
        assert_eq!(progress.lines, ["corpus:works: 3 results, 1 queries failed"]);
    }
}
