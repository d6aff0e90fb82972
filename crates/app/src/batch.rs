//! Many papers in one call: each gets its own run, and one index lists the claims of all.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::runs::{RunFolder, RunRequest, RunStatus, write_whole};
use precedent_report::{BatchPaper, BatchStatus, BatchSummary, PaperSummary};

use crate::batch_papers::{common_folder, name_of, waiting};
use crate::batch_sharing::check_sharing;
use crate::input::absolute_corpus;
use crate::runtime::outside_runtime;
use crate::shared_access::SharedAccess;
use crate::shared_index::SharedIndex;
use crate::{
    App, AppError, CancelToken, Database, ErrorKind, FleetChoice, Input, Job, Observer, Report, Request, RunEvent,
    RunResult,
};
use crate::{local_sources, models, provider_batches};

/// How often the index is written while papers are still waiting.
const WRITE_EVERY: Duration = Duration::from_secs(5);

/// A request for many papers.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchRequest {
    /// The papers: files, folders of LaTeX, identifiers or URLs. See [`BatchPapers`](crate::BatchPapers).
    pub papers: Vec<PathBuf>,
    /// Everything else. Its job must be [`Job::Assess`]; its input is not used.
    pub request: Request,
    /// Folder of the index and of the runs.
    pub dir: PathBuf,
    /// Papers that are assessed at the same time. With literature services it is one: they set the pace, and a search that waits for others would reach
    /// its deadline.
    pub jobs: usize,
    /// Use only recorded responses.
    pub replay: bool,
    /// The database that the runs share with other processes and machines.
    pub database: Option<Database>,
    /// The store through which workers on other machines run papers of the batch. Needs a database.
    pub fleet: Option<FleetChoice>,
    /// What all papers together may cost, in US dollars. Needs a store.
    pub budget: Option<f64>,
    /// The user whose budget the batch counts towards. Needs a store.
    pub user: Option<String>,
}

/// What happens during a batch.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum BatchEvent {
    /// Something happened in the run of a paper.
    Run {
        /// The paper's name.
        paper: String,
        /// The event.
        event: RunEvent,
    },
    /// Something happened to all papers, such as a batch at the model's provider.
    Progress {
        /// In words.
        message: String,
    },
    /// A paper is done, or has failed.
    Finished {
        /// Its result.
        paper: Box<BatchPaper>,
        /// Papers done so far.
        done: usize,
        /// Papers in all.
        of: usize,
    },
}

/// Receives the events of a batch, from several threads.
pub trait BatchObserver: Send + Sync {
    /// Something happened.
    fn event(&self, event: &BatchEvent);
}

/// A finished batch.
#[derive(Debug)]
pub struct BatchResult {
    /// The results, in the order of the papers.
    pub summary: BatchSummary,
    /// Files of the index.
    pub files: Vec<PathBuf>,
    /// The kind of the first paper's error, if a paper failed.
    pub first_failure: Option<ErrorKind>,
    /// Papers for which fewer than half of the model's items are usable.
    pub unusable: usize,
    /// Why a requested format was not written for the first such paper. Its other files were.
    pub unwritten: Option<AppError>,
}

/// One paper of a batch, before its run.
pub(crate) struct Planned {
    /// File name, or what was given instead.
    pub(crate) name: String,
    /// The run and its folder, or why there is none.
    pub(crate) run: Result<(RunRequest, String), (ErrorKind, String)>,
}

impl Planned {
    fn waiting(&self) -> BatchPaper {
        waiting(&self.name, self.run.as_ref().ok().map(|(_, folder)| folder.as_str()))
    }
}

/// What a paper adds to the result of the batch.
pub(crate) struct Settled {
    pub(crate) paper: BatchPaper,
    /// Whether fewer than half of the model's items are usable.
    pub(crate) unusable: bool,
    /// Why a requested format was not written.
    pub(crate) unwritten: Option<AppError>,
}

/// What a paper adds, or the kind of its error and the error.
pub(crate) type PaperOutcome = Result<Settled, (ErrorKind, String)>;

