use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use precedent_app::{
    App, AppError, BatchEvent, BatchObserver, BatchPapers, BatchRequest, BatchResult, CancelToken, Database, ErrorKind,
    FleetChoice, Job, RunEvent, batch_folder,
};
use precedent_engine::domain::CoverageLevel;
use precedent_report::{BatchPaper, BatchStatus, BatchSummary, ClaimLevel, PaperSummary};
use serde::Serialize;

use super::job::open_page;
use super::paper_arguments::{BatchArguments, DatabaseChoice, JobsChoice, RunOptions};
use crate::printer::{Printer, counted, plain};
use crate::progress::PaperBar;
use crate::{ExitCode, interrupt};

/// Maximum number of claims and of failures on the terminal. The index lists all.
const MOST: usize = 8;

/// Papers to assess at the same time if their model requests are sent in batches.
const IN_BATCHES: usize = 64;

/// Coverage of a paper's field that makes a missing match mean little.
const COVERAGE: [(CoverageLevel, &str); 2] = [
    (CoverageLevel::Outside, "field not covered by the papers searched"),
    (CoverageLevel::Thin, "field thinly covered by the papers searched"),
];

/// Output of `--json`.
#[derive(Serialize)]
struct BatchOutput<'a> {
    dir: String,
    #[serde(flatten)]
    summary: &'a BatchSummary,
}

/// `precedent batch`.
pub(super) fn run(typed: &BatchArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let papers = match typed.papers.is_dir() {
        true => BatchPapers::in_folder(&typed.papers)?,
        false => BatchPapers::listed(&typed.papers)?,
    };
    assess_all(
        papers,
        std::slice::from_ref(&typed.papers),
        &typed.jobs,
        Sharing {
            database: database(typed, printer)?,
            fleet: typed.store.fleet(),
            budget: typed.batch_budget,
            user: typed.user.clone(),
        },
        &typed.run,
        printer,
    )
}

/// What a batch shares with other machines.
#[derive(Default)]
pub(super) struct Sharing {
    database: Option<Database>,
    fleet: Option<FleetChoice>,
    /// In US dollars.
    budget: Option<f64>,
    user: Option<String>,
}

/// The database that the batch shares with other machines.
fn database(typed: &BatchArguments, printer: Printer) -> Result<Option<Database>, AppError> {
    let model = &typed.run.model;
    let settings = model.settings.as_deref();
    shared_database(
        &typed.database,
        settings,
        model.local_only,
        &model.private_hosts,
        printer,
    )
}

/// The database that a user chose, with a warning if its password can be seen.
pub(super) fn shared_database(
    typed: &DatabaseChoice,
    settings: Option<&Path>,
    local_only: bool,
    private_hosts: &[String],
    printer: Printer,
) -> Result<Option<Database>, AppError> {
    let given = typed.url.as_deref();
    let database = Database::chosen(given, settings, local_only, private_hosts)?;
    let is_visible = |url: &str| std::env::args().any(|argument| argument.contains(url));
    if database.as_ref().is_some_and(Database::has_password) && given.is_some_and(is_visible) {
        printer.warning(
            "--database contains a password, which other users of this machine can see in the list of processes; set PRECEDENT_DATABASE instead",
        );
    }
    Ok(database)
}

