//! Steps that all report commands share: run a pipeline, record what was sent, and write the reports.

use std::sync::Arc;

use precedent_engine::ledger::Ledger;
use precedent_engine::runs::{RunError, RunFolder};
use precedent_engine::{EngineError, World};

use super::assess::{self, Run, sent_in_all};
use super::corpora::open_sources;
use super::services;
use crate::ExitCode;
use crate::exit::Failure;
use crate::progress::StageLines;
use crate::runtime::runtime;

/// Runs `pipeline` with the corpora, services and model of a run. All requests go through its ledger.
pub(super) fn in_world<T>(
    run: &mut Run,
    pipeline: impl AsyncFnOnce(&World) -> Result<T, EngineError>,
) -> Result<T, Failure> {
    let sources = open_sources(&run.folder, &run.manifest, run.printer)?;
    with_progress(run, async |run, progress| {
        let ledger = ledger_of(&run.folder).await?;
        let outcome = match run.world(sources, progress, &ledger) {
            Ok(world) => pipeline(&world).await.map_err(assess::failure),
            Err(failure) => Err(failure),
        };
        let asks_services = !run.manifest.request.sources.is_empty();
        let outcome = outcome.map_err(|failure| match failure.code {
            ExitCode::NothingSearched if asks_services => failure.hint(services::ALL_DOWN),
            _ => failure,
        });
        note_sent(run, ledger, outcome).await
    })
}

/// Runs `work` with progress output, which ends before anything else is printed.
pub(super) fn with_progress<T>(
    run: &mut Run,
    work: impl AsyncFnOnce(&mut Run, Arc<StageLines>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let progress = Arc::new(StageLines::new(run.printer));
    let outcome = runtime()?.block_on(work(run, Arc::clone(&progress)));
    progress.end();
    outcome
}

/// The ledger in a run's folder.
pub(super) async fn ledger_of(folder: &RunFolder) -> Result<Ledger, Failure> {
    let opened = Ledger::open(&folder.ledger_path()).await;
    opened.map_err(|error| Failure::new(ExitCode::Input, error))
}

/// Records what was sent, however the run ended.
pub(super) async fn note_sent<T>(run: &mut Run, ledger: Ledger, outcome: Result<T, Failure>) -> Result<T, Failure> {
    let sent = ledger.everything_sent().await;
    ledger.close().await;
    match sent {
        Ok(sent) => {
            run.manifest.sent = sent_in_all(&sent);
            outcome
        }
        // A run that cannot report what it sent has failed. An earlier error takes precedence.
        Err(error) => outcome.and(Err(Failure::new(ExitCode::Input, error))),
    }
}

/// Records the input in the manifest. A folder that belongs to another input is an error.
pub(super) fn note_input(run: &mut Run, hash: &str) -> Result<(), Failure> {
    let before = run.before.as_ref().and_then(|before| before.input_sha256.as_ref());
    if before.is_some_and(|known| known != hash) {
        let message = format!("{} contains the report of another input", run.folder.dir().display());
        return Err(Failure::said(ExitCode::Usage, message).hint("choose another folder with --out"));
    }
    run.manifest.input_sha256 = Some(hash.to_owned());
    run.note_standing()
}

/// Writes a report in each requested format, with the file name from `name` and the content from `bytes`.
pub(super) fn write_reports<E, F>(
    run: &mut Run,
    name: impl Fn(&str) -> Result<&'static str, E>,
    bytes: impl Fn(&str) -> Result<Vec<u8>, F>,
) -> Result<(), Failure>
where
    E: std::error::Error + Send + Sync + 'static,
    F: std::error::Error + Send + Sync + 'static,
{
    let cannot_write = |error: RunError| Failure::new(ExitCode::Input, error);
    let one = |format: &String| {
        let name = name(format).map_err(|error| Failure::new(ExitCode::Usage, error))?;
        let bytes = bytes(format).map_err(|error| Failure::new(ExitCode::Bug, error))?;
        run.folder.write(name, &bytes).map_err(cannot_write)
    };
    let files = run.manifest.request.formats.iter().map(one).collect::<Result<_, _>>()?;
    run.manifest.files = files;
    Ok(())
}
