//! What a model would be asked about an idea, counted without asking.

use std::sync::Arc;

use precedent_engine::ledger::Ledger;
use precedent_engine::model::{ModelAnalyst, ModelSettings};
use precedent_engine::pipelines::idea;
use precedent_engine::runs::RunRequest;
use precedent_engine::{Analyst, Budget, SilentProgress, SystemClock, World};

use super::meant;
use crate::ExitCode;
use crate::commands::assess::{failure, sources_of};
use crate::commands::estimate::{summed, table};
use crate::exit::Failure;
use crate::printer::Printer;
use crate::runtime::runtime;
use crate::settings::Settings;

/// Runs everything that needs no model and no service, and counts the questions on the way.
pub(super) fn run(request: &RunRequest, json: bool, printer: Printer) -> Result<ExitCode, Failure> {
    let Some(model) = &request.model else {
        return Err(Failure::said(ExitCode::Usage, "without a model nothing is asked").hint("name one with --model"));
    };
    let settings = Settings::load(model.settings.as_deref())?;
    let scratch = tempfile::tempdir().map_err(|error| Failure::new(ExitCode::Bug, error))?;
    let (text, own) = meant::idea(request)?;
    let options = meant::options(request, own, scratch.path())?;
    let sources = sources_of(&request.corpora, scratch.path(), printer)?;
    let counting = Arc::new(ModelAnalyst::counting(
        &model.model,
        ModelSettings {
            depth: model.depth,
            policy: model.policy,
            at_once: model.at_once,
            seed: request.seed,
        },
    ));
    let analyst: Arc<dyn Analyst> = Arc::clone(&counting) as Arc<dyn Analyst>;
    runtime()?.block_on(async {
        let ledger = Ledger::in_memory()
            .await
            .map_err(|error| Failure::new(ExitCode::Bug, error))?;
        let world = World {
            clock: Arc::new(SystemClock),
            ledger,
            sources,
            texts: None,
            analyst,
            progress: Arc::new(SilentProgress),
            budget: Budget::default(),
            seed: request.seed,
        };
        idea(&text, &options, &world).await.map_err(failure)
    })?;
    let answer = summed(Some(model), counting.counted(), &settings.prices.with_built_in());
    match json {
        true => printer.json(&answer)?,
        false => printer.data(&table(&answer)),
    }
    Ok(ExitCode::Done)
}
