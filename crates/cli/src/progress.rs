use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use precedent_app::StageState;
use precedent_engine::library::AddProgress;
use precedent_engine::{Progress, StageEvent};

use crate::printer::Printer;

/// Import progress on stderr: a bar on a terminal, otherwise one line per commit.
pub(crate) struct ImportBar {
    printer: Printer,
    bar: ProgressBar,
}

impl ImportBar {
    /// Shows an empty bar.
    pub(crate) fn start(printer: Printer) -> Self {
        let bar = bar(printer);
        let template = "{spinner} {bar:24} {bytes}/{total_bytes}, {msg} records, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { printer, bar }
    }

    /// Updates the bar.
    pub(crate) fn at(&self, progress: &AddProgress) {
        self.bar.set_length(progress.all_bytes);
        self.bar.set_position(progress.bytes);
        self.bar.set_message(progress.items.to_string());
        if self.bar.is_hidden() && progress.committed {
            let share = progress.bytes.saturating_mul(100) / progress.all_bytes.max(1);
            self.printer.note(&format!(
                "  {} records, {share} % of the input, committed",
                progress.items
            ));
        }
    }

    /// Removes the bar.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// Stages of a run on stderr: one updating line on a terminal, otherwise plain lines.
pub(crate) struct StageLines {
    printer: Printer,
    bar: ProgressBar,
    started: Mutex<Option<Instant>>,
    current: Mutex<CurrentStage>,
}

/// What the updating line shows.
#[derive(Default)]
struct CurrentStage {
    /// Name of the stage.
    name: String,
    /// Items that a model has finished, and all of them, by kind.
    items: BTreeMap<String, (usize, usize)>,
    /// Cost of the run so far, if known.
    dollars: Option<f64>,
    /// Model calls that wait for their provider.
    waiting: usize,
}

impl CurrentStage {
    /// `judge: compare 31/54, lines 2/5, $0.02, 3 waiting for the provider`.
    fn words(&self) -> String {
        let items = self.items.iter();
        let items = items.map(|(what, (done, of))| format!("{what} {done}/{of}"));
        let waiting = (self.waiting > 0).then(|| format!("{} waiting for the provider", self.waiting));
        let parts: Vec<String> = items
            .chain(self.dollars.map(|dollars| format!("${dollars:.2}")))
            .chain(waiting)
            .collect();
        match parts.is_empty() {
            true => self.name.clone(),
            false => format!("{}: {}", self.name, parts.join(", ")),
        }
    }
}

impl StageLines {
    pub(crate) fn new(printer: Printer) -> Self {
        let bar = bar(printer);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(120));
        Self {
            printer,
            bar,
            started: Mutex::new(None),
            current: Mutex::default(),
        }
    }

    /// Removes the updating line.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }

    /// Shows that a stage started or ended.
    pub(crate) fn show(&self, stage: &str, state: StageState) {
        let words = stage.replace('_', " ");
        let Ok(mut started) = self.started.lock() else { return };
        match state {
            StageState::Started => {
                *started = Some(Instant::now());
                if let Ok(mut current) = self.current.lock() {
                    *current = CurrentStage {
                        name: words.clone(),
                        waiting: current.waiting,
                        ..CurrentStage::default()
                    };
                }
                self.bar.set_message(words);
            }
            StageState::Reused => self.bar.suspend(|| self.printer.note(&format!("  {words} (reused)"))),
            _ => {
                let took = started
                    .take()
                    .map(|from| format!(" {:.1} s", from.elapsed().as_secs_f64()))
                    .unwrap_or_default();
                self.bar.suspend(|| self.printer.note(&format!("  {words}{took}")));
            }
        }
    }

    /// Shows what a source returned.
    pub(crate) fn source(&self, name: &str, found: usize, failed: usize) {
        let failures = match failed {
            0 => String::new(),
            1 => ", 1 query failed".to_owned(),
            _ => format!(", {failed} queries failed"),
        };
        if let Ok(current) = self.current.lock() {
            let stage = &current.name;
            self.bar
                .set_message(format!("{stage}: {name}: {found} results{failures}"));
        }
    }

    /// Shows how far a model is.
    pub(crate) fn model(&self, what: &str, done: usize, of: usize, dollars: Option<f64>) {
        let Ok(mut current) = self.current.lock() else { return };
        current.items.insert(what.to_owned(), (done, of));
        current.dollars = dollars;
        self.bar.set_message(current.words());
    }

    /// Shows how many model calls wait for their provider.
    pub(crate) fn waiting(&self, calls: usize) {
        let Ok(mut current) = self.current.lock() else { return };
        current.waiting = calls;
        self.bar.set_message(current.words());
    }

    /// Prints a figure of a stage.
    pub(crate) fn line(&self, message: &str) {
        self.bar.suspend(|| self.printer.note(&format!("  {message}")));
    }

    /// Prints a warning.
    pub(crate) fn warn(&self, message: &str) {
        self.bar.suspend(|| self.printer.warning(message));
    }
}

/// Papers of a batch on stderr: a line each, and a bar on a terminal.
pub(crate) struct PaperBar {
    printer: Printer,
    bar: ProgressBar,
}

impl PaperBar {
    /// Shows a bar for this many papers.
    pub(crate) fn start(printer: Printer, papers: usize) -> Self {
        let bar = bar(printer);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {bar:24} {pos}/{len} papers, {eta} left") {
            bar.set_style(style);
        }
        bar.set_length(papers as u64);
        bar.enable_steady_tick(Duration::from_millis(120));
        Self { printer, bar }
    }

    /// Prints the line of a paper, the `done`th.
    pub(crate) fn at(&self, done: usize, line: &str) {
        self.bar.suspend(|| self.printer.note(line));
        self.move_to(done);
    }

    /// Shows that this many papers are done.
    pub(crate) fn move_to(&self, done: usize) {
        self.bar.set_position(done as u64);
    }

    /// Prints something above the bar.
    pub(crate) fn print(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    /// Removes the bar.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// Prints only warnings, for work whose stages are not shown.
pub(crate) struct Warnings(pub(crate) Printer);

impl Progress for Warnings {
    fn stage(&self, _stage: &'static str, _event: StageEvent) {}

    fn note(&self, _message: &str) {}

    fn warning(&self, message: &str) {
        self.0.warning(message);
    }
}

fn bar(printer: Printer) -> ProgressBar {
    // indicatif draws nothing if stderr is not a terminal.
    let target = if printer.hides_bars() {
        ProgressDrawTarget::hidden()
    } else {
        ProgressDrawTarget::stderr()
    };
    ProgressBar::with_draw_target(None, target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_a_stage_counts_items_cost_and_waiting_calls() {
        let mut stage = CurrentStage {
            name: "judge".to_owned(),
            ..CurrentStage::default()
        };
        assert_eq!(stage.words(), "judge");
        stage.waiting = 2;
        assert_eq!(stage.words(), "judge: 2 waiting for the provider");
        stage.items.insert("compare".to_owned(), (31, 54));
        (stage.dollars, stage.waiting) = (Some(0.0213), 3);
        assert_eq!(stage.words(), "judge: compare 31/54, $0.02, 3 waiting for the provider");
    }
}
