//! What every request must pass, and the headers of every response.

use std::collections::BTreeSet;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;

use crate::error::Problem;
use crate::inputs::MOST_BYTES;
use crate::metrics::Metrics;
use crate::pages;
use crate::request::LONGEST_TEXT;

/// Maximum size of a body other than an upload: two texts, and the escapes of JSON.
const LONGEST_BODY: u64 = 4 * LONGEST_TEXT as u64;
/// Size of an error's text that the framework writes.
const LONGEST_REASON: usize = 4_096;
/// Time for a body other than an upload.
const BODY: Duration = Duration::from_secs(30);

/// Scripts and styles only from this server, no frames, and no connection to anybody else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; \
    base-uri 'none'; frame-ancestors 'none'";
/// The same for a page that shows a report or a PDF of this server in a frame.
const POLICY_WITH_FRAME: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
    frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The hosts that a browser on this machine may use for the server. A page elsewhere can point its own host name at this machine; requests with that
/// name are refused, so it cannot read anything (DNS rebinding).
#[derive(Debug, Clone)]
pub(crate) struct Hosts(Arc<BTreeSet<String>>);

impl Hosts {
    /// The hosts of the address that the server listens on, and of the address that browsers use.
    pub(crate) fn of(address: SocketAddr, url: Option<&Uri>) -> Self {
        let port = address.port();
        let mut hosts = BTreeSet::from(["localhost".to_owned(), "127.0.0.1".to_owned(), "[::1]".to_owned()]);
        hosts.insert(match address.ip() {
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        });
        let with_port = hosts.iter().map(|host| format!("{host}:{port}"));
        let mut all: BTreeSet<String> = with_port.collect();
        if port == 80 {
            all.extend(hosts);
        }
        if let Some((url, host)) = url.and_then(|url| Some((url, url.host()?.to_ascii_lowercase()))) {
            let default = if url.scheme_str() == Some("https") { 443 } else { 80 };
            let port = url.port_u16().unwrap_or(default);
            all.insert(format!("{host}:{port}"));
            if port == default {
                // Browsers leave it out.
                all.insert(host);
            }
        }
        Self(Arc::new(all))
    }

    fn allow(&self, headers: &HeaderMap, uri: &Uri) -> bool {
        let mut named = headers.get_all(header::HOST).iter();
        let (Some(host), None) = (named.next(), named.next()) else {
            return false;
        };
        let is_own = |host: &str| self.0.contains(&host.to_ascii_lowercase());
        host.to_str().is_ok_and(is_own) && uri.authority().is_none_or(|authority| is_own(authority.as_str()))
    }
}

/// Refuses requests to other hosts.
pub(crate) async fn check_host(hosts: Hosts, request: Request, next: Next) -> Response {
    if hosts.allow(request.headers(), request.uri()) {
        return next.run(request).await;
    }
    Problem::new(
        StatusCode::MISDIRECTED_REQUEST,
        "refused",
        "the request is for another host",
    )
    .hint("open the address that the server printed, such as http://127.0.0.1:8787")
    .into_response()
}

/// Whether the handler reads the body itself, with its own limits.
fn is_upload(method: &Method, path: &str) -> bool {
    let to_corpus = |before: &str, after: &str| path.starts_with(before) && path.ends_with(after);
    method == Method::POST
        && (matches!(path, "/api/v1/inputs" | "/new" | "/verify" | "/new-corpus")
            || to_corpus("/api/v1/corpora/", "/files")
            || to_corpus("/corpora/", "/add"))
}

/// Reads a body whole before a handler sees it, with a limit in size and time.
pub(crate) async fn limit_body(request: Request, next: Next) -> Response {
    if is_upload(request.method(), request.uri().path()) {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    match tokio::time::timeout(BODY, whole(body)).await {
        Ok(Ok(bytes)) => next.run(Request::from_parts(parts, Body::from(bytes))).await,
        Ok(Err(problem)) => problem.into_response(),
        Err(_) => Problem::timeout("the body arrived too slowly").into_response(),
    }
}

/// A body of at most [`LONGEST_BODY`] bytes. The rest of a longer one is read too, because many clients see a response only after they have sent
/// everything.
async fn whole(body: Body) -> Result<Vec<u8>, Problem> {
    let (mut bytes, mut length) = (Vec::new(), 0_u64);
    let mut chunks = body.into_data_stream();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|error| Problem::usage(format!("failed to receive the body: {error}")))?;
        length += chunk.len() as u64;
        if length <= LONGEST_BODY {
            bytes.extend_from_slice(&chunk);
        } else if length > MOST_BYTES {
            break;
        }
    }
    match length > LONGEST_BODY {
        true => Err(Problem::too_large(format!(
            "the body has more than {LONGEST_BODY} bytes"
        ))),
        false => Ok(bytes),
    }
}

