use std::collections::BTreeMap;
use std::time::Duration;

use precedent_ledger::InputHash;
use reqwest::Url;
use serde::Serialize;
use serde_json::Value;

use crate::classify::{AbortCheck, Billing, Last, Settled};
use crate::key::key;
use crate::{HttpError, Origin, Pace, Response, Secret, retry};

/// The two supported methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Requests the content of an address.
    Get,
    /// Sends a body.
    Post,
}

impl Method {
    /// The name in an HTTP request.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
        }
    }
}

/// A request to a server.
///
/// Its key in the record consists of the method, the address, the plain headers and the body, never a secret.
#[derive(Debug, Clone)]
pub struct Request {
    pub(crate) who: String,
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) secret_headers: Vec<(String, String, Secret)>,
    pub(crate) secret_parameters: Vec<(String, Secret)>,
    pub(crate) body: Vec<u8>,
    /// Sent instead of the body, but not part of the key.
    pub(crate) sent_body: Option<Vec<u8>>,
    /// Fields of a JSON body that is built when the request is sent.
    pub(crate) secret_body: Vec<(String, Secret)>,
    /// Whether the answer is recorded.
    pub(crate) is_kept: bool,
    /// Whether an answer of an earlier run on this machine may be used, and later runs may use this one.
    pub(crate) is_shared: bool,
    pub(crate) origin: Origin,
    pub(crate) pace: Pace,
    /// Names the requests that share rate limits of the host. Those of other groups go on if these are given up.
    pub(crate) limit_group: String,
    pub(crate) limit: u64,
    pub(crate) timeout: Duration,
    pub(crate) patience: Duration,
    pub(crate) tries: u32,
    pub(crate) settled: Settled,
    pub(crate) fruitless: Settled,
    pub(crate) passing: Settled,
    pub(crate) broken: Settled,
    pub(crate) outage: Duration,
    pub(crate) billed: bool,
    pub(crate) bill: Billing,
    /// Whether a redirect to another host is an error.
    pub(crate) stays: bool,
    pub(crate) last: Last,
    pub(crate) unless: AbortCheck,
    pub(crate) within: Option<Duration>,
}

