use std::path::{Path, PathBuf};

use precedent_app::runs::{Manifest, RunError, RunFolder, RunStatus, list_runs, shared_batches};
use precedent_app::{AppError, ErrorKind};

use super::job::{self, ExecutionMode};
use crate::ExitCode;
use crate::args::{RunsArguments, RunsCommand};
use crate::printer::{Printer, plain};

/// `precedent runs …`.
pub(super) fn run(typed: RunsArguments, printer: Printer) -> Result<ExitCode, AppError> {
    match typed.command {
        RunsCommand::List { root, json } => list(&root, json, printer),
        RunsCommand::Show { run, json } => show(&run, json, printer),
        RunsCommand::Gc { root, dry_run, json } => gc(&root, dry_run, json, printer),
        RunsCommand::Resume {
            run,
            json,
            allow_fallback,
        } => {
            let dir = find(&run);
            let manifest = manifest(&dir)?;
            let how = ExecutionMode {
                replay: false,
                json,
                allow_fallback,
                open: false,
            };
            job::run(Some(dir), manifest.request, how, printer)
        }
    }
}

/// Resolves a path or a name in `runs/`.
fn find(run: &Path) -> PathBuf {
    let under = Path::new("runs").join(run);
    if !run.exists() && under.exists() {
        under
    } else {
        run.to_owned()
    }
}

fn manifest(dir: &Path) -> Result<Manifest, AppError> {
    RunFolder::open(dir)
        .and_then(|folder| folder.current_manifest())
        .map_err(|error| {
            AppError::new(ErrorKind::Input, error)
                .hint("list the runs in ./runs with `precedent runs list`, or give the path of a run folder")
        })
}

fn list(root: &Path, json: bool, printer: Printer) -> Result<ExitCode, AppError> {
    if !root.exists() {
        printer.note(&format!("no runs: the folder {} does not exist", root.display()));
        return Ok(ExitCode::Done);
    }
    let runs = list_runs(root).map_err(|error| AppError::new(ErrorKind::Input, error))?;
    for (dir, manifest) in &runs {
        match manifest {
            Ok(manifest) if json => printer.json(manifest)?,
            Ok(manifest) => {
                let title = manifest.title.as_deref().unwrap_or("(not read yet)");
                printer.line(&format!(
                    "{:<23}  {}  {:<7} {}",
                    status_words(&manifest.status),
                    plain(&dir.display().to_string()),
                    manifest.request.job().command(),
                    plain(title)
                ));
            }
            Err(error) => printer.warning(&format!("{}: failed to {error}", dir.display())),
        }
    }
    printer.note(&format!(
        "{} in {}",
        if runs.len() == 1 {
            "1 run".to_owned()
        } else {
            format!("{} runs", runs.len())
        },
        root.display()
    ));
    Ok(ExitCode::Done)
}

/// Deletes the records of finished runs. Runs that are in progress or can be resumed keep theirs.
fn gc(root: &Path, dry_run: bool, json: bool, printer: Printer) -> Result<ExitCode, AppError> {
    if !root.exists() {
        printer.note(&format!("no runs: the folder {} does not exist", root.display()));
        return Ok(ExitCode::Done);
    }
    let runs = list_runs(root).map_err(|error| AppError::new(ErrorKind::Input, error))?;
    let mut total = 0;
    for (dir, manifest) in &runs {
        let Ok(manifest) = manifest else { continue };
        if !is_finished(manifest) {
            continue;
        }
        let bytes = match dry_run {
            true => RunFolder::open(dir).map(|folder| folder.record_bytes()),
            // Locking the folder fails if another process is using it.
            false => RunFolder::create(dir).and_then(|folder| folder.drop_record()),
        };
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(error) => {
                printer.warning(&format!("{}: failed to {error}", dir.display()));
                continue;
            }
        };
        total += bytes;
        if json {
            printer.json(&serde_json::json!({"run": manifest.run, "bytes": bytes, "removed": !dry_run}))?;
        } else {
            printer.line(&format!("{bytes:>12}  {}", plain(&dir.display().to_string())));
        }
    }
    // The answers that runs of many papers share. Runs that can be resumed may wait for some of them.
    let is_over = |one: &Result<Manifest, RunError>| one.as_ref().is_ok_and(is_finished);
    if !runs.is_empty() && runs.iter().all(|(_, manifest)| is_over(manifest)) {
        match shared_batches(root, !dry_run) {
            Ok(0) => {}
            Ok(bytes) => {
                total += bytes;
                if !json {
                    printer.line(&format!(
                        "{bytes:>12}  {}",
                        plain(&root.join(RunFolder::BATCHES).display().to_string())
                    ));
                }
            }
            Err(error) => printer.warning(&format!("{}: failed to {error}", root.display())),
        }
    }
    let what = if dry_run { "would be freed" } else { "freed" };
    printer.note(&format!("{total} bytes {what}; reports and manifests are kept"));
    Ok(ExitCode::Done)
}

/// Whether nothing is left to resume.
fn is_finished(manifest: &Manifest) -> bool {
    matches!(manifest.status, RunStatus::Complete | RunStatus::NothingSearched)
}

/// Readable status of a run.
fn status_words(status: &RunStatus) -> String {
    match status {
        RunStatus::Interrupted => "interrupted (resumable)".to_owned(),
        RunStatus::Incomplete => "incomplete (resumable)".to_owned(),
        other => other.word().replace('_', " "),
    }
}

fn show(run: &Path, json: bool, printer: Printer) -> Result<ExitCode, AppError> {
    let dir = find(run);
    let manifest = manifest(&dir)?;
    if json {
        printer.json(&manifest)?;
        return Ok(ExitCode::Done);
    }
    let mut lines = vec![
        format!("run      {}", manifest.run),
        format!("job      {}", manifest.request.job().command()),
        format!("status   {}", status_words(&manifest.status)),
        format!(
            "title    {}",
            plain(manifest.title.as_deref().unwrap_or("(not read yet)"))
        ),
        format!("input    {}", manifest.request.input.display()),
    ];
    if let RunStatus::Failed { reason } = &manifest.status {
        lines.push(format!("reason   {}", plain(reason)));
    }
    lines.extend(
        manifest
            .request
            .corpora
            .iter()
            .map(|path| format!("corpus   {}", path.display())),
    );
    lines.extend(manifest.request.sources.iter().map(|name| format!("source   {name}")));
    if let Some(date) = manifest.request.as_of {
        lines.push(format!("as of    {date}"));
    }
    lines.extend(
        manifest
            .files
            .iter()
            .map(|file| format!("file     {}", dir.join(&file.name).display())),
    );
    lines.push(format!("program  {}", manifest.program_version));
    lines.push(String::new());
    printer.data(&lines.join("\n"));
    Ok(ExitCode::Done)
}
