//! Runs jobs and prints their results, the same way for all kinds of reports.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;

use precedent_app::runs::{RunRequest, RunStatus};
use precedent_app::{App, AppError, CancelToken, ErrorKind, Report, Request, RunResult};
use precedent_engine::domain::{
    ConfidenceLevel, Counterpart, IdeaReview, ModelCoverage, NotSearchedKind, NoveltyVerdict, PointsReport,
    ReviewDecision,
};
use precedent_report::{AnyReport, PaperSummary, coverage_warning, render};
use serde::Serialize;

use super::summary::summary;
use super::{audit, estimate_table, idea, points, rank, review};
use crate::console::Console;
use crate::printer::{Printer, counted};
use crate::{ExitCode, interrupt};

/// Execution options that are not part of the request, and so not of the run id.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ExecutionMode {
    /// Use only recorded responses.
    pub(super) replay: bool,
    /// Print JSON.
    pub(super) json: bool,
    /// Exit with 0 even if fewer than half of the model's items are usable.
    pub(super) allow_fallback: bool,
    /// Open the HTML report.
    pub(super) open: bool,
}

/// Output of `--json`. The fields of `own` come before `not_searched`.
#[derive(Debug, Serialize)]
struct JobOutput<'a, T> {
    run: &'a str,
    dir: String,
    files: Vec<&'a str>,
    status: &'static str,
    #[serde(flatten)]
    own: T,
    not_searched: Vec<&'a str>,
}

/// Fields of `points` in the output of `--json`.
#[derive(Debug, Serialize)]
struct OfPoints {
    points: usize,
    references: usize,
    score: Option<u8>,
}

/// Fields of `idea` in the output of `--json`.
#[derive(Debug, Serialize)]
struct OfIdea<'a> {
    verdict: NoveltyVerdict,
    against: &'a [Counterpart],
}

/// Fields of `review` in the output of `--json`.
#[derive(Debug, Serialize)]
struct OfReview {
    score: Option<f64>,
    decision: Option<ReviewDecision>,
    confidence: Option<ConfidenceLevel>,
    dimensions: Vec<DimensionOutput>,
}

#[derive(Debug, Serialize)]
struct DimensionOutput {
    id: String,
    mean: f64,
    lowest: f64,
    highest: f64,
}

impl OfPoints {
    fn new(found: &PointsReport) -> Self {
        Self {
            points: found.points.len(),
            references: found.references.iter().filter(|one| one.listed).count(),
            score: found.novelty_summary.as_ref().map(|one| u8::from(one.score)),
        }
    }
}

impl OfReview {
    fn new(found: &IdeaReview) -> Self {
        let meta = found.meta.as_ref();
        let dimensions = meta.into_iter().flat_map(|one| &one.dimensions);
        Self {
            score: meta.map(|one| one.score),
            decision: meta.map(|one| one.decision),
            confidence: meta.and_then(|one| Some(one.decision_confidence.as_ref()?.level)),
            dimensions: dimensions
                .map(|one| DimensionOutput {
                    id: one.dimension.clone(),
                    mean: one.mean,
                    lowest: one.lowest,
                    highest: one.highest,
                })
                .collect(),
        }
    }
}

/// Validates a request and runs it in the folder `dir`, or else in the default folder for the request. `estimated` prints what it would send and cost
/// instead.
pub(super) fn start(
    request: &Request,
    dir: Option<PathBuf>,
    estimated: bool,
    how: ExecutionMode,
    printer: Printer,
) -> Result<ExitCode, AppError> {
    let request = validate(request, printer)?;
    match estimated {
        true => estimate(&request, how.json, printer),
        false => run(dir, request, how, printer),
    }
}

/// Validates a request.
pub(super) fn validate(request: &Request, printer: Printer) -> Result<RunRequest, AppError> {
    App::default().validate(request, &Console::new(printer))
}

/// Prints what a run would send and cost.
pub(super) fn estimate(request: &RunRequest, json: bool, printer: Printer) -> Result<ExitCode, AppError> {
    let found = App::default().estimate(request, &Console::new(printer))?;
    match json {
        true => printer.json(&found)?,
        false => printer.data(&estimate_table::table(&found)),
    }
    Ok(ExitCode::Done)
}

