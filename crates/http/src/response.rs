use std::time::Duration;

use precedent_ledger::Answer;
use serde::{Deserialize, Serialize};

use crate::requested_wait::requested_wait;

/// Headers to store. The rest (cookies, traces) would only make equal answers differ.
const KEPT: &[&str] = &[
    "content-type",
    "date",
    "etag",
    "last-modified",
    "link",
    "retry-after",
    "retry-after-ms",
];
/// Name prefixes of rate-limit headers.
const KEPT_STARTS: &[&str] = &[
    "x-ratelimit",
    "x-rate-limit",
    "ratelimit",
    "x-concurrency-limit",
    "anthropic-ratelimit",
    "x-api-pool",
];

/// The header of an answer that an earlier run on this machine received. No server can send it, because it is not among those kept.
const FROM_CACHE: &str = "x-from-cache";

/// A server's response, with any status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The stored headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The complete body, decompressed, with the request's own secrets removed.
    pub body: Vec<u8>,
    /// The final address, after redirects.
    pub address: String,
    /// Whether it was recorded and nothing was sent.
    pub recorded: bool,
}

impl Response {
    /// Whether the status means success.
    #[must_use]
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The first header with this name, given in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    /// Whether an earlier run on this machine received it, so that this run sent nothing for it.
    #[must_use]
    pub fn is_from_cache(&self) -> bool {
        self.header(FROM_CACHE).is_some()
    }

    pub(crate) fn into_cached(mut self, address: &str) -> Self {
        address.clone_into(&mut self.address);
        self.headers.push((FROM_CACHE.to_owned(), "1".to_owned()));
        self
    }

    /// How long the server asks clients to wait, in its headers or the body of an error.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        requested_wait(&self.headers, &self.body)
    }

    /// The type of the body without its parameters, in lower case, such as `application/pdf`.
    #[must_use]
    pub fn content_type(&self) -> Option<String> {
        let value = self.header("content-type")?;
        Some(value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase())
    }

    /// The body as text; invalid UTF-8 becomes replacement characters.
    #[must_use]
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.body)
    }
}

/// The headers to store.
pub(crate) fn kept_headers<'a>(headers: impl Iterator<Item = (&'a str, &'a [u8])>) -> Vec<(String, String)> {
    headers
        .filter(|(name, _)| KEPT.contains(name) || KEPT_STARTS.iter().any(|start| name.starts_with(start)))
        .map(|(name, value)| (name.to_owned(), String::from_utf8_lossy(value).into_owned()))
        .collect()
}

/// What is stored of an answer besides status and body.
#[derive(Debug, Serialize, Deserialize)]
struct StoredHead {
    headers: Vec<(String, String)>,
    address: String,
}

pub(crate) fn to_answer(response: &Response, asked: String, settled: bool) -> Result<Answer, serde_json::Error> {
    let head = StoredHead {
        headers: response.headers.clone(),
        address: response.address.clone(),
    };
    Ok(Answer {
        asked,
        status: response.status,
        head: serde_json::to_string(&head)?,
        body: response.body.clone(),
        settled,
    })
}

/// The answer without its address, which contains the words of the request.
pub(crate) fn without_address(answer: &Answer) -> Answer {
    let head: Result<StoredHead, _> = serde_json::from_str(&answer.head);
    let head = head.and_then(|head| {
        serde_json::to_string(&StoredHead {
            address: String::new(),
            ..head
        })
    });
    Answer {
        head: head.unwrap_or_default(),
        ..answer.clone()
    }
}

pub(crate) fn from_answer(answer: Answer) -> Option<Response> {
    let head: StoredHead = serde_json::from_str(&answer.head).ok()?;
    Some(Response {
        status: answer.status,
        headers: head.headers,
        body: answer.body,
        address: head.address,
        recorded: true,
    })
}
