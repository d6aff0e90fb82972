use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use serde::Serialize;

use crate::{HttpError, Origin, Pace, Response, Secret, retry};

/// The two ways of asking that are needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Asks for what stands at an address.
    Get,
    /// Asks with a body.
    Post,
}

impl Method {
    /// As it is written in a request.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
        }
    }
}

/// A question to a server.
///
/// What tells one question from another, in the record, is the method, the address, the plain headers and the body; never a secret.
#[derive(Debug, Clone)]
pub struct Request {
    pub(crate) who: String,
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) secret_headers: Vec<(String, String, Secret)>,
    pub(crate) secret_parameters: Vec<(String, Secret)>,
    pub(crate) body: Vec<u8>,
    /// Fields of a body that is written as JSON when it goes out.
    pub(crate) secret_body: Vec<(String, Secret)>,
    /// Whether the answer goes on record.
    pub(crate) is_kept: bool,
    pub(crate) origin: Origin,
    pub(crate) pace: Pace,
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
    /// Whether a redirect to another host is an error.
    pub(crate) stays: bool,
    pub(crate) last: Last,
    pub(crate) unless: Unless,
    pub(crate) within: Option<Duration>,
}

/// Tells answers of one kind from the others.
#[derive(Clone)]
pub(crate) struct Settled(Arc<Telling>);

/// Given the status and the body.
type Telling = dyn Fn(u16, &[u8]) -> bool + Send + Sync;

impl Settled {
    pub(crate) fn tells(&self, status: u16, body: &[u8]) -> bool {
        (self.0)(status, body)
    }
}

impl fmt::Debug for Settled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Settled")
    }
}

/// Returns the reason when a response ends all requests to the host in this run.
#[derive(Clone)]
pub(crate) struct Last(Arc<Reason>);

type Reason = dyn Fn(&Response) -> Option<String> + Send + Sync;

impl Last {
    pub(crate) fn tells(&self, response: &Response) -> Option<String> {
        (self.0)(response)
    }
}

impl fmt::Debug for Last {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Last")
    }
}

/// Tells, right before a try goes out, why it must not.
#[derive(Clone)]
pub(crate) struct Unless(Arc<dyn Fn() -> Option<String> + Send + Sync>);

impl Unless {
    pub(crate) fn tells(&self) -> Option<String> {
        (self.0)()
    }
}

impl fmt::Debug for Unless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Unless")
    }
}