/// The host of an address, with its port unless that is the usual one.
pub(crate) fn server(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

impl Request {
    /// Creates a GET request to `address`; `who` names the part of the program in the record of what was sent.
    ///
    /// # Errors
    /// Returns an error if the address is invalid.
    pub fn get(who: &str, address: &str) -> Result<Self, HttpError> {
        let url = Url::parse(address).map_err(|_| HttpError::BadAddress {
            address: address.chars().take(200).collect(),
        })?;
        Ok(Self {
            who: who.to_owned(),
            method: Method::Get,
            url,
            headers: Vec::new(),
            secret_headers: Vec::new(),
            secret_parameters: Vec::new(),
            body: Vec::new(),
            sent_body: None,
            secret_body: Vec::new(),
            is_kept: true,
            is_shared: false,
            origin: Origin::Configured,
            pace: Pace::default(),
            limit: 32 << 20,
            timeout: Duration::from_secs(60),
            patience: Duration::from_secs(600),
            tries: 4,
            settled: Settled::new(|_, _| false),
            fruitless: Settled::new(|_, _| false),
            passing: Settled::new(|_, _| false),
            broken: Settled::new(|_, _| false),
            outage: Duration::ZERO,
            limit_group: String::new(),
            billed: false,
            bill: Billing::new(|_| None),
            stays: false,
            last: Last::new(|_| None),
            unless: AbortCheck::new(|| None),
            within: None,
        })
    }

    /// Creates a POST request to `address` with `question` as JSON.
    ///
    /// # Errors
    /// Returns an error if the address is invalid or the body cannot be serialized.
    pub fn post_json(who: &str, address: &str, question: &impl Serialize) -> Result<Self, HttpError> {
        let mut request = Self::get(who, address)?;
        request.method = Method::Post;
        request.body = serde_json::to_vec(question).map_err(|source| HttpError::Body {
            host: request.host().to_owned(),
            source,
        })?;
        Ok(request.header("content-type", "application/json"))
    }

    /// Creates a POST request to `address` with a body of this type.
    ///
    /// # Errors
    /// Returns an error if the address is invalid.
    pub fn post_bytes(who: &str, address: &str, content_type: &str, body: Vec<u8>) -> Result<Self, HttpError> {
        let mut request = Self::get(who, address)?;
        request.method = Method::Post;
        request.body = body;
        Ok(request.header("content-type", content_type))
    }

    /// Creates a POST request with secrets as the fields of a JSON object, for example to log in. Neither they nor the answer are ever recorded, only
    /// that something was sent. In replay nothing is sent.
    ///
    /// # Errors
    /// Returns an error if the address is invalid.
    pub fn post_secrets(who: &str, address: &str, fields: Vec<(&str, Secret)>) -> Result<Self, HttpError> {
        let mut request = Self::get(who, address)?;
        request.method = Method::Post;
        request.secret_body = fields
            .into_iter()
            .map(|(name, secret)| (name.to_owned(), secret))
            .collect();
        request.is_kept = false;
        Ok(request.header("content-type", "application/json"))
    }

    /// Adds a parameter to the address, escaped so that it cannot become part of another.
    #[must_use]
    pub fn parameter(mut self, name: &str, value: &str) -> Self {
        self.url.query_pairs_mut().append_pair(name, value);
        self
    }

    /// Adds a header without a secret.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_ascii_lowercase(), value.to_owned()));
        self
    }

    /// Adds a header with a key after `prefix`, such as `Bearer `. It is only sent to the requested host.
    #[must_use]
    pub fn secret_header(mut self, name: &str, prefix: &str, secret: Secret) -> Self {
        self.secret_headers
            .push((name.to_ascii_lowercase(), prefix.to_owned(), secret));
        self
    }

    /// Adds a key to the address, for services that accept it nowhere else.
    #[must_use]
    pub fn secret_parameter(mut self, name: &str, secret: Secret) -> Self {
        self.secret_parameters.push((name.to_owned(), secret));
        self
    }

    /// Allows the client to use an answer that an earlier run on this machine received, if it has [shared answers](crate::SharedAnswers). Not for
    /// requests whose answer depends on a secret.
    #[must_use]
    pub fn shared(mut self) -> Self {
        self.is_shared = true;
        self
    }

    /// Marks the address as chosen by a third party: it must lead to the public internet at every hop.
    #[must_use]
    pub fn found(mut self) -> Self {
        self.origin = Origin::Found;
        self
    }

    /// Does not record the answer, because the next one may be another: the status of a batch. That something was sent is recorded.
    #[must_use]
    pub fn unrecorded(mut self) -> Self {
        self.is_kept = false;
        self
    }

    /// Sets the rate limit of this host.
    #[must_use]
    pub fn pace(mut self, pace: Pace) -> Self {
        self.pace = pace;
        self
    }

    /// Names the requests that share rate limits of the host, such as those to one model. If the host asks them for a longer wait than a request has
    /// patience, no more of them are sent; those of other groups are.
    #[must_use]
    pub fn limit_group(mut self, group: &str) -> Self {
        group.clone_into(&mut self.limit_group);
        self
    }

    /// Sets the maximum size of the answer, in bytes after decompression. Default: 32 MiB.
    #[must_use]
    pub fn at_most(mut self, bytes: u64) -> Self {
        self.limit = bytes;
        self
    }

    /// Sets the time limit of one try, from the first byte sent to the last byte received. Default: 60 s.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets the time limit of all tries together, including waits requested by the server. Default: 10 minutes.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Sets the number of tries, at least 1. A requested wait does not use one up. Default: 4.
    #[must_use]
    pub fn tries(mut self, tries: u32) -> Self {
        self.tries = tries.max(1);
        self
    }

    /// Recognises answers (status, body) that look temporary but are not, such as "no credit" with the status of "too many requests".
    #[must_use]
    pub fn settled_when(mut self, settled: impl Fn(u16, &[u8]) -> bool + Send + Sync + 'static) -> Self {
        self.settled = Settled::new(settled);
        self
    }

    /// Recognises answers (status, body) after which a retry in this run is useless, but which are not final either: a wrong key, an allowance used
    /// up until tomorrow, a response of the wrong type. They are returned at once, and a later run requests them again.
    #[must_use]
    pub fn fruitless_when(mut self, fruitless: impl Fn(u16, &[u8]) -> bool + Send + Sync + 'static) -> Self {
        self.fruitless = Settled::new(fruitless);
        self
    }

    /// Sends the body of `other` under the key of this request. For a body that differs only in a limit: the caller must not take an answer that
    /// reached the limit for the answer to this request, so `cut` recognises it, and it is never stored as final.
    #[must_use]
    pub fn sending(mut self, other: &Self, cut: impl Fn(u16, &[u8]) -> bool + Send + Sync + 'static) -> Self {
        self.sent_body = Some(other.body.clone());
        let fruitless = self.fruitless.clone();
        self.fruitless_when(move |status, body| cut(status, body) || fruitless.check(status, body))
    }

    /// Recognises answers (status, body) that mean "too many requests" despite another status, such as a 403 with those words. The client waits and
    /// retries, and never stores them as final.
    #[must_use]
    pub fn passing_when(mut self, passing: impl Fn(u16, &[u8]) -> bool + Send + Sync + 'static) -> Self {
        self.passing = Settled::new(passing);
        self
    }

    /// Recognises answers (status, body) that are failures despite a success status, such as a truncated body. They are retried like failures and
    /// never stored as final.
    #[must_use]
    pub fn broken_when(mut self, broken: impl Fn(u16, &[u8]) -> bool + Send + Sync + 'static) -> Self {
        self.broken = Settled::new(broken);
        self
    }

    /// Sets how long to wait for the host while it is down, beyond the number of tries. Without it, a request to a host that is down fails at once.
    #[must_use]
    pub fn outage(mut self, longest: Duration) -> Self {
        self.outage = longest;
        self
    }

    /// Marks each try as possibly billed. A try whose answer is lost ends the attempt, so that the caller can account for it before the next one.
    #[must_use]
    pub fn billed(mut self) -> Self {
        self.billed = true;
        self
    }

    /// Records the bill of each try together with its outcome. [`HttpGateway::bills`](crate::HttpGateway::bills) returns all of a record, so that a later
    /// process knows what the earlier ones paid.
    #[must_use]
    pub fn with_bill(
        mut self,
        bill: impl Fn(&Result<Response, HttpError>) -> Option<Value> + Send + Sync + 'static,
    ) -> Self {
        self.bill = Billing::new(bill);
        self
    }

    pub(crate) fn bill(&self, outcome: &Result<Response, HttpError>) -> Option<Value> {
        self.bill.of(outcome)
    }

    /// Accepts the answer only from this host: a redirect to another one is an error.
    #[must_use]
    pub fn from_this_host(mut self) -> Self {
        self.stays = true;
        self
    }

    /// Ends all requests to the host in this run if the closure returns a reason: a wrong key, a used-up allowance, a pause that is too long. The
    /// reason is set before the next request in the queue is sent. Recorded answers are still returned.
    #[must_use]
    pub fn last_when(mut self, last: impl Fn(&Response) -> Option<String> + Send + Sync + 'static) -> Self {
        self.last = Last::new(last);
        self
    }

    /// Called right before each try is sent, in its turn. A reason ends all requests to the host in this run. Paid requests are counted here.
    #[must_use]
    pub fn unless(mut self, unless: impl Fn() -> Option<String> + Send + Sync + 'static) -> Self {
        self.unless = AbortCheck::new(unless);
        self
    }

    /// Sets the time limit of everything together: waiting for a turn at the host, all tries and all waits. Without it, only tries and waits are
    /// limited.
    #[must_use]
    pub fn within(mut self, whole: Duration) -> Self {
        self.within = Some(whole);
        self
    }

    /// The requested host.
    #[must_use]
    pub fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    /// The same with its port, unless that is the usual one: several servers of a machine differ only in it.
    pub(crate) fn server(&self) -> String {
        server(&self.url)
    }

    /// The request for people and the record, without secrets.
    #[must_use]
    pub fn asked(&self) -> String {
        format!("{} {}", self.method.name(), self.url)
    }

    /// The address, without secrets.
    #[must_use]
    pub fn address(&self) -> &str {
        self.url.as_str()
    }

    /// Whether [`Request::sending`] replaced the body by one with a lower limit. The key still belongs to the original body.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        self.sent_body.is_some()
    }

    /// The body as it is sent, without the fields of secrets.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        self.sent_body.as_ref().unwrap_or(&self.body)
    }

    /// The body as it is sent.
    pub(crate) fn whole_body(&self) -> Vec<u8> {
        if self.secret_body.is_empty() {
            return self.body().to_vec();
        }
        let fields = self.secret_body.iter();
        let object: BTreeMap<&str, &str> = fields.map(|(name, secret)| (name.as_str(), secret.reveal())).collect();
        serde_json::to_vec(&object).unwrap_or_default()
    }

    /// Whether an answer ends the tries.
    pub(crate) fn is_final(&self, status: u16, body: &[u8]) -> bool {
        let passes = self.passes(status, body) || self.is_broken(status, body);
        // A damaged body is fruitless too, but another try may bring a complete one.
        let is_fruitless = self.fruitless.check(status, body) && !self.is_broken(status, body);
        !passes || self.settled.check(status, body) || is_fruitless
    }

    /// Whether an answer with a success status is a failure, and not just a request to wait.
    pub(crate) fn is_broken(&self, status: u16, body: &[u8]) -> bool {
        self.broken.check(status, body) && !self.passing.check(status, body)
    }

    /// The key in the record: everything that may change the answer, and no secret.
    #[must_use]
    pub fn key(&self) -> InputHash {
        key(self)
    }

    /// Whether an answer may be stored as final.
    #[must_use]
    pub fn is_settled(&self, status: u16, body: &[u8]) -> bool {
        !self.fruitless.check(status, body) && self.is_final(status, body)
    }

    /// Whether an answer is temporary.
    pub(crate) fn passes(&self, status: u16, body: &[u8]) -> bool {
        retry::is_passing(status) || self.passing.check(status, body)
    }

    /// The headers without secrets, names in lower case.
    #[must_use]
    pub fn headers(&self) -> &[(String, String)] {
        &self.headers
    }

    /// The names of the headers with a secret, in lower case.
    pub fn secret_header_names(&self) -> impl Iterator<Item = &str> {
        self.secret_headers.iter().map(|(name, ..)| name.as_str())
    }

    /// `bytes` without this request's secrets.
    pub(crate) fn scrub(&self, bytes: Vec<u8>) -> Vec<u8> {
        let headers = self.secret_headers.iter().map(|(_, _, secret)| secret);
        let parameters = self.secret_parameters.iter().map(|(_, secret)| secret);
        headers
            .chain(parameters)
            .chain(self.secret_body.iter().map(|(_, secret)| secret))
            .fold(bytes, |bytes, secret| secret.scrub(bytes))
    }

    /// `text` without this request's secrets.
    pub(crate) fn scrubbed(&self, text: &str) -> String {
        String::from_utf8_lossy(&self.scrub(text.as_bytes().to_vec())).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_stays_one_parameter_and_a_secret_is_never_shown() {
        let request = Request::get("test", "https://example.org/works?select=id")
            .unwrap()
            .parameter("search", "a&filter=b#c d")
            .secret_header("Authorization", "Bearer ", Secret::new("sk-hidden-key"))
            .secret_parameter("api_key", Secret::new("hidden-too"));
        assert_eq!(
            request.asked(),
            "GET https://example.org/works?select=id&search=a%26filter%3Db%23c+d"
        );
        assert!(!format!("{request:?}").contains("hidden"), "{request:?}");
    }

    #[test]
    fn invalid_addresses_are_rejected() {
        for bad in ["", "example.org/x", "http://", "http://[::1", "::"] {
            assert!(
                matches!(Request::get("test", bad), Err(HttpError::BadAddress { .. })),
                "{bad}"
            );
        }
    }
}
