//! The queue that sends the model calls of this process in batches, and its thread.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::runs::{FolderLock, ModelRequest, RunFolder};
use precedent_engine::ledger::Ledger;
use precedent_engine::llm::{
    BatchQueue, BatchRules, BatchWorker, Connection, HttpGateway, LlmError, Mode, NetworkPolicy,
    Settings as GatewaySettings,
};
use precedent_engine::{Clock, SystemClock};

use crate::connection::connection;
use crate::runtime::{host_limits, runtime_here};
use crate::settings::Settings;
use crate::{AppError, ErrorKind, models};

/// The record of submitted batches and collected answers, in the folder of a run or of many.
const RECORD: &str = RunFolder::BATCHES;
/// How long calls wait for others: longer than a stage needs to prepare its calls, and little beside the time of a batch.
const COLLECT: f64 = 20.0;

/// A queue with its record in the folder `dir`, which no other process may use meanwhile: it would submit the same calls again. `None` if the models
/// are called directly.
pub(crate) fn open(
    dir: &Path,
    request: Option<&ModelRequest>,
    replay: bool,
    notice: impl Fn(&str) + Send + Sync + 'static,
) -> Result<Option<BatchQueue>, AppError> {
    let Some(request) = request.filter(|request| request.provider_batch && !replay) else {
        return Ok(None);
    };
    let path = record_of(dir);
    let lock = lock(&path)?;
    let record = Record::File { path, _lock: lock };
    start(request, models::reach(request), record, notice).map(Some)
}

/// A queue with its record in a ledger that other processes use too. What one of them leaves there, another takes up.
#[cfg(feature = "postgres")]
pub(crate) fn open_shared(
    ledger: Ledger,
    request: &ModelRequest,
    reach: NetworkPolicy,
    notice: impl Fn(&str) + Send + Sync + 'static,
) -> Result<BatchQueue, AppError> {
    start(request, reach, Record::Shared(ledger), notice)
}

/// Where batches and answers are recorded.
enum Record {
    File {
        path: PathBuf,
        /// Until the last call is answered.
        _lock: FolderLock,
    },
    #[cfg(feature = "postgres")]
    Shared(Ledger),
}

fn start(
    request: &ModelRequest,
    reach: NetworkPolicy,
    record: Record,
    notice: impl Fn(&str) + Send + Sync + 'static,
) -> Result<BatchQueue, AppError> {
    let settings = Settings::load(request.settings.as_deref())?;
    let provider = request.model.split(':').next().unwrap_or_default();
    let own = settings.providers.get(provider);
    let seconds = own.and_then(|own| own.batch_wait_seconds).unwrap_or(COLLECT);
    let collect = Duration::try_from_secs_f64(seconds).map_err(|_| {
        let message = format!("invalid batch_wait_seconds for {provider} in the settings: expected seconds, 0 or more");
        AppError::with_message(ErrorKind::Usage, message)
    })?;
    let notice: Arc<dyn Fn(&str) + Send + Sync> = Arc::new(notice);
    let (queue, worker) = BatchQueue::new(BatchRules {
        collect,
        clock: Arc::new(|| SystemClock.unix_seconds()),
        notice: Arc::clone(&notice),
    });
    let connection = connection(&settings)?;
    let work = move || {
        if let Err(error) = run(worker, reach, connection, &record) {
            notice(&format!("the provider's batches have stopped: {error}"));
        }
    };
    std::thread::Builder::new()
        .name("provider batches".to_owned())
        .spawn(work)
        .map_err(|error| AppError::with_message(ErrorKind::Bug, format!("failed to start a thread: {error}")))?;
    Ok(queue)
}

fn lock(record: &Path) -> Result<FolderLock, AppError> {
    let folder = record.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|error| {
        let message = format!("failed to make {}: {error}", folder.display());
        AppError::with_message(ErrorKind::Input, message)
    })?;
    FolderLock::of_batches(folder).map_err(|error| {
        AppError::new(ErrorKind::Usage, error).hint("wait for it, or choose another folder with --out")
    })
}

/// The record for runs in `dir`. A run of many that is resumed alone takes up the record of all, where its own calls may be waiting.
fn record_of(dir: &Path) -> PathBuf {
    let of_many = dir.parent().map(|parent| parent.join(RECORD));
    of_many
        .filter(|record| record.is_file())
        .unwrap_or_else(|| dir.join(RECORD))
}

fn run(mut worker: BatchWorker, reach: NetworkPolicy, connection: Connection, record: &Record) -> Result<(), AppError> {
    let unusable = |error| AppError::new(ErrorKind::Input, error);
    runtime_here()?.block_on(async {
        if !worker.has_calls().await {
            return Ok(());
        }
        let (ledger, sent) = match record {
            Record::File { path, .. } => {
                let ledger = Ledger::open(path).await.map_err(unusable)?;
                (ledger.clone(), ledger)
            }
            // Each run records its own calls.
            #[cfg(feature = "postgres")]
            Record::Shared(ledger) => (ledger.clone(), Ledger::in_memory().await.map_err(unusable)?),
        };
        let settings = GatewaySettings {
            reach,
            mode: Mode::Live,
            user_agent: models::USER_AGENT.to_owned(),
            limits: host_limits(),
            connection,
        };
        let gateway = HttpGateway::new(settings, sent).map_err(LlmError::from)?;
        worker.run(&gateway, &ledger).await?;
        ledger.close().await;
        Ok(())
    })
}
