use std::time::Duration;

use tokio::time::Instant;

use crate::retry;

/// Number of separate failures after which a host is not called for a while, if callers do not wait for it.
const MOMENTS: u32 = 6;
/// The same if callers wait. One failure is common and two may be chance. From three on, single probes are enough.
const MOMENTS_WAITING: u32 = 3;
/// The first pause of a host that nobody waits for. Each further pause is twice as long.
const REST: Duration = Duration::from_secs(30);
/// The longest pause.
const LONGEST_REST: Duration = Duration::from_secs(300);
/// How often a waiting call checks whether the current probe has brought an answer.
const LOOK: Duration = Duration::from_secs(1);

/// The circuit breaker of one host. A host that keeps failing only gets single probes, with growing pauses between them.
///
/// Failures of concurrent calls count as one. "Too many requests" is not a failure.
#[derive(Debug)]
pub(crate) struct Breaker {
    /// How long callers wait for a host that is down; zero if they do not.
    outage: Duration,
    /// Number of separate failures since the last answer.
    failures: u32,
    /// When the first and the last of them occurred.
    since: Option<Instant>,
    last: Option<Instant>,
    rests_until: Option<Instant>,
    rest: Duration,
    probing: bool,
    /// When the latest answered call started.
    answered: Option<Instant>,
}

/// Whether a call may be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Admission {
    /// It may be sent.
    Go,
    /// It must wait until `until`.
    Rests {
        /// When to check again.
        until: Instant,
        /// Number of separate failures so far.
        failures: u32,
        /// Whether the host was down for longer than callers wait.
        over: bool,
    },
}

impl Breaker {
    /// The breaker of a host whose callers wait for `outage` while it is down.
    pub(crate) fn new(outage: Duration) -> Self {
        Self {
            outage,
            failures: 0,
            since: None,
            last: None,
            rests_until: None,
            rest: Duration::ZERO,
            probing: false,
            answered: None,
        }
    }

    pub(crate) fn admit(&mut self, now: Instant) -> Admission {
        match self.rests_until {
            None => Admission::Go,
            Some(end) if now >= end && !self.probing => {
                self.probing = true;
                Admission::Go
            }
            Some(end) => Admission::Rests {
                until: if self.probing { now + LOOK } else { end },
                failures: self.failures,
                over: self.is_over(now),
            },
        }
    }

    /// Records the failure of a call that started at `started`. Returns true if this closes the host for the first time in this outage.
    pub(crate) fn failed(&mut self, now: Instant, started: Instant) -> bool {
        if self.last.is_some_and(|last| started <= last) {
            return false;
        }
        self.last = Some(now);
        self.since.get_or_insert(now);
        self.failures = self.failures.saturating_add(1);
        self.probing = false;
        let most = match self.outage.is_zero() {
            true => MOMENTS,
            false => MOMENTS_WAITING,
        };
        if self.failures < most {
            return false;
        }
        self.rest = match (self.outage.is_zero(), self.is_over(now)) {
            (true, _) => (self.rest * 2).clamp(REST, LONGEST_REST),
            (false, false) => retry::short_pause(self.failures, 25),
            // If failing takes no time, every call gets its try: the host may be up and fail only for some requests.
            (false, true) => (now - started).min(LONGEST_REST),
        };
        let closes = self.rests_until.is_none();
        self.rests_until = Some(now + self.rest);
        closes
    }

    /// Records that an admitted request was not sent after all.
    pub(crate) fn not_sent(&mut self) {
        self.probing = false;
    }

    /// Records the answer to a call that started at `started`. Returns how long the host was closed, if it was.
    pub(crate) fn answered(&mut self, now: Instant, started: Instant) -> Option<Duration> {
        let was_down = self.rests_until.and(self.since).map(|since| now - since);
        let latest = self.answered.map_or(started, |before| before.max(started));
        *self = Self {
            answered: Some(latest),
            ..Self::new(self.outage)
        };
        was_down
    }

    /// Whether the host was down for longer than callers wait.
    pub(crate) fn is_over(&self, now: Instant) -> bool {
        self.since.is_some_and(|since| now - since >= self.outage)
    }

