//! The pace of a host for all processes that share a ledger.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex as StdMutex, PoisonError};
use std::time::Duration;

use precedent_ledger::{Ledger, LedgerError};
use tokio::sync::Mutex;
use tokio::time::Instant;

/// How long what a process knows of a host's rest stays in use. Chosen by hand: short beside a rest, and one query in that time loads no database.
const FRESH: Duration = Duration::from_secs(1);
/// How long a request waits for the database before the process keeps its own pace. Chosen by hand.
const PATIENCE: Duration = Duration::from_secs(5);
/// A turn is not used after this time, because turns of other processes may follow. Less than the second that [`Pace::per_minute`](crate::Pace::per_minute)
/// leaves free.
const LATE: Duration = Duration::from_millis(500);
/// The turns that a process takes at once are at most those of this time.
const CHUNK: Duration = Duration::from_secs(1);
/// The longest rest that is believed, as long as the patience of a model request.
const LONGEST: Duration = Duration::from_secs(1800);

/// The turns of one host that this process took from the ledger, and what it knows of the host's rest.
#[derive(Debug, Default)]
pub(crate) struct SharedTurns {
    host: String,
    taken: Mutex<VecDeque<Instant>>,
    read: Mutex<Option<Instant>>,
    /// Requests that wait for a turn.
    waiting: AtomicUsize,
    /// The first error of the database, until it is reported.
    failed: StdMutex<Option<String>>,
    is_reported: AtomicBool,
}

/// A request that waits for a turn, until this is dropped.
pub(crate) struct InQueue<'t>(&'t SharedTurns);

impl SharedTurns {
    pub(crate) fn of(host: &str) -> Self {
        Self {
            host: host.to_owned(),
            ..Self::default()
        }
    }

    pub(crate) fn enter(&self) -> InQueue<'_> {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        InQueue(self)
    }

    /// Until when the host rests, if that was not read a moment ago.
    pub(crate) async fn rests_until(&self, ledger: &Ledger) -> Option<Instant> {
        let mut read = self.read.lock().await;
        if read.is_some_and(|read| read.elapsed() < FRESH) {
            return None;
        }
        let rest = self.answer(ledger.host_rest(&self.host)).await;
        *read = Some(Instant::now());
        let rest = rest.filter(|rest| !rest.is_zero())?;
        // They may be in the rest.
        self.taken.lock().await.clear();
        Some(Instant::now() + rest.min(LONGEST))
    }

    /// Lets the host rest for all processes.
    pub(crate) async fn rest(&self, ledger: &Ledger, rest: Duration) {
        self.taken.lock().await.clear();
        self.answer(ledger.rest_host(&self.host, rest.min(LONGEST))).await;
    }

    /// Takes the next turn. `None` if the database does not answer.
    pub(crate) async fn take(&self, ledger: &Ledger, between: Duration) -> Option<Instant> {
        let mut taken = self.taken.lock().await;
        while let Some(turn) = taken.pop_front() {
            if !is_late(turn) {
                return Some(turn);
            }
        }
        let most = CHUNK.as_nanos() / between.as_nanos().max(1);
        let turns = (self.waiting.load(Ordering::Relaxed) as u128).min(most).max(1);
        let turns = u32::try_from(turns).unwrap_or(1);
        let wait = self.answer(ledger.take_turns(&self.host, between, turns)).await?;
        let first = Instant::now() + wait;
        taken.extend((0..turns).map(|turn| first + between * turn));
        taken.pop_front()
    }

    /// Why the database could not be asked, the first time that it could not.
    pub(crate) fn newly_failed(&self) -> Option<String> {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        (!self.is_reported.swap(true, Ordering::Relaxed)).then_some(failed)
    }

    async fn answer<T>(&self, query: impl Future<Output = Result<T, LedgerError>>) -> Option<T> {
        let failed = match tokio::time::timeout(PATIENCE, query).await {
            Ok(Ok(answer)) => return Some(answer),
            Ok(Err(error)) => error.to_string(),
            Err(_) => format!("no answer within {} s", PATIENCE.as_secs()),
        };
        *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(failed);
        None
    }
}

/// Whether a turn has passed, because the process was stopped or its machine is busy.
pub(crate) fn is_late(turn: Instant) -> bool {
    turn + LATE < Instant::now()
}

impl Drop for InQueue<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}
