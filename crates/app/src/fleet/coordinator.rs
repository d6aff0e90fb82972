use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::runs::{RunFolder, RunRequest, write_whole};
use precedent_engine::ledger::{QueuedBatch, QueuedPaper, SharedPaper};
use precedent_engine::read;
use precedent_report::BatchPaper;
use tokio::task::JoinSet;

use super::errors::kind_named;
use super::spec::{BatchSpec, PaperSpec, read_result, result_name};
use super::status::PAUSED;
use super::store::{Store, StoreError, hash_of, is_hash};
use super::store_and_queue::StoreAndQueue;
use super::tree;
use super::worker::Worker;
use crate::batch::{PaperOutcome, Planned, Settled, SharedProgress};
use crate::database::unusable;
use crate::{App, AppError, BatchEvent, CancelToken, ErrorKind, WorkerEvent, WorkerObserver, WorkerRequest};

/// How often the process that started a batch looks for results.
const LOOK: Duration = Duration::from_millis(500);
/// Papers that are put into the store at the same time.
const AT_ONCE: usize = 16;
/// How long a batch waits for a database or a store that is away. Longer than a server takes to restart. Workers wait without end.
const PATIENCE: Duration = Duration::from_secs(600);
/// In the folder of a fetched run: the hash of its files.
const FETCHED: &str = ".fetched";

/// A batch that other machines help with.
pub(crate) struct Fleet<'f> {
    app: App,
    request: &'f WorkerRequest,
    pub(crate) opened: StoreAndQueue,
    /// The folder of the batch.
    dir: &'f Path,
}

/// Passes what a worker says on to the observer of the batch.
struct OfBatch<'o, 'b>(&'o SharedProgress<'b>);

impl WorkerObserver for OfBatch<'_, '_> {
    fn event(&self, event: &WorkerEvent) {
        if let WorkerEvent::Warning { message } | WorkerEvent::Progress { message } = event {
            self.0.observer.event(&BatchEvent::Progress {
                message: message.clone(),
            });
        }
    }
}

impl<'f> Fleet<'f> {
    /// Opens the store and the database.
    pub(crate) fn open(app: App, request: &'f WorkerRequest, dir: &'f Path) -> Result<Self, AppError> {
        Ok(Self {
            app,
            request,
            opened: StoreAndQueue::new(request)?,
            dir,
        })
    }

    /// Puts the papers into the store and the queue, and waits until all are done. This process runs papers too, if its request has jobs.
    pub(crate) fn run(
        &self,
        planned: &[Planned],
        shared: &SharedProgress<'_>,
        cancel: &CancelToken,
    ) -> Result<(), AppError> {
        let mut open: BTreeMap<&str, (usize, &Planned, &RunRequest)> = BTreeMap::new();
        for (at, paper) in planned.iter().enumerate() {
            let error = match &paper.run {
                Ok((request, folder)) => match can_be_shared(&request.input) {
                    Ok(()) => {
                        open.insert(folder, (at, paper, request));
                        continue;
                    }
                    Err(error) => (error.kind, error.to_string()),
                },
                Err(error) => error.clone(),
            };
            if !shared.settle(at, paper, Err(error)) {
                return Ok(());
            }
        }
        let Some((_, _, first)) = open.values().next() else {
            return Ok(());
        };
        let batch = self.put(first, &open, shared, cancel)?;
        let id = batch.id.clone();
        let queue = &self.opened.queue;
        let known = self.opened.runtime.block_on(queue.user(&id)).map_err(unusable)?;
        if let (Some(known), Some(user)) = (known, &batch.user)
            && known != *user
        {
            // Its costs would move to somebody else.
            let message = format!(
                "the batch counts towards the budget of the user {}",
                crate::text::plain(&known)
            );
            return Err(
                AppError::with_message(ErrorKind::Usage, message).hint("repeat it with this --user, or without")
            );
        }
        self.opened.runtime.block_on(queue.add(&batch)).map_err(unusable)?;
        if let Some(user) = &batch.user {
            let users = self.opened.runtime.block_on(queue.users()).map_err(unusable)?;
            if !users.iter().any(|known| known.name == *user && known.budget.is_some()) {
                let user = crate::text::plain(user);
                let message = format!("the user {user} has no budget; `precedent batches budget` sets one");
                shared.observer.event(&BatchEvent::Progress { message });
            }
        }
        shared.observer.event(&BatchEvent::Progress {
            message: format!("batch {id}; follow it with `precedent batches`"),
        });
        let observer = OfBatch(shared);
        let helps = self.request.jobs > 0;
        let worker = helps.then(|| Worker::new(self.app, self.request, &self.opened, Some(&id), &observer));
        let worker = worker.transpose()?;
        let stop = CancelToken::new();
        if let Some(worker) = &worker {
            worker.stop_with(&stop);
        }
        shared.on_cancel(&stop);
        let is_over = AtomicBool::new(false);
        let outcome = std::thread::scope(|scope| {
            if let Some(worker) = &worker {
                scope.spawn(|| worker.run(|| is_over.load(Ordering::Relaxed) || cancel.is_cancelled()));
            }
            let outcome = self.wait(&id, open, shared, cancel);
            is_over.store(true, Ordering::Relaxed);
            if outcome.is_err() {
                stop.cancel();
            }
            outcome
        });
        stop.forget();
        self.opened.runtime.block_on(queue.close());
        outcome
    }

