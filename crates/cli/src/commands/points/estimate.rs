//! Estimates the model and service requests of `precedent points` without sending them.

use precedent_engine::pipelines::{PointsOptions, points};
use precedent_engine::runs::RunRequest;

use crate::ExitCode;
use crate::commands::corpora::sources_of;
use crate::commands::estimate::{counting, summed, table};
use crate::commands::{egress, input};
use crate::exit::Failure;
use crate::printer::Printer;
use crate::settings::Settings;

/// Runs everything that needs no model and no service, and counts the requests.
pub(super) fn run(request: &RunRequest, json: bool, printer: Printer) -> Result<ExitCode, Failure> {
    let file = request.model.as_ref().and_then(|model| model.settings.as_deref());
    let settings = Settings::load(file.or(request.settings.as_deref()))?;
    let stages = match &request.model {
        Some(model) => {
            let paper = input::paper(&request.input)?;
            let scratch = tempfile::tempdir().map_err(|error| Failure::new(ExitCode::Bug, error))?;
            let sources = sources_of(&request.corpora, scratch.path(), printer)?;
            let asked = request.points.clone().unwrap_or_default();
            let options = PointsOptions {
                as_of: request.as_of,
                capacity: asked.capacity,
                ..PointsOptions::default()
            };
            counting(model, request.seed, sources, async |world| {
                points(&paper, &options, world).await.map(drop)
            })?
        }
        None => Vec::new(),
    };
    let mut answer = summed(request.model.as_ref(), stages, &settings.prices.with_built_in());
    answer.sources = egress::egress(request, printer)?;
    answer.full_texts = egress::text_egress(request)?;
    match json {
        true => printer.json(&answer)?,
        false => printer.data(&table(&answer)),
    }
    Ok(ExitCode::Done)
}
