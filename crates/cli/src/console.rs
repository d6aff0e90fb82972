use std::sync::{Mutex, PoisonError};

use precedent_app::{Observer, RunEvent};

use crate::printer::Printer;
use crate::progress::StageLines;

/// Shows the events of a job on the terminal: messages and stages on stderr, answers of a batch on stdout.
pub(crate) struct Console {
    printer: Printer,
    stages: Mutex<Option<StageLines>>,
}

impl Console {
    pub(crate) fn new(printer: Printer) -> Self {
        Self {
            printer,
            stages: Mutex::new(None),
        }
    }
}

impl Observer for Console {
    fn event(&self, event: &RunEvent) {
        let mut stages = self.stages.lock().unwrap_or_else(PoisonError::into_inner);
        match (event, &mut *stages) {
            (RunEvent::Stage { name, state }, stages) => {
                let lines = stages.get_or_insert_with(|| StageLines::new(self.printer));
                lines.show(name, *state);
            }
            (RunEvent::Progress { message }, Some(stages)) => stages.line(message),
            (RunEvent::Progress { message }, None) => self.printer.note(&format!("  {message}")),
            (RunEvent::Source { name, found, failed }, Some(stages)) => stages.source(name, *found, *failed),
            (
                RunEvent::Model {
                    what,
                    done,
                    of,
                    dollars,
                    ..
                },
                Some(stages),
            ) => stages.model(what, *done, *of, *dollars),
            (RunEvent::Waiting { calls }, Some(stages)) => stages.waiting(*calls),
            (RunEvent::Warning { message }, Some(stages)) => stages.warn(message),
            (RunEvent::Warning { message }, None) => self.printer.warning(message),
            (RunEvent::Note { message }, _) => self.printer.note(message),
            (RunEvent::Answer { line }, _) => self.printer.line(&line.to_string()),
            (RunEvent::Finished { .. }, stages) => {
                if let Some(stages) = stages.take() {
                    stages.end();
                }
            }
            _ => {}
        }
    }
}
