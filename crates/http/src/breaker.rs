use std::time::Duration;

use tokio::time::Instant;

/// Failures in a row after which a host is left alone.
const FAILURES: u32 = 6;
/// How long it is left alone the first time; each further failure doubles it.
const REST: Duration = Duration::from_secs(30);
/// The longest rest.
const LONGEST_REST: Duration = Duration::from_secs(300);

/// Leaves a host alone that failed many times in a row, then lets one request through to see whether it is back.
///
/// "Too many requests" is no failure: the host is well and says what it wants.
#[derive(Debug, Default)]
pub(crate) struct Breaker {
    failures: u32,
    rests_until: Option<Instant>,
    rest: Duration,
    probing: bool,
}

impl Breaker {
    /// Whether a request may go; else the failures in a row.
    pub(crate) fn admit(&mut self, now: Instant) -> Result<(), u32> {
        match self.rests_until {
            None => Ok(()),
            Some(end) if now >= end && !self.probing => {
                self.probing = true;
                Ok(())
            }
            Some(_) => Err(self.failures),
        }
    }

    pub(crate) fn failed(&mut self, now: Instant) {
        self.failures = self.failures.saturating_add(1);
        if self.failures >= FAILURES {
            self.rest = if self.rest.is_zero() {
                REST
            } else {
                (self.rest * 2).min(LONGEST_REST)
            };
            self.rests_until = Some(now + self.rest);
        }
        self.probing = false;
    }

    /// An admitted request was not sent after all.
    pub(crate) fn not_sent(&mut self) {
        self.probing = false;
    }

    pub(crate) fn answered(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_host_that_is_down_is_left_alone_and_tried_once_in_a_while() {
        let mut breaker = Breaker::default();
        for _ in 0..FAILURES {
            assert_eq!(breaker.admit(Instant::now()), Ok(()));
            breaker.failed(Instant::now());
        }
        assert_eq!(breaker.admit(Instant::now()), Err(FAILURES));
        tokio::time::advance(REST).await;
        assert_eq!(breaker.admit(Instant::now()), Ok(()), "one to see");
        assert_eq!(breaker.admit(Instant::now()), Err(FAILURES), "and only one");
        breaker.failed(Instant::now());
        tokio::time::advance(REST).await;
        assert!(breaker.admit(Instant::now()).is_err(), "the rest has doubled");
        tokio::time::advance(REST).await;
        assert_eq!(breaker.admit(Instant::now()), Ok(()));
        breaker.answered();
        assert_eq!(breaker.admit(Instant::now()), Ok(()));
        breaker.failed(Instant::now());
        assert_eq!(breaker.admit(Instant::now()), Ok(()), "one failure is none");
    }
}
