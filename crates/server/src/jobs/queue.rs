use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ChildStdin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use precedent_app::ErrorKind;
use precedent_app::runs::{RunRequest, write_whole};
use tokio::sync::watch;

use super::feed::Feed;
use super::process::{Ended, Program, follow, start};
use super::record::now;
use super::spent::Spent;
use super::{JobRecord, JobState, Places};
use crate::ServerOptions;
use crate::error::Problem;
use crate::request::JobRequest;
use crate::state::Checker;
use crate::users::{hash_of, new_secret};
use crate::work::REQUEST_FILE;

/// Drafts that nobody started are deleted when the server starts, after this many seconds: a day.
const DRAFT_SECONDS: u64 = 24 * 60 * 60;
/// How long a server that ends waits for its runs to record that they were interrupted.
const CLOSING: Duration = Duration::from_secs(10);

/// All runs, in memory and on disk.
#[derive(Debug)]
pub(crate) struct Jobs {
    folder: PathBuf,
    program: Program,
    /// What every execution must pass.
    checker: Checker,
    /// The places that the runs of all users share.
    places: Arc<Places>,
    /// What deleted runs spent.
    spent: Spent,
    inner: Mutex<Inner>,
    /// Counts changes, for those who wait for one.
    changes: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct Inner {
    records: BTreeMap<String, JobRecord>,
    active: HashMap<String, Active>,
    /// Whether the server ends, so that nothing is started.
    closing: bool,
}

/// A run with a process.
#[derive(Debug)]
struct Active {
    feed: Arc<Feed>,
    /// Closing it cancels the run. `None` before the process starts and after a stop.
    stdin: Option<ChildStdin>,
    /// Whether the user stopped it.
    stopped: bool,
    /// What it may spend, in US dollars.
    budget: f64,
}

impl Jobs {
    /// Reads the runs in the data folder. Those that were waiting or running when the last server ended are queued again.
    pub(crate) fn open(
        data: &Path,
        options: &ServerOptions,
        places: Arc<Places>,
        checker: Checker,
    ) -> std::io::Result<Arc<Self>> {
        let folder = data.join("runs");
        fs::create_dir_all(&folder)?;
        let mut inner = Inner::default();
        for entry in fs::read_dir(&folder)?.flatten() {
            let path = entry.path();
            if entry.file_name().to_string_lossy().starts_with('.') {
                // A run that was being deleted.
                let _ = fs::remove_dir_all(&path);
                continue;
            }
            let Some(mut record) = JobRecord::read(&path) else {
                continue;
            };
            if record.state == JobState::Draft && record.created + DRAFT_SECONDS < now() {
                let _ = fs::remove_dir_all(&path);
                continue;
            }
            if record.state == JobState::Running {
                record.state = JobState::Queued;
                record.write(&path)?;
            }
            places.has_number(record.number);
            // The folder's name is the id, whatever the file says.
            record.id = entry.file_name().to_string_lossy().into_owned();
            inner.records.insert(record.id.clone(), record);
        }
        let jobs = Arc::new(Self {
            folder,
            program: Program {
                path: options.program.clone(),
                arguments: options.arguments.clone(),
            },
            checker,
            places,
            spent: Spent::of(data)?,
            inner: Mutex::new(inner),
            changes: watch::Sender::new(0),
        });
        jobs.places.add(&jobs);
        Ok(jobs)
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn changed(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    /// Receives a value whenever the state of a run changes.
    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// The folder of a run. The id must be one of a record.
    pub(crate) fn dir(&self, record: &JobRecord) -> PathBuf {
        self.folder.join(&record.id)
    }

    /// The record of a run, with the title if it was read meanwhile.
    pub(crate) fn get(&self, id: &str) -> Result<JobRecord, Problem> {
        self.lock()
            .records
            .get(id)
            .cloned()
            .ok_or_else(|| Problem::not_found("run"))
    }

    /// All runs, newest first.
    pub(crate) fn list(&self) -> Vec<JobRecord> {
        let mut records: Vec<JobRecord> = self.lock().records.values().cloned().collect();
        records.sort_by(|a, b| b.number.cmp(&a.number).then_with(|| a.id.cmp(&b.id)));
        records
    }

    /// Runs by state.
    pub(crate) fn counts(&self) -> BTreeMap<JobState, usize> {
        let mut counts = BTreeMap::new();
        for record in self.lock().records.values() {
            *counts.entry(record.state).or_default() += 1;
        }
        counts
    }

    /// The events of a run that has a process.
    pub(crate) fn feed(&self, id: &str) -> Option<Arc<Feed>> {
        self.lock().active.get(id).map(|active| Arc::clone(&active.feed))
    }

    /// How many runs start before this one, plus one. `None` if it does not wait.
    pub(crate) fn position(&self, id: &str) -> Option<usize> {
        let is_queued = |record: &&JobRecord| record.state == JobState::Queued;
        let number = self.lock().records.get(id).filter(is_queued)?.number;
        Some(self.places.waiting_before(number) + 1)
    }

    /// How many runs wait with a lower number.
    pub(super) fn waiting_before(&self, number: u64) -> usize {
        let inner = self.lock();
        let earlier = |record: &&JobRecord| record.state == JobState::Queued && record.number < number;
        inner.records.values().filter(earlier).count()
    }

    /// The next run that waits: how many run already, and its number.
    pub(super) fn next_waiting(&self) -> Option<(usize, u64)> {
        let inner = self.lock();
        let waiting = inner.records.values().filter(|record| record.state == JobState::Queued);
        let number = waiting.map(|record| record.number).min().filter(|_| !inner.closing)?;
        Some((inner.active.len(), number))
    }

    /// The run that is shared with this hash of a secret.
    pub(crate) fn shared(&self, secret_sha256: &str) -> Option<JobRecord> {
        let inner = self.lock();
        let is_shared = |record: &&JobRecord| {
            let secret = record.shared.as_deref();
            secret.is_some_and(|secret| hash_of(secret) == secret_sha256)
        };
        inner.records.values().find(is_shared).cloned()
    }

    /// Makes a secret for a link to the files of a run, or removes it.
    pub(crate) fn share(&self, id: &str, share: bool) -> Result<JobRecord, Problem> {
        let secret = match share {
            true => Some(new_secret().map_err(|error| Problem::io("make a link", &error))?),
            false => None,
        };
        let mut inner = self.lock();
        self.update(&mut inner, id, |record| {
            // A link that was passed on stays valid.
            record.shared = secret.map(|secret| record.shared.take().unwrap_or(secret));
        })
    }

    /// Adds a run as a draft, or returns the run of the same request. It may be the check of a watch.
    pub(crate) fn add(
        &self,
        id: &str,
        asked: JobRequest,
        input_name: Option<String>,
        request: &RunRequest,
        watch: Option<&str>,
    ) -> Result<JobRecord, Problem> {
        let failed = |error: std::io::Error| Problem::io("record the run", &error);
        let write_request = |dir: &Path| -> std::io::Result<()> {
            fs::create_dir_all(dir)?;
            write_whole(&dir.join(REQUEST_FILE), &serde_json::to_vec(request)?)
        };
        let mut inner = self.lock();
        // Under the lock, so that no deletion of another run takes the input with it.
        if let Some(sha256) = &asked.input {
            self.checker.inputs.facts(sha256)?;
        }
        if let Some(known) = inner.records.get(id).cloned() {
            if known.state.is_active() {
                return Ok(known);
            }
            // The budget is not part of the id. A run that is continued gets the new one.
            write_request(&self.dir(&known)).map_err(failed)?;
            return self.update(&mut inner, id, |record| record.request = asked);
        }
        let record = JobRecord {
            id: id.to_owned(),
            number: self.places.next_number(),
            state: JobState::Draft,
            request: asked,
            watch: watch.map(str::to_owned),
            input_name,
            title: None,
            created: now(),
            started: None,
            ended: None,
            executions: 0,
            status: None,
            files: Vec::new(),
            dollars: None,
            problem: None,
            shared: None,
        };
        let dir = self.dir(&record);
        write_request(&dir).and_then(|()| record.write(&dir)).map_err(failed)?;
        inner.records.insert(record.id.clone(), record.clone());
        Ok(record)
    }

    /// Changes a record on disk, then in memory.
    fn update(&self, inner: &mut Inner, id: &str, change: impl FnOnce(&mut JobRecord)) -> Result<JobRecord, Problem> {
        let known = inner.records.get_mut(id).ok_or_else(|| Problem::not_found("run"))?;
        let mut record = known.clone();
        change(&mut record);
        record
            .write(&self.dir(&record))
            .map_err(|error| Problem::io("record the run", &error))?;
        *known = record.clone();
        Ok(record)
    }

    /// Queues a run that is not active. A finished run stays as it is unless `again`.
    pub(crate) fn queue(self: &Arc<Self>, id: &str, again: bool) -> Result<JobRecord, Problem> {
        let record = {
            let mut inner = self.lock();
            let record = inner
                .records
                .get(id)
                .cloned()
                .ok_or_else(|| Problem::not_found("run"))?;
            // A run that is being stopped still has a process.
            let is_ending = inner.active.get(id).is_some_and(|active| active.stopped);
            if is_ending {
                return Err(Problem::conflict("the run is being stopped").hint("try again in a few seconds"));
            }
            if record.state.is_active() || (record.state == JobState::Finished && !again) {
                return Ok(record);
            }
            let is_active = |record: &&JobRecord| record.state.is_active();
            let active = inner.records.values().filter(is_active).count();
            if self.checker.offer.most_active.is_some_and(|most| active >= most) {
                return Err(Problem::too_many(format!("{active} of your runs wait or run already"))
                    .hint("wait until some have finished, or stop some"));
            }
            let number = self.places.next_number();
            self.update(&mut inner, id, |record| {
                record.number = number;
                record.state = JobState::Queued;
                record.problem = None;
            })?
        };
        self.changed();
        self.start_waiting();
        Ok(record)
    }

    /// Stops a run. Its process records what is finished, and the run can be resumed.
    pub(crate) fn stop(&self, id: &str) -> Result<JobRecord, Problem> {
        let record = {
            let mut inner = self.lock();
            let record = inner
                .records
                .get(id)
                .cloned()
                .ok_or_else(|| Problem::not_found("run"))?;
            match record.state {
                JobState::Queued => self.update(&mut inner, id, |record| record.state = JobState::Stopped)?,
                JobState::Running => {
                    // On disk it is stopped from now on, so that a server that is killed before the process has ended does not continue it.
                    let stopped = JobRecord {
                        state: JobState::Stopped,
                        ..record.clone()
                    };
                    stopped
                        .write(&self.dir(&record))
                        .map_err(|error| Problem::io("record the stop", &error))?;
                    if let Some(active) = inner.active.get_mut(id) {
                        active.stopped = true;
                        active.stdin = None;
                    }
                    record
                }
                _ => return Err(Problem::conflict("the run is neither waiting nor running")),
            }
        };
        self.changed();
        Ok(record)
    }

    /// Deletes a run that is not active, with all its files, and its input if no other run names it.
    pub(crate) fn delete(&self, id: &str) -> Result<(), Problem> {
        let (hidden, input) = {
            let mut inner = self.lock();
            let record = inner.records.get(id).ok_or_else(|| Problem::not_found("run"))?;
            if record.state.is_active() || inner.active.contains_key(id) {
                return Err(Problem::conflict("the run is waiting or running").hint("stop it first"));
            }
            self.spent
                .add(record.dollars.unwrap_or_default())
                .map_err(|error| Problem::io("record what the run spent", &error))?;
            let hidden = self.folder.join(format!(".deleted-{id}"));
            fs::rename(self.dir(record), &hidden).map_err(|error| Problem::io("delete the run", &error))?;
            let input = inner.records.remove(id).and_then(|record| record.request.input);
            (hidden, input)
        };
        self.changed();
        fs::remove_dir_all(hidden).map_err(|error| Problem::io("delete the run", &error))?;
        match input {
            // It may have been deleted on its own.
            Some(sha256) if self.checker.inputs.facts(&sha256).is_ok() => self.forget_input(&sha256),
            _ => Ok(()),
        }
    }

    /// Deletes an input that no run and no watch names.
    pub(crate) fn forget_input(&self, sha256: &str) -> Result<(), Problem> {
        let inner = self.lock();
        let is_named = |record: &JobRecord| record.request.input.as_deref() == Some(sha256);
        match inner.records.values().any(is_named) || self.checker.watches.needs(sha256) {
            true => Ok(()),
            false => self.checker.inputs.delete(sha256),
        }
    }

    /// Starts waiting runs of any user while a place is free.
    fn start_waiting(&self) {
        self.places.start_waiting();
        self.changed();
    }

    /// Starts the run that waits first. Returns whether it takes a place.
    pub(super) fn start_next(self: &Arc<Self>) -> bool {
        let mut inner = self.lock();
        let waiting = inner.records.values().filter(|record| record.state == JobState::Queued);
        let next = waiting.min_by_key(|record| record.number).filter(|_| !inner.closing);
        let Some(id) = next.map(|record| record.id.clone()) else {
            return false;
        };
        let started = self.update(&mut inner, &id, |record| {
            record.state = JobState::Running;
            record.started = Some(now());
            record.ended = None;
            record.executions += 1;
        });
        let record = match started {
            Ok(record) => record,
            Err(problem) => {
                // The disk is full or gone. In memory, so that the run waits no more.
                if let Some(record) = inner.records.get_mut(&id) {
                    record.state = JobState::Failed;
                    record.problem = Some(problem);
                }
                return false;
            }
        };
        let active = Active {
            feed: Feed::new(record.executions),
            stdin: None,
            stopped: false,
            budget: 0.0,
        };
        inner.active.insert(id.clone(), active);
        let jobs = Arc::clone(self);
        let spawned = std::thread::Builder::new().name(format!("run {id}")).spawn({
            let id = id.clone();
            move || {
                jobs.execute(&id);
                jobs.places.give_back();
                jobs.changed();
            }
        });
        if let Err(error) = spawned {
            inner.active.remove(&id);
            let _ = self.update(&mut inner, &id, |record| {
                record.state = JobState::Failed;
                record.problem = Some(Problem::io("start the run", &error));
            });
            return false;
        }
        true
    }

    /// Runs the process of a run to its end, on a thread of its own.
    fn execute(self: &Arc<Self>, id: &str) {
        let Some(feed) = self.feed(id) else { return };
        let dir = self.folder.join(id);
        let watch = self.get(id).ok().and_then(|record| record.watch);
        let watch = watch.map(|watch| self.checker.watches.folder(&watch));
        let ended = match self.permitted(id, &dir) {
            Err(problem) => Ended::Refused(problem),
            Ok(()) => match start(&self.program, &dir, watch.as_deref()) {
                Err(error) => Ended::Failed(Problem::io("start the process of the run", &error)),
                Ok((mut child, stdin)) => {
                    self.hold(id, stdin);
                    self.changed();
                    follow(&mut child, &feed)
                }
            },
        };
        {
            let mut inner = self.lock();
            let active = inner.active.remove(id);
            let stopped = active.is_some_and(|active| active.stopped);
            let closing = inner.closing;
            let settled = self.update(&mut inner, id, |record| {
                record.ended = Some(now());
                record.update_from_manifest(&dir);
                settle(record, ended, stopped, closing);
            });
            if let Err(problem) = settled {
                tracing::warn!("failed to record how the run {id} ended: {}", problem.detail);
                if let Some(record) = inner.records.get_mut(id) {
                    record.state = JobState::Failed;
                    record.problem = Some(problem);
                }
            }
        }
        feed.close();
        self.changed();
    }

    /// Checks the request of a run against what the server offers now, which may be less than when the run was added, and writes what its process reads.
    fn permitted(&self, id: &str, dir: &Path) -> Result<(), Problem> {
        let mut request = self.checker.again(&self.get(id)?)?;
        if let (Some(total), Some(model)) = (self.checker.offer.total_budget, &mut request.model) {
            let left = self.left_of(total, id)?;
            let budget = model.budget.map_or(left, |own| own.min(left));
            model.budget = Some(budget);
            if let Some(active) = self.lock().active.get_mut(id) {
                active.budget = budget;
            }
        }
        serde_json::to_vec(&request)
            .map_err(std::io::Error::from)
            .and_then(|text| write_whole(&dir.join(REQUEST_FILE), &text))
            .map_err(|error| Problem::io("record the run", &error))
    }

    /// What is left of the budget of a user for a run: without what the others have spent, and what those that run now may spend.
    fn left_of(&self, total: f64, id: &str) -> Result<f64, Problem> {
        let inner = self.lock();
        let others = inner.records.values().filter(|record| record.id != id);
        let spent = others.map(|record| match inner.active.get(&record.id) {
            Some(active) => active.budget.max(record.dollars.unwrap_or_default()),
            None => record.dollars.unwrap_or_default(),
        });
        let left = total - self.spent.dollars() - spent.sum::<f64>();
        match left > 0.0 {
            true => Ok(left),
            false => Err(Problem::of(
                ErrorKind::Budget,
                format!("your budget of ${total:.2} for all runs is spent"),
            )
            .hint("start the run without a model, or ask whoever runs this server for a higher budget")),
        }
    }

    /// Keeps the pipe of a process, unless the run was stopped while it started.
    fn hold(&self, id: &str, stdin: ChildStdin) {
        let mut inner = self.lock();
        let closing = inner.closing;
        if let Some(active) = inner.active.get_mut(id)
            && !active.stopped
            && !closing
        {
            active.stdin = Some(stdin);
        }
    }

    /// Interrupts all runs and waits until they have recorded it. The next server continues them.
    pub(crate) fn close(&self) {
        {
            let mut inner = self.lock();
            inner.closing = true;
            for active in inner.active.values_mut() {
                active.stdin = None;
            }
        }
        let between = Duration::from_millis(50);
        for _ in 0..CLOSING.as_millis() / between.as_millis() {
            if self.lock().active.is_empty() {
                return;
            }
            std::thread::sleep(between);
        }
    }
}

/// Records how a run ended.
fn settle(record: &mut JobRecord, ended: Ended, stopped: bool, closing: bool) {
    match ended {
        Ended::Done(problem) => {
            record.state = JobState::Finished;
            record.problem = problem;
        }
        Ended::Refused(problem) => {
            record.state = JobState::Stopped;
            record.problem = Some(problem);
        }
        Ended::Failed(problem) if problem.kind == "interrupted" => {
            record.state = match (stopped, closing) {
                (false, true) => JobState::Queued,
                _ => JobState::Stopped,
            };
        }
        Ended::Failed(problem) => {
            record.state = JobState::Failed;
            record.problem = Some(problem);
        }
    }
}
