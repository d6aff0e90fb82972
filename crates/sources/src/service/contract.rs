use std::fmt;
use std::time::Duration;

use precedent_domain::{EvidenceKind, PartialDate, Work};
use precedent_http::{HttpError, Pace, Request, Response, Secret};

use super::{Draft, Relations, Trouble, Words, ends_early};

/// A service that is searched: how a short query is put to it, and how to read what it says. It opens no connection itself.
///
/// Adding one is a file in `services/`, a line in its registry, and a file in the replay server that plays it in tests.
pub trait Service: Send + Sync {
    /// The name it is asked for by, and that reports call it by. Lower case.
    fn id(&self) -> &'static str;

    /// What it holds, in one line.
    fn about(&self) -> &'static str;

    /// What kind of knowledge it finds.
    fn kind(&self) -> EvidenceKind {
        EvidenceKind::Literature
    }

    /// Where it is reached, without a slash at the end; empty for one that everybody runs at an address of their own.
    fn base(&self) -> &'static str;

    /// The environment variable that holds its address, for one that everybody runs at an address of their own.
    fn address_variable(&self) -> Option<&'static str> {
        None
    }

    /// The environment variable that holds a key for it; `None` where it takes none.
    fn key_variable(&self) -> Option<&'static str> {
        None
    }

    /// Whether it answers nobody without a key.
    fn needs_key(&self) -> bool {
        false
    }

    /// How fast it may be asked.
    fn pace(&self, endpoint: &Endpoint) -> Pace;

    /// How long all the queries of a run, which are put at once, may take together.
    fn deadline(&self) -> Duration {
        Duration::from_secs(60)
    }

    /// What a question costs.
    fn tariff(&self) -> Tariff {
        Tariff::default()
    }

    /// Works that one answer holds at most.
    fn page(&self) -> usize {
        100
    }

    /// How the words are put, from the narrowest to the widest. A wider wording is only asked where the narrower ones bring few works. Nothing in the
    /// words is an operator.
    fn wordings(&self, words: &Words) -> Vec<String>;

    /// The question as it goes over the wire.
    ///
    /// # Errors
    /// When the address is none.
    fn request(&self, wording: &str, page: &Page, endpoint: &Endpoint) -> Result<Request, HttpError>;

    /// What came back with a status of success.
    ///
    /// # Errors
    /// When it is no answer of this service.
    fn read(&self, body: &str) -> Result<Found, Unreadable>;

    /// Whether an answer with a status of success arrived damaged, so that asking again may help: its body ends early. A page of another kind is not damaged.
    fn is_damaged(&self, body: &str) -> bool {
        ends_early(body)
    }

    /// What an answer with another status means.
    fn trouble(&self, status: u16, body: &str) -> Trouble {
        Trouble::usual(status, body)
    }

    /// What may still be spent on it today, as an answer's headers tell it, in millionths of a US dollar; `None` where they do not.
    fn left(&self, response: &Response) -> Option<u64> {
        let _ = response;
        None
    }

    /// Another name that stands for it too, such as that of a service which it is a part of.
    fn part_of(&self) -> Option<&'static str> {
        None
    }

    /// How one logs in to it; `None` where one does not.
    fn login(&self) -> Option<&'static dyn Login> {
        None
    }

    /// What it knows of works besides what a search tells; `None` where it can be searched alone.
    fn relations(&self) -> Option<&'static dyn Relations> {
        None
    }

    /// Where the text of a work that it gave is fetched; `None` where title and abstract are all there is.
    fn text(&self, work: &Work, endpoint: &Endpoint) -> Option<TextAt> {
        let _ = (work, endpoint);
        None
    }

    /// A question that costs nothing or little, to see whether the service is there.
    ///
    /// # Errors
    /// When the address is none.
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

/// Where the text of a work is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextAt {
    /// A page or file of the web, at an address that somebody else chose: it leads to the public internet or nowhere.
    Page(String),
    /// A repository as a gzipped tar archive, at an address that the service's own file made: no other host's answer counts.
    Archive(String),
}

/// Logging in to a service, for those who have an account. A part of [`Service`]; its key is then the password.
pub trait Login: Send + Sync {
    /// The environment variable that holds the name of the account.
    fn user_variable(&self) -> &'static str;

    /// The question that brings a token.
    ///
    /// # Errors
    /// When the address is none.
    fn request(&self, endpoint: &Endpoint, user: Secret, password: Secret) -> Result<Request, HttpError>;

    /// The token in the answer to that.
    ///
    /// # Errors
    /// When there is none; why, in words.
    fn token(&self, body: &str) -> Result<Secret, Unreadable>;
}

/// Where and as whom a service is asked.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// The address that the service's paths follow, without a slash at its end.
    pub base: String,
    /// The key.
    pub key: Option<Secret>,
    /// How the user of the program may be written to. Some services are faster for those who say.
    pub mailto: Option<Secret>,
    /// What logging in brought.
    pub token: Option<Secret>,
    /// Where texts are fetched in place of where they lie, without a slash at its end: a reader or mirror of one's own.
    pub texts: Option<String>,
}

/// Which part of the answer is wanted.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// Works of this date and earlier are wanted; services that can leave out the others. A service may hold a later date of a work than it has, so this
    /// lies later than the date that results are held to afterwards.
    pub until: Option<PartialDate>,
    /// The first work wanted, from 0.
    pub start: usize,
    /// How many.
    pub size: usize,
}

impl Page {
    /// The last day wanted, as `2024-05-17`.
    #[must_use]
    pub fn last_day(&self) -> Option<String> {
        let (year, month, day) = self.until?.last_day();
        Some(format!("{year:04}-{month:02}-{day:02}"))
    }
}

/// What an answer holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// The works, best first.
    pub works: Vec<Draft>,
    /// Whether there are more.
    pub more: bool,
}

/// What a question costs, in millionths of a US dollar. Prices are of the day that `docs/sources.md` names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tariff {
    /// One question.
    pub question: u64,
    /// What a day without a key is worth.
    pub day_without_key: u64,
    /// What a day with a free key is worth.
    pub day_with_key: u64,
}

/// An answer that is none of the service's. Fits "failed to read the answer of …: {0}".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable(pub String);

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