/// Runs `request` in the folder `dir`, or else in the default folder for the request, and prints the result.
pub(super) fn run(
    dir: Option<PathBuf>,
    request: RunRequest,
    how: ExecutionMode,
    printer: Printer,
) -> Result<ExitCode, AppError> {
    let dir = match dir {
        Some(dir) => dir,
        None => Path::new("runs").join(App::default().run_id(&request)?.as_str()),
    };
    let cancel = CancelToken::new();
    let in_batches = request.model.as_ref().is_some_and(|model| model.provider_batch);
    let message = if in_batches {
        interrupt::COLLECT
    } else {
        interrupt::RESUME
    };
    interrupt::listen(cancel.clone(), message, printer)
        .map_err(|error| AppError::with_message(ErrorKind::Bug, format!("failed to listen for Ctrl-C: {error}")))?;
    let console = Arc::new(Console::new(printer));
    let result = App::default().run_blocking(request, &dir, how.replay, console, &cancel)?;
    let code = show(&result, how, printer)?;
    if how.open {
        open_in_browser(&result, printer);
    }
    match (code, result.unwritten) {
        (ExitCode::Done, Some(error)) => Err(error),
        (code, unwritten) => {
            if let Some(error) = unwritten {
                printer.warning(&error.to_string());
            }
            Ok(code)
        }
    }
}

/// Opens the HTML report with the program that the system uses for web pages.
fn open_in_browser(result: &RunResult, printer: Printer) {
    let html = result.manifest.files.iter().find(|file| file.name.ends_with(".html"));
    match html.map(|file| open_page(&result.dir.join(&file.name))) {
        None => printer.warning("--open: no HTML report was written; add html to --formats"),
        Some(Err(error)) => printer.warning(&format!("--open: failed to start a browser: {error}")),
        Some(Ok(())) => {}
    }
}

/// Opens a page with the program that the system uses for web pages, without waiting for it.
pub(super) fn open_page(page: &Path) -> std::io::Result<()> {
    let opener = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let mut command = std::process::Command::new(opener);
    command.arg(page.canonicalize()?);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(drop)
}

/// Prints the result of a run, and returns the exit code for its status.
fn show(result: &RunResult, how: ExecutionMode, printer: Printer) -> Result<ExitCode, AppError> {
    match &result.report {
        Report::Assess(found) => print_result(
            result,
            PaperSummary::of(found),
            || summary(found, printer),
            how,
            printer,
        ),
        Report::Points(found) => print_result(
            result,
            OfPoints::new(found),
            || points::summary(found, printer),
            how,
            printer,
        ),
        Report::Idea(found) => {
            let own = OfIdea {
                verdict: found.verdict.verdict,
                against: &found.verdict.against,
            };
            print_result(result, own, || idea::summary(found, printer), how, printer)
        }
        Report::Review(found) => print_result(
            result,
            OfReview::new(found),
            || review::summary(found, printer),
            how,
            printer,
        ),
        Report::Ideas(found) => {
            ended(found.lines, found.incomplete, found.failed, printer);
            warn_if_incomplete(found.coverage, how.allow_fallback, printer);
            Ok(exit_code(&result.manifest.status, found.coverage, how.allow_fallback))
        }
        Report::Reviews(found) => {
            ended(found.lines, found.incomplete, found.failed, printer);
            for file in ["index.html", "reviews.csv", "reviews.jsonl"] {
                printer.note(&result.dir.join(file).display().to_string());
            }
            warn_if_incomplete(found.coverage, how.allow_fallback, printer);
            Ok(exit_code(&result.manifest.status, found.coverage, how.allow_fallback))
        }
        Report::Rank(found) => print(result, &**found, || rank::summary(found), how, printer),
        Report::Audit(found) => print(result, &**found, || audit::summary(found), how, printer),
        _ => Ok(ExitCode::Done),
    }
}

/// Says how a batch of ideas ended.
fn ended(lines: usize, incomplete: usize, failed: usize, printer: Printer) {
    let partly = match incomplete {
        0 => String::new(),
        some => format!(" ({some} incomplete)"),
    };
    printer.note(&format!(
        "{}: {} answered{partly}, {failed} failed",
        counted(lines, "idea"),
        lines - failed
    ));
}

