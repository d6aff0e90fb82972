use std::path::Path;
use std::sync::Arc;

use precedent_engine::corpus::VectorCache;
use precedent_engine::domain::{PointsReport, SourceReport};
use precedent_engine::llm::NetworkPolicy;
use precedent_engine::pipelines::{PointsOptions, points};
use precedent_engine::runs::{EncoderRequest, PointsRequest, RunRequest, RunStatus};
use precedent_engine::{PassageModels, World};
use precedent_report::{points_file_name, render_points};
use serde::Serialize;

use super::arguments::PointsArguments;
use super::estimate;
use super::summary::summary;
use crate::ExitCode;
use crate::args::ModelChoice;
use crate::commands::assess::{self, ExecutionMode, Run, begin};
use crate::commands::report_run::{in_world, write_reports};
use crate::commands::{egress, encoders, run_output};
use crate::exit::Failure;
use crate::printer::{Printer, plain};
use crate::settings::Settings;

/// Extra fields in the output of `--json`.
#[derive(Debug, Serialize)]
struct Own {
    points: usize,
    references: usize,
    score: Option<u8>,
}

/// `precedent points`.
pub(in crate::commands) fn run(mut typed: PointsArguments, printer: Printer) -> Result<ExitCode, Failure> {
    for format in &typed.of_run.formats {
        points_file_name(format).map_err(|error| Failure::new(ExitCode::Usage, error))?;
    }
    let show_egress = typed.of_run.show_egress;
    // An estimate sends nothing either.
    typed.of_run.show_egress |= typed.estimate;
    let of_run = &typed.of_run;
    let settings = Settings::load(of_run.model.settings.as_deref())?;
    let reach = reach(&of_run.model, &settings);
    let request = RunRequest {
        points: Some(PointsRequest {
            capacity: usize::from(typed.capacity),
            encoders: encoders::selected(&typed.encoders, settings, &reach)?,
        }),
        ..assess::request_from(of_run, printer)?
    };
    if typed.estimate {
        return estimate::run(&request, of_run.json, printer);
    }
    if show_egress {
        return egress::show_egress(&request, of_run.json, printer);
    }
    let how = ExecutionMode {
        replay: of_run.replay,
        json: of_run.json,
        allow_fallback: of_run.model.allow_fallback,
    };
    let dir = run_output::folder(typed.of_run.out, &request)?;
    resume(&dir, request, how, printer)
}

/// Which hosts may be contacted for embedders and rerankers.
fn reach(model: &ModelChoice, settings: &Settings) -> NetworkPolicy {
    let hosts = settings.private_hosts.iter().chain(&model.private_hosts);
    encoders::reach(model.local_only || settings.local_only, hosts.cloned().collect())
}

/// Runs `request` in `dir`, reusing stages that were finished there before.
pub(in crate::commands) fn resume(
    dir: &Path,
    request: RunRequest,
    how: ExecutionMode,
    printer: Printer,
) -> Result<ExitCode, Failure> {
    let mut run = begin(dir, request, how, printer)?;
    let input = &run.manifest.request.input;
    let name = input.file_name().unwrap_or_default().to_string_lossy().into_owned();
    printer.note(&format!("reading {}", plain(&name)));
    let outcome = work(&mut run);
    let found = run.settle(outcome, standing)?;
    let own = Own {
        points: found.points.len(),
        references: found.references.iter().filter(|one| one.listed).count(),
        score: found.novelty_summary.as_ref().map(|one| u8::from(one.score)),
    };
    run_output::tell(&run, &found.metadata.not_searched, own, || summary(&found), how)
}

/// Status of a run with this outcome.
fn standing(found: &PointsReport) -> RunStatus {
    let metadata = &found.metadata;
    let holds_works = |source: &SourceReport| source.works != Some(0);
    let nothing = metadata.queries.is_empty() || !metadata.sources.iter().any(holds_works);
    run_output::standing(metadata, nothing)
}

/// Runs the comparison and writes the reports.
fn work(run: &mut Run) -> Result<PointsReport, Failure> {
    let paper = run.read_paper()?;
    let request = run.manifest.request.clone();
    let asked = request.points.clone().unwrap_or_default();
    let options = PointsOptions {
        as_of: request.as_of,
        capacity: asked.capacity,
        models: models(run, asked.encoders.as_ref())?,
    };
    let found = in_world(run, async |world: &World| points(&paper, &options, world).await)?;
    write_reports(run, points_file_name, |format| render_points(&found, format))?;
    run.manifest.models.clone_from(&found.metadata.models);
    Ok(found)
}

/// Models that rank passages. Their responses are recorded in the run's ledger, and vectors are cached next to it.
fn models(run: &Run, asked: Option<&EncoderRequest>) -> Result<PassageModels, Failure> {
    let Some(asked) = asked else {
        return Ok(PassageModels::default());
    };
    let request = &run.manifest.request;
    let local_only = request.model.as_ref().is_some_and(|model| model.local_only);
    let hosts = request.model.as_ref().map(|model| model.private_hosts.clone());
    let settings = Settings::load(request.settings.as_deref())?;
    let reach = encoders::reach(
        local_only || settings.local_only,
        hosts.unwrap_or(settings.private_hosts),
    );
    let ledger = run.folder.ledger_path();
    let opened = encoders::open(asked, || encoders::line_of_run(reach, &ledger, run.replay))?;
    Ok(PassageModels {
        embedder: opened.embedder.map(|embedder| {
            let kept = VectorCache::open(&run.folder.index_path(), embedder.name());
            (embedder, Arc::new(kept))
        }),
        reranker: opened.reranker,
    })
}
