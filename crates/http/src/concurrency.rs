use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

/// How many requests a host gets at the same time. The limit is halved when the host asks to slow down, and grows again by one for each round of
/// answers (additive increase, multiplicative decrease), up to the limit it started with.
#[derive(Debug)]
pub(crate) struct Concurrency {
    most: f64,
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Debug)]
struct State {
    limit: f64,
    running: usize,
    /// When the limit was last halved. Requests that had started before were sent at the old limit, and their answers say nothing about the new one.
    halved: Option<Instant>,
    /// Since when the host has given no answer but requests to slow down.
    busy_since: Option<Instant>,
}

/// The right to send one request. Dropping it makes room for the next.
#[derive(Debug)]
pub(crate) struct Permit<'c>(&'c Concurrency);

impl Concurrency {
    #[expect(clippy::cast_precision_loss, reason = "a small number")]
    pub(crate) fn new(at_once: usize) -> Self {
        let most = at_once.max(1) as f64;
        Self {
            most,
            state: Mutex::new(State {
                limit: most,
                running: 0,
                halved: None,
                busy_since: None,
            }),
            changed: Notify::new(),
        }
    }

    /// Waits until fewer requests run than the limit allows.
    pub(crate) async fn acquire(&self) -> Permit<'_> {
        loop {
            let changed = self.changed.notified();
            if let Some(permit) = self.try_acquire() {
                return permit;
            }
            changed.await;
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "a small number")]
    fn try_acquire(&self) -> Option<Permit<'_>> {
        let mut state = self.state();
        let fits = (state.running as f64) < state.limit.floor();
        fits.then(|| {
            state.running += 1;
            Permit(self)
        })
    }

    /// The host answered a request.
    pub(crate) fn answered(&self) {
        let mut state = self.state();
        state.limit = (state.limit + 1.0 / state.limit).min(self.most);
        state.busy_since = None;
        drop(state);
        self.changed.notify_waiters();
    }

    /// The host asked to slow down in answer to a request that started at `started`. Returns for how long it has given no other answer.
    pub(crate) fn busy(&self, started: Instant) -> Duration {
        let now = Instant::now();
        let mut state = self.state();
        if state.halved.is_none_or(|halved| started >= halved) {
            state.limit = (state.limit / 2.0).max(1.0);
            state.halved = Some(now);
        }
        now - *state.busy_since.get_or_insert(now)
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.state().running -= 1;
        self.0.changed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn running_at_most(limit: &Concurrency) -> usize {
        let mut held = Vec::new();
        while let Some(permit) = limit.try_acquire() {
            held.push(permit);
        }
        held.len()
    }

    #[test]
    fn the_limit_is_halved_once_for_each_round_and_recovers() {
        let limit = Concurrency::new(8);
        assert_eq!(running_at_most(&limit), 8);
        let started = Instant::now();
        // Eight requests of one round are refused.
        for _ in 0..8 {
            limit.busy(started);
        }
        assert_eq!(running_at_most(&limit), 4);
        for _ in 0..6 {
            limit.busy(Instant::now());
        }
        assert_eq!(running_at_most(&limit), 1, "never less than one");
        for _ in 0..200 {
            limit.answered();
        }
        assert_eq!(running_at_most(&limit), 8, "never more than at the start");
    }

    #[tokio::test]
    async fn a_waiting_request_runs_when_another_ends() {
        let limit = Concurrency::new(1);
        let first = limit.acquire().await;
        let second = limit.acquire();
        let ends = async {
            tokio::task::yield_now().await;
            drop(first);
        };
        let (second, ()) = tokio::join!(second, ends);
        assert!(limit.try_acquire().is_none());
        drop(second);
        assert!(limit.try_acquire().is_some());
    }
}
