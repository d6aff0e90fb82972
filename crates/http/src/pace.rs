use std::time::Duration;

use precedent_ledger::Ledger;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until};

use crate::machine::MachineTurns;
use crate::shared_pace::{SharedTurns, is_late};

/// Why a request was not sent: the host requires a pause that ends after the time limit of the request.
const PAUSED: &str = "it requires a pause longer than the time left for this search";
/// The same for turns that other processes have taken.
const CROWDED: &str = "other runs on this machine use up its rate limit; repeat the command when they have ended";

/// The rate limit of one host. The first request to a host sets it for the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// The minimum time between the starts of two requests.
    pub between: Duration,
    /// The maximum number of concurrent requests, at least 1.
    pub at_once: usize,
}

impl Pace {
    /// One request at a time, `between` apart.
    #[must_use]
    pub fn one_every(between: Duration) -> Self {
        Self { between, at_once: 1 }
    }

    /// Up to `requests` in any minute, and `at_once` concurrent ones.
    #[must_use]
    pub fn per_minute(requests: u32, at_once: usize) -> Self {
        // A second more than a minute, because requests do not all take the same time to reach the host.
        const MINUTE: Duration = Duration::from_secs(61);
        Self {
            between: MINUTE / requests.max(1),
            ..Self::at_once(at_once)
        }
    }

    /// Up to `at_once` concurrent requests, without a minimum time between them.
    #[must_use]
    pub fn at_once(at_once: usize) -> Self {
        Self {
            between: Duration::ZERO,
            at_once: at_once.max(1),
        }
    }
}

impl Default for Pace {
    /// Polite default for unknown hosts: four requests per second, two at a time.
    fn default() -> Self {
        Self {
            between: Duration::from_millis(250),
            at_once: 2,
        }
    }
}

/// The queue of requests to one host.
///
/// Where a ledger is given, all processes that share it have one queue.
#[derive(Debug)]
pub(crate) struct Turns {
    times: Mutex<Times>,
    /// The queue of all processes on this machine.
    machine: Option<MachineTurns>,
    pub(crate) shared: SharedTurns,
}

#[derive(Debug)]
struct Times {
    between: Duration,
    next: Option<Instant>,
    held_until: Option<Instant>,
}

impl Turns {
    pub(crate) fn new(host: &str, between: Duration) -> Self {
        Self {
            shared: SharedTurns::of(host),
            times: Mutex::new(Times {
                between,
                next: None,
                held_until: None,
            }),
            machine: None,
        }
    }

    pub(crate) fn with(self, machine: Option<MachineTurns>) -> Self {
        Self { machine, ..self }
    }