/// Assesses the papers of `inputs` and prints the claims with the most similar prior work.
pub(super) fn assess_all(
    papers: BatchPapers,
    inputs: &[PathBuf],
    jobs: &JobsChoice,
    sharing: Sharing,
    typed: &RunOptions,
    printer: Printer,
) -> Result<ExitCode, AppError> {
    let BatchPapers { papers, skipped } = papers;
    for (is_given, option) in [(typed.title, "--title"), (typed.show_egress, "--show-egress")] {
        if is_given {
            let message = format!("{option} cannot be used with several papers ({} found)", papers.len());
            return Err(AppError::with_message(ErrorKind::Usage, message).hint("use `precedent assess` for each paper"));
        }
    }
    if jobs.jobs == Some(0) && sharing.fleet.is_none() {
        return Err(
            AppError::with_message(ErrorKind::Usage, "--jobs 0 needs workers on other machines")
                .hint("name the store that they use with --store"),
        );
    }
    announce(&papers, &skipped, typed, sharing.budget, printer);
    let request = BatchRequest {
        request: typed.request(Path::new(""), Job::Assess),
        dir: typed.out.clone().unwrap_or_else(|| batch_folder(inputs)),
        jobs: match jobs.jobs {
            Some(jobs) => usize::from(jobs),
            // They mostly wait, and the calls of all of them should be in one batch.
            None if typed.model.provider_batch => IN_BATCHES,
            None => std::thread::available_parallelism().map_or(1, usize::from),
        },
        replay: typed.replay,
        database: sharing.database,
        fleet: sharing.fleet,
        budget: sharing.budget,
        user: sharing.user,
        papers,
    };
    let cancel = CancelToken::new();
    let message = match (&request.fleet, typed.model.provider_batch) {
        (Some(_), _) => {
            "interrupted; workers on other machines go on. To continue here, repeat the command; `precedent batches pause` stops them"
        }
        (None, true) => interrupt::COLLECT,
        (None, false) => "interrupted; to continue, repeat the command",
    };
    interrupt::listen(cancel.clone(), message, printer)
        .map_err(|error| AppError::with_message(ErrorKind::Bug, format!("failed to listen for Ctrl-C: {error}")))?;
    let shown = Arc::new(BatchProgress {
        printer,
        bar: PaperBar::start(printer, request.papers.len()),
        warnings: Mutex::default(),
    });
    let observer: Arc<dyn BatchObserver> = Arc::clone(&shown) as Arc<dyn BatchObserver>;
    let outcome = App::default().batch(&request, observer, &cancel);
    shown.bar.end();
    let result = outcome?;
    match typed.json {
        true => printer.json(&BatchOutput {
            dir: request.dir.display().to_string(),
            summary: &result.summary,
        })?,
        false => {
            printer.data(&summary(&result.summary, !typed.replay));
            for file in &result.files {
                printer.line(&file.display().to_string());
            }
        }
    }
    let index = result
        .files
        .iter()
        .find(|file| file.extension().is_some_and(|end| end == "html"));
    if let (true, Some(index)) = (typed.open, index)
        && let Err(error) = open_page(index)
    {
        printer.warning(&format!("--open: failed to start a browser: {error}"));
    }
    if exit_code(&result, typed.model.allow_fallback) == ExitCode::Model && result.first_failure.is_none() {
        let papers = counted(result.unusable, "paper");
        printer.warning(&format!(
            "fewer than half of the model's items are usable for {papers}; use --allow-fallback to accept this"
        ));
    }
    match (exit_code(&result, typed.model.allow_fallback), result.unwritten) {
        (ExitCode::Done, Some(error)) => Err(error),
        (code, unwritten) => {
            if let Some(error) = unwritten {
                printer.warning(&error.to_string());
            }
            Ok(code)
        }
    }
}

/// Prints how many papers were found, which files were skipped, and the largest cost.
fn announce(papers: &[PathBuf], skipped: &[PathBuf], typed: &RunOptions, in_all: Option<f64>, printer: Printer) {
    let of_papers = typed.model.budget.map(|dollars| dollars * papers.len() as f64);
    let in_all = in_all.into_iter().chain(of_papers).reduce(f64::min);
    let budget = match (typed.model.budget, in_all) {
        (Some(each), Some(in_all)) => format!(", at most ${each:.2} each and ${in_all:.2} in all"),
        (None, Some(in_all)) => format!(", at most ${in_all:.2} in all"),
        _ => String::new(),
    };
    printer.note(&format!("{}{budget}", counted(papers.len(), "paper")));
    if !skipped.is_empty() {
        let names = skipped
            .iter()
            .map(|path| path.file_name().unwrap_or_default().to_string_lossy());
        let names: Vec<String> = names.take(MOST).map(|name| plain(&name)).collect();
        let more = if skipped.len() > MOST { ", …" } else { "" };
        let files = counted(skipped.len(), "file");
        printer.warning(&format!(
            "{files} skipped (no papers by name, links, or folders too deep): {}{more}",
            names.join(", ")
        ));
    }
}

/// The exit code of the first paper that failed, or else of the worst status.
fn exit_code(result: &BatchResult, allow_fallback: bool) -> ExitCode {
    let has = |status| result.summary.papers.iter().any(|one| one.status == status);
    match result.first_failure {
        Some(kind) => kind.into(),
        None if has(BatchStatus::NothingSearched) => ExitCode::NothingSearched,
        None if has(BatchStatus::OverBudget) => ExitCode::Budget,
        None if result.unusable > 0 && !allow_fallback => ExitCode::Model,
        None => ExitCode::Done,
    }
}