/// Progress that the threads share.
pub(crate) struct SharedProgress<'b> {
    pub(crate) request: &'b BatchRequest,
    next: AtomicUsize,
    results: Arc<Mutex<BatchResults>>,
    running: Arc<Mutex<Vec<CancelToken>>>,
    pub(crate) observer: Arc<dyn BatchObserver>,
    access: SharedAccess,
}

struct BatchResults {
    papers: Vec<BatchPaper>,
    done: usize,
    failures: BTreeMap<usize, ErrorKind>,
    unusable: usize,
    unwritten: Option<AppError>,
    written: Instant,
    error: Option<AppError>,
}

/// Passes the events of one run on, with the paper's name.
struct OfPaper {
    paper: String,
    observer: Arc<dyn BatchObserver>,
}

impl Observer for OfPaper {
    fn event(&self, event: &RunEvent) {
        self.observer.event(&BatchEvent::Run {
            paper: self.paper.clone(),
            event: event.clone(),
        });
    }
}

impl App {
    /// Assesses many papers, several at the same time. A paper that fails does not stop the others. The same request continues an interrupted batch:
    /// finished runs are reused. Blocks the calling thread.
    ///
    /// # Errors
    /// If the request is not valid for any paper, the batch is cancelled, or the index cannot be written.
    pub fn batch(
        &self,
        request: &BatchRequest,
        observer: Arc<dyn BatchObserver>,
        cancel: &CancelToken,
    ) -> Result<BatchResult, AppError> {
        if request.request.job != Job::Assess {
            return Err(AppError::with_message(
                ErrorKind::Usage,
                "a batch assesses papers; other jobs take one input",
            ));
        }
        // A mistake in the options would be one for every paper.
        for corpus in &request.request.corpora {
            absolute_corpus(corpus)?;
        }
        let (sources, _) = outside_runtime(|| request.request.options())?;
        let fleet = request.fleet.as_ref().filter(|_| !request.replay);
        check_sharing(request, &sources)?;
        let jobs = match sources.iter().all(|name| local_sources::is_one(name)) {
            true => request.jobs,
            false => 1,
        };
        if let Some(database) = request.database.as_ref().filter(|_| !request.replay) {
            database.check()?;
        }
        let planned = self.plan(request, &observer, cancel)?;
        std::fs::create_dir_all(&request.dir).map_err(|error| crate::cannot_write(&request.dir, &error))?;
        let running: Arc<Mutex<Vec<CancelToken>>> = Arc::default();
        let results = Arc::new(Mutex::new(BatchResults {
            papers: planned.iter().map(Planned::waiting).collect(),
            done: 0,
            failures: BTreeMap::new(),
            unusable: 0,
            unwritten: None,
            written: Instant::now(),
            error: None,
        }));
        let (to_stop, so_far, dir) = (Arc::clone(&running), Arc::clone(&results), request.dir.clone());
        cancel.record_with(move || {
            for run in to_stop.lock().unwrap_or_else(PoisonError::into_inner).iter() {
                run.cancel();
            }
            let papers = so_far.lock().unwrap_or_else(PoisonError::into_inner).papers.clone();
            // The program may end here. If this fails, the earlier index stays.
            let _ = write(&dir, &BatchSummary::new(papers));
        });
        let model = planned.iter().find_map(|one| one.run.as_ref().ok()?.0.model.as_ref());
        let progress = Arc::clone(&observer);
        let notice = move |message: &str| {
            let message = message.to_owned();
            progress.event(&BatchEvent::Progress { message });
        };
        let index = SharedIndex::of_batch(&request.dir).filter(|_| fleet.is_none());
        let shared = SharedProgress {
            access: SharedAccess {
                // The workers of a shared batch have their own.
                queue: provider_batches::open(&request.dir, model.filter(|_| fleet.is_none()), request.replay, notice)?,
                database: request.database.clone(),
                index: index.as_ref().map(SharedIndex::path),
                ..SharedAccess::default()
            },
            request,
            next: AtomicUsize::new(0),
            results: Arc::clone(&results),
            running,
            observer,
        };
        let shares = match fleet {
            Some(choice) => self.share(&planned, &shared, choice, cancel),
            None => {
                std::thread::scope(|scope| {
                    for _ in 0..jobs.clamp(1, planned.len().max(1)) {
                        scope.spawn(|| self.work_on(&planned, &shared, cancel));
                    }
                });
                Ok(())
            }
        };
        cancel.forget();
        let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = results.error.take() {
            return Err(error);
        }
        let summary = BatchSummary::new(std::mem::take(&mut results.papers));
        let files = write(&request.dir, &summary)?;
        shares?;
        if cancel.is_cancelled() {
            return Err(interrupted());
        }
        Ok(BatchResult {
            summary,
            files,
            first_failure: results.failures.values().next().copied(),
            unusable: results.unusable,
            unwritten: results.unwritten.take(),
        })
    }