    /// Puts the papers and the corpora into the store.
    fn put(
        &self,
        first: &RunRequest,
        papers: &BTreeMap<&str, (usize, &Planned, &RunRequest)>,
        shared: &SharedProgress<'_>,
        cancel: &CancelToken,
    ) -> Result<QueuedBatch, AppError> {
        let store = &self.opened.store;
        let mut in_order: Vec<(&str, &(usize, &Planned, &RunRequest))> =
            papers.iter().map(|(folder, paper)| (*folder, paper)).collect();
        in_order.sort_by_key(|(_, (at, _, _))| *at);
        let paths: Vec<PathBuf> = in_order
            .iter()
            .map(|(_, (_, _, request))| request.input.clone())
            .collect();
        let (corpora, trees) = self.opened.runtime.block_on(async {
            let mut corpora = Vec::new();
            for corpus in &first.corpora {
                corpora.push(tree::push(store, corpus, |_| true).await?);
            }
            Ok::<_, AppError>((corpora, push_all(store, paths, cancel).await?))
        })?;
        let spec = BatchSpec::new(first, &self.opened.store_id, corpora);
        let bug = |error: serde_json::Error| AppError::with_message(ErrorKind::Bug, error);
        let mut queued = Vec::new();
        for ((folder, (_, paper, request)), tree) in in_order.into_iter().zip(trees) {
            let spec = PaperSpec {
                tree,
                named: request.named.clone(),
            };
            queued.push(QueuedPaper {
                folder: folder.to_owned(),
                name: paper.name.clone(),
                input: serde_json::to_string(&spec).map_err(bug)?,
            });
        }
        let request = serde_json::to_string(&spec).map_err(bug)?;
        let lines: String = queued
            .iter()
            .map(|one| format!("{}\n{}\n", one.folder, one.input))
            .collect();
        let lasting = serde_json::to_string(&spec.lasting()).map_err(bug)?;
        let hash: String = hash_of(format!("{lasting}\n{lines}").as_bytes())
            .chars()
            .take(16)
            .collect();
        Ok(QueuedBatch {
            id: format!("batch-{hash}"),
            name: self.dir.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            request,
            budget: shared.request.budget,
            user: shared.request.user.clone(),
            papers: queued,
        })
    }

    /// Fetches each run that ends, until none is left.
    fn wait(
        &self,
        batch: &str,
        mut open: BTreeMap<&str, (usize, &Planned, &RunRequest)>,
        shared: &SharedProgress<'_>,
        cancel: &CancelToken,
    ) -> Result<(), AppError> {
        let mut lost: BTreeSet<String> = BTreeSet::new();
        let mut notices = Notices::new(batch, self.request.fleet.lease);
        let mut answered = Instant::now();
        let mut beat = Instant::now();
        while !open.is_empty() && !cancel.is_cancelled() {
            let found = self.opened.runtime.block_on(async {
                if beat.elapsed() >= self.opened.queue.beat_every() {
                    beat = Instant::now();
                    self.opened.queue.beat(&[], &[batch.to_owned()]).await?;
                }
                let state = self.opened.queue.state(batch).await?;
                Ok((state, self.opened.queue.papers(batch).await?))
            });
            let found = found.map_err(unusable).and_then(|(state, papers)| {
                let is_running = papers.iter().any(|paper| {
                    // One that waits for a pause has an error.
                    paper.state == "running" || paper.state == "waiting" && paper.error.is_some()
                });
                if let Some(message) = notices.next(state.as_deref(), is_running)? {
                    shared.observer.event(&BatchEvent::Progress { message });
                }
                for paper in papers {
                    let Some((at, planned, request)) = open.get(paper.folder.as_str()).copied() else {
                        continue;
                    };
                    let Some(outcome) = self.outcome(batch, &paper, request, &mut lost)? else {
                        continue;
                    };
                    open.remove(paper.folder.as_str());
                    if !shared.settle(at, planned, outcome) {
                        open.clear();
                        break;
                    }
                }
                Ok(())
            });
            match found {
                Ok(()) => answered = Instant::now(),
                Err(error) if error.is_outage() && answered.elapsed() < PATIENCE => {
                    shared.observer.event(&BatchEvent::Progress {
                        message: format!("waiting: {error}"),
                    });
                }
                Err(error) => return Err(error.hint("repeat the command to continue the batch")),
            }
            std::thread::sleep(LOOK);
        }
        Ok(())
    }

