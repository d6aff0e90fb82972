//! Starting waiting runs, and what happens until their processes end.

use std::path::Path;
use std::process::ChildStdin;
use std::sync::Arc;

use precedent_app::ErrorKind;
use precedent_app::runs::write_whole;

use super::feed::Feed;
use super::process::{Ended, follow, start};
use super::queue::{Active, Inner, Waiting};
use super::record::now;
use super::{JobRecord, JobState, Jobs};
use crate::error::Problem;
use crate::work::REQUEST_FILE;

impl Jobs {
    /// Starts waiting runs and imports of any user while a place is free.
    pub(super) fn start_waiting(&self) {
        self.places.start_waiting();
        self.changed();
    }

    /// Starts the run or the import that waits first. Returns whether it takes a place.
    pub(super) fn start_next(self: &Arc<Self>) -> bool {
        let mut inner = self.lock();
        let id = match self.first(&inner) {
            Some(Waiting::Run(_, id)) => id,
            // Under the lock, so that no run with the corpus is queued meanwhile.
            Some(Waiting::Import(_, corpus)) => return self.start_import(&corpus),
            None => return false,
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
            let has_outcome = match &ended {
                Ended::Refused(_) => false,
                Ended::Failed(problem) => problem.kind != "bug",
                _ => true,
            };
            let settled = self.update(&mut inner, id, |record| {
                record.ended = Some(now());
                record.update_from_manifest(&dir);
                if has_outcome {
                    // Its manifest says what it spent. A process that was killed has not written it, nor has a run that was not started.
                    record.reserved = None;
                }
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
            // Under one lock, so that two runs do not get the same money.
            let mut inner = self.lock();
            let left = self.left_of(&inner, total, id)?;
            let budget = model.budget.map_or(left, |own| own.min(left));
            model.budget = Some(budget);
            self.update(&mut inner, id, |record| record.reserved = Some(budget))?;
        }
        serde_json::to_vec(&request)
            .map_err(std::io::Error::from)
            .and_then(|text| write_whole(&dir.join(REQUEST_FILE), &text))
            .map_err(|error| Problem::io("record the run", &error))
    }

    /// Maximum spend of a new run now: that of each run, or what is left of the budget of the user.
    pub(crate) fn budget(&self) -> Option<f64> {
        let offer = &self.checker.offer;
        let left = offer.total_budget.map(|total| self.left(&self.lock(), total, None));
        // In whole cents.
        let left = left.map(|left| (left.max(0.0) * 100.0).floor() / 100.0);
        offer.budget.into_iter().chain(left).reduce(f64::min)
    }

    /// What is left of the budget of a user for a run: without what the others have spent or may spend.
    fn left(&self, inner: &Inner, total: f64, id: Option<&str>) -> f64 {
        let others = inner.records.values().filter(|record| Some(record.id.as_str()) != id);
        total - self.spent.dollars() - others.map(JobRecord::charged).sum::<f64>()
    }

    fn left_of(&self, inner: &Inner, total: f64, id: &str) -> Result<f64, Problem> {
        let left = self.left(inner, total, Some(id));
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
