use std::fmt;
use std::time::Duration;

use precedent_domain::{EvidenceKind, PartialDate, Work};
use precedent_http::{HttpError, Pace, Request, Response, Secret};

use super::{Draft, Relations, ServiceError, Words, ends_early};

/// A search service: how a short query is sent to it, and how its answer is parsed. It opens no connection itself.
///
/// To add one, write a file in `services/`, a line in its registry, and a file in the replay server that plays it in tests.
pub trait Service: Send + Sync {
    /// The name used to select it and in reports. Lower case.
    fn id(&self) -> &'static str;

    /// A one-line description.
    fn about(&self) -> &'static str;

    /// The kind of evidence it finds.
    fn kind(&self) -> EvidenceKind {
        EvidenceKind::Literature
    }

    /// Its address, without a trailing slash; empty for a service that users host themselves.
    fn base(&self) -> &'static str;

    /// The environment variable with its address, for a service that users host themselves.
    fn address_variable(&self) -> Option<&'static str> {
        None
    }

    /// The environment variable with its key; `None` if it takes none.
    fn key_variable(&self) -> Option<&'static str> {
        None
    }

    /// Whether it requires a key.
    fn needs_key(&self) -> bool {
        false
    }

    /// Its rate limit.
    fn pace(&self, endpoint: &Endpoint) -> Pace;

    /// Time limit for all queries of a run together, which are sent concurrently.
    fn deadline(&self) -> Duration {
        Duration::from_secs(60)
    }

    /// The price of a request.
    fn tariff(&self) -> Tariff {
        Tariff::default()
    }

    /// Maximum number of works in one answer.
    fn page(&self) -> usize {
        100
    }

    /// Maximum number of pages requested for one wording.
    fn pages(&self) -> usize {
        3
    }

    /// The wordings of a query, from the narrowest to the widest. A wider wording is only sent if the narrower ones find few works. Nothing in the
    /// words is an operator.
    fn wordings(&self, words: &Words) -> Vec<String>;

    /// Builds the request.
    ///
    /// # Errors
    /// Returns an error if the address is invalid.
    fn request(&self, wording: &str, page: &Page, endpoint: &Endpoint) -> Result<Request, HttpError>;

    /// Parses a successful response.
    ///
    /// # Errors
    /// Returns an error if it is not an answer of this service.
    fn read(&self, body: &str) -> Result<Found, Unreadable>;

    /// What a successful response to a search lacks according to the service itself, such as the works of a part that failed; `None` if nothing.
    /// The works in it are used, and the search counts as incomplete.
    fn missing(&self, body: &str) -> Option<String> {
        let _ = body;
        None
    }

    /// Whether a successful response arrived damaged, so that a retry may help: its body ends early. A response of another type is not damaged.
    fn is_damaged(&self, body: &str) -> bool {
        ends_early(body)
    }

    /// The meaning of an unsuccessful response.
    fn trouble(&self, status: u16, body: &str) -> ServiceError {
        ServiceError::usual(status, body)
    }

    /// The remaining budget of the day in millionths of a US dollar, as reported in the response headers; `None` if they do not contain it.
    fn left(&self, response: &Response) -> Option<u64> {
        let _ = response;
        None
    }

    /// Another name that includes it, such as that of a service which it is a part of.
    fn part_of(&self) -> Option<&'static str> {
        None
    }

    /// Its login; `None` if it has none.
    fn login(&self) -> Option<&'static dyn Login> {
        None
    }

    /// What it knows of works beyond search; `None` if it only supports search.
    fn relations(&self) -> Option<&'static dyn Relations> {
        None
    }

    /// Where to fetch the text of a work it returned; `None` if it has only title and abstract.
    fn text(&self, work: &Work, endpoint: &Endpoint) -> Option<TextAt> {
        let _ = (work, endpoint);
        None
    }

    /// A free or cheap request that checks whether the service is available.
    ///
    /// # Errors
    /// Returns an error if the address is invalid.
    fn trial(&self, endpoint: &Endpoint) -> Result<Request, HttpError> {
        let page = Page {
            until: None,
            start: 0,
            size: 1,
        };
        let wordings = self.wordings(&Words::of("graph"));
        self.request(wordings.first().map_or("graph", String::as_str), &page, endpoint)
    }
}

/// The location of a work's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextAt {
    /// A web page or file at an address from a third party. It may only lead to the public internet.
    Page(String),
    /// A repository as a gzipped tar archive, at an address built by the service's own file. Answers from other hosts are rejected.
    Archive(String),
}

/// Login to a service, for users with an account. Part of [`Service`], whose key is then the password.
pub trait Login: Send + Sync {
    /// The environment variable with the account name.
    fn user_variable(&self) -> &'static str;

    /// Builds the request for a token.
    ///
    /// # Errors
    /// Returns an error if the address is invalid.
    fn request(&self, endpoint: &Endpoint, user: Secret, password: Secret) -> Result<Request, HttpError>;

    /// Reads the token from the answer.
    ///
    /// # Errors
    /// Returns the reason if there is none.
    fn token(&self, body: &str) -> Result<Secret, Unreadable>;
}

/// Address and credentials of a service.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// The base address of the service's paths, without a trailing slash.
    pub base: String,
    /// The key.
    pub key: Option<Secret>,
    /// The user's contact address. Some services are faster for users who give one.
    pub mailto: Option<Secret>,
    /// The token from the login.
    pub token: Option<Secret>,
    /// An alternative server for fetching texts, without a trailing slash: the user's own reader or mirror.
    pub texts: Option<String>,
}

/// The requested part of the answer.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// Only works up to this date, for services that can filter by date. A service may have a later date for a work than the true one, so this is
    /// later than the date used to filter results afterwards.
    pub until: Option<PartialDate>,
    /// Index of the first requested work, from 0.
    pub start: usize,
    /// Number of requested works.
    pub size: usize,
}

impl Page {
    /// The last requested day, as `2024-05-17`.
    #[must_use]
    pub fn last_day(&self) -> Option<String> {
        let (year, month, day) = self.until?.last_day();
        Some(format!("{year:04}-{month:02}-{day:02}"))
    }
}

/// The content of an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// The works, best first.
    pub works: Vec<Draft>,
    /// Whether there are more works.
    pub more: bool,
}

/// The price of a request, in millionths of a US dollar. Prices are from the day named in `docs/sources.md`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tariff {
    /// The price of one request.
    pub question: u64,
    /// The daily allowance without a key.
    pub day_without_key: u64,
    /// The daily allowance with a free key.
    pub day_with_key: u64,
}

/// A response that is not an answer of the service. Fits "failed to read the answer of …: {0}".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable(pub String);

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