    /// How the run of a paper ended, with its run in the folder of the batch. `None` if it has not ended.
    fn outcome(
        &self,
        batch: &str,
        paper: &SharedPaper,
        request: &RunRequest,
        lost: &mut BTreeSet<String>,
    ) -> Result<Option<PaperOutcome>, AppError> {
        match paper.state.as_str() {
            "waiting" | "running" => return Ok(None),
            "done" | "partial" => {}
            _ => {
                let error = paper.error.clone().unwrap_or_else(|| "failed".to_owned());
                return Ok(Some(Err((kind_named(paper.kind.as_deref()), error))));
            }
        }
        match self.fetch(batch, paper, request) {
            Ok(settled) => Ok(Some(Ok(settled))),
            Err(error) if error.is_outage() => Err(error),
            // Its run is lost, so the paper is run again. A store that loses that run too is not tried without end.
            Err(error) if error.lost_object().is_some() && !lost.contains(&paper.folder) => {
                self.run_again(batch, paper, &error)?;
                lost.insert(paper.folder.clone());
                Ok(None)
            }
            Err(error) => Ok(Some(Err((error.kind, error.to_string())))),
        }
    }

    /// Lets a paper wait again whose run in the store is missing or damaged.
    fn run_again(&self, batch: &str, paper: &SharedPaper, error: &AppError) -> Result<(), AppError> {
        let StoreAndQueue { store, queue, .. } = &self.opened;
        self.opened.runtime.block_on(async {
            if let Some(StoreError::Damaged { name, .. }) = error.lost_object()
                && is_hash(name)
            {
                // The next run may have the same file, and an object that exists is not written.
                store.delete(name).await?;
            }
            // If another process did this, it has no effect.
            let again = queue.run_again(batch, &paper.folder, paper.round).await;
            again.map(|_| ()).map_err(unusable)
        })
    }

    /// Brings the run of a paper into the folder of the batch, unless it is there.
    pub(crate) fn fetch(&self, batch: &str, paper: &SharedPaper, request: &RunRequest) -> Result<Settled, AppError> {
        let (store, name) = (&self.opened.store, result_name(batch, &paper.folder, paper.round));
        let known = self.opened.runtime.block_on(store.named(&name))?;
        let result = read_result(store, &name, &known.ok_or_else(|| store.missing(&name))?)?;
        let dir = self.dir.join(&paper.folder);
        if fs::read_to_string(dir.join(FETCHED)).is_ok_and(|hash| hash == result.tree) {
            return Ok(settled(paper, result));
        }
        let half = self.dir.join(format!(".{}.half", paper.folder));
        let failed = |error: std::io::Error| crate::cannot_write(&dir, &error);
        let _ = fs::remove_dir_all(&half);
        let run = self.opened.runtime.block_on(async {
            let found = tree::tree(store, &result.tree).await?;
            found.pull(store, &half).await
        });
        let run = run.inspect_err(|_| {
            let _ = fs::remove_dir_all(&half);
        })?;
        // Its request names files of the worker.
        let folder = RunFolder::open(&run)?;
        let mut manifest = folder.manifest()?;
        manifest.request = request.clone();
        folder.write_manifest(&manifest)?;
        write_whole(&run.join(FETCHED), result.tree.as_bytes()).map_err(failed)?;
        if dir.exists() {
            // A run that is in use stays.
            drop(RunFolder::create(&dir)?);
            fs::remove_dir_all(&dir).map_err(failed)?;
        }
        fs::rename(&run, &dir).map_err(failed)?;
        let _ = fs::remove_dir_all(&half);
        Ok(settled(paper, result))
    }
}