/// What is incomplete, the counts, the most similar claims and the failures.
pub(super) fn summary(batch: &BatchSummary, can_continue: bool) -> String {
    let papers = || batch.papers.iter();
    let found: Vec<(&BatchPaper, &PaperSummary)> =
        papers().filter_map(|one| Some((one, one.summary.as_ref()?))).collect();
    let claims: usize = found.iter().map(|(_, one)| one.claims.len()).sum();
    let mut lines: Vec<String> = Vec::new();
    if let Some(sentence) = batch.incomplete() {
        let is_over = papers().any(|one| one.status == BatchStatus::OverBudget);
        let how = if is_over { " with a larger budget" } else { "" };
        let how = format!(" To continue, repeat the command{how}.");
        lines.push(format!("{sentence}{}", if can_continue { how.as_str() } else { "" }));
    }
    lines.push(format!(
        "{}, {}",
        counted(found.len(), "paper"),
        counted(claims, "claim")
    ));
    for level in [ClaimLevel::Anticipated, ClaimLevel::Similar] {
        let of_level: Vec<String> = found
            .iter()
            .flat_map(|(paper, one)| one.claims.iter().map(move |claim| (paper, claim)))
            .filter(|(_, claim)| claim.level == level)
            .map(|(paper, claim)| {
                let closest = claim.closest.first();
                let closest = closest.map(|one| {
                    let date = if one.earlier { "" } else { " (not known to be earlier)" };
                    format!(": {} {}{date}", plain(&one.alias), plain(&one.title))
                });
                format!(
                    "    {} claim {}{}",
                    plain(&paper.paper),
                    claim.number,
                    closest.unwrap_or_default()
                )
            })
            .collect();
        if !of_level.is_empty() {
            lines.push(format!("  {}: {}", level.label(), counted(of_level.len(), "claim")));
            lines.extend(first(of_level));
        }
    }
    let groups = COVERAGE.map(|(level, words)| (words, Some(level)));
    for (words, level) in [("no claim found", None)].into_iter().chain(groups) {
        let is_one = |one: &PaperSummary| match level {
            Some(level) => one.coverage == Some(level),
            None => one.claims.is_empty(),
        };
        let names: Vec<&str> = found
            .iter()
            .filter(|(_, one)| is_one(one))
            .map(|(paper, _)| paper.paper.as_str())
            .collect();
        if !names.is_empty() {
            let shown: Vec<String> = names.iter().take(MOST).map(|name| plain(name)).collect();
            let more = if names.len() > MOST { ", …" } else { "" };
            lines.push(format!(
                "  {words}: {} ({}{more})",
                counted(names.len(), "paper"),
                shown.join(", ")
            ));
        }
    }
    let unsearched = papers()
        .filter(|one| one.status == BatchStatus::NothingSearched)
        .count();
    if unsearched > 0 {
        lines.push(format!(
            "  nothing was searched: {}; give prior work with --corpus or --sources",
            counted(unsearched, "paper")
        ));
    }
    let failed: Vec<String> = papers()
        .filter(|one| one.status == BatchStatus::Failed)
        .map(|one| {
            format!(
                "    {}: {}",
                plain(&one.paper),
                plain(one.error.as_deref().unwrap_or_default())
            )
        })
        .collect();
    if !failed.is_empty() {
        lines.push(format!("  failed: {}", counted(failed.len(), "paper")));
        lines.extend(first(failed));
    }
    lines.push(String::new());
    lines.join("\n")
}

/// The first lines, and how many are left out.
fn first(mut lines: Vec<String>) -> Vec<String> {
    if lines.len() > MOST {
        let more = lines.len() - MOST;
        lines.truncate(MOST);
        lines.push(format!("    and {more} more in the index"));
    }
    lines
}

/// Shows a batch on stderr: a line per paper, and one bar on a terminal.
struct BatchProgress {
    printer: Printer,
    bar: PaperBar,
    /// Warnings shown so far. Most are about a corpus or the model, and every run repeats them.
    warnings: Mutex<BTreeSet<String>>,
}

impl BatchObserver for BatchProgress {
    fn event(&self, event: &BatchEvent) {
        match event {
            BatchEvent::Run {
                paper,
                event: RunEvent::Warning { message },
            } => {
                let mut shown = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
                if shown.insert(message.clone()) {
                    self.bar
                        .print(|| self.printer.warning(&format!("{}: {message}", plain(paper))));
                }
            }
            BatchEvent::Finished { paper, done, of } => {
                let line = format!("[{done}/{of}] {}: {}", plain(&paper.paper), outcome(paper));
                self.bar.at(*done, &line);
            }
            BatchEvent::Progress { message } => self.bar.print(|| self.printer.note(message)),
            _ => {}
        }
    }
}

/// What came out, in a few words.
fn outcome(paper: &BatchPaper) -> String {
    let Some(found) = &paper.summary else {
        return format!("failed: {}", plain(paper.error.as_deref().unwrap_or_default()));
    };
    let mut parts = vec![counted(found.claims.len(), "claim")];
    for (level, word) in [
        (ClaimLevel::Anticipated, "anticipated"),
        (ClaimLevel::Similar, "similar"),
    ] {
        let count = found.claims.iter().filter(|claim| claim.level == level).count();
        if count > 0 {
            parts.push(format!("{count} {word}"));
        }
    }
    let coverage = COVERAGE.iter().find(|(level, _)| found.coverage == Some(*level));
    parts.extend(coverage.map(|(_, words)| (*words).to_owned()));
    if paper.status != BatchStatus::Complete {
        parts.push(paper.status.label().to_owned());
    }
    parts.join(", ")
}
