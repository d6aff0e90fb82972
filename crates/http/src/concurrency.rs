use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::Instant;

/// How many requests a host gets at the same time. The limit is halved when the host asks to slow down, and grows again by one for each round of
/// answers (additive increase, multiplicative decrease), up to the limit it started with. Waiting requests are served in order.
#[derive(Debug)]
pub(crate) struct Concurrency {
    most: f64,
    permits: Semaphore,
    state: Mutex<LimitState>,
}

#[derive(Debug)]
struct LimitState {
    limit: f64,
    /// Permits to take back when running requests end.
    owed: usize,
    /// When the limit was last halved. Requests that had started before were sent at the old limit, and their answers say nothing about the new one.
    halved: Option<Instant>,
    /// Since when the host has given no answer but requests to slow down, and until when the last of them asked to wait.
    busy: Option<(Instant, Instant)>,
}

/// The right to send one request. Dropping it makes room for the next.
#[derive(Debug)]
pub(crate) struct Permit<'c>(&'c Concurrency);

impl Concurrency {
    #[expect(clippy::cast_precision_loss, reason = "a small number")]
    pub(crate) fn new(at_once: usize) -> Self {
        let at_once = at_once.clamp(1, Semaphore::MAX_PERMITS);
        let most = at_once as f64;
        Self {
            most,
            permits: Semaphore::new(at_once),
            state: Mutex::new(LimitState {
                limit: most,
                owed: 0,
                halved: None,
                busy: None,
            }),
        }
    }

    /// Waits until fewer requests run than the limit allows.
    pub(crate) async fn acquire(&self) -> Permit<'_> {
        // The semaphore is never closed; if it were, continuing without a permit would be correct.
        if let Ok(permit) = self.permits.acquire().await {
            permit.forget();
        }
        Permit(self)
    }

    /// The host gave an answer that is no request to slow down, or none.
    pub(crate) fn not_busy(&self) {
        self.state().busy = None;
    }

    /// The host answered a request.
    pub(crate) fn answered(&self) {
        let mut state = self.state();
        state.busy = None;
        let before = state.limit;
        state.limit = (before + 1.0 / before).min(self.most);
        for _ in 0..steps(before, state.limit) {
            self.give(&mut state);
        }
    }

    /// The host asked to slow down in answer to a request that started at `started`; the next one waits for `wait`. Returns for how long it has given
    /// no other answer. A host that nobody asked for a minute after its pause starts anew.
    pub(crate) fn busy(&self, started: Instant, wait: Duration) -> Duration {
        const IDLE: Duration = Duration::from_secs(60);
        let now = Instant::now();
        let mut state = self.state();
        if state.halved.is_none_or(|halved| started >= halved) {
            let before = state.limit;
            state.limit = (before / 2.0).max(1.0);
            state.halved = Some(now);
            for _ in 0..steps(state.limit, before) {
                match self.permits.try_acquire() {
                    Ok(permit) => permit.forget(),
                    Err(_) => state.owed += 1,
                }
            }
        }
        let since = match state.busy {
            Some((since, until)) if now <= until + IDLE => since,
            _ => now,
        };
        state.busy = Some((since, now + wait));
        now - since
    }

    /// Returns a permit, or settles one that is owed.
    fn give(&self, state: &mut LimitState) {
        match state.owed.checked_sub(1) {
            Some(less) => state.owed = less,
            None => self.permits.add_permits(1),
        }
    }

    fn state(&self) -> MutexGuard<'_, LimitState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whole requests between two limits.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "limits are small and not below one"
)]
fn steps(low: f64, high: f64) -> usize {
    (high.floor() - low.floor()) as usize
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        self.0.give(&mut state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn running_at_most(limit: &Concurrency) -> usize {
        limit.permits.available_permits()
    }

    #[test]
    fn the_limit_is_halved_once_for_each_round_and_recovers() {
        let limit = Concurrency::new(8);
        assert_eq!(running_at_most(&limit), 8);
        let started = Instant::now();
        // Eight requests of one round are refused.
        for _ in 0..8 {
            limit.busy(started, Duration::from_secs(1));
        }
        assert_eq!(running_at_most(&limit), 4);
        for _ in 0..6 {
            limit.busy(Instant::now(), Duration::from_secs(1));
        }
        assert_eq!(running_at_most(&limit), 1, "never less than one");
        for _ in 0..200 {
            limit.answered();
        }
        assert_eq!(running_at_most(&limit), 8, "never more than at the start");
    }

    #[tokio::test]
    async fn running_requests_give_back_less_than_they_took() {
        let limit = Concurrency::new(4);
        let mut held = Vec::new();
        for _ in 0..4 {
            held.push(limit.acquire().await);
        }
        limit.busy(Instant::now(), Duration::from_secs(1));
        held.truncate(2);
        assert_eq!(running_at_most(&limit), 0, "two are owed");
        held.clear();
        assert_eq!(running_at_most(&limit), 2);
        for _ in 0..100 {
            limit.answered();
        }
        assert_eq!(running_at_most(&limit), 4);
    }

    #[tokio::test(start_paused = true)]
    async fn a_host_that_only_asks_to_wait_is_busy_since_the_first_time() {
        let limit = Concurrency::new(2);
        assert_eq!(limit.busy(Instant::now(), Duration::from_secs(1)), Duration::ZERO);
        tokio::time::advance(Duration::from_secs(40)).await;
        assert_eq!(limit.busy(Instant::now(), Duration::from_secs(1)).as_secs(), 40);
        limit.answered();
        assert_eq!(limit.busy(Instant::now(), Duration::from_secs(1)), Duration::ZERO);
        // Nobody asked it for an hour.
        tokio::time::advance(Duration::from_secs(3_600)).await;
        assert_eq!(limit.busy(Instant::now(), Duration::from_secs(1)), Duration::ZERO);
    }
}
