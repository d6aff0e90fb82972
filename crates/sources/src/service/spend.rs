//! Record of what was sent to a service.

use std::collections::{BTreeMap, BTreeSet};

use precedent_domain::{QueryContent, SentContent, SentRecord};
use precedent_http::{HttpError, Request, Response};

use super::Ability;

/// What a request of this kind sends.
pub(super) fn sends(ability: Ability) -> QueryContent {
    match ability {
        Ability::Passages => QueryContent::Text,
        Ability::Titled => QueryContent::Title,
        Ability::Recommended | Ability::Citing | Ability::References | Ability::LookUp => QueryContent::Names,
    }
}

/// The requests sent so far.
#[derive(Debug, Default)]
pub(super) struct SpendTracker {
    /// The kind of each request, and the bytes of its address and body.
    sent: BTreeMap<(String, Vec<u8>), (QueryContent, u64)>,
    /// Requests that earlier runs on this machine sent, whose answers were used.
    cached: BTreeSet<(String, Vec<u8>)>,
    /// Whether any answer was received.
    answered: bool,
}

impl SpendTracker {
    /// Records what was sent. Requests that were not sent do not count. Recorded ones were sent once, in an earlier run.
    pub(super) fn note(&mut self, request: &Request, sending: QueryContent, outcome: &Result<Response, HttpError>) {
        let went_out = !matches!(
            outcome,
            Err(HttpError::GivenUp { .. }
                | HttpError::NotAllowed { .. }
                | HttpError::TlsFailed { .. }
                | HttpError::NotRecorded { .. }
                | HttpError::Resting { .. }
                | HttpError::BadAddress { .. }
                | HttpError::BadHeader { .. })
        );
        if !went_out {
            return;
        }
        let bytes = (request.address().len() + request.body().len()) as u64;
        let question = (request.asked(), request.body().to_vec());
        if outcome.as_ref().is_ok_and(Response::is_from_cache) {
            self.cached.insert(question);
            self.answered = true;
            return;
        }
        self.sent.insert(question, (sending, bytes));
        self.answered |= outcome.is_ok();
    }

    /// What was sent to `service` at `host`, for a report; `None` if nothing was.
    pub(super) fn record(&self, host: &str, service: &str) -> Option<SentRecord> {
        if self.sent.is_empty() && self.cached.is_empty() {
            return None;
        }
        let mut kinds: BTreeMap<QueryContent, u64> = BTreeMap::new();
        for (sending, bytes) in self.sent.values() {
            *kinds.entry(*sending).or_default() += bytes;
        }
        Some(SentRecord {
            host: host.to_owned(),
            what: String::new(),
            requests: self.sent.len(),
            bytes: kinds.values().sum(),
            content: Some(SentContent::Queries {
                service: service.to_owned(),
                kinds,
                answered: self.answered,
                cached: self.cached.len(),
            }),
        })
    }
}
