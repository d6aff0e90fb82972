use std::fmt::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use precedent_app::{App, AppError, BatchControl, BatchState, ErrorKind};

use super::batch::shared_database;
use super::paper_arguments::DatabaseChoice;
use crate::ExitCode;
use crate::printer::{Printer, counted, plain};

/// `precedent batches --help`.
const BATCHES_HELP: &str = "\
Examples:
  precedent batches --database postgres://chair@db.lab/venue
  precedent batches show batch-1a2b3c4d5e6f7081 --json
  precedent batches pause batch-1a2b3c4d5e6f7081
  precedent batches priority batch-1a2b3c4d5e6f7081 10

The database is that of `precedent batch --database --store`. Papers that are running end when a batch is paused or cancelled.";

#[derive(Debug, Args)]
#[command(after_help = BATCHES_HELP)]
pub(crate) struct BatchesArguments {
    #[command(subcommand)]
    command: Option<BatchesCommand>,

    #[command(flatten)]
    database: DatabaseChoice,

    /// Print the numbers as JSON
    #[arg(long, global = true, conflicts_with = "prometheus")]
    json: bool,

    /// Print the numbers in the text format of Prometheus
    #[arg(long, global = true)]
    prometheus: bool,

    /// Settings file [default: precedent.toml here, or else that of the user]
    #[arg(long, value_name = "FILE", global = true)]
    settings: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum BatchesCommand {
    /// Show a batch: papers by state, rate, cost, time left, and failures by reason
    Show(OneBatch),
    /// Start no more papers of a batch
    Pause(OneBatch),
    /// Start papers of a paused batch again
    Resume(OneBatch),
    /// Never start the papers of a batch that wait
    Cancel(OneBatch),
    /// Start papers of a batch before those of batches with a lower number
    Priority {
        #[command(flatten)]
        batch: OneBatch,

        /// The priority, which is 0 unless it was set
        #[arg(allow_negative_numbers = true)]
        number: i32,
    },
}

#[derive(Debug, Args)]
struct OneBatch {
    /// The id of the batch
    batch: String,
}

/// `precedent batches …`.
pub(super) fn run(typed: &BatchesArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let database = shared_database(&typed.database, typed.settings.as_deref(), false, &[], printer)?;
    let database = database.ok_or_else(|| {
        AppError::with_message(ErrorKind::Usage, "no database to read").hint("name it with --database")
    })?;
    let (batch, control) = match &typed.command {
        None => (None, None),
        Some(BatchesCommand::Show(one)) => (Some(&one.batch), None),
        Some(BatchesCommand::Pause(one)) => (Some(&one.batch), Some(BatchControl::Pause)),
        Some(BatchesCommand::Resume(one)) => (Some(&one.batch), Some(BatchControl::Resume)),
        Some(BatchesCommand::Cancel(one)) => (Some(&one.batch), Some(BatchControl::Cancel)),
        Some(BatchesCommand::Priority { batch, number }) => {
            (Some(&batch.batch), Some(BatchControl::Priority((*number).into())))
        }
    };
    let found = App::default().shared_batches(&database, batch.map(String::as_str), control)?;
    match typed.json {
        true => printer.json(&found)?,
        false if typed.prometheus => printer.data(&metrics(&found)),
        false => {
            for batch in &found {
                printer.data(&shown(batch));
            }
            if found.is_empty() {
                printer.note("no batches");
            }
        }
    }
    Ok(ExitCode::Done)
}

/// Papers by state.
fn by_state(batch: &BatchState) -> [(u64, &'static str); 7] {
    [
        (batch.done, "done"),
        (batch.incomplete, "incomplete"),
        (batch.running, "running"),
        (batch.waiting, "waiting"),
        (batch.failed, "failed"),
        (batch.parked, "parked"),
        (batch.cancelled, "cancelled"),
    ]
}

/// The batches in the text format of Prometheus.
fn metrics(batches: &[BatchState]) -> String {
    let mut text = String::new();
    let mut metric = |name: &str, help: &str, values: fn(&BatchState) -> Vec<Sample>| {
        let _ = writeln!(
            text,
            "# HELP precedent_batch_{name} {help}\n# TYPE precedent_batch_{name} gauge"
        );
        for batch in batches {
            let labels = format!("batch=\"{}\",name=\"{}\"", escaped(&batch.id), escaped(&batch.name));
            for (state, value) in values(batch) {
                let state = state.map(|state| format!(",state=\"{state}\"")).unwrap_or_default();
                let _ = writeln!(text, "precedent_batch_{name}{{{labels}{state}}} {value}");
            }
        }
    };
    metric("papers", "Papers by state.", |batch| {
        let counts = by_state(batch).into_iter();
        counts.map(|(count, state)| (Some(state), count as f64)).collect()
    });
    metric("workers", "Workers that run papers.", |batch| {
        vec![(None, batch.workers as f64)]
    });
    metric(
        "papers_per_minute",
        "Papers that ended per minute, in the last ten minutes.",
        |batch| vec![(None, batch.per_minute)],
    );
    metric(
        "cost_dollars",
        "Cost of model calls, without runs in progress.",
        |batch| vec![(None, batch.dollars)],
    );
    metric("budget_dollars", "What all papers together may cost.", |batch| {
        batch.budget.map(|budget| (None, budget)).into_iter().collect()
    });
    text
}

/// A value, by the state of papers if it counts them.
type Sample = (Option<&'static str>, f64);

/// The value of a label.
fn escaped(value: &str) -> String {
    plain(value).replace('\\', "\\\\").replace('"', "\\\"")
}

/// A batch in a few lines.
fn shown(batch: &BatchState) -> String {
    let counts: Vec<String> = by_state(batch)
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    let papers = counted(usize::try_from(batch.papers).unwrap_or(usize::MAX), "paper");
    let mut lines = vec![
        match batch.priority {
            0 => format!("{} {} ({})", batch.id, plain(&batch.name), batch.state),
            priority => format!(
                "{} {} ({}, priority {priority})",
                batch.id,
                plain(&batch.name),
                batch.state
            ),
        },
        format!("  {papers}: {}", counts.join(", ")),
    ];
    let mut figures = vec![format!("{:.1} papers a minute", batch.per_minute)];
    if batch.workers > 0 {
        figures.insert(
            0,
            counted(usize::try_from(batch.workers).unwrap_or(usize::MAX), "worker"),
        );
    }
    figures.extend(batch.minutes_left.map(|minutes| format!("{minutes:.0} minutes left")));
    match batch.budget {
        Some(budget) => figures.push(format!("${:.2} of ${budget:.2}", batch.dollars)),
        None if batch.dollars > 0.0 => figures.push(format!("${:.2}", batch.dollars)),
        None => {}
    }
    lines.push(format!("  {}", figures.join(", ")));
    for failure in &batch.failures {
        lines.push(format!("  {} x {}", failure.papers, plain(&failure.reason)));
    }
    lines.push(String::new());
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_have_one_value_for_each_batch_and_state_and_quote_names() {
        let batch = BatchState {
            id: "batch-1".to_owned(),
            name: "the \"late\" ones\n\\".to_owned(),
            state: "open".to_owned(),
            papers: 3,
            waiting: 1,
            running: 2,
            done: 0,
            incomplete: 0,
            failed: 0,
            parked: 0,
            cancelled: 0,
            per_minute: 1.5,
            minutes_left: None,
            dollars: 0.25,
            workers: 2,
            budget: None,
            priority: 0,
            failures: Vec::new(),
        };
        let text = metrics(&[batch]);
        let labels = r#"batch="batch-1",name="the \"late\" ones \\""#;
        for line in [
            format!("precedent_batch_papers{{{labels},state=\"running\"}} 2"),
            format!("precedent_batch_papers{{{labels},state=\"done\"}} 0"),
            format!("precedent_batch_workers{{{labels}}} 2"),
            format!("precedent_batch_cost_dollars{{{labels}}} 0.25"),
        ] {
            assert!(text.lines().any(|one| one == line), "{line}\n{text}");
        }
        assert!(!text.contains("precedent_batch_budget_dollars{"), "{text}");
        assert_eq!(text.matches("# TYPE precedent_batch_papers gauge").count(), 1);
    }
}
