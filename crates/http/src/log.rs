//! Log events of requests: method, host, path, status and time. A header, a query string or a body never appears in them, because these can contain
//! keys and words of a manuscript. A secret in the path of a URL does appear.

use std::time::Duration;

use reqwest::Url;

use crate::clients::{Hop, ReceivedBody};
use crate::{HttpError, Request, Response};

/// Maximum number of characters of a path.
const PATH: usize = 200;

/// Logs one exchange with a server.
pub(crate) fn exchanged(hop: &Hop, outcome: &Result<ReceivedBody, HttpError>, took: Duration) {
    let result = outcome.as_ref().map(|received| received.status);
    match result {
        Ok(status) => tracing::info!(
            target: "precedent::http",
            method = hop.method.name(),
            host = %host(&hop.url),
            path = %path(&hop.url),
            status,
            ms = millis(took),
            cache_hit = false,
            "request"
        ),
        Err(error) => tracing::info!(
            target: "precedent::http",
            method = hop.method.name(),
            host = %host(&hop.url),
            path = %path(&hop.url),
            error = kind(error),
            ms = millis(took),
            cache_hit = false,
            "request"
        ),
    }
}

/// Logs a request that a recorded answer made unnecessary.
pub(crate) fn recorded(request: &Request, outcome: &Result<Response, HttpError>) {
    let status = outcome.as_ref().map(|response| response.status);
    tracing::debug!(
        target: "precedent::http",
        method = request.method.name(),
        host = %host(&request.url),
        path = %path(&request.url),
        status = status.ok(),
        ms = 0,
        cache_hit = true,
        "request"
    );
}

/// Logs a wait before the next try.
pub(crate) fn retrying(request: &Request, wait: Duration) {
    tracing::debug!(
        target: "precedent::http",
        method = request.method.name(),
        host = %host(&request.url),
        path = %path(&request.url),
        wait_ms = millis(wait),
        "retry"
    );
}

/// Host and port, without a user name or password.
fn host(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

/// The path, percent-encoded and truncated.
fn path(url: &Url) -> String {
    url.path().chars().take(PATH).collect()
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// The kind of an error. Its message is not logged, because it can quote an address.
fn kind(error: &HttpError) -> &'static str {
    match error {
        HttpError::Unreachable { .. } => "unreachable",
        HttpError::TlsFailed { .. } => "no secure connection",
        HttpError::TimedOut { .. } => "timeout",
        HttpError::TooLarge { .. } => "response too large",
        HttpError::NotAllowed { .. } => "host not allowed",
        HttpError::BadHeader { .. } => "invalid header",
        _ => "failed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logged_address_has_no_query_password_or_fragment() {
        let url = Url::parse("https://me:secret@models.lab:8443/v1/search%20it?key=secret&q=rope#secret").unwrap();
        assert_eq!(
            (host(&url).as_str(), path(&url).as_str()),
            ("models.lab:8443", "/v1/search%20it")
        );
        let long = Url::parse(&format!("https://models.lab/{}", "a".repeat(500))).unwrap();
        assert_eq!(path(&long).len(), PATH);
    }
}
