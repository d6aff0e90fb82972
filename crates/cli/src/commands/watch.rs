use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand, ValueEnum};
use precedent_app::runs::RunFolder;
use precedent_app::{
    App, AppError, CancelToken, ErrorKind, IdeaJob, Input, Job, Request, Watch, WatchInterval, WatchRequest,
    WatchSubject, Watches, today,
};
use precedent_engine::domain::{DateOrder, PartialDate};
use precedent_report::{ClaimLevel, WatchChange, WatchedPaper};
use serde::Serialize;

use super::idea::text_or_file;
use super::job;
use crate::args::{CorpusChoice, SourceChoice};
use crate::console::Console;
use crate::printer::{Printer, counted, plain};
use crate::{ExitCode, interrupt};

/// `precedent watch --help`.
pub(crate) const WATCH_HELP: &str = "\
Examples:
  precedent watch add runs/paper-pdf-1a2b3c4d                        the paper of a run, with its corpora and sources
  precedent watch add idea.txt --sources default --every day         an idea
  precedent watch run                                                check all watches that are due
  0 7 * * *  precedent watch run --quiet                             the same every morning, as a line of your crontab

`watch run` searches again with today's date as the cutoff, and reports only papers that are new, or closer than before. Exit code 8 means that one of
them reached the level of the watch. Checks use no model, so a watch of a run that used one starts from its first check. Each watch has a folder with watch.html, watch.json and feed.xml (Atom).";

#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct WatchArguments {
    #[command(subcommand)]
    command: WatchCommand,

    /// Folder of the watches [default: `watches` in your data folder]
    #[arg(long, global = true, value_name = "DIR", env = "PRECEDENT_WATCHES")]
    watches: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum WatchCommand {
    /// Keep a request, to search again for what appeared since. Nothing is searched now
    Add(AddArguments),
    /// Search again for the watches that are due, and report what is new
    Run(RunArguments),
    /// List the watches
    List {
        /// Print each watch as JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove a watch with its reports
    Remove {
        /// Its name
        name: String,
    },
}

#[derive(Debug, Args)]
struct AddArguments {
    /// Folder of a run of assess or idea, a paper, or an idea as a text file, as text, or `-` for stdin
    #[arg(value_name = "RUN|PAPER|IDEA")]
    subject: String,

    /// Name [default: made of the title]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// How often it is due
    #[arg(long, value_enum, value_name = "INTERVAL", default_value_t = Interval::Week)]
    every: Interval,

    /// A new paper of this level or closer makes `watch run` exit with 8
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = Level::Similar)]
    level: Level,

    #[command(flatten)]
    corpus: CorpusChoice,

    #[command(flatten)]
    sources: SourceChoice,
}

#[derive(Debug, Args)]
struct RunArguments {
    /// Names of watches, due or not [default: all that are due]
    names: Vec<String>,

    /// Search for papers until this date [default: today]
    #[arg(long, value_name = "DATE")]
    as_of: Option<PartialDate>,

