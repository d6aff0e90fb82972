//! Record of what was sent to a service.

use std::collections::BTreeMap;

use precedent_domain::SentRecord;
use precedent_http::{HttpError, Request, Response};

use super::Ability;

/// The content of a request, taken from the user's text or from works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sending {
    /// The words of a short query.
    Query,
    /// Key words of a text, for a search by meaning.
    Text,
    /// The words of a title.
    Title,
    /// Names of works.
    Names,
}

impl Sending {
    fn in_words(self) -> &'static str {
        match self {
            Self::Query => "the words of queries",
            Self::Text => "key words of a text",
            Self::Title => "titles of works",
            Self::Names => "names of works",
        }
    }
}

impl From<Ability> for Sending {
    fn from(ability: Ability) -> Self {
        match ability {
            Ability::Passages => Self::Text,
            Ability::Titled => Self::Title,
            Ability::Recommended | Ability::Citing | Ability::References | Ability::LookUp => Self::Names,
        }
    }
}

/// The requests sent so far.
#[derive(Debug, Default)]
pub(super) struct SpendTracker {
    /// The kind of each request, and the bytes of its address and body.
    sent: BTreeMap<(String, Vec<u8>), (Sending, u64)>,
    /// Whether any answer was received.
    answered: bool,
}

impl SpendTracker {
    /// Records what was sent. Requests that were not sent do not count. Recorded ones were sent once, in an earlier run.
    pub(super) fn note(&mut self, request: &Request, sending: Sending, outcome: &Result<Response, HttpError>) {
        let went_out = !matches!(
            outcome,
            Err(HttpError::GivenUp { .. }
                | HttpError::NotAllowed { .. }
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
        self.sent.insert(question, (sending, bytes));
        self.answered |= outcome.is_ok();
    }

    /// What was sent to `service` at `host`, for a report; `None` if nothing was.
    pub(super) fn record(&self, host: &str, service: &str) -> Option<SentRecord> {
        if self.sent.is_empty() {
            return None;
        }
        let mut kinds: BTreeMap<Sending, u64> = BTreeMap::new();
        for (sending, bytes) in self.sent.values() {
            *kinds.entry(*sending).or_default() += bytes;
        }
        let parts: Vec<String> = kinds
            .iter()
            .map(|(sending, bytes)| format!("{}, {bytes} bytes", sending.in_words()))
            .collect();
        Some(SentRecord {
            host: host.to_owned(),
            what: match self.answered {
                true => format!("{}, to search {service}", parts.join("; ")),
                false => format!("{}, to search {service}; none was answered", parts.join("; ")),
            },
            requests: self.sent.len(),
            bytes: kinds.values().sum(),
        })
    }
}
