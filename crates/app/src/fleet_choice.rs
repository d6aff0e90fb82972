use std::path::{Path, PathBuf};
use std::time::Duration;

use precedent_report::BatchSummary;

use crate::batch::{Planned, SharedProgress};
use crate::{App, AppError, CancelToken, Database, ErrorKind};
#[cfg(feature = "postgres")]
use crate::{fleet, runtime::outside_runtime};

/// Seconds without a sign of life after which a worker loses its papers, if the user chooses no other. As long as the lease of a model call.
pub const DEFAULT_LEASE: u16 = 60;

/// The object store of a batch that several machines share, and its lease.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FleetChoice {
    /// A folder that all machines see, or `s3://BUCKET/PREFIX`.
    pub store: String,
    /// After it, a worker without a sign of life loses its papers.
    pub lease: Duration,
}

/// What a worker of shared batches may use.
#[derive(Debug, Clone)]
pub struct WorkerRequest {
    /// The database with the batches.
    pub database: Database,
    /// The store of the batches, and the lease.
    pub fleet: FleetChoice,
    /// Papers that are assessed at the same time.
    pub jobs: usize,
    /// Folder for papers, corpora and runs in progress, if not the default one.
    pub cache: Option<PathBuf>,
    /// URLs of model APIs that a batch may name: `PROVIDER=URL`, or a URL for the provider `compatible`. A batch cannot send the keys of this machine
    /// elsewhere.
    pub model_urls: Vec<String>,
    /// Refuse connections to all hosts except this machine and the private hosts.
    pub local_only: bool,
    /// Hosts on the user's network that `local_only` allows.
    pub private_hosts: Vec<String>,
    /// Settings file, if not the default one.
    pub settings: Option<PathBuf>,
}

/// What happens in a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum WorkerEvent {
    /// It is ready.
    Started {
        /// Its name, as the status of a batch shows it.
        worker: String,
    },
    /// It runs a paper.
    Taken {
        /// The batch.
        batch: String,
        /// The paper's name.
        paper: String,
    },
    /// The run of a paper ended.
    Ended {
        /// The batch.
        batch: String,
        /// The paper's name.
        paper: String,
        /// How, in words.
        outcome: String,
    },
    /// What it waits for.
    Progress {
        /// In words.
        message: String,
    },
    /// Something needs attention.
    Warning {
        /// In words.
        message: String,
    },
}

/// Receives the events of a worker, from several threads.
pub trait WorkerObserver: Send + Sync {
    /// Something happened.
    fn event(&self, event: &WorkerEvent);
}

/// A shared batch in numbers.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct BatchState {
    /// Its id.
    pub id: String,
    /// What its user calls it.
    pub name: String,
    /// `open`, `paused`, `cancelled`, or `ended` if no paper of another one waits or runs.
    pub state: String,
    /// Papers in all.
    pub papers: u64,
    /// Papers that wait.
    pub waiting: u64,
    /// Papers that a worker runs.
    pub running: u64,
    /// Papers with a complete report.
    pub done: u64,
    /// Papers with a report that is not complete. The next start of the batch tries them again.
    pub incomplete: u64,
    /// Papers that failed.
    pub failed: u64,
    /// Papers whose workers all ended without a result.
    pub parked: u64,
    /// Papers that were cancelled.
    pub cancelled: u64,
    /// Papers per minute, of those that ended in the last ten minutes, since the first of them started.
    pub per_minute: f64,
    /// Minutes until all papers are done at this rate.
    pub minutes_left: Option<f64>,
    /// What runs cost, without those in progress, in US dollars, where the price is known.
    pub dollars: f64,
    /// Workers that run papers of it.
    pub workers: u64,
    /// What all papers together may cost, in US dollars.
    pub budget: Option<f64>,
    /// The user whose budget it counts towards.
    pub user: Option<String>,
    /// Papers of a batch with a higher priority are started first.
    pub priority: i64,
    /// Papers by the reason why they failed or were parked, most frequent first.
    pub failures: Vec<FailureCount>,
}

impl BatchState {
    /// The states of papers.
    pub const PAPER_STATES: [&'static str; 7] = [
        "done",
        "incomplete",
        "running",
        "waiting",
        "failed",
        "parked",
        "cancelled",
    ];

    /// Papers by state.
    pub fn by_state(&self) -> impl Iterator<Item = (u64, &'static str)> {
        let counts = [
            self.done,
            self.incomplete,
            self.running,
            self.waiting,
            self.failed,
            self.parked,
            self.cancelled,
        ];
        std::iter::zip(counts, Self::PAPER_STATES)
    }
}

/// How many papers of a batch have the same reason.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct FailureCount {
    /// The reason.
    pub reason: String,
    /// The papers.
    pub papers: u64,
}

/// What was fetched of a shared batch.
#[derive(Debug, Clone, PartialEq)]
pub struct PulledBatch {
    /// The index.
    pub summary: BatchSummary,
    /// Papers that have ended, but whose run is not in the store as it should be.
    pub lost: usize,
}

/// A user of shared batches.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct SharedUser {
    /// The name, as `batch --user` gives it.
    pub name: String,
    /// What all batches of the user together may cost, in US dollars.
    pub budget: Option<f64>,
    /// What they cost, without runs in progress, in US dollars, where the price is known.
    pub dollars: f64,
    /// What counts towards the budget, in US dollars: also runs in progress, and what calls without an answer may have cost.
    pub taken: f64,
    /// How many there are.
    pub batches: u64,
}

