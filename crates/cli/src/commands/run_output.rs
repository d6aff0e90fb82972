//! Output at the end of a run, the same for all kinds of reports.

use std::path::{Path, PathBuf};

use precedent_engine::domain::{ModelCoverage, NotSearched, NotSearchedKind, RunMetadata};
use precedent_engine::runs::{RunRequest, RunStatus};
use serde::Serialize;

use super::assess::{ExecutionMode, Run};
use crate::ExitCode;
use crate::exit::Failure;
use crate::printer::{Printer, plain};

/// Maximum number of "not searched" lines on the terminal. The reports list all.
const NOT_SEARCHED: usize = 6;

/// Output of `--json`. The fields of `own` come before `not_searched`.
#[derive(Debug, Serialize)]
struct Answer<'a, T> {
    run: &'a str,
    dir: String,
    files: Vec<&'a str>,
    status: &'static str,
    #[serde(flatten)]
    own: T,
    not_searched: Vec<&'a str>,
}

/// Prints the result of a run, as JSON with the fields of `own` or as `summary` and a list of files, and returns the exit code for its status.
pub(super) fn tell(
    run: &Run,
    not_searched: &[NotSearched],
    own: impl Serialize,
    summary: impl FnOnce() -> String,
    how: ExecutionMode,
) -> Result<ExitCode, Failure> {
    let printer = run.printer;
    let coverage = ModelCoverage::of(&run.manifest.models);
    warn_if_incomplete(coverage, how.allow_fallback, printer);
    if how.json {
        printer.json(&Answer {
            run: run.manifest.run.as_str(),
            dir: run.folder.dir().display().to_string(),
            files: run.manifest.files.iter().map(|file| file.name.as_str()).collect(),
            status: run.manifest.status.word(),
            own,
            not_searched: not_searched.iter().map(|one| one.message.as_str()).collect(),
        })?;
    } else {
        if let Some(caveat) = coverage.caveat() {
            printer.line(&caveat);
        }
        printer.data(&summary());
        for file in &run.manifest.files {
            printer.line(&run.folder.dir().join(&file.name).display().to_string());
        }
    }
    Ok(exit_code(&run.manifest.status, coverage, how.allow_fallback))
}

/// Hint after a failure of the model service.
pub(super) const RETRY: &str = "repeat the command to retry the failed calls";

/// Status of a run with these results. `nothing` means that no source could be searched.
pub(super) fn standing(metadata: &RunMetadata, nothing: bool) -> RunStatus {
    if is_over_budget(&metadata.not_searched) {
        RunStatus::OverBudget
    } else if nothing {
        RunStatus::NothingSearched
    } else if ModelCoverage::of(&metadata.models).is_incomplete() {
        RunStatus::Incomplete
    } else {
        RunStatus::Complete
    }
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
    if let Some(caveat) = coverage.caveat() {
        printer.warning(&caveat);
    }
    if coverage.is_unusable() && !allow_fallback {
        printer.warning("fewer than half of the model's items are usable; use --allow-fallback to accept this");
    }
}

/// The last lines of a summary: the first messages about what was not searched.
pub(super) fn limits(found: &[NotSearched]) -> impl Iterator<Item = String> {
    let is_limit = |one: &&NotSearched| one.kind != NotSearchedKind::ModelIncomplete;
    let found: Vec<&NotSearched> = found.iter().filter(is_limit).collect();
    let more = found.len().saturating_sub(NOT_SEARCHED);
    let shown = found.into_iter().take(NOT_SEARCHED);
    let shown = shown.map(|one| format!("  not searched: {}", plain(&one.message)));
    shown.chain((more > 0).then(|| format!("  not searched: {more} more in the report")))
}

/// Whether the budget ended a run.
pub(super) fn is_over_budget(not_searched: &[NotSearched]) -> bool {
    not_searched.iter().any(|one| one.kind == NotSearchedKind::Budget)
}

/// The folder of a run: the given one, or the default for the request.
pub(super) fn folder(named: Option<PathBuf>, request: &RunRequest) -> Result<PathBuf, Failure> {
    match named {
        Some(dir) => Ok(dir),
        None => {
            let run = request.run_id().map_err(|error| Failure::new(ExitCode::Bug, error))?;
            Ok(Path::new("runs").join(run.as_str()))
        }
    }
}
