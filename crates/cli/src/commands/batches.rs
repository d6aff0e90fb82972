use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand};
use precedent_app::{
    App, AppError, BatchControl, BatchState, DEFAULT_LEASE, Database, ErrorKind, FleetChoice, SharedUser,
    WorkerRequest, batch_metrics,
};

use super::batch::{shared_database, summary};
use super::paper_arguments::DatabaseChoice;
use crate::ExitCode;
use crate::args::parse_budget;
use crate::printer::{Printer, counted, plain};

/// Papers between two notes of how many were fetched.
const NOTED: usize = 100;

/// `precedent batches --help`.
const BATCHES_HELP: &str = "\
Examples:
  precedent batches --database postgres://chair@db.lab/venue
  precedent batches show batch-1a2b3c4d5e6f7081 --json
  precedent batches pause batch-1a2b3c4d5e6f7081
  precedent batches priority batch-1a2b3c4d5e6f7081 10
  precedent batches budget ada 500
  precedent batches pull batch-1a2b3c4d5e6f7081 reports --store s3://venue/2026

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

    /// Settings file [default: that of the user]
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
    /// Fetch the runs of a batch that have ended, with their papers and corpora, and write the index. Repeat it to fetch what ended since
    Pull {
        #[command(flatten)]
        batch: OneBatch,

        /// A new folder, or that of an earlier pull
        dir: PathBuf,

        /// Object store of the batch: a folder, or s3://BUCKET/PREFIX with the usual AWS_* variables
        #[arg(long, value_name = "DIR|URL")]
        store: String,
    },
    /// List the users of batches (`batch --user`): their batches, and what these cost and may cost
    Users,
    /// Limit what all batches of a user together may cost
    Budget {
        /// The user, as `batch --user` names it
        user: String,

        /// US dollars, or `none` for no limit
        #[arg(value_parser = parse_limit, allow_negative_numbers = true)]
        budget: Limit,
    },
}

/// A budget, or `None` for no limit.
#[derive(Debug, Clone, Copy)]
struct Limit(Option<f64>);

fn parse_limit(text: &str) -> Result<Limit, String> {
    match text {
        "none" => Ok(Limit(None)),
        text => parse_budget(text).map(|dollars| Limit(Some(dollars))),
    }
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
        Some(BatchesCommand::Pull { batch, dir, store }) => {
            return pull(&batch.batch, dir, store, database, typed, printer);
        }
        Some(BatchesCommand::Users) => return users(&App::default().shared_users(&database)?, typed.json, printer),
        Some(BatchesCommand::Budget { user, budget }) => {
            let found = App::default().set_user_budget(&database, user, budget.0)?;
            return users(&found, typed.json, printer);
        }
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
        false if typed.prometheus => printer.data(&batch_metrics(&found)),
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

fn pull(
    batch: &str,
    dir: &Path,
    store: &str,
    database: Database,
    typed: &BatchesArguments,
    printer: Printer,
) -> Result<ExitCode, AppError> {
    let request = WorkerRequest {
        database,
        fleet: FleetChoice {
            store: store.to_owned(),
            lease: Duration::from_secs(DEFAULT_LEASE.into()),
        },
        jobs: 1,
        cache: None,
        model_urls: Vec::new(),
        local_only: false,
        private_hosts: Vec::new(),
        settings: typed.settings.clone(),
    };
    let progress = |done: usize, of: usize| {
        if done > 0 && done.is_multiple_of(NOTED) && done < of {
            printer.note(&format!("{done} of {}", counted(of, "paper")));
        }
    };
    let found = App::default().pull_batch(&request, batch, dir, &progress)?;
    match typed.json {
        true => printer.json(&found.summary)?,
        false => {
            printer.data(&summary(&found.summary, false));
            printer.line(&dir.join("index.html").display().to_string());
        }
    }
    if found.lost > 0 {
        let lost = counted(found.lost, "paper");
        let message = format!("{lost} could not be fetched, although they have ended; the index says why");
        return Err(AppError::with_message(ErrorKind::Input, message)
            .hint("repeat the batch on the machine that started it, which runs them again"));
    }
    Ok(ExitCode::Done)
}

fn users(users: &[SharedUser], json: bool, printer: Printer) -> Result<ExitCode, AppError> {
    if json {
        printer.json(&users)?;
        return Ok(ExitCode::Done);
    }
    for user in users {
        let batches = match user.batches {
            1 => "1 batch".to_owned(),
            several => format!("{several} batches"),
        };
        let mut cost = match user.budget {
            Some(budget) => format!("${:.2} of ${budget:.2}", user.dollars),
            None => format!("${:.2}, no budget", user.dollars),
        };
        if user.taken >= user.dollars + 0.005 {
            cost.push_str(&format!(
                ", ${:.2} with runs in progress and calls without an answer",
                user.taken
            ));
        }
        printer.line(&plain(&format!("{}: {batches}, {cost}", user.name)));
    }
    if users.is_empty() {
        printer.note("no users");
    }
    Ok(ExitCode::Done)
}

/// A batch in a few lines.
fn shown(batch: &BatchState) -> String {
    let counts: Vec<String> = batch
        .by_state()
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
    figures.extend(batch.user.as_ref().map(|user| format!("user {}", plain(user))));
    lines.push(format!("  {}", figures.join(", ")));
    for failure in &batch.failures {
        lines.push(format!("  {} x {}", failure.papers, plain(&failure.reason)));
    }
    lines.push(String::new());
    lines.join("\n")
}