    /// Waits for this request's turn. A request that waits when the host is put on hold waits for the end of the hold and then for a new turn: after
    /// a "too many" response, the queue must not run into it again. Returns at once why there is no turn before `end`.
    pub(crate) async fn wait(&self, end: Option<Instant>, ledger: Option<&Ledger>) -> Result<(), &'static str> {
        loop {
            let held_until = self.held_until(ledger).await;
            if held_until.zip(end).is_some_and(|(held, end)| held > end) {
                return Err(PAUSED);
            }
            let turn = self.take(end, ledger).await.ok_or(CROWDED)?;
            sleep_until(turn).await;
            if ledger.is_some() && is_late(turn) {
                continue;
            }
            let held_until = self.held_until(ledger).await;
            match held_until {
                Some(held) if held > Instant::now() && end.is_some_and(|end| held > end) => return Err(PAUSED),
                Some(held) if held > Instant::now() => sleep_until(held).await,
                _ => return Ok(()),
            }
        }
    }

    /// How long the pause still lasts that the host asked for.
    pub(crate) async fn held_for(&self, ledger: Option<&Ledger>) -> Option<Duration> {
        let held_until = self.held_until(ledger).await?;
        Some(held_until.saturating_duration_since(Instant::now())).filter(|rest| !rest.is_zero())
    }

    async fn held_until(&self, ledger: Option<&Ledger>) -> Option<Instant> {
        let shared = match ledger {
            Some(ledger) => self.shared.rests_until(ledger).await,
            None => None,
        };
        let mut times = self.times.lock().await;
        times.held_until = times.held_until.max(shared);
        times.held_until
    }

    async fn take(&self, end: Option<Instant>, ledger: Option<&Ledger>) -> Option<Instant> {
        let in_queue = self.shared.enter();
        let mut times = self.times.lock().await;
        let shared = match ledger.filter(|_| !times.between.is_zero()) {
            Some(ledger) => self.shared.take(ledger, times.between).await,
            None => None,
        };
        drop(in_queue);
        let now = Instant::now();
        let mut turn = times.next.map_or(now, |next| next.max(now));
        match (shared, &self.machine) {
            (Some(shared), _) => {
                turn = shared;
                if end.is_some_and(|end| turn > end) {
                    return None;
                }
            }
            (None, Some(machine)) => {
                let latest = end.map(|end| end.saturating_duration_since(now));
                turn = now + machine.take(turn - now, times.between, latest)?;
            }
            (None, None) => {}
        }
        times.next = Some(turn + times.between);
        Some(turn)
    }

    /// Increases the minimum time between turns to `between`; it never decreases.
    pub(crate) async fn slow_to(&self, between: Duration) {
        let mut times = self.times.lock().await;
        times.between = times.between.max(between);
    }

    /// No request has a turn for `wait` from now.
    pub(crate) async fn hold(&self, wait: Duration, ledger: Option<&Ledger>) {
        {
            let mut times = self.times.lock().await;
            if let Some(machine) = &self.machine {
                machine.hold(wait);
            }
            let end = Instant::now() + wait;
            times.held_until = Some(times.held_until.map_or(end, |held| held.max(end)));
        }
        if let Some(ledger) = ledger {
            self.shared.rest(ledger, wait).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn turns_are_sequential_and_a_hold_stops_waiting_requests() {
        let turns = Turns::new("h:1", Duration::from_secs(3));
        let start = Instant::now();
        turns.wait(None, None).await.unwrap();
        assert_eq!(start.elapsed(), Duration::ZERO);
        turns.wait(None, None).await.unwrap();
        assert_eq!(start.elapsed().as_secs(), 3);
        let waiting = async {
            turns.wait(None, None).await.unwrap();
            start.elapsed().as_secs()
        };
        let holding = async { turns.hold(Duration::from_secs(60), None).await };
        let (elapsed, ()) = tokio::join!(waiting, holding);
        assert!((63..70).contains(&elapsed), "{elapsed}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_whose_time_ends_before_the_hold_does_not_wait() {
        let turns = Turns::new("h:1", Duration::from_secs(1));
        turns.hold(Duration::from_secs(60), None).await;
        let start = Instant::now();
        let within = |seconds| Some(start + Duration::from_secs(seconds));
        assert_eq!(turns.wait(within(30), None).await, Err(PAUSED));
        assert!(start.elapsed() < Duration::from_secs(2));
        assert_eq!(turns.wait(within(90), None).await, Ok(()));
        assert!(start.elapsed() >= Duration::from_secs(60));
    }

    #[tokio::test(start_paused = true)]
    async fn reported_limits_only_slow_requests_down() {
        let turns = Turns::new("h:1", Duration::from_secs(3));
        let start = Instant::now();
        turns.wait(None, None).await.unwrap();
        turns.slow_to(Duration::from_secs(1)).await;
        turns.wait(None, None).await.unwrap();
        assert_eq!(start.elapsed().as_secs(), 3);
        turns.slow_to(Duration::from_secs(5)).await;
        // The next turn was assigned before the limit was known.
        turns.wait(None, None).await.unwrap();
        turns.wait(None, None).await.unwrap();
        assert_eq!(start.elapsed().as_secs(), 11);
    }
}