/// What to do with a shared batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BatchControl {
    /// Start no more of its papers.
    Pause,
    /// Start its papers again.
    Resume,
    /// Never start the papers that wait.
    Cancel,
    /// Start its papers before those of batches with a lower priority. It is 0 unless it was set.
    Priority(i64),
}

impl App {
    /// Shares the papers with workers on other machines, and waits until all are done.
    #[cfg(feature = "postgres")]
    pub(crate) fn share(
        &self,
        planned: &[Planned],
        shared: &SharedProgress<'_>,
        choice: &FleetChoice,
        cancel: &CancelToken,
    ) -> Result<(), AppError> {
        let batch = shared.request;
        let Some(database) = batch.database.clone() else {
            return Err(AppError::with_message(ErrorKind::Bug, "a shared batch has no database"));
        };
        let model = &batch.request.model;
        let request = WorkerRequest {
            database,
            fleet: choice.clone(),
            jobs: batch.jobs,
            cache: None,
            // The user of this process chose it.
            model_urls: planned
                .iter()
                .find_map(|paper| paper.run.as_ref().ok()?.0.model.as_ref())
                .and_then(fleet::allowed_url)
                .into_iter()
                .collect(),
            local_only: model.local_only,
            private_hosts: model.private_hosts.clone(),
            settings: model.settings.clone(),
        };
        fleet::Fleet::open(*self, &request, &batch.dir)?.run(planned, shared, cancel)
    }

    #[cfg(not(feature = "postgres"))]
    pub(crate) fn share(
        &self,
        _planned: &[Planned],
        _shared: &SharedProgress<'_>,
        _choice: &FleetChoice,
        _cancel: &CancelToken,
    ) -> Result<(), AppError> {
        Err(no_fleet())
    }

    /// Runs papers of shared batches until `drain` is cancelled: then the papers that are running end, and no other is taken. When `stop` is cancelled,
    /// they are given back at once. Blocks the calling thread.
    ///
    /// # Errors
    /// If the database or the store cannot be used when it starts. Later it waits for them.
    pub fn worker(
        &self,
        request: &WorkerRequest,
        observer: &dyn WorkerObserver,
        drain: &CancelToken,
        stop: &CancelToken,
    ) -> Result<(), AppError> {
        #[cfg(feature = "postgres")]
        return fleet::work(*self, request, observer, drain, stop);
        #[cfg(not(feature = "postgres"))]
        {
            let _ = (request, observer, drain, stop);
            Err(no_fleet())
        }
    }

    /// The shared batches of a database in numbers, newest first, after `control` was done to `batch`. Blocks the calling thread.
    ///
    /// # Errors
    /// If the database cannot be used, or has no such batch.
    pub fn shared_batches(
        &self,
        database: &Database,
        batch: Option<&str>,
        control: Option<BatchControl>,
    ) -> Result<Vec<BatchState>, AppError> {
        #[cfg(feature = "postgres")]
        return outside_runtime(|| fleet::status(database, batch, control));
        #[cfg(not(feature = "postgres"))]
        {
            let _ = (database, batch, control);
            Err(no_fleet())
        }
    }
}

impl App {
    /// The users of the shared batches of a database, by name. Blocks the calling thread.
    ///
    /// # Errors
    /// If the database cannot be used.
    pub fn shared_users(&self, database: &Database) -> Result<Vec<SharedUser>, AppError> {
        users(database, None)
    }

    /// Sets what all shared batches of a user together may cost, in US dollars; without `budget`, there is no limit. Returns all users. Blocks the calling
    /// thread.
    ///
    /// # Errors
    /// If the database cannot be used, or the name cannot be one.
    pub fn set_user_budget(
        &self,
        database: &Database,
        user: &str,
        budget: Option<f64>,
    ) -> Result<Vec<SharedUser>, AppError> {
        users(database, Some((user, budget)))
    }
}

impl App {
    /// Writes what has ended of the shared batch with the id `batch` into the folder `dir`: the runs, the index, and the papers and corpora that a replay
    /// needs. `progress` gets the papers that were looked at, and all. Blocks the calling thread.
    ///
    /// # Errors
    /// If the database or the store cannot be used, there is no such batch, or the folder has other files.
    pub fn pull_batch(
        &self,
        request: &WorkerRequest,
        batch: &str,
        dir: &Path,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<PulledBatch, AppError> {
        #[cfg(feature = "postgres")]
        return outside_runtime(|| fleet::pull(*self, request, batch, dir, progress));
        #[cfg(not(feature = "postgres"))]
        {
            let _ = (request, batch, dir, progress);
            Err(no_fleet())
        }
    }
}

fn users(database: &Database, budget: Option<(&str, Option<f64>)>) -> Result<Vec<SharedUser>, AppError> {
    #[cfg(feature = "postgres")]
    return outside_runtime(|| fleet::users(database, budget));
    #[cfg(not(feature = "postgres"))]
    {
        let _ = (database, budget);
        Err(no_fleet())
    }
}

/// The program was built without what several machines share.
#[cfg(not(feature = "postgres"))]
pub(crate) fn no_fleet() -> AppError {
    AppError::new(ErrorKind::Usage, precedent_engine::ledger::LedgerError::NoPostgres)
}
