//! What a model and services would be asked about an idea, counted without asking.

use precedent_engine::pipelines::review;
use precedent_engine::runs::RunRequest;

use super::meant;
use crate::ExitCode;
use crate::commands::corpora::sources_of;
use crate::commands::estimate::{counting, summed, table};
use crate::exit::Failure;
use crate::printer::Printer;
use crate::settings::Settings;

/// Runs everything that needs no model and no service, and counts the questions on the way.
pub(super) fn run(request: &RunRequest, json: bool, printer: Printer) -> Result<ExitCode, Failure> {
    if request.model.is_none() && request.sources.is_empty() {
        return Err(
            Failure::said(ExitCode::Usage, "without a model and services nothing is asked")
                .hint("name one with --model or --sources"),
        );
    }
    let settings = match &request.model {
        Some(model) => Settings::load(model.settings.as_deref())?,
        None => Settings::load(request.settings.as_deref())?,
    };
    let scratch = tempfile::tempdir().map_err(|error| Failure::new(ExitCode::Bug, error))?;
    let input = meant::input_of(request)?;
    let options = meant::options(request, scratch.path(), true)?;
    let stages = match &request.model {
        Some(model) => {
            let sources = sources_of(&request.corpora, scratch.path(), printer)?;
            counting(model, request.seed, sources, async |world| {
                review(&input, &options, world).await.map(drop)
            })?
        }
        None => Vec::new(),
    };
    let answer = summed(request.model.as_ref(), stages, &settings.prices.with_built_in());
    match json {
        true => printer.json(&answer)?,
        false => printer.data(&table(&answer)),
    }
    Ok(ExitCode::Done)
}
