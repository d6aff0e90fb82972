use std::path::Path;
use std::sync::Arc;

use precedent_engine::domain::{NotSearchedKind, PointsReport, SourceReport};
use precedent_engine::ledger::Ledger;
use precedent_engine::pipelines::{PointsOptions, points};
use precedent_engine::runs::{PointsRequest, RunRequest, RunStatus};
use precedent_report::{points_file_name, render_points};
use serde::Serialize;

use super::arguments::PointsArguments;
use super::summary::summary;
use crate::ExitCode;
use crate::commands::assess::{self, How, Run, begin};
use crate::commands::corpora::open_sources;
use crate::commands::{idea, services};
use crate::exit::Failure;
use crate::printer::{Printer, plain};
use crate::progress::StageLines;
use crate::runtime::runtime;

/// What `--json` prints.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    run: &'a str,
    dir: String,
    files: Vec<&'a str>,
    status: &'static str,
    points: usize,
    references: usize,
    score: Option<u8>,
    not_searched: Vec<&'a str>,
}

/// `precedent points`.
pub(in crate::commands) fn run(typed: PointsArguments, printer: Printer) -> Result<ExitCode, Failure> {
    let of_run = &typed.of_run;
    if of_run.show_egress {
        let message = "what would be sent is not told beforehand for points";
        return Err(Failure::said(ExitCode::Usage, message)
            .hint("`precedent assess --show-egress` tells it for the same paper with up to three claims"));
    }
    for format in &of_run.formats {
        points_file_name(format).map_err(|error| Failure::new(ExitCode::Usage, error))?;
    }
    let request = RunRequest {
        points: Some(PointsRequest {
            capacity: usize::from(typed.capacity),
        }),
        ..assess::meant(of_run, printer)?
    };
    let how = How {
        replay: of_run.replay,
        json: of_run.json,
    };
    let dir = match typed.of_run.out {
        Some(dir) => dir,
        None => {
            let run = request.run_id().map_err(|error| Failure::new(ExitCode::Bug, error))?;
            Path::new("runs").join(run.as_str())
        }
    };
    resume(&dir, request, how, printer)
}

/// Does what `request` asks in `dir`; stages that were done there before are looked up.
pub(in crate::commands) fn resume(
    dir: &Path,
    request: RunRequest,
    how: How,
    printer: Printer,
) -> Result<ExitCode, Failure> {
    let mut run = begin(dir, request, how, printer)?;
    let input = &run.manifest.request.input;
    let name = input.file_name().unwrap_or_default().to_string_lossy().into_owned();
    printer.note(&format!("reading {}", plain(&name)));
    let outcome = work(&mut run);
    let found = run.settle(outcome, standing)?;
    tell(&run, &found, how.json)
}

/// How a run with this outcome stands.
fn standing(found: &PointsReport) -> RunStatus {
    let metadata = &found.metadata;
    if metadata
        .not_searched
        .iter()
        .any(|one| one.kind == NotSearchedKind::Budget)
    {
        return RunStatus::OverBudget;
    }
    let holds_works = |source: &SourceReport| source.works != Some(0);
    match metadata.queries.is_empty() || !metadata.sources.iter().any(holds_works) {
        true => RunStatus::NothingSearched,
        false => RunStatus::Complete,
    }
}

/// Reads, collects, looks through and writes the reports.
fn work(run: &mut Run) -> Result<PointsReport, Failure> {
    let paper = run.read_paper()?;
    let request = run.manifest.request.clone();
    let asked = request.points.clone().unwrap_or_default();
    let options = PointsOptions {
        as_of: request.as_of,
        capacity: asked.capacity,
    };
    let sources = open_sources(&run.folder, &run.manifest, run.printer)?;
    let progress = Arc::new(StageLines::new(run.printer));
    let heard = Arc::clone(&progress);
    let outcome = runtime()?.block_on(async {
        let ledger = Ledger::open(&run.folder.ledger_path())
            .await
            .map_err(|error| Failure::new(ExitCode::Input, error))?;
        let outcome = match run.world(sources, heard, &ledger) {
            Ok(world) => points(&paper, &options, &world).await.map_err(assess::failure),
            Err(failure) => Err(failure),
        };
        let outcome = outcome.map_err(|failure| match failure.code {
            ExitCode::NothingSearched if !request.sources.is_empty() => failure.hint(services::ALL_DOWN),
            _ => failure,
        });
        idea::note_sent(run, ledger, outcome).await
    });
    progress.end();
    let found = outcome?;
    let mut files = Vec::new();
    for format in &request.formats {
        let name = points_file_name(format).map_err(|error| Failure::new(ExitCode::Usage, error))?;
        let bytes = render_points(&found, format).map_err(|error| Failure::new(ExitCode::Bug, error))?;
        let written = run.folder.write(name, &bytes);
        files.push(written.map_err(|error| Failure::new(ExitCode::Input, error))?);
    }
    run.manifest.files = files;
    run.manifest.models.clone_from(&found.metadata.models);
    Ok(found)
}

/// Says what came of it.
fn tell(run: &Run, found: &PointsReport, json: bool) -> Result<ExitCode, Failure> {
    let printer = run.printer;
    if json {
        printer.json(&Answer {
            run: run.manifest.run.as_str(),
            dir: run.folder.dir().display().to_string(),
            files: run.manifest.files.iter().map(|file| file.name.as_str()).collect(),
            status: run.manifest.status.word(),
            points: found.points.len(),
            references: found.references.iter().filter(|one| one.listed).count(),
            score: found.novelty_summary.as_ref().map(|one| u8::from(one.score)),
            not_searched: found
                .metadata
                .not_searched
                .iter()
                .map(|one| one.message.as_str())
                .collect(),
        })?;
    } else {
        printer.data(&summary(found));
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
