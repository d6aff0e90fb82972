use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::Jobs;

/// The places for processes of runs and imports, which all users share, and the order of the queue.
#[derive(Debug)]
pub(crate) struct Places {
    /// Processes at the same time.
    parallel: usize,
    inner: Mutex<Inner>,
    /// The highest number in the order of the queue so far.
    number: AtomicU64,
}

#[derive(Debug, Default)]
struct Inner {
    used: usize,
    /// The runs of each user.
    all: Vec<Weak<Jobs>>,
}

impl Inner {
    fn all(&self) -> impl Iterator<Item = Arc<Jobs>> {
        self.all.iter().filter_map(Weak::upgrade)
    }
}

impl Places {
    pub(crate) fn new(parallel: usize) -> Arc<Self> {
        Arc::new(Self {
            parallel: parallel.max(1),
            inner: Mutex::default(),
            number: AtomicU64::new(0),
        })
    }

    // No lock of `Jobs` may be held while this one is taken.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the runs of a user. Those that wait are started.
    pub(super) fn add(&self, jobs: &Arc<Jobs>) {
        let mut inner = self.lock();
        inner.all.retain(|one| one.strong_count() > 0);
        inner.all.push(Arc::downgrade(jobs));
        drop(inner);
        self.start_waiting();
    }

    /// A number after all numbers so far.
    pub(crate) fn next_number(&self) -> u64 {
        self.number.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Takes note of a number that is in use.
    pub(super) fn has_number(&self, number: u64) {
        self.number.fetch_max(number, Ordering::Relaxed);
    }

    /// How many runs and imports wait before this number.
    pub(super) fn waiting_before(&self, number: u64) -> usize {
        let all: Vec<Arc<Jobs>> = self.lock().all().collect();
        all.iter().map(|jobs| jobs.waiting_before(number)).sum()
    }

    /// Gives a place back, and starts what waits for one.
    pub(super) fn give_back(&self) {
        {
            let mut inner = self.lock();
            inner.used = inner.used.saturating_sub(1);
        }
        self.start_waiting();
    }

    /// Starts waiting runs while a place is free: first of the user with the fewest running, then in the order of the queue.
    pub(super) fn start_waiting(&self) {
        loop {
            let mut inner = self.lock();
            if inner.used >= self.parallel {
                return;
            }
            let waiting = inner.all().filter_map(|jobs| Some((jobs.next_waiting()?, jobs)));
            let Some((_, jobs)) = waiting.min_by_key(|(order, _)| *order) else {
                return;
            };
            inner.used += 1;
            // Its thread may end, and give the place back, before this line does.
            drop(inner);
            if !jobs.start_next() {
                let mut inner = self.lock();
                inner.used = inner.used.saturating_sub(1);
                continue;
            }
            // Everybody's places in the queue have changed.
            let all: Vec<Arc<Jobs>> = self.lock().all().collect();
            all.iter().for_each(|jobs| jobs.changed());
        }
    }
}
