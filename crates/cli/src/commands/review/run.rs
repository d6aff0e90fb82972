use std::path::Path;

use precedent_engine::World;
use precedent_engine::domain::{IdeaReview, ReviewDecision, SourceReport};
use precedent_engine::pipelines::{ReviewInput, review};
use precedent_engine::runs::{RunRequest, RunStatus};
use precedent_report::{render_review, review_file_name};
use serde::Serialize;

use super::arguments::ReviewArguments;
use super::summary::summary;
use super::{estimate, request};
use crate::ExitCode;
use crate::commands::assess::{ExecutionMode, Run, begin};
use crate::commands::report_run::{in_world, note_input, write_reports};
use crate::commands::run_output;
use crate::exit::Failure;
use crate::printer::{Printer, plain};

/// Extra fields in the output of `--json`.
#[derive(Debug, Serialize)]
struct Own {
    score: Option<f64>,
    decision: Option<ReviewDecision>,
    dimensions: Vec<Dimension>,
}

#[derive(Debug, Serialize)]
struct Dimension {
    id: String,
    mean: f64,
    lowest: f64,
    highest: f64,
}

/// `precedent review`.
pub(in crate::commands) fn run(typed: ReviewArguments, printer: Printer) -> Result<ExitCode, Failure> {
    let request = request::from_arguments(&typed)?;
    if typed.estimate {
        return estimate::run(&request, typed.json, printer);
    }
    let how = ExecutionMode {
        replay: typed.replay,
        json: typed.json,
        allow_fallback: typed.model.allow_fallback,
    };
    let dir = run_output::folder(typed.out, &request)?;
    resume(&dir, request, how, printer)
}

/// Runs `request` in `dir`, reusing stages that were finished there before.
pub(in crate::commands) fn resume(
    dir: &Path,
    request: RunRequest,
    how: ExecutionMode,
    printer: Printer,
) -> Result<ExitCode, Failure> {
    let mut run = begin(dir, request, how, printer)?;
    let outcome = work(&mut run);
    let found = run.settle(outcome, standing)?;
    let meta = found.meta.as_ref();
    let own = Own {
        score: meta.map(|one| one.score),
        decision: meta.map(|one| one.decision),
        dimensions: meta
            .into_iter()
            .flat_map(|one| &one.dimensions)
            .map(|one| Dimension {
                id: one.dimension.clone(),
                mean: one.mean,
                lowest: one.lowest,
                highest: one.highest,
            })
            .collect(),
    };
    run_output::tell(&run, &found.metadata.not_searched, own, || summary(&found), how)
}

/// Status of a run with this outcome.
fn standing(found: &IdeaReview) -> RunStatus {
    let metadata = &found.metadata;
    let holds_works = |source: &SourceReport| source.works != Some(0);
    run_output::standing(metadata, !metadata.sources.iter().any(holds_works))
}

/// Runs the review and writes the reports.
fn work(run: &mut Run) -> Result<IdeaReview, Failure> {
    let request = run.manifest.request.clone();
    let input = request::input_of(&request)?;
    note(run, &input)?;
    let options = request::options(&request, &run.folder.index_path(), true)?;
    let found = in_world(run, async |world: &World| review(&input, &options, world).await)?;
    write_reports(run, review_file_name, |format| render_review(&found, format))?;
    run.manifest.models.clone_from(&found.metadata.models);
    Ok(found)
}

/// Records the title and hash of the input in the manifest.
fn note(run: &mut Run, input: &ReviewInput) -> Result<(), Failure> {
    match input {
        ReviewInput::Idea(one) => {
            run.manifest.title = Some(one.text.split_whitespace().take(14).collect::<Vec<_>>().join(" "));
            note_input(run, &one.sha256())
        }
        ReviewInput::Paper(paper) => {
            for warning in &paper.warnings {
                run.printer.warning(&plain(&warning.message));
            }
            run.manifest.title.clone_from(&paper.title);
            note_input(run, &paper.origin.sha256)
        }
    }
}