impl Request {
    /// Asks for what stands at `address`; `who` names the asking part of the program in the record of what was sent.
    ///
    /// # Errors
    /// When the address is none.
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
            secret_body: Vec::new(),
            is_kept: true,
            origin: Origin::Configured,
            pace: Pace::default(),
            limit: 32 << 20,
            timeout: Duration::from_secs(60),
            patience: Duration::from_secs(600),
            tries: 4,
            settled: Settled(Arc::new(|_, _| false)),
            fruitless: Settled(Arc::new(|_, _| false)),
            passing: Settled(Arc::new(|_, _| false)),
            broken: Settled(Arc::new(|_, _| false)),
            outage: Duration::ZERO,
            billed: false,
            stays: false,
            last: Last(Arc::new(|_| None)),
            unless: Unless(Arc::new(|| None)),
            within: None,
        })
    }

    /// Asks `address` with `question` as JSON.
    ///
    /// # Errors
    /// When the address is none or the question cannot be written.
    pub fn post_json(who: &str, address: &str, question: &impl Serialize) -> Result<Self, HttpError> {
        let mut request = Self::get(who, address)?;
        request.method = Method::Post;
        request.body = serde_json::to_vec(question).map_err(|source| HttpError::Body {
            host: request.host().to_owned(),
            source,
        })?;
        Ok(request.header("content-type", "application/json"))
    }

    /// Tells `address` secrets, as the fields of a JSON object, such as to log in. Neither they nor the answer ever go on record; that something was sent does.
    /// In replay nobody is told anything.
    ///
    /// # Errors
    /// When the address is none.
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

    /// Adds a parameter to the address, escaped: nothing in it becomes part of another.
    #[must_use]
    pub fn parameter(mut self, name: &str, value: &str) -> Self {
        self.url.query_pairs_mut().append_pair(name, value);
        self
    }

    /// Adds a header that holds no secret.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_ascii_lowercase(), value.to_owned()));
        self
    }

    /// Adds a header that holds a key after `prefix`, such as `Bearer `. It goes only to the host that was asked, never on to another.
    #[must_use]
    pub fn secret_header(mut self, name: &str, prefix: &str, secret: Secret) -> Self {
        self.secret_headers
            .push((name.to_ascii_lowercase(), prefix.to_owned(), secret));
        self
    }

    /// Adds a key to the address, for services that take it nowhere else.
    #[must_use]
    pub fn secret_parameter(mut self, name: &str, secret: Secret) -> Self {
        self.secret_parameters.push((name.to_owned(), secret));
        self
    }

    /// Says that somebody else chose the address: it must lead to the public internet, at every step.
    #[must_use]
    pub fn found(mut self) -> Self {
        self.origin = Origin::Found;
        self
    }

    /// How fast this host may be asked.
    #[must_use]
    pub fn pace(mut self, pace: Pace) -> Self {
        self.pace = pace;
        self
    }

    /// The longest answer that is taken, in bytes after decompression. 32 MiB unless told.
    #[must_use]
    pub fn at_most(mut self, bytes: u64) -> Self {
        self.limit = bytes;
        self
    }

    /// How long one try may take, from the first byte sent to the last byte received. 60 s unless told.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// How long all tries together may take, waits that the server asks for included. 10 minutes unless told.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// How many tries, at least 1; being asked to wait does not use one up. 4 unless told.
    #[must_use]
    pub fn tries(mut self, tries: u32) -> Self {
        self.tries = tries.max(1);
        self
    }

    /// Tells answers (status, body) that look as if they would pass but will not, such as "no credit" under the status of "too many requests".
    #[must_use]
    pub fn settled_when(mut self, settled: impl Fn(u16, &[u8]) -> bool + Send + Sync + 'static) -> Self {
        self.settled = Settled(Arc::new(settled));
        self
    }

    /// Tells answers (status, body) after which asking again in this run is no use, and which must not stand for good either: a wrong key, an allowance
    /// used up until tomorrow, a page of another kind than was asked for. They are returned at once, and asked for again by a later run.
    #[must_use]
    pub fn fruitless_when(mut self, fruitless: impl Fn(u16, &[u8]) -> bool + Send + Sync + 'static) -> Self {
        self.fruitless = Settled(Arc::new(fruitless));
        self
    }

    /// Tells answers (status, body) that mean "too many requests" though their status does not say so, such as a 403 with those words: they are waited for and
    /// never stand for good.
    #[must_use]
    pub fn passing_when(mut self, passing: impl Fn(u16, &[u8]) -> bool + Send + Sync + 'static) -> Self {
        self.passing = Settled(Arc::new(passing));
        self
    }

    /// Recognises answers (status, body) that are failures though their status says success, such as a body cut short. They are retried like
    /// failures and never kept for good.
    #[must_use]
    pub fn broken_when(mut self, broken: impl Fn(u16, &[u8]) -> bool + Send + Sync + 'static) -> Self {
        self.broken = Settled(Arc::new(broken));
        self
    }

    /// How long to wait for the host while it is down, beyond the number of tries. Without it a request to a host that is down fails at once.
    #[must_use]
    pub fn outage(mut self, longest: Duration) -> Self {
        self.outage = longest;
        self
    }

    /// Says that each try may be billed. A try whose answer is lost ends the attempt, so that the caller can account for it before the next.
    #[must_use]
    pub fn billed(mut self) -> Self {
        self.billed = true;
        self
    }

    /// Says that the answer comes from this host or from nowhere: a redirect to any other is an error.
    #[must_use]
    pub fn from_this_host(mut self) -> Self {
        self.stays = true;
        self
    }

    /// Ends all requests to the host in this run when the closure returns a reason: a wrong key, a used-up allowance, a pause longer than the run waits. The
    /// reason is set before the next request in the queue goes out. Recorded answers are still returned.
    #[must_use]
    pub fn last_when(mut self, last: impl Fn(&Response) -> Option<String> + Send + Sync + 'static) -> Self {
        self.last = Last(Arc::new(last));
        self
    }

    /// Asked right before each try goes out, its turn come: a reason ends all asking of the host in this run. Where something is paid for, this is where
    /// it is counted.
    #[must_use]
    pub fn unless(mut self, unless: impl Fn() -> Option<String> + Send + Sync + 'static) -> Self {
        self.unless = Unless(Arc::new(unless));
        self
    }

    /// How long everything together may take: waiting for one's turn at the host, all tries, all waits. Without it only tries and waits are bounded.
    #[must_use]
    pub fn within(mut self, whole: Duration) -> Self {
        self.within = Some(whole);
        self
    }

    /// The host that is asked.
    #[must_use]
    pub fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    /// The question for people and the record: without secrets.
    #[must_use]
    pub fn asked(&self) -> String {
        format!("{} {}", self.method.name(), self.url)
    }

    /// The address, without secrets.
    #[must_use]
    pub fn address(&self) -> &str {
        self.url.as_str()
    }

    /// The body.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// The body as it goes out.
    pub(crate) fn whole_body(&self) -> Vec<u8> {
        if self.secret_body.is_empty() {
            return self.body.clone();
        }
        let fields = self.secret_body.iter();
        let object: BTreeMap<&str, &str> = fields.map(|(name, secret)| (name.as_str(), secret.reveal())).collect();
        serde_json::to_vec(&object).unwrap_or_default()
    }

    /// Whether an answer ends the tries.
    pub(crate) fn is_final(&self, status: u16, body: &[u8]) -> bool {
        let passes = self.passes(status, body) || self.is_broken(status, body);
        // A body that arrived damaged is fruitless too, but another try may bring a whole one.
        let is_fruitless = self.fruitless.tells(status, body) && !self.is_broken(status, body);
        !passes || self.settled.tells(status, body) || is_fruitless
    }

    /// Whether an answer is a failure under the status of success, and no mere wish to wait.
    pub(crate) fn is_broken(&self, status: u16, body: &[u8]) -> bool {
        self.broken.tells(status, body) && !self.passing.tells(status, body)
    }

    /// Whether an answer may stand for good.
    pub(crate) fn is_settled(&self, status: u16, body: &[u8]) -> bool {
        !self.fruitless.tells(status, body) && self.is_final(status, body)
    }

    /// Whether an answer is one that will pass.
    pub(crate) fn passes(&self, status: u16, body: &[u8]) -> bool {
        retry::is_passing(status) || self.passing.tells(status, body)
    }

    /// The headers that hold no secret, names in lower case.
    #[must_use]
    pub fn headers(&self) -> &[(String, String)] {
        &self.headers
    }

    /// The names of the headers that hold a secret, in lower case.
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
    fn a_parameter_stays_one_parameter_and_a_secret_shows_nowhere() {
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
    fn what_is_no_address_is_refused() {
        for bad in ["", "example.org/x", "http://", "http://[::1", "::"] {
            assert!(
                matches!(Request::get("test", bad), Err(HttpError::BadAddress { .. })),
                "{bad}"
            );
        }
    }
}
