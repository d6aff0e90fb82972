//! What is said of a run when it is done: the same for every kind of report.

use std::path::{Path, PathBuf};

use precedent_engine::domain::{NotSearched, NotSearchedKind};
use precedent_engine::runs::{RunRequest, RunStatus};
use serde::Serialize;

use super::assess::Run;
use crate::ExitCode;
use crate::exit::Failure;
use crate::printer::plain;

/// Lines of what was not searched that are shown; the reports have all.
const NOT_SEARCHED: usize = 6;

/// What `--json` prints: `own` stands before what was not searched.
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

/// Says what came of a run: `own` as part of an answer in JSON, `summary` as text with the files behind it. The exit code is by how the run stands.
pub(super) fn tell(
    run: &Run,
    not_searched: &[NotSearched],
    own: impl Serialize,
    summary: impl FnOnce() -> String,
    json: bool,
) -> Result<ExitCode, Failure> {
    let printer = run.printer;
    if json {
        printer.json(&Answer {
            run: run.manifest.run.as_str(),
            dir: run.folder.dir().display().to_string(),
            files: run.manifest.files.iter().map(|file| file.name.as_str()).collect(),
            status: run.manifest.status.word(),
            own,
            not_searched: not_searched.iter().map(|one| one.message.as_str()).collect(),
        })?;
    } else {
        printer.data(&summary());
        for file in &run.manifest.files {
            printer.line(&run.folder.dir().join(&file.name).display().to_string());
        }
    }
    Ok(match run.manifest.status {
        RunStatus::NothingSearched => ExitCode::NothingSearched,
        RunStatus::OverBudget => ExitCode::Budget,
        _ => ExitCode::Done,
    })
}

/// The last lines of a summary: what was not searched, the first of it.
pub(super) fn limits(found: &[NotSearched]) -> impl Iterator<Item = String> {
    let more = found.len().saturating_sub(NOT_SEARCHED);
    let shown = found.iter().take(NOT_SEARCHED);
    let shown = shown.map(|one| format!("  not searched: {}", plain(&one.message)));
    shown.chain((more > 0).then(|| format!("  not searched: {more} more in the report")))
}

/// Whether the budget ended a run.
pub(super) fn is_over_budget(not_searched: &[NotSearched]) -> bool {
    not_searched.iter().any(|one| one.kind == NotSearchedKind::Budget)
}

/// The folder of a run: the one that was named, or one of the request's own.
pub(super) fn folder(named: Option<PathBuf>, request: &RunRequest) -> Result<PathBuf, Failure> {
    match named {
        Some(dir) => Ok(dir),
        None => {
            let run = request.run_id().map_err(|error| Failure::new(ExitCode::Bug, error))?;
            Ok(Path::new("runs").join(run.as_str()))
        }
    }
}
