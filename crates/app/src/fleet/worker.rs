use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::runs::RunFolder;
use precedent_engine::ledger::{JobQueue, OpenBatch, RunCost, Settlement, SettlementOutcome, TakenPaper};
use precedent_engine::llm::{LlmError, SharedBudget};
use precedent_report::BatchStatus;
use tokio::runtime::Handle;

use super::budget::PaperBudget;
use super::errors::kind_name;
use super::provider_queues::ProviderQueues;
use super::run_notices::RunNotices;
use super::spec::{BatchSpec, PaperResult, PaperSpec, is_folder_of, read_result, result_name};
use super::store::Store;
use super::store_and_queue::{StoreAndQueue, host, random_name};
use super::tree;
use super::worker_files::{self as files, CORPORA, RUNS, is_kept, sweep};
use crate::database::unusable;
use crate::shared::data_folder;
use crate::shared_access::SharedAccess;
use crate::shared_index::SharedIndex;
use crate::{
    App, AppError, CancelToken, ErrorKind, Observer, WorkerEvent, WorkerObserver, WorkerRequest, contents, encoders,
};

/// How often an idle worker looks for papers. Chosen by hand: short beside a paper, and thousands of workers would be needed to load a database.
const POLL: Duration = Duration::from_secs(1);
/// The longest pause after the database or the store did not answer.
const LONGEST: Duration = Duration::from_secs(30);
/// The time to give papers back when a process ends at once.
const GIVE_BACK: Duration = Duration::from_secs(5);
/// How often the end of a paper is recorded if the database answers with an error. Chosen by hand: more than a few conflicts with other processes.
const TRIES: u32 = 5;
/// How often a thread looks whether it is to stop.
const STEP: Duration = Duration::from_millis(100);

/// A process that runs papers of shared batches.
pub(crate) struct Worker<'w> {
    app: App,
    request: &'w WorkerRequest,
    /// The only batch to run, for the process that started it.
    only: Option<&'w str>,
    name: String,
    /// Names that threads have taken. See [`Worker::new_name`].
    names: AtomicUsize,
    store: Store,
    store_id: String,
    queue: JobQueue,
    runtime: Handle,
    cache: PathBuf,
    held: Arc<Mutex<Vec<Held>>>,
    /// Corpora of batches, by their trees.
    corpora: Mutex<BTreeMap<String, PathBuf>>,
    /// For corpora that are files.
    index: Option<SharedIndex>,
    /// Batches that this machine cannot run, as an attempt showed.
    left: Mutex<BTreeSet<String>>,
    warned: Mutex<BTreeSet<String>>,
    calls: ProviderQueues,
    /// What runs reported, until it is passed on.
    of_runs: Arc<RunNotices>,
    observer: &'w dyn WorkerObserver,
}

/// A paper that is being run.
struct Held {
    paper: TakenPaper,
    cancel: CancelToken,
}

/// Runs papers of all shared batches until `drain` is cancelled: then the papers that are running end, and no other is taken. When `stop` is cancelled,
/// they are given back at once.
pub(crate) fn work(
    app: App,
    request: &WorkerRequest,
    observer: &dyn WorkerObserver,
    drain: &CancelToken,
    stop: &CancelToken,
) -> Result<(), AppError> {
    let opened = StoreAndQueue::new(request)?;
    let worker = Worker::new(app, request, &opened, None, observer)?;
    worker.stop_with(stop);
    observer.event(&WorkerEvent::Started {
        worker: worker.name.clone(),
    });
    worker.run(|| drain.is_cancelled() || stop.is_cancelled());
    stop.forget();
    Ok(())
}

impl<'w> Worker<'w> {
    pub(crate) fn new(
        app: App,
        request: &'w WorkerRequest,
        opened: &StoreAndQueue,
        only: Option<&'w str>,
        observer: &'w dyn WorkerObserver,
    ) -> Result<Self, AppError> {
        let own = || data_folder().map(|data| data.join("worker"));
        let cache = request.cache.clone().or_else(own).ok_or_else(|| {
            AppError::with_message(ErrorKind::Usage, "this machine has no data folder").hint("choose one with --cache")
        })?;
        for folder in [RUNS, CORPORA] {
            let folder = cache.join(folder);
            fs::create_dir_all(&folder).map_err(|error| crate::cannot_write(&folder, &error))?;
        }
        sweep(&cache.join(RUNS));
        let name = opened.runtime.block_on(opened.queue.new_worker(&host()));
        Ok(Self {
            app,
            request,
            only,
            name: name.map_err(unusable)?,
            names: AtomicUsize::new(0),
            store: opened.store.clone(),
            store_id: opened.store_id.clone(),
            queue: opened.queue.clone(),
            runtime: opened.runtime.handle().clone(),
            index: SharedIndex::create(&cache.join(RUNS).join(random_name()?)),
            cache,
            held: Arc::default(),
            corpora: Mutex::default(),
            left: Mutex::default(),
            warned: Mutex::default(),
            calls: ProviderQueues::default(),
            of_runs: Arc::default(),
            observer,
        })
    }

