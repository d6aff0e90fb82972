use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use crate::{HttpError, Request, Response};

/// Maximum size in bytes of a stored body of a lost answer. A longer one counts as unheard.
const LOST_BODY: usize = 64 << 10;

/// The result of one attempt.
#[derive(Debug)]
pub struct Attempt {
    /// The server's response, or why there is none.
    pub outcome: Result<Response, HttpError>,
    /// Earlier tries of the same request that may have been billed but brought nothing, oldest first, including those of earlier processes.
    pub lost: Vec<Lost>,
    /// Whether another process may have sent the request and ended without recording an answer. It is not part of the record, because the same run would
    /// otherwise depend on it.
    pub took_over: bool,
    /// Whether anything was sent, now or when the recorded outcome was created.
    pub went_out: bool,
    /// Whether the answer was lost and the next attempt may bring one.
    pub again: bool,
    /// Whether the output limit of the request was lowered, now or when the recorded answer was created.
    pub is_limited: bool,
}

impl Attempt {
    pub(crate) fn of(outcome: Result<Response, HttpError>, lost: Vec<Lost>, went_out: bool, again: bool) -> Self {
        Self {
            outcome,
            lost,
            took_over: false,
            went_out,
            again,
            is_limited: false,
        }
    }

    /// A failed attempt in which nothing was sent.
    pub(crate) fn failed(error: HttpError) -> Self {
        Self::of(Err(error), Vec::new(), false, false)
    }
}

/// A try that may have been billed but brought nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lost {
    /// The connection broke, or there was no complete answer in time.
    Unheard,
    /// The answer was unusable; this was its body.
    Answer(String),
}

impl Lost {
    /// What a try of `request` with this outcome lost, if it may have been billed.
    pub(crate) fn of(request: &Request, outcome: &Result<Response, HttpError>) -> Option<Self> {
        match outcome {
            _ if !request.billed => None,
            Ok(response) if response.is_success() && request.is_broken(response.status, &response.body) => {
                Some(Self::body(&response.body))
            }
            Err(
                HttpError::Unreachable { sent: true, .. } | HttpError::TimedOut { .. } | HttpError::TooLarge { .. },
            ) => Some(Self::Unheard),
            _ => None,
        }
    }

    /// What was lost if an outcome is not used.
    pub(crate) fn of_discarded(request: &Request, outcome: &Result<Response, HttpError>) -> Option<Self> {
        match outcome {
            Ok(response) if request.billed && response.is_success() => Some(Self::body(&response.body)),
            _ => Self::of(request, outcome),
        }
    }

    fn body(body: &[u8]) -> Self {
        match body.len() <= LOST_BODY {
            true => Self::Answer(String::from_utf8_lossy(body).into_owned()),
            false => Self::Unheard,
        }
    }
}

/// Whether a try with this outcome sent anything.
pub(crate) fn went_out(outcome: &Result<Response, HttpError>) -> bool {
    !matches!(
        outcome,
        Err(HttpError::Unreachable { sent: false, .. }
            | HttpError::Resting { .. }
            | HttpError::GivenUp { .. }
            | HttpError::NotAllowed { .. }
            | HttpError::TlsFailed { .. }
            | HttpError::NotRecorded { .. }
            | HttpError::BadAddress { .. }
            | HttpError::BadHeader { .. }
            | HttpError::Body { .. })
    )
}

/// The state of a request over all its tries so far.
#[derive(Debug, Default)]
pub struct Effort {
    /// When the first attempt started.
    pub(crate) start: Option<Instant>,
    /// Failed tries.
    pub(crate) tries: u32,
    /// Number of times the host asked to wait.
    pub(crate) put_off: u32,
    /// How long to wait before the next attempt.
    pub(crate) pause: Option<Duration>,
    /// Whether anything was sent.
    pub(crate) went_out: bool,
    /// Tries so far.
    pub(crate) sent: u32,
    failing_since: Option<Instant>,
    last_failure: Option<Instant>,
    /// Failed tries since which the host answered other requests.
    blamed: u32,
}

impl Effort {
    /// Number of tries after the first one.
    #[must_use]
    pub fn retries(&self) -> u32 {
        self.sent.saturating_sub(1)
    }

    /// Records a failed try; `answered_since` says whether the host has answered a call started after a given time.
    pub(crate) fn failed(&mut self, now: Instant, answered_since: impl FnOnce(Instant) -> bool) {
        self.tries += 1;
        self.failing_since.get_or_insert(now);
        if self.last_failure.is_some_and(answered_since) {
            self.blamed += 1;
        }
        self.last_failure = Some(now);
    }

    /// Whether no further try makes sense: the tries are used up, and the host either answers other requests or was waited for long enough.
    pub(crate) fn is_spent(&self, request: &Request, now: Instant, host_is_given_up: bool) -> bool {
        if request.outage.is_zero() {
            return self.tries >= request.tries;
        }
        let waited = self.failing_since.is_some_and(|since| now - since >= request.outage);
        let is_to_blame = self.blamed + 1 >= request.tries;
        host_is_given_up || self.tries >= request.tries && (is_to_blame || waited)
    }
}
