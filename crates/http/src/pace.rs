use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until};

use crate::machine::MachineTurns;

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
#[derive(Debug)]
pub(crate) struct Turns {
    times: Mutex<Times>,
    /// The queue of all processes.
    machine: Option<MachineTurns>,
}

#[derive(Debug)]
struct Times {
    between: Duration,
    next: Option<Instant>,
    held_until: Option<Instant>,
}

impl Turns {
    pub(crate) fn new(between: Duration) -> Self {
        Self {
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
    pub(crate) async fn wait(&self, end: Option<Instant>) -> Result<(), &'static str> {
        loop {
            let held_until = self.times.lock().await.held_until;
            if held_until.zip(end).is_some_and(|(held, end)| held > end) {
                return Err(PAUSED);
            }
            let turn = self.take(end).await.ok_or(CROWDED)?;
            sleep_until(turn).await;
            let held_until = self.times.lock().await.held_until;
            match held_until {
                Some(held) if held > Instant::now() && end.is_some_and(|end| held > end) => return Err(PAUSED),
                Some(held) if held > Instant::now() => sleep_until(held).await,
                _ => return Ok(()),
            }
        }
    }

    /// Whether the host asked for a pause that has not ended.
    pub(crate) async fn is_held(&self) -> bool {
        let held_until = self.times.lock().await.held_until;
        held_until.is_some_and(|held| held > Instant::now())
    }

    async fn take(&self, end: Option<Instant>) -> Option<Instant> {
        let mut times = self.times.lock().await;
        let now = Instant::now();
        let mut turn = times.next.map_or(now, |next| next.max(now));
        if let Some(machine) = &self.machine {
            let latest = end.map(|end| end.saturating_duration_since(now));
            turn = now + machine.take(turn - now, times.between, latest)?;
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
    pub(crate) async fn hold(&self, wait: Duration) {
        let mut times = self.times.lock().await;
        if let Some(machine) = &self.machine {
            machine.hold(wait);
        }
        let end = Instant::now() + wait;
        times.held_until = Some(times.held_until.map_or(end, |held| held.max(end)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn turns_are_sequential_and_a_hold_stops_waiting_requests() {
        let turns = Turns::new(Duration::from_secs(3));
        let start = Instant::now();
        turns.wait(None).await.unwrap();
        assert_eq!(start.elapsed(), Duration::ZERO);
        turns.wait(None).await.unwrap();
        assert_eq!(start.elapsed().as_secs(), 3);
        let waiting = async {
            turns.wait(None).await.unwrap();
            start.elapsed().as_secs()
        };
        let holding = async { turns.hold(Duration::from_secs(60)).await };
        let (elapsed, ()) = tokio::join!(waiting, holding);
        assert!((63..70).contains(&elapsed), "{elapsed}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_whose_time_ends_before_the_hold_does_not_wait() {
        let turns = Turns::new(Duration::from_secs(1));
        turns.hold(Duration::from_secs(60)).await;
        let start = Instant::now();
        let within = |seconds| Some(start + Duration::from_secs(seconds));
        assert_eq!(turns.wait(within(30)).await, Err(PAUSED));
        assert!(start.elapsed() < Duration::from_secs(2));
        assert_eq!(turns.wait(within(90)).await, Ok(()));
        assert!(start.elapsed() >= Duration::from_secs(60));
    }

    #[tokio::test(start_paused = true)]
    async fn reported_limits_only_slow_requests_down() {
        let turns = Turns::new(Duration::from_secs(3));
        let start = Instant::now();
        turns.wait(None).await.unwrap();
        turns.slow_to(Duration::from_secs(1)).await;
        turns.wait(None).await.unwrap();
        assert_eq!(start.elapsed().as_secs(), 3);
        turns.slow_to(Duration::from_secs(5)).await;
        // The next turn was assigned before the limit was known.
        turns.wait(None).await.unwrap();
        turns.wait(None).await.unwrap();
        assert_eq!(start.elapsed().as_secs(), 11);
    }
}