    /// Cancelling `stop` ends the runs and gives their papers back.
    pub(crate) fn stop_with(&self, stop: &CancelToken) {
        let (held, queue, runtime) = (Arc::clone(&self.held), self.queue.clone(), self.runtime.clone());
        stop.record_with(move || {
            let held = std::mem::take(&mut *held.lock().unwrap_or_else(PoisonError::into_inner));
            for one in &held {
                one.cancel.cancel();
            }
            let give_back = async {
                for one in &held {
                    // What cannot be given back is free when its lease ends. What its calls in flight cost is not known.
                    let _ = queue.give_back(&one.paper, None).await;
                }
            };
            // A thread of its own, because the caller may be inside a runtime.
            std::thread::scope(|scope| {
                scope.spawn(|| runtime.block_on(async { tokio::time::timeout(GIVE_BACK, give_back).await.ok() }));
            });
        });
    }

    /// Runs papers on the threads of the request until `ends`.
    pub(crate) fn run(&self, ends: impl Fn() -> bool + Sync) {
        let is_done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| self.show_life(&is_done));
            std::thread::scope(|threads| {
                for _ in 0..self.request.jobs {
                    threads.spawn(|| self.serve(&ends));
                }
            });
            is_done.store(true, Ordering::Relaxed);
        });
    }

    /// Shows the other workers that this one is alive, and frees the papers of those that are not.
    fn show_life(&self, is_done: &AtomicBool) {
        let mut next = Instant::now();
        while !is_done.load(Ordering::Relaxed) {
            if Instant::now() >= next {
                next = Instant::now() + self.queue.beat_every();
                let held: Vec<TakenPaper> = self.held().iter().map(|one| one.paper.clone()).collect();
                let beaten = self.runtime.block_on(async {
                    let open = self.queue.open_batches(self.only).await?;
                    let mut batches: BTreeSet<String> = open.into_iter().map(|batch| batch.id).collect();
                    batches.extend(held.iter().map(|paper| paper.batch.clone()));
                    let batches: Vec<String> = batches.into_iter().collect();
                    self.queue.beat(&held, &batches).await
                });
                if let Err(error) = beaten {
                    self.warn(&unusable(error).to_string());
                }
            }
            self.pass_notices_on();
            std::thread::sleep(STEP);
        }
        self.pass_notices_on();
    }

    fn pass_notices_on(&self) {
        for event in self.of_runs.take() {
            match event {
                WorkerEvent::Warning { message } => self.warn(&message),
                other => self.observer.event(&other),
            }
        }
    }

    /// A name in the queue that no other thread has or had. A thread whose request to the database failed may hold a paper that it does not know. It goes
    /// on under another name, so that nobody shows signs of life for that paper.
    fn new_name(&self) -> String {
        format!("{}.{}", self.name, self.names.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// Runs one paper after the other until `ends`.
    fn serve(&self, ends: &(impl Fn() -> bool + Sync)) {
        let (mut name, mut pause) = (self.new_name(), POLL);
        while !ends() {
            let outcome = self.next(&name).and_then(|taken| match taken {
                Some((paper, spec)) => self.run_one(&paper, &spec, ends).map(|()| true),
                None => Ok(false),
            });
            match outcome {
                Ok(true) => {
                    pause = POLL;
                    continue;
                }
                Ok(false) => pause = POLL,
                Err(error) => {
                    self.warn(&error.to_string());
                    name = self.new_name();
                    pause = (pause * 2).min(LONGEST);
                }
            }
            sleep(pause, ends);
        }
    }

    /// The next paper of the oldest batch that this worker may run, taken under `name`.
    fn next(&self, name: &str) -> Result<Option<(TakenPaper, BatchSpec)>, AppError> {
        let open = self.runtime.block_on(self.queue.open_batches(self.only));
        let open = open.map_err(unusable)?;
        self.calls.keep(&open);
        for OpenBatch { id, request } in open {
            if self.left().contains(&id) {
                continue;
            }
            let spec = match BatchSpec::read(&request, &self.store_id, self.request) {
                Ok(spec) => spec,
                Err(error) => {
                    self.warn(&format!("cannot work on the batch {id}: {error}"));
                    continue;
                }
            };
            let taken = self.runtime.block_on(self.queue.take(name, &id));
            if let Some(paper) = taken.map_err(unusable)? {
                return Ok(Some((paper, spec)));
            }
        }
        Ok(None)
    }

    /// Runs a paper and settles it. An error means that it was given back, because the database or the store is away, or that its lease will end.
    fn run_one(&self, paper: &TakenPaper, spec: &BatchSpec, ends: &(impl Fn() -> bool + Sync)) -> Result<(), AppError> {
        let cancel = CancelToken::new();
        self.held().push(Held {
            paper: paper.clone(),
            cancel: cancel.clone(),
        });
        self.observer.event(&WorkerEvent::Taken {
            batch: paper.batch.clone(),
            paper: paper.name.clone(),
        });
        let budget = Arc::new(PaperBudget::new(&self.queue, &self.runtime, paper));
        let run = || self.result_of(paper, spec, &budget, &cancel);
        // A bug that one paper uncovers must not end the worker.
        let result = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
            let message = "the run ended with a bug in this program";
            Err(AppError::with_message(ErrorKind::Bug, message))
        });
        // Before the paper is given back, so that no thread takes it again.
        if let Err(error) = &result
            && error.is_of_machine()
            && self.left().insert(paper.batch.clone())
        {
            let batch = &paper.batch;
            self.warn(&format!(
                "this worker cannot run the papers of {batch}, and leaves them to others until it is started again: {error}"
            ));
        }
        let settled = self.until_recorded(
            || match &result {
                _ if cancel.is_cancelled() => Ok(()),
                Err(error) if error.is_outage() || error.is_of_machine() => self.give_back(paper, budget.cost()),
                result => self.settle(paper, result, budget.cost()),
            },
            ends,
        );
        let settled = settled.and(match result {
            Err(error) if error.is_outage() && !cancel.is_cancelled() => Err(error),
            _ => Ok(()),
        });
        self.held().retain(|one| !one.cancel.is(&cancel));
        settled
    }

    /// Repeats `record` while the database is away. Meanwhile the paper is held, so that it is not run again by another worker. An error means that its end
    /// is not recorded: then it is free when its lease ends, and a result that is in the store is used.
    fn until_recorded(
        &self,
        record: impl Fn() -> Result<(), AppError>,
        ends: &(impl Fn() -> bool + Sync),
    ) -> Result<(), AppError> {
        let (mut pause, mut failures) = (POLL, 0);
        loop {
            let error = match record() {
                Ok(()) => return Ok(()),
                Err(error) => error,
            };
            failures += 1;
            if ends() || !error.is_outage() && failures >= TRIES {
                return Err(error);
            }
            self.warn(&error.to_string());
            sleep(pause, ends);
            pause = (pause * 2).min(LONGEST);
        }
    }

    fn give_back(&self, paper: &TakenPaper, cost: Option<RunCost>) -> Result<(), AppError> {
        let given = self.runtime.block_on(self.queue.give_back(paper, cost));
        given.map_err(unusable)
    }

    fn settle(
        &self,
        paper: &TakenPaper,
        result: &Result<PaperResult, AppError>,
        cost: Option<RunCost>,
    ) -> Result<(), AppError> {
        let (end, mut outcome) = match result {
            Ok(result) => {
                let status = result.paper.status;
                let end = Settlement::Done {
                    status: status.label().to_owned(),
                    complete: status == BatchStatus::Complete,
                    dollars: result.dollars,
                    may_pass: status == BatchStatus::Incomplete && result.may_pass,
                };
                (end, status.label().to_owned())
            }
            Err(error) => {
                let end = Settlement::Failed {
                    kind: kind_name(error.kind).to_owned(),
                    error: error.to_string(),
                    may_pass: error.model_error().is_some_and(LlmError::may_pass),
                };
                (end, format!("failed: {error}"))
            }
        };
        let settled = self.runtime.block_on(self.queue.settle(paper, &end, cost));
        match settled.map_err(unusable)? {
            SettlementOutcome::Finally => {}
            SettlementOutcome::Again(pause) => outcome = format!("{outcome}; it is run again in {} s", pause.as_secs()),
            SettlementOutcome::ByOther => "another worker has taken it".clone_into(&mut outcome),
        }
        self.observer.event(&WorkerEvent::Ended {
            batch: paper.batch.clone(),
            paper: paper.name.clone(),
            outcome,
        });
        Ok(())
    }

    /// The result of a paper: that in the store, or else that of its run, which is put there.
    fn result_of(
        &self,
        paper: &TakenPaper,
        spec: &BatchSpec,
        budget: &Arc<PaperBudget>,
        cancel: &CancelToken,
    ) -> Result<PaperResult, AppError> {
        let name = result_name(&paper.batch, &paper.folder, paper.round);
        if let Some(known) = self.runtime.block_on(self.store.named(&name))? {
            // Its worker ended before it settled the paper.
            return read_result(&self.store, &name, &known);
        }
        let corpora = self.corpora(spec)?;
        // A token is of one database, and workers of others may use the folder.
        let place = self.cache.join(RUNS).join(random_name()?);
        // Its lock says that the folder is in use.
        let lock = RunFolder::create(&place)?;
        let result = self
            .run_in(paper, spec, budget, corpora, &place, cancel)
            .and_then(|result| {
                let bytes =
                    serde_json::to_vec(&result).map_err(|error| AppError::with_message(ErrorKind::Bug, error))?;
                match self.runtime.block_on(self.store.name(&name, &bytes))? {
                    true => Ok(result),
                    // The first result counts.
                    false => match self.runtime.block_on(self.store.named(&name))? {
                        Some(known) => read_result(&self.store, &name, &known),
                        None => Ok(result),
                    },
                }
            });
        drop(lock);
        let _ = fs::remove_dir_all(&place);
        result
    }

    fn run_in(
        &self,
        paper: &TakenPaper,
        spec: &BatchSpec,
        budget: &Arc<PaperBudget>,
        corpora: Vec<PathBuf>,
        place: &Path,
        cancel: &CancelToken,
    ) -> Result<PaperResult, AppError> {
        let PaperSpec { tree: hash, named } = serde_json::from_str(&paper.input)
            .map_err(|_| AppError::with_message(ErrorKind::Input, "the job of the paper cannot be read"))?;
        let input = self.runtime.block_on(async {
            let found = tree::tree(&self.store, &hash).await?;
            found.pull(&self.store, &place.join("input")).await
        })?;
        let request = spec.request(input, named, corpora, self.request)?;
        let id = contents::run_id(&request)?;
        if !is_folder_of(&paper.folder, id.as_str()) {
            let message = "the paper or the corpora on this worker are not those of the batch";
            return Err(AppError::with_message(ErrorKind::Input, message).hint("use the same version on all machines"));
        }
        let run = place.join("run");
        let is_here = self.store.host().is_none_or(|host| {
            encoders::reach(true, Vec::new())
                .permits(&format!("http://{host}/"))
                .is_ok()
        });
        let limit = spec.limit(self.request)?;
        let access = SharedAccess {
            queue: self
                .calls
                .of(&paper.batch, &self.queue, &request, limit.as_ref(), &self.of_runs)?,
            database: Some(self.request.database.through(&self.queue)),
            store: self.store.sent(is_here),
            limit,
            index: self.index.as_ref().map(SharedIndex::path),
            budget: Some(Arc::clone(budget) as Arc<dyn SharedBudget>),
        };
        let result = self.app.run_in(
            request,
            RunFolder::create(&run)?,
            false,
            access,
            Arc::clone(&self.of_runs) as Arc<dyn Observer>,
            cancel,
        )?;
        let tree = self.runtime.block_on(tree::push(&self.store, &run, is_kept))?;
        Ok(PaperResult::new(&paper.name, &paper.folder, tree, &result))
    }

    /// The corpora of a batch on this machine.
    fn corpora(&self, spec: &BatchSpec) -> Result<Vec<PathBuf>, AppError> {
        // One thread fetches them, and the others wait.
        let mut known = self.corpora.lock().unwrap_or_else(PoisonError::into_inner);
        let mut paths = Vec::new();
        for hash in &spec.corpora {
            if !known.contains_key(hash) {
                let all = self.cache.join(CORPORA);
                let fetched = files::fetch_into(&self.store, &all, &self.name, hash);
                let path = self.runtime.block_on(fetched)?;
                known.insert(hash.clone(), path);
            }
            paths.extend(known.get(hash).cloned());
        }
        Ok(paths)
    }

    fn held(&self) -> std::sync::MutexGuard<'_, Vec<Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn left(&self) -> std::sync::MutexGuard<'_, BTreeSet<String>> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says it once.
    fn warn(&self, message: &str) {
        let mut warned = self.warned.lock().unwrap_or_else(PoisonError::into_inner);
        if warned.insert(message.to_owned()) {
            self.observer.event(&WorkerEvent::Warning {
                message: message.to_owned(),
            });
        }
    }
}

/// Sleeps until `ends`, but not longer than `pause`.
fn sleep(pause: Duration, ends: &(impl Fn() -> bool + Sync)) {
    let until = Instant::now() + pause;
    while Instant::now() < until && !ends() {
        std::thread::sleep(STEP);
    }
}
