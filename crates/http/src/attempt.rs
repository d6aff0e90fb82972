use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use crate::{HttpError, Request, Response};

/// Longest body of a lost answer that is kept, in bytes. A longer one counts as unheard.
const LOST_BODY: usize = 64 << 10;

/// What came of one attempt.
#[derive(Debug)]
pub struct Attempt {
    /// What the server answered, or why there is no answer.
    pub outcome: Result<Response, HttpError>,
    /// Earlier tries of the same request that may have been billed and brought nothing, oldest first, those of earlier processes included.
    pub lost: Vec<Lost>,
    /// Whether anything went out, now or when the recorded outcome came to be.
    pub went_out: bool,
    /// Whether the answer was lost and the next attempt may bring one.
    pub again: bool,
}

impl Attempt {
    pub(crate) fn of(outcome: Result<Response, HttpError>, lost: Vec<Lost>, went_out: bool, again: bool) -> Self {
        Self {
            outcome,
            lost,
            went_out,
            again,
        }
    }

    /// One in which nothing went out.
    pub(crate) fn failed(error: HttpError) -> Self {
        Self::of(Err(error), Vec::new(), false, false)
    }
}

/// A try that may have been billed and brought nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lost {
    /// The line broke, or there was no whole answer in time.
    Unheard,
    /// The answer could not be used; this was its body.
    Answer(String),
}

impl Lost {
    /// What a try of `request` with this outcome lost, if it may have been billed.
    pub(crate) fn of(request: &Request, outcome: &Result<Response, HttpError>) -> Option<Self> {
        match outcome {
            _ if !request.billed => None,
            Ok(said) if said.is_success() && request.is_broken(said.status, &said.body) => Some(Self::body(&said.body)),
            Err(
                HttpError::Unreachable { sent: true, .. } | HttpError::TimedOut { .. } | HttpError::TooLarge { .. },
            ) => Some(Self::Unheard),
            _ => None,
        }
    }

    fn body(body: &[u8]) -> Self {
        match body.len() <= LOST_BODY {
            true => Self::Answer(String::from_utf8_lossy(body).into_owned()),
            false => Self::Unheard,
        }
    }
}

/// Whether something went out in a try with this outcome.
pub(crate) fn went_out(outcome: &Result<Response, HttpError>) -> bool {
    !matches!(
        outcome,
        Err(HttpError::Unreachable { sent: false, .. }
            | HttpError::Resting { .. }
            | HttpError::GivenUp { .. }
            | HttpError::NotAllowed { .. }
            | HttpError::NotRecorded { .. }
            | HttpError::BadAddress { .. }
            | HttpError::BadHeader { .. }
            | HttpError::Body { .. })
    )
}

/// How a request has fared over all its tries so far.
#[derive(Debug, Default)]
pub struct Effort {
    /// When the first attempt began.
    pub(crate) start: Option<Instant>,
    /// Tries that failed.
    pub(crate) tries: u32,
    /// Times that the host asked to wait.
    pub(crate) put_off: u32,
    /// How long to wait before the next attempt.
    pub(crate) pause: Option<Duration>,
    /// Whether anything went out.
    pub(crate) went_out: bool,
    failing_since: Option<Instant>,
    last_failure: Option<Instant>,
    /// Failures after which the host answered others before this request failed again.
    blamed: u32,
}

impl Effort {
    /// Notes a failed try; `answered_since` says whether the host has answered a call begun after a moment.
    pub(crate) fn failed(&mut self, now: Instant, answered_since: impl FnOnce(Instant) -> bool) {
        self.tries += 1;
        self.failing_since.get_or_insert(now);
        if self.last_failure.is_some_and(answered_since) {
            self.blamed += 1;
        }
        self.last_failure = Some(now);
    }

    /// Whether no further try is worth it: the tries are used up, and the host is up for others or was waited for long enough.
    pub(crate) fn is_spent(&self, request: &Request, now: Instant, host_is_given_up: bool) -> bool {
        if request.outage.is_zero() {
            return self.tries >= request.tries;
        }
        let waited = self.failing_since.is_some_and(|since| now - since >= request.outage);
        let is_to_blame = self.blamed + 1 >= request.tries;
        host_is_given_up || self.tries >= request.tries && (is_to_blame || waited)
    }
}