    /// Resolves the request of each paper and names its folder.
    fn plan(
        &self,
        batch: &BatchRequest,
        observer: &Arc<dyn BatchObserver>,
        cancel: &CancelToken,
    ) -> Result<Vec<Planned>, AppError> {
        let mut folders: BTreeMap<String, usize> = BTreeMap::new();
        let mut planned = Vec::new();
        let common = common_folder(&batch.papers);
        for paper in &batch.papers {
            if cancel.is_cancelled() {
                return Err(interrupted());
            }
            let name = name_of(paper, &common);
            let request = Request {
                input: Input::Paper(paper.clone()),
                ..batch.request.clone()
            };
            let of_paper = OfPaper {
                paper: name.clone(),
                observer: Arc::clone(observer),
            };
            let run = self
                .validate(&request, &of_paper)
                .and_then(|request| Ok((self.run_id(&request)?, request)));
            let run = match run {
                Err(error) => Err((error.kind, error.to_string().replace(&*paper.to_string_lossy(), &name))),
                Ok((id, mut request)) => {
                    if let Some(model) = request.model.as_mut().filter(|_| batch.fleet.is_none()) {
                        model.at_once = Some(models::at_once_of(model, batch.jobs)?);
                    }
                    // The same file in two folders has one id.
                    let count = folders.entry(id.as_str().to_owned()).or_default();
                    *count += 1;
                    Ok((
                        request,
                        match count {
                            1 => id.as_str().to_owned(),
                            count => format!("{}-{count}", id.as_str()),
                        },
                    ))
                }
            };
            planned.push(Planned { name, run });
        }
        Ok(planned)
    }

    /// Runs one paper after the other until none is left or the batch is cancelled.
    fn work_on(&self, planned: &[Planned], shared: &SharedProgress<'_>, cancel: &CancelToken) {
        while let Some((at, paper)) = shared.take(planned) {
            if cancel.is_cancelled() {
                return;
            }
            let outcome = match &paper.run {
                Err(error) => Err(error.clone()),
                Ok((request, folder)) => self
                    .run_one(request, folder, &paper.name, shared, cancel)
                    .map(|mut result| Settled {
                        unwritten: result.unwritten.take(),
                        unusable: result.coverage().is_unusable(),
                        paper: line_of(&paper.name, folder, &result),
                    })
                    .map_err(|error| (error.kind, error.to_string())),
            };
            // Papers that were stopped are still to be done.
            if cancel.is_cancelled() || !shared.settle(at, paper, outcome) {
                return;
            }
        }
    }

    fn run_one(
        &self,
        request: &RunRequest,
        folder: &str,
        name: &str,
        shared: &SharedProgress<'_>,
        cancel: &CancelToken,
    ) -> Result<RunResult, AppError> {
        let own = CancelToken::new();
        let running = || shared.running.lock().unwrap_or_else(PoisonError::into_inner);
        running().push(own.clone());
        // It may have been cancelled before the token was listed.
        if cancel.is_cancelled() {
            own.cancel();
        }
        let observer = Arc::new(OfPaper {
            paper: name.to_owned(),
            observer: Arc::clone(&shared.observer),
        });
        let dir = shared.request.dir.join(folder);
        let run = || {
            let (folder, replay) = (RunFolder::create(&dir)?, shared.request.replay);
            self.run_in(request.clone(), folder, replay, shared.access.clone(), observer, &own)
        };
        // A bug that one paper uncovers must not lose the others.
        let outcome = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
            Err(AppError::with_message(
                ErrorKind::Bug,
                "the run ended with a bug in this program",
            ))
        });
        running().retain(|other| !other.is(&own));
        outcome
    }
}