/// What a waiting user needs to know of a batch, each said once until it changes.
struct Notices<'b> {
    batch: &'b str,
    is_paused: bool,
    /// Since when no worker runs a paper of it, and for how long that is usual.
    idle: Instant,
    usual: Duration,
    is_idle: bool,
}

impl<'b> Notices<'b> {
    fn new(batch: &'b str, usual: Duration) -> Self {
        Self {
            batch,
            is_paused: false,
            idle: Instant::now(),
            usual,
            is_idle: false,
        }
    }

    /// What is new. A batch that was deleted from the database is an error.
    fn next(&mut self, state: Option<&str>, is_running: bool) -> Result<Option<String>, AppError> {
        let batch = self.batch;
        let Some(state) = state else {
            let message = format!("the batch {batch} was deleted from the database");
            return Err(AppError::with_message(ErrorKind::Input, message));
        };
        let (was_paused, was_idle) = (self.is_paused, self.is_idle);
        self.is_paused = state == PAUSED;
        let may_be_idle = !is_running && !self.is_paused;
        if !may_be_idle {
            self.idle = Instant::now();
        }
        self.is_idle = may_be_idle && self.idle.elapsed() >= self.usual;
        Ok(if self.is_paused && !was_paused {
            Some(format!(
                "the batch is paused; `precedent batches resume {batch}` continues it"
            ))
        } else if self.is_idle && !was_idle {
            let message = "no worker runs papers of the batch; start `precedent worker` with the same --database and --store, or read the warnings of those that run";
            Some(message.to_owned())
        } else {
            None
        })
    }
}

/// Checks that a worker on another machine reads the same as this one.
fn can_be_shared(paper: &Path) -> Result<(), AppError> {
    if read::reads_other_files(paper) {
        let message = "the paper is read together with other files of its folder, and --store shares only this one";
        return Err(AppError::with_message(ErrorKind::Input, message)
            .hint("give the folder of the LaTeX project instead, or a PDF"));
    }
    tree::check(paper)
}

/// The line of a paper in the index. Its place is decided here.
fn settled(paper: &SharedPaper, result: super::spec::PaperResult) -> Settled {
    let mut files = result.paper.files.clone();
    files.retain(|name| tree::is_safe_name(name));
    Settled {
        paper: BatchPaper {
            files,
            paper: paper.name.clone(),
            folder: Some(paper.folder.clone()),
            ..result.paper
        },
        unusable: result.unusable,
        unwritten: result
            .unwritten
            .map(|message| AppError::with_message(ErrorKind::Input, message)),
    }
}

/// Puts files or folders into the store, several at the same time. Returns their trees in order.
async fn push_all(store: &Store, paths: Vec<PathBuf>, cancel: &CancelToken) -> Result<Vec<String>, AppError> {
    let mut trees = vec![String::new(); paths.len()];
    let mut running: JoinSet<(usize, Result<String, AppError>)> = JoinSet::new();
    let mut paths = paths.into_iter().enumerate();
    loop {
        while running.len() < AT_ONCE {
            let Some((at, path)) = paths.next() else {
                break;
            };
            let store = store.clone();
            running.spawn(async move { (at, tree::push(&store, &path, |_| true).await) });
        }
        let Some(pushed) = running.join_next().await else {
            return Ok(trees);
        };
        let (at, tree) = pushed.map_err(|error| AppError::with_message(ErrorKind::Bug, error))?;
        if let Some(place) = trees.get_mut(at) {
            *place = tree?;
        }
        if cancel.is_cancelled() {
            return Err(crate::batch::interrupted());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paused_and_an_idle_batch_are_each_reported_once() {
        let mut notices = Notices::new("batch-1", Duration::ZERO);
        let mut next = |state, is_running| notices.next(Some(state), is_running).unwrap().unwrap_or_default();
        assert!(next("paused", false).contains("precedent batches resume batch-1"));
        assert_eq!(next("paused", false), "");
        assert!(next("open", false).contains("no worker runs papers"));
        assert_eq!(next("open", false), "");
        assert!(notices.next(None, false).is_err());
        let mut patient = Notices::new("batch-1", Duration::from_secs(3600));
        assert_eq!(patient.next(Some("open"), false).unwrap(), None);
    }
}
