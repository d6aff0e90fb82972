//! Runs in the background: a call that would take too long returns the run's id, and another call asks for it later.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use precedent_app::domain::RunId;
use precedent_app::{App, CancelToken, ErrorKind, Observer, RunEvent, RunRequest, RunStatus, StoredRun};

use crate::call::{Call, in_words};
use crate::error::Failure;
use crate::spending::{Spending, Spent};

/// How often a waiting call looks whether its client has cancelled it. Short for a person, long for a processor.
const LOOK: Duration = Duration::from_millis(200);

/// The runs of a server.
#[derive(Debug)]
pub(crate) struct Runs {
    /// The folder of all runs.
    folder: PathBuf,
    active: Mutex<BTreeMap<String, Arc<ActiveRun>>>,
    /// Runs that may still start at once. More wait, because each keeps the processors busy.
    slots: Mutex<usize>,
    slot_freed: Condvar,
    /// What the model may cost.
    pub(crate) spending: Spending,
}

/// A run that this server started.
#[derive(Debug)]
pub(crate) struct ActiveRun {
    /// Its id.
    pub(crate) id: String,
    /// The command of its job.
    pub(crate) job: &'static str,
    cancel: CancelToken,
    state: Mutex<RunState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct RunState {
    phase: Phase,
    /// Progress so far, in words. Dropped when the run has ended and no call waits for it.
    notes: Vec<String>,
    warnings: Vec<String>,
    /// Calls that wait for its end.
    waiting: usize,
    /// Whether a client has the id, so that the run goes on without a waiting call.
    is_detached: bool,
    spent: Spent,
}

/// How far a run is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Other runs come first.
    #[default]
    Queued,
    /// In progress.
    Running,
    /// Ended; the error if it made no report.
    Ended(Option<Failure>),
}

impl Runs {
    /// Runs in this folder.
    pub(crate) fn new(folder: PathBuf, spending: Spending) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self {
            folder,
            active: Mutex::default(),
            slots: Mutex::new(processors),
            slot_freed: Condvar::new(),
            spending,
        }
    }

    /// The folder of all runs.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder of a run.
    pub(crate) fn dir(&self, id: &str) -> Result<PathBuf, Failure> {
        let id: RunId = id.parse().map_err(|_| no_run(id))?;
        Ok(self.folder.join(id.as_str()))
    }

    /// The run with this id, if this server started it.
    pub(crate) fn active(&self, id: &str) -> Option<Arc<ActiveRun>> {
        lock(&self.active).get(id).cloned()
    }

    /// The run in its folder.
    pub(crate) fn stored(&self, id: &str) -> Result<StoredRun, Failure> {
        let dir = self.dir(id)?;
        App::default().stored_run(&dir).map_err(|_| no_run(id))
    }

    /// Starts a run, or finds the one of the same request that is in progress. `None` if another process is running it.
    pub(crate) fn start(self: &Arc<Self>, request: RunRequest, id: &str) -> Result<Option<Arc<ActiveRun>>, Failure> {
        let mut active = lock(&self.active);
        if let Some(run) = active.get(id)
            && !matches!(run.phase(), Phase::Ended(_))
        {
            return Ok(Some(Arc::clone(run)));
        }
        let dir = self.dir(id)?;
        let is_elsewhere = App::default()
            .stored_run(&dir)
            .is_ok_and(|stored| stored.manifest.status == RunStatus::Running);
        if is_elsewhere {
            return Ok(None);
        }
        let run = Arc::new(ActiveRun {
            id: id.to_owned(),
            job: request.job().command(),
            cancel: CancelToken::new(),
            state: Mutex::default(),
            changed: Condvar::new(),
        });
        let (runs, own) = (Arc::clone(self), Arc::clone(&run));
        std::thread::Builder::new()
            .name("run".to_owned())
            .spawn(move || runs.work(&own, request, &dir))
            .map_err(|error| Failure::new(ErrorKind::Bug, format!("failed to start a thread: {error}")))?;
        active.insert(id.to_owned(), Arc::clone(&run));
        Ok(Some(run))
    }

    /// Runs a request to its end, when its turn comes.
    fn work(&self, run: &Arc<ActiveRun>, request: RunRequest, dir: &Path) {
        let outcome = match self.take_slot(run) {
            false => Err(interrupted()),
            true => {
                let outcome = catch_unwind(AssertUnwindSafe(|| self.execute(run, request, dir)));
                *lock(&self.slots) += 1;
                self.slot_freed.notify_all();
                outcome.unwrap_or_else(|_| Err(Failure::new(ErrorKind::Bug, "the run ended by a bug in this program")))
            }
        };
        run.set_phase(Phase::Ended(outcome.err()));
    }

    /// Waits for a slot. False if the run was cancelled before.
    fn take_slot(&self, run: &ActiveRun) -> bool {
        let mut slots = lock(&self.slots);
        while *slots == 0 && !run.cancel.is_cancelled() {
            slots = self
                .slot_freed
                .wait_timeout(slots, LOOK)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
        if run.cancel.is_cancelled() {
            return false;
        }
        *slots -= 1;
        true
    }

    fn execute(&self, run: &Arc<ActiveRun>, mut request: RunRequest, dir: &Path) -> Result<(), Failure> {
        let _turn = request.model.as_ref().map(|_| self.spending.turn());
        if run.cancel.is_cancelled() {
            return Err(interrupted());
        }
        if let Some(model) = &mut request.model {
            let Some(left) = self.spending.left_for(&run.id) else {
                return Err(
                    Failure::new(ErrorKind::Budget, "the runs of this server have spent its budget")
                        .hint("use use_model: false, or ask the user for a larger budget"),
                );
            };
            (model.budget, model.budget_tokens) = (left.dollars, left.tokens);
        }
        run.set_phase(Phase::Running);
        let observer = Arc::clone(run) as Arc<dyn Observer>;
        let outcome = App::default().run_blocking(request, dir, false, observer, &run.cancel);
        let mut spent = lock(&run.state).spent;
        if let Ok(result) = &outcome {
            let all = Spent::of(&result.manifest.models);
            spent.dollars = spent.dollars.max(all.dollars);
            spent.tokens = spent.tokens.max(all.tokens);
        }
        self.spending.record(&run.id, spent);
        let result = outcome?;
        if let Some(error) = result.unwritten {
            // The run has its other files.
            lock(&run.state).warnings.push(Failure::from(error).message);
        }
        Ok(())
    }

    /// Cancels every run in progress and records that they can be resumed.
    pub(crate) fn cancel_all(&self) {
        let runs: Vec<Arc<ActiveRun>> = lock(&self.active).values().cloned().collect();
        for run in runs {
            run.cancel();
        }
    }
}