    /// Print each check as JSON: `{name, date, alert, first, papers, failures, folder}`
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Interval {
    Day,
    Week,
    Month,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Level {
    Anticipated,
    Similar,
}

/// A check in the output of `--json`.
#[derive(Serialize)]
struct CheckOutput<'a> {
    name: &'a str,
    date: PartialDate,
    alert: bool,
    first: bool,
    papers: Vec<&'a WatchedPaper>,
    failures: &'a [String],
    folder: String,
}

/// `precedent watch …`.
pub(super) fn run(typed: WatchArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let watches = match typed.watches {
        Some(folder) => Watches::at(folder),
        None => Watches::of_user()?,
    };
    match typed.command {
        WatchCommand::Add(typed) => add(&watches, typed, printer),
        WatchCommand::Run(typed) => check(&watches, &typed, printer),
        WatchCommand::List { json } => list(&watches, json, printer),
        WatchCommand::Remove { name } => {
            watches.remove(&name)?;
            printer.note(&format!("removed {}", plain(&name)));
            Ok(ExitCode::Done)
        }
    }
}

fn add(watches: &Watches, typed: AddArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let subject = subject(&typed, printer)?;
    let request = WatchRequest {
        subject,
        name: typed.name,
        every: match typed.every {
            Interval::Day => WatchInterval::Day,
            Interval::Week => WatchInterval::Week,
            Interval::Month => WatchInterval::Month,
        },
        level: match typed.level {
            Level::Anticipated => ClaimLevel::Anticipated,
            Level::Similar => ClaimLevel::Similar,
        },
    };
    let watch = App::default().add_watch(watches, request)?;
    printer.data(&watch.report.name);
    if watch.request.sources.is_empty() {
        printer.note(
            "it searches local corpora alone, so it finds what you add to them; services are searched with --sources",
        );
    }
    printer.note("check it with `precedent watch run`");
    Ok(ExitCode::Done)
}

fn subject(typed: &AddArguments, printer: Printer) -> Result<WatchSubject, AppError> {
    let dir = [PathBuf::from(&typed.subject), Path::new("runs").join(&typed.subject)];
    if let Some(dir) = dir
        .into_iter()
        .find(|dir| RunFolder::open(dir).and_then(|run| run.current_manifest()).is_ok())
    {
        if !typed.corpus.corpora.is_empty() || !typed.sources.names.is_empty() {
            let message = "a run has its own corpora and sources";
            return Err(AppError::with_message(ErrorKind::Usage, message)
                .hint("leave out --corpus and --sources, or give the paper instead of the run"));
        }
        return Ok(WatchSubject::Run(dir));
    }
    let path = Path::new(&typed.subject);
    let is_text = path
        .extension()
        .is_none_or(|ending| ["txt", "text", "md"].iter().any(|one| ending == *one));
    let (job, input) = match path.exists() && !is_text {
        true => (Job::Assess, Input::File(path.to_owned())),
        false => (Job::Idea(IdeaJob::default()), text_or_file(&typed.subject)?),
    };
    let mut request = Request {
        corpora: typed.corpus.corpora.clone(),
        sources: typed.sources.names.clone(),
        ..Request::new(job, input)
    };
    // Services are refused only where none was named.
    request.model.local_only = typed.sources.names.is_empty();
    Ok(WatchSubject::Request(Box::new(job::validate(&request, printer)?)))
}

fn check(watches: &Watches, typed: &RunArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let now = today()?;
    let date = typed.as_of.unwrap_or(now);
    if date.against(now) == DateOrder::After {
        let message = format!("{date} is after today");
        return Err(AppError::with_message(ErrorKind::Usage, message).hint("leave out --as-of to search until today"));
    }
    let (mut alert, mut failure) = (false, None);
    let names: Vec<String> = match typed.names.as_slice() {
        [] => {
            let mut due = Vec::new();
            for watch in watches.list()? {
                match watch {
                    Ok(watch) if watch.is_due(date) || watch.is_unreported() => due.push(watch.report.name),
                    Ok(_) => {}
                    // One watch that cannot be read does not stop the others.
                    Err(error) => {
                        printer.warning(&plain(&error.to_string()));
                        failure.get_or_insert(error);
                    }
                }
            }
            due
        }
        names => names.to_vec(),
    };
    if names.is_empty() && failure.is_none() {
        printer.note("no watch is due");
    }
    let cancel = CancelToken::new();
    interrupt::listen(cancel.clone(), "interrupted; the finished checks are kept", printer)
        .map_err(|error| AppError::with_message(ErrorKind::Bug, format!("failed to listen for Ctrl-C: {error}")))?;
    for name in &names {
        // A program that was killed did not show what it had recorded, and no later check repeats an alert.
        if let Ok(mut watch) = watches.get(name)
            && watch.is_unreported()
        {
            alert |= watch.report.is_alert();
            show(watches, &watch, typed.json, printer)?;
            watches.set_reported(&mut watch)?;
            let is_of_today = watch.report.checks.last().is_some_and(|last| last.date == date);
            if is_of_today || typed.names.is_empty() && !watch.is_due(date) {
                continue;
            }
        }
        let console = Arc::new(Console::new(printer));
        match App::default().check_watch(watches, name, date, console, &cancel) {
            Ok(mut watch) => {
                alert |= watch.report.is_alert();
                show(watches, &watch, typed.json, printer)?;
                watches.set_reported(&mut watch)?;
            }
            Err(error) if error.kind == ErrorKind::Interrupted => return Err(error),
            Err(error) => {
                printer.warning(&format!("{}: {}", plain(name), plain(&error.to_string())));
                failure.get_or_insert(error);
            }
        }
    }
    // An alert is recorded and comes only once, so it counts more than a failure, which comes again.
    match failure {
        _ if alert => Ok(ExitCode::Alert),
        Some(error) => Ok(error.kind.into()),
        None => Ok(ExitCode::Done),
    }
}

fn show(watches: &Watches, watch: &Watch, json: bool, printer: Printer) -> Result<(), AppError> {
    let report = &watch.report;
    let Some(check) = report.checks.last() else {
        return Ok(());
    };
    let folder = watches.folder(&report.name);
    if json {
        return printer.json(&CheckOutput {
            name: &report.name,
            date: check.date,
            alert: report.is_alert(),
            first: check.first,
            papers: report.latest().collect(),
            failures: &check.failures,
            folder: folder.display().to_string(),
        });
    }
    let similar: Vec<&WatchedPaper> = report.latest().filter(|paper| !paper.matches.is_empty()).collect();
    let what = match (check.first, check.noticed) {
        (true, _) => format!("first check, {} noted", counted(check.compared, "paper")),
        (_, 0) => "nothing new".to_owned(),
        _ => format!(
            "{} similar, {} close to the topic only",
            counted(similar.len(), "new paper"),
            check.noticed - similar.len()
        ),
    };
    printer.line(&format!("{}: {what}", plain(&report.name)));
    for paper in similar {
        for line in lines(paper) {
            printer.line(&line);
        }
    }
    for failure in &check.failures {
        printer.warning(&plain(failure));
    }
    printer.note(&plain(&folder.join("watch.html").display().to_string()));
    Ok(())
}

fn lines(paper: &WatchedPaper) -> Vec<String> {
    let date = paper.date.map_or_else(|| "no date".to_owned(), |date| date.to_string());
    let known = if paper.change == WatchChange::Closer {
        "; known, closer than before"
    } else {
        ""
    };
    let mut lines = vec![format!("  {} ({date}{known})", plain(&paper.title))];
    for one in &paper.matches {
        let chance = one.probability.map_or_else(String::new, |chance| {
            format!(" ({})", precedent_report::probability(chance))
        });
        lines.push(match one.level {
            ClaimLevel::Anticipated => format!("      has {} nearly word for word{chance}", one.of),
            _ => format!("      similar to {}{chance}", one.of),
        });
        if let Some(passage) = &one.passage {
            lines.push(format!("      “{}”", plain(passage.text())));
        }
    }
    lines
}

fn list(watches: &Watches, json: bool, printer: Printer) -> Result<ExitCode, AppError> {
    let all = watches.list()?;
    for watch in &all {
        let watch = match watch {
            Ok(watch) => watch,
            Err(error) => {
                printer.warning(&plain(&error.to_string()));
                continue;
            }
        };
        if json {
            printer.json(&watch.report)?;
            continue;
        }
        let last = watch.report.checks.last();
        printer.line(&format!(
            "{:<40}  {:<11}  {:>3} noticed  {}",
            plain(&watch.report.name),
            last.map_or_else(|| "not checked".to_owned(), |check| check.date.to_string()),
            watch.report.papers.len(),
            plain(&watch.report.title)
        ));
    }
    if !json {
        printer.note(&match all.len() {
            1 => "1 watch".to_owned(),
            many => format!("{many} watches"),
        });
    }
    Ok(ExitCode::Done)
}
