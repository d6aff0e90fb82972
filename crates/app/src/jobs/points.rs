use std::sync::Arc;

use crate::runs::{EncoderRequest, RunStatus};
use precedent_engine::corpus::VectorCache;
use precedent_engine::domain::PointsReport;
use precedent_engine::points::{PointsOptions, points};
use precedent_engine::{PassageModels, World};
use precedent_report::InWords;

use crate::run::{Run, status_of_paper};
use crate::{AppError, encoders};

/// Runs the comparison and writes the reports.
pub(super) fn work(run: &mut Run) -> Result<PointsReport, AppError> {
    let paper = run.read_paper()?;
    let request = run.manifest.request.clone();
    let asked = request.points.unwrap_or_default();
    let options = PointsOptions {
        as_of: request.as_of,
        capacity: asked.capacity,
        models: models(run, asked.encoders.as_ref())?,
    };
    let mut found = run.in_world(async |world: &World| points(&paper, &options, world).await)?;
    found.put_in_words();
    run.write_reports(&found)?;
    run.manifest.models.clone_from(&found.metadata.models);
    Ok(found)
}

/// Status of a run with this outcome.
pub(super) fn status(found: &PointsReport) -> RunStatus {
    status_of_paper(&found.metadata)
}

/// Models that rank passages. Their responses are recorded in the run's ledger, and vectors are cached next to it.
fn models(run: &Run, asked: Option<&EncoderRequest>) -> Result<PassageModels, AppError> {
    let Some(asked) = asked else {
        return Ok(PassageModels::default());
    };
    let opened = encoders::open_for_run(run, asked)?;
    Ok(PassageModels {
        embedder: opened.embedder.map(|embedder| {
            let kept = VectorCache::open(&run.folder.index_path(), embedder.name());
            (embedder, Arc::new(kept))
        }),
        reranker: opened.reranker,
    })
}
