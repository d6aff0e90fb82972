use std::time::Duration;

use precedent_ledger::Answer;
use serde::{Deserialize, Serialize};

use crate::retry;

/// Headers that are kept; the rest (cookies, traces) would only make two same answers differ.
const KEPT: &[&str] = &["content-type", "date", "etag", "last-modified", "link", "retry-after"];
/// Beginnings of the names of headers that say how much one may still ask.
const KEPT_STARTS: &[&str] = &[
    "x-ratelimit",
    "x-rate-limit",
    "ratelimit",
    "x-concurrency-limit",
    "anthropic-ratelimit",
    "x-api-pool",
];

/// What a server said, whatever its status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The headers that are kept, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body, decompressed, whole, with the asker's own secrets taken out.
    pub body: Vec<u8>,
    /// Where it stood in the end, after redirects.
    pub address: String,
    /// Whether it was on record and nothing was sent.
    pub recorded: bool,
}

impl Response {
    /// Whether the status is one of success.
    #[must_use]
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The first header of this name, given in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    /// How long the server asks clients to wait, from `Retry-After`.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        retry::asked_to_wait(&self.headers)
    }

    /// The type of the body without its parameters, in lower case, such as `application/pdf`.
    #[must_use]
    pub fn content_type(&self) -> Option<String> {
        let value = self.header("content-type")?;
        Some(value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase())
    }

    /// The body as text; bytes that are no UTF-8 become replacement characters.
    #[must_use]
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.body)
    }
}

/// What is kept of a header list.
pub(crate) fn kept_headers<'a>(headers: impl Iterator<Item = (&'a str, &'a [u8])>) -> Vec<(String, String)> {
    headers
        .filter(|(name, _)| KEPT.contains(name) || KEPT_STARTS.iter().any(|start| name.starts_with(start)))
        .map(|(name, value)| (name.to_owned(), String::from_utf8_lossy(value).into_owned()))
        .collect()
}

/// What is kept of an answer besides status and body.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    headers: Vec<(String, String)>,
    address: String,
}

pub(crate) fn to_answer(response: &Response, asked: String, settled: bool) -> Result<Answer, serde_json::Error> {
    let head = Head {
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

pub(crate) fn from_answer(answer: Answer) -> Option<Response> {
    let head: Head = serde_json::from_str(&answer.head).ok()?;
    Some(Response {
        status: answer.status,
        headers: head.headers,
        body: answer.body,
        address: head.address,
        recorded: true,
    })
}