impl ActiveRun {
    /// How far it is.
    pub(crate) fn phase(&self) -> Phase {
        lock(&self.state).phase.clone()
    }

    /// The last `count` notes on its progress.
    pub(crate) fn latest(&self, count: usize) -> Vec<String> {
        let state = lock(&self.state);
        let skipped = state.notes.len().saturating_sub(count);
        state.notes.iter().skip(skipped).cloned().collect()
    }

    /// Its warnings.
    pub(crate) fn warnings(&self) -> Vec<String> {
        lock(&self.state).warnings.clone()
    }

    /// Cancels it. What it has recorded is kept.
    pub(crate) fn cancel(&self) {
        if !matches!(self.phase(), Phase::Ended(_)) {
            self.cancel.cancel();
        }
    }

    /// Lets it go on even if no call waits for it.
    pub(crate) fn detach(&self) {
        lock(&self.state).is_detached = true;
    }

    /// Waits until it has ended, for at most `most`, and passes its progress on. If the client cancels the call and no other client waits or has the id,
    /// the run is cancelled.
    pub(crate) fn wait(&self, most: Duration, call: &Call) -> Result<(), Failure> {
        let end = Instant::now() + most;
        let mut state = lock(&self.state);
        state.waiting += 1;
        let mut passed_on = 0;
        let outcome = loop {
            for note in state.notes.iter().skip(passed_on) {
                call.note(note);
            }
            passed_on = state.notes.len();
            if matches!(state.phase, Phase::Ended(_)) {
                break Ok(());
            }
            if call.is_cancelled() {
                break Err(interrupted());
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                // The client gets the id now.
                state.is_detached = true;
                break Ok(());
            }
            let (next, _) = self
                .changed
                .wait_timeout(state, left.min(LOOK))
                .unwrap_or_else(PoisonError::into_inner);
            state = next;
        };
        state.waiting -= 1;
        state.drop_notes();
        let is_abandoned = outcome.is_err() && state.waiting == 0 && !state.is_detached;
        drop(state);
        if is_abandoned {
            self.cancel();
        }
        outcome
    }

    fn set_phase(&self, phase: Phase) {
        let mut state = lock(&self.state);
        state.phase = phase;
        state.drop_notes();
        drop(state);
        self.changed.notify_all();
    }
}

impl RunState {
    /// A server may have thousands of ended runs, and their files have all that is of interest later.
    fn drop_notes(&mut self) {
        if self.waiting == 0 && matches!(self.phase, Phase::Ended(_)) {
            self.notes = Vec::new();
        }
    }
}

impl Observer for ActiveRun {
    fn event(&self, event: &RunEvent) {
        let mut state = lock(&self.state);
        match event {
            RunEvent::Warning { message } => state.warnings.push(precedent_app::text::plain(message)),
            RunEvent::Model { dollars, tokens, .. } => {
                state.spent = Spent {
                    dollars: dollars.unwrap_or_default(),
                    tokens: *tokens,
                };
            }
            _ => {}
        }
        if let Some(note) = in_words(event) {
            state.notes.push(note);
            drop(state);
            self.changed.notify_all();
        }
    }
}

fn interrupted() -> Failure {
    Failure::new(ErrorKind::Interrupted, "the run was cancelled")
        .hint("repeat the call to continue it; what it has recorded is kept")
}

fn no_run(id: &str) -> Failure {
    Failure::new(ErrorKind::Input, format!("there is no run with the id {id}")).hint(
        "use the id that assess or check_idea returned; the resources of this server list the runs that have ended",
    )
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