/// Prints the result of a job whose `--json` is the report itself, as in its file.
fn print<'r>(
    result: &RunResult,
    report: impl Into<AnyReport<'r>>,
    summary: impl FnOnce() -> String,
    how: ExecutionMode,
    printer: Printer,
) -> Result<ExitCode, AppError> {
    let coverage = result.coverage();
    match how.json {
        true => {
            warn_if_incomplete(coverage, how.allow_fallback, printer);
            if let Some(caveat) = budget_warning(result) {
                printer.warning(&caveat);
            }
            let bytes = render(report, "json").map_err(|error| AppError::new(ErrorKind::Bug, error))?;
            printer.data(&String::from_utf8_lossy(&bytes));
        }
        false => text(result, summary, how, printer),
    }
    Ok(exit_code(&result.manifest.status, coverage, how.allow_fallback))
}

/// Prints the summary of a run and its files. The first line says if the run is incomplete.
fn text(result: &RunResult, summary: impl FnOnce() -> String, how: ExecutionMode, printer: Printer) {
    for caveat in coverage_warning(result.coverage())
        .into_iter()
        .chain(budget_warning(result))
    {
        printer.line(&caveat);
        // Whoever redirects the summary to a file sees it too.
        if !std::io::stdout().is_terminal() {
            printer.warning(&caveat);
        }
    }
    warn_if_unusable(result.coverage(), how.allow_fallback, printer);
    printer.data(&summary());
    for file in &result.manifest.files {
        printer.line(&result.dir.join(&file.name).display().to_string());
    }
}

/// Says that the budget ended before the run did.
fn budget_warning(result: &RunResult) -> Option<String> {
    let limits = result.report.not_searched().into_iter();
    let mut limits = limits.filter(|one| one.kind == NotSearchedKind::Budget);
    let said = limits.next().map(|one| one.message.clone());
    // The reports of some jobs list no limits.
    let is_over = result.manifest.status == RunStatus::OverBudget;
    said.or_else(|| is_over.then(|| "The budget ran out. Use a larger budget to continue the run.".to_owned()))
}

/// Prints the result of a run, as JSON with the fields of `own` or as `summary` and a list of files, and returns the exit code for its status.
fn print_result(
    result: &RunResult,
    own: impl Serialize,
    summary: impl FnOnce() -> String,
    how: ExecutionMode,
    printer: Printer,
) -> Result<ExitCode, AppError> {
    let (manifest, coverage) = (&result.manifest, result.coverage());
    if how.json {
        warn_if_incomplete(coverage, how.allow_fallback, printer);
        if let Some(caveat) = budget_warning(result) {
            printer.warning(&caveat);
        }
        printer.json(&JobOutput {
            run: manifest.run.as_str(),
            dir: result.dir.display().to_string(),
            files: manifest.files.iter().map(|file| file.name.as_str()).collect(),
            status: manifest.status.word(),
            own,
            not_searched: result
                .report
                .not_searched()
                .iter()
                .map(|one| one.message.as_str())
                .collect(),
        })?;
    } else {
        text(result, summary, how, printer);
    }
    Ok(exit_code(&manifest.status, coverage, how.allow_fallback))
}

/// The exit code for a run with this status and model coverage.
pub(super) fn exit_code(status: &RunStatus, coverage: ModelCoverage, allow_fallback: bool) -> ExitCode {
    match status {
        RunStatus::NothingSearched => ExitCode::NothingSearched,
        RunStatus::OverBudget => ExitCode::Budget,
        _ if coverage.is_unusable() && !allow_fallback => ExitCode::Model,
        _ => ExitCode::Done,
    }
}

/// Warns about failed model calls and explains the exit code.
pub(super) fn warn_if_incomplete(coverage: ModelCoverage, allow_fallback: bool, printer: Printer) {
    if let Some(caveat) = coverage_warning(coverage) {
        printer.warning(&caveat);
    }
    warn_if_unusable(coverage, allow_fallback, printer);
}

/// Explains the exit code of a run with too few usable items.
fn warn_if_unusable(coverage: ModelCoverage, allow_fallback: bool, printer: Printer) {
    if coverage.is_unusable() && !allow_fallback {
        printer.warning("fewer than half of the model's items are usable; use --allow-fallback to accept this");
    }
}