/// Lets a page show documents of this server in a frame.
pub(crate) fn with_frame(mut page: Response) -> Response {
    let policy = HeaderValue::from_static(POLICY_WITH_FRAME);
    page.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    page
}

/// Adds the headers that keep pages safe, counts the response, and turns an error of the framework into a problem or a page.
pub(crate) async fn finish(metrics: Arc<Metrics>, request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with("/api/");
    let mut response = next.run(request).await;
    let status = response.status();
    metrics.count(status.as_u16());
    if (status.is_client_error() || status.is_server_error()) && is_bare(&response) {
        response = explained(response, is_api).await;
    }
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    set(header::CONTENT_SECURITY_POLICY, POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "same-origin");
    set(header::CACHE_CONTROL, "no-store");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    response
}

/// Whether a response has no body, or plain text.
fn is_bare(response: &Response) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE);
    kind.is_none_or(|kind| kind.as_bytes().starts_with(b"text/plain"))
}

/// The same error as a problem or a page.
async fn explained(response: Response, is_api: bool) -> Response {
    let status = response.status();
    let kind = match status {
        StatusCode::NOT_FOUND => "not_found",
        StatusCode::FORBIDDEN => "refused",
        _ => "usage",
    };
    let allow = response.headers().get(header::ALLOW).cloned();
    let text = to_bytes(response.into_body(), LONGEST_REASON).await.unwrap_or_default();
    let reason = match text.is_empty() {
        true => status.canonical_reason().unwrap_or("error").to_lowercase(),
        false => String::from_utf8_lossy(&text).into_owned(),
    };
    let problem = Problem::new(status, kind, reason);
    let mut response = match is_api {
        true => problem.into_response(),
        false => pages::problem(&problem),
    };
    if let Some(allow) = allow {
        response.headers_mut().insert(header::ALLOW, allow);
    }
    response
}

/// The answer to a request that another site made in a browser.
pub(crate) fn cross_site() -> Response {
    Problem::new(StatusCode::FORBIDDEN, "refused", "the request comes from another site").into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(bind: &str, hosts: &[&str], uri: &str) -> bool {
        let mut headers = HeaderMap::new();
        for host in hosts {
            headers.append(header::HOST, HeaderValue::from_str(host).unwrap());
        }
        Hosts::of(bind.parse().unwrap(), None).allow(&headers, &uri.parse().unwrap())
    }

    #[test]
    fn only_names_of_this_machine_with_the_port_are_allowed() {
        for host in ["127.0.0.1:8787", "localhost:8787", "LOCALHOST:8787", "[::1]:8787"] {
            assert!(allows("127.0.0.1:8787", &[host], "/"), "{host}");
        }
        for host in [
            "evil.example:8787",
            "localhost",
            "localhost:80",
            "127.0.0.1.evil.example:8787",
            "localhost:8787.evil.example",
            "",
            "evil@localhost:8787",
        ] {
            assert!(!allows("127.0.0.1:8787", &[host], "/"), "{host}");
        }
        assert!(!allows("127.0.0.1:8787", &[], "/"));
        assert!(!allows("127.0.0.1:8787", &["localhost:8787", "evil.example"], "/"));
        assert!(!allows("127.0.0.1:8787", &["localhost:8787"], "http://evil.example/"));
        assert!(allows("127.0.0.2:80", &["127.0.0.2"], "/"));
    }

    #[test]
    fn the_address_of_the_server_is_allowed_too() {
        for url in ["https://Review.example.org", "https://review.example.org:443"] {
            let url: Uri = url.parse().unwrap();
            let hosts = Hosts::of("0.0.0.0:8787".parse().unwrap(), Some(&url));
            for (host, expected) in [
                ("review.example.org:443", true),
                ("review.example.org", true),
                ("evil.example", false),
                ("review.example.org:81", false),
            ] {
                let headers = HeaderMap::from_iter([(header::HOST, HeaderValue::from_static(host))]);
                assert_eq!(hosts.allow(&headers, &Uri::from_static("/")), expected, "{host}");
            }
        }
    }
}