impl SharedProgress<'_> {
    /// Cancelling the batch cancels `token` too.
    #[cfg(feature = "postgres")]
    pub(crate) fn on_cancel(&self, token: &CancelToken) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.push(token.clone());
    }

    fn take<'p>(&self, planned: &'p [Planned]) -> Option<(usize, &'p Planned)> {
        let at = self.next.fetch_add(1, Ordering::Relaxed);
        planned.get(at).map(|paper| (at, paper))
    }

    /// Records a result, passes it on, and writes the index from time to time. `false` if the batch cannot go on.
    pub(crate) fn settle(&self, at: usize, planned: &Planned, outcome: PaperOutcome) -> bool {
        let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        results.done += 1;
        let done = results.done;
        let paper = match outcome {
            Ok(settled) => {
                results.unusable += usize::from(settled.unusable);
                if let Some(error) = settled.unwritten {
                    results.unwritten.get_or_insert(error);
                }
                settled.paper
            }
            // If nothing can be searched for the first papers, nothing can be searched for the others.
            Err((kind @ ErrorKind::NothingSearched, error)) if results.failures.len() + 1 == results.done => {
                if let Some(place) = results.papers.get_mut(at) {
                    place.status = BatchStatus::Failed;
                    place.error = Some(error.clone());
                }
                // The index lists the papers that are waiting, so that the same command goes on with them.
                let summary = BatchSummary::new(results.papers.clone());
                let written = write(&self.request.dir, &summary).err();
                let error = AppError::with_message(kind, error);
                results.error.get_or_insert(written.unwrap_or(error));
                self.next.store(usize::MAX / 2, Ordering::Relaxed);
                return false;
            }
            Err((kind, error)) => {
                results.failures.insert(at, kind);
                BatchPaper {
                    status: BatchStatus::Failed,
                    error: Some(error),
                    folder: None,
                    ..planned.waiting()
                }
            }
        };
        let of = results.papers.len();
        if let Some(place) = results.papers.get_mut(at) {
            *place = paper.clone();
        }
        if results.error.is_none() && results.written.elapsed() >= WRITE_EVERY {
            let summary = BatchSummary::new(results.papers.clone());
            results.error = write(&self.request.dir, &summary).err();
            results.written = Instant::now();
        }
        // Under the lock, so that observers see the counts in order.
        self.observer.event(&BatchEvent::Finished {
            paper: Box::new(paper),
            done,
            of,
        });
        true
    }
}

pub(crate) fn interrupted() -> AppError {
    AppError::with_message(ErrorKind::Interrupted, "interrupted").hint("to continue, repeat the command")
}

/// The line of a paper in the index, after its run.
pub(crate) fn line_of(name: &str, folder: &str, result: &RunResult) -> BatchPaper {
    let summary = match &result.report {
        Report::Assess(found) => Some(PaperSummary::of(found)),
        _ => None,
    };
    BatchPaper {
        paper: name.to_owned(),
        folder: Some(folder.to_owned()),
        error: None,
        area: None,
        status: match result.manifest.status {
            RunStatus::Complete => BatchStatus::Complete,
            RunStatus::Incomplete => BatchStatus::Incomplete,
            RunStatus::NothingSearched => BatchStatus::NothingSearched,
            RunStatus::OverBudget => BatchStatus::OverBudget,
            _ => BatchStatus::Failed,
        },
        files: result.manifest.files.iter().map(|file| file.name.clone()).collect(),
        summary,
    }
}

/// Writes the index.
pub(crate) fn write(dir: &Path, summary: &BatchSummary) -> Result<Vec<PathBuf>, AppError> {
    let files = summary.files().map_err(|error| AppError::new(ErrorKind::Bug, error))?;
    let mut paths = Vec::new();
    for (name, bytes) in files {
        let path = dir.join(name);
        write_whole(&path, &bytes).map_err(|error| crate::cannot_write(&path, &error))?;
        paths.push(path);
    }
    Ok(paths)
}