    /// Whether a call that started after `then` was answered.
    pub(crate) fn answered_since(&self, then: Instant) -> bool {
        self.answered.is_some_and(|started| started > then)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rests(breaker: &mut Breaker) -> Option<bool> {
        match breaker.admit(Instant::now()) {
            Admission::Go => None,
            Admission::Rests { over, .. } => Some(over),
        }
    }

    async fn fail_now(breaker: &mut Breaker) -> bool {
        // A separate call: it starts after the last failure.
        tokio::time::advance(Duration::from_millis(1)).await;
        let started = Instant::now();
        tokio::time::advance(Duration::from_millis(1)).await;
        breaker.failed(Instant::now(), started)
    }

    #[tokio::test(start_paused = true)]
    async fn a_host_that_nobody_waits_for_is_paused_and_probed_occasionally() {
        let mut breaker = Breaker::new(Duration::ZERO);
        for _ in 0..MOMENTS {
            assert_eq!(rests(&mut breaker), None);
            fail_now(&mut breaker).await;
        }
        assert_eq!(rests(&mut breaker), Some(true));
        tokio::time::advance(REST).await;
        assert_eq!(rests(&mut breaker), None, "one probe");
        assert_eq!(rests(&mut breaker), Some(true), "only one probe");
        fail_now(&mut breaker).await;
        tokio::time::advance(REST).await;
        assert_eq!(rests(&mut breaker), Some(true), "the pause has doubled");
        tokio::time::advance(REST).await;
        assert_eq!(rests(&mut breaker), None);
        breaker.answered(Instant::now(), Instant::now());
        assert_eq!(rests(&mut breaker), None);
        fail_now(&mut breaker).await;
        assert_eq!(rests(&mut breaker), None, "one failure does not count");
    }

    #[tokio::test(start_paused = true)]
    async fn concurrent_failures_count_once() {
        let mut breaker = Breaker::new(Duration::from_secs(45));
        let started = Instant::now();
        tokio::time::advance(Duration::from_millis(40)).await;
        for _ in 0..100 {
            assert!(!breaker.failed(Instant::now(), started));
            tokio::time::advance(Duration::from_millis(1)).await;
        }
        assert_eq!((breaker.failures, rests(&mut breaker)), (1, None));
        assert!(!fail_now(&mut breaker).await);
        assert!(fail_now(&mut breaker).await, "the third failure closes the host");
        assert!(!fail_now(&mut breaker).await, "reported only once");
    }

    #[tokio::test(start_paused = true)]
    async fn pauses_are_short_while_callers_wait_and_then_as_long_as_a_failure_takes() {
        let mut breaker = Breaker::new(Duration::from_secs(45));
        let start = Instant::now();
        let mut probes = 0;
        while !breaker.is_over(Instant::now()) {
            match breaker.admit(Instant::now()) {
                Admission::Go => {
                    probes += 1;
                    fail_now(&mut breaker).await;
                }
                Admission::Rests { until, .. } => {
                    assert!(until - Instant::now() <= Duration::from_secs(5));
                    tokio::time::sleep_until(until).await;
                }
            }
        }
        assert!((8..16).contains(&probes), "{probes}");
        assert!(start.elapsed() < Duration::from_secs(51));
        // A failure that takes no time delays nobody; one that takes minutes does.
        tokio::time::advance(Duration::from_secs(5)).await;
        assert_eq!(rests(&mut breaker), None);
        fail_now(&mut breaker).await;
        tokio::time::advance(Duration::from_millis(1)).await;
        assert_eq!(rests(&mut breaker), None);
        let started = Instant::now();
        tokio::time::advance(REST).await;
        breaker.failed(Instant::now(), started);
        tokio::time::advance(REST / 2).await;
        assert_eq!(rests(&mut breaker), Some(true));
        tokio::time::advance(REST).await;
        assert_eq!(rests(&mut breaker), None);
        assert!(breaker.answered(Instant::now(), Instant::now()).is_some());
        assert_eq!(rests(&mut breaker), None);
    }
}
