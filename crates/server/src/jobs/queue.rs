use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ChildStdin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use precedent_app::runs::{RunRequest, write_whole};
use tokio::sync::watch;

use super::feed::Feed;
use super::process::Program;
use super::record::now;
use super::spent::Spent;
use super::{JobRecord, JobState, Places};
use crate::ServerOptions;
use crate::corpora::OwnCorpora;
use crate::error::Problem;
use crate::request::JobRequest;
use crate::state::Checker;
use crate::users::{hash_of, new_secret, signed_in};
use crate::work::REQUEST_FILE;

/// Drafts that nobody started are deleted when the server starts, after this many seconds: a day.
const DRAFT_SECONDS: u64 = 24 * 60 * 60;
/// The record of a run.
const LEDGER: &str = "ledger.sqlite";
/// How long a server that ends waits for its runs to record that they were interrupted.
const CLOSING: Duration = Duration::from_secs(10);

/// Waits until something has ended, but not longer than [`CLOSING`]. Returns whether it has.
pub(super) fn ends_soon(has_ended: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    while !has_ended() {
        if start.elapsed() >= CLOSING {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    true
}

/// All runs, in memory and on disk.
#[derive(Debug)]
pub(crate) struct Jobs {
    pub(super) folder: PathBuf,
    pub(super) program: Program,
    /// What every execution must pass.
    pub(super) checker: Checker,
    /// The corpora that the user made.
    pub(super) own: Arc<OwnCorpora>,
    /// The places that the runs of all users share.
    pub(super) places: Arc<Places>,
    /// What deleted runs spent.
    pub(super) spent: Spent,
    pub(super) inner: Mutex<Inner>,
    /// Counts changes, for those who wait for one.
    pub(super) changes: watch::Sender<u64>,
}

#[derive(Debug, Default)]
pub(super) struct Inner {
    pub(super) records: BTreeMap<String, JobRecord>,
    pub(super) active: HashMap<String, Active>,
    /// Whether the server ends, so that nothing is started.
    pub(super) closing: bool,
}

/// What waits for a process: its number in the order of the queue, and its name.
pub(super) enum Waiting {
    Run(u64, String),
    Import(u64, String),
}

/// A run with a process.
#[derive(Debug)]
pub(super) struct Active {
    pub(super) feed: Arc<Feed>,
    /// Closing it cancels the run. `None` before the process starts and after a stop.
    pub(super) stdin: Option<ChildStdin>,
    /// Whether the user stopped it.
    pub(super) stopped: bool,
}

impl Jobs {
    /// Reads the runs in the data folder. Those that were waiting or running when the last server ended are queued again.
    pub(crate) fn open(
        data: &Path,
        options: &ServerOptions,
        places: Arc<Places>,
        checker: Checker,
        own: Arc<OwnCorpora>,
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
                // On disk it may stay as it is: the disk may be full, and the next server queues it again.
                record.state = JobState::Queued;
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
                pdf_password: options.pdf_password.clone(),
            },
            checker,
            own,
            places,
            spent: Spent::of(data)?,
            inner: Mutex::new(inner),
            changes: watch::Sender::new(0),
        });
        jobs.places.add(&jobs);
        Ok(jobs)
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Inner> {
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
        self.page(|_| true, 0, usize::MAX).0
    }

    /// A page of the runs that fit, newest first, and how many fit. The others are not copied: each may have a text of 500 KB.
    pub(crate) fn page(&self, fits: impl Fn(&JobRecord) -> bool, skip: usize, most: usize) -> (Vec<JobRecord>, usize) {
        let inner = self.lock();
        let mut found: Vec<&JobRecord> = inner.records.values().filter(|record| fits(record)).collect();
        found.sort_by(|a, b| b.number.cmp(&a.number).then_with(|| a.id.cmp(&b.id)));
        let total = found.len();
        (found.into_iter().skip(skip).take(most).cloned().collect(), total)
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

    /// How many waiting runs were added before this one, plus one. `None` if it does not wait.
    pub(crate) fn position(&self, id: &str) -> Option<usize> {
        let is_queued = |record: &&JobRecord| record.state == JobState::Queued;
        let number = self.lock().records.get(id).filter(is_queued)?.number;
        Some(self.places.waiting_before(number) + 1)
    }

    /// How many runs and imports wait with a lower number.
    pub(super) fn waiting_before(&self, number: u64) -> usize {
        let inner = self.lock();
        let earlier = |record: &&JobRecord| record.state == JobState::Queued && record.number < number;
        let imports = self.own.next().into_iter().filter(|(other, _)| *other < number);
        inner.records.values().filter(earlier).count() + imports.count()
    }

    /// The next run or import that waits: how many have a process already, and its number.
    pub(super) fn next_waiting(&self) -> Option<(usize, u64)> {
        let inner = self.lock();
        let number = match self.first(&inner)? {
            Waiting::Run(number, _) | Waiting::Import(number, _) => number,
        };
        Some((inner.active.len() + self.own.active(), number))
    }

    /// The run or the import that waits first.
    pub(super) fn first(&self, inner: &Inner) -> Option<Waiting> {
        if inner.closing {
            return None;
        }
        let waiting = inner.records.values().filter(|record| record.state == JobState::Queued);
        let run = waiting
            .min_by_key(|record| record.number)
            .map(|record| (record.number, record.id.clone()));
        match (run, self.next_import(inner)) {
            (run, Some((number, corpus))) if run.as_ref().is_none_or(|(first, _)| number < *first) => {
                Some(Waiting::Import(number, corpus))
            }
            (run, _) => run.map(|(number, id)| Waiting::Run(number, id)),
        }
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
        if share && signed_in().is_none() {
            return Err(Problem::conflict(
                "this server has no users, so the address of the run is its link",
            ));
        }
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
        let drafts = inner.records.values().filter(|record| record.state == JobState::Draft);
        let drafts = drafts.count();
        if self.checker.offer.most_active.is_some_and(|most| drafts >= most) {
            return Err(
                Problem::too_many(format!("{drafts} of your runs are prepared and not started"))
                    .hint("start or discard some; the server discards them after a day when it starts"),
            );
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
            reserved: None,
            problem: None,
            shared: None,
        };
        let dir = self.dir(&record);
        if let Err(error) = write_request(&dir).and_then(|()| record.write(&dir)) {
            // Nothing would delete it.
            let _ = fs::remove_dir_all(&dir);
            return Err(failed(error));
        }
        inner.records.insert(record.id.clone(), record.clone());
        Ok(record)
    }

    /// Changes a record on disk, then in memory.
    pub(super) fn update(
        &self,
        inner: &mut Inner,
        id: &str,
        change: impl FnOnce(&mut JobRecord),
    ) -> Result<JobRecord, Problem> {
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
            // Under the lock, so that no import begins meanwhile.
            self.checker.offer.corpora.not_busy(&record.request.corpora)?;
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
                    if let Err(error) = stopped.write(&self.dir(&record)) {
                        // The disk may be full. It is stopped nevertheless, because it may cost money.
                        tracing::warn!("failed to record the stop of {id}: {error}");
                    }
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
        match self.discard(id)? {
            // It may have been deleted on its own.
            Some(sha256) if self.checker.inputs.facts(&sha256).is_ok() => self.forget_input(&sha256),
            _ => Ok(()),
        }
    }

    /// Deletes a run that is not active, with all its files. Returns its input, which stays.
    pub(crate) fn discard(&self, id: &str) -> Result<Option<String>, Problem> {
        let (hidden, input) = {
            let mut inner = self.lock();
            let record = inner.records.get(id).ok_or_else(|| Problem::not_found("run"))?;
            if record.state.is_active() || inner.active.contains_key(id) {
                return Err(Problem::conflict("the run is waiting or running").hint("stop it first"));
            }
            let mut spent = self.spent.add(record.charged());
            if spent
                .as_ref()
                .is_err_and(|error| error.kind() == std::io::ErrorKind::StorageFull)
            {
                // Who deletes a run to make space must be able to. What it recorded leaves enough for the sum.
                let _ = fs::remove_file(self.dir(record).join(LEDGER));
                spent = self.spent.add(record.charged());
            }
            spent.map_err(|error| Problem::io("record what the run spent", &error))?;
            let hidden = self.folder.join(format!(".deleted-{id}"));
            fs::rename(self.dir(record), &hidden).map_err(|error| Problem::io("delete the run", &error))?;
            let input = inner.records.remove(id).and_then(|record| record.request.input);
            (hidden, input)
        };
        self.changed();
        fs::remove_dir_all(hidden).map_err(|error| Problem::io("delete the run", &error))?;
        Ok(input)
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

    /// Interrupts all runs and imports and waits until they have recorded it. The next server continues them. Returns whether all processes have ended.
    pub(crate) fn close(&self) -> bool {
        {
            let mut inner = self.lock();
            inner.closing = true;
            for active in inner.active.values_mut() {
                active.stdin = None;
            }
        }
        let ended = ends_soon(|| self.has_ended());
        self.changed();
        ended
    }

    fn has_ended(&self) -> bool {
        self.lock().active.is_empty() && self.own.active() == 0
    }

    /// Whether nothing is started any more.
    pub(super) fn is_closing(&self) -> bool {
        self.lock().closing
    }
}
