use std::fmt;
use std::time::Duration;

use precedent_domain::{AclId, ArxivId, Doi, Identifiers, Work, WorkId};
use precedent_http::{HttpError, Request};
use serde::{Deserialize, Serialize};

use super::{Draft, Endpoint, Page, Unreadable};

/// What a source may be asked besides searching with a short query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Ability {
    /// Works with passages near a whole text.
    Passages,
    /// The work of a title.
    Titled,
    /// Works that somebody who reads one should read too.
    Recommended,
    /// Works that cite one.
    Citing,
    /// What works cite.
    References,
    /// The records of works known by name.
    LookUp,
}

impl Ability {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Passages,
        Self::Titled,
        Self::Recommended,
        Self::Citing,
        Self::References,
        Self::LookUp,
    ];

    /// What one does who has it: fits "it cannot …".
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Passages => "search with a whole text",
            Self::Titled => "find a work by its title alone",
            Self::Recommended => "recommend works",
            Self::Citing => "tell which works cite one",
            Self::References => "tell what a work cites",
            Self::LookUp => "look up works by name",
        }
    }
}

/// How works may stand to a text or to another work.
#[derive(Debug, Clone, Copy)]
pub enum Relation<'a> {
    /// Passages of theirs are near this text.
    Passages(&'a str),
    /// Passages of theirs are near these words, which are no more than a query may have.
    Near(&'a str),
    /// This is their title.
    Titled(&'a str),
    /// They are recommended beside this work.
    Recommended(&'a WorkName),
    /// They are recommended beside these works, taken together.
    RecommendedBeside(&'a [WorkName]),
    /// They cite this work.
    Citing(&'a WorkName),
}

impl Relation<'_> {
    /// What a source must be able to do to tell them.
    #[must_use]
    pub fn ability(&self) -> Ability {
        match self {
            Self::Passages(_) | Self::Near(_) => Ability::Passages,
            Self::Titled(_) => Ability::Titled,
            Self::Recommended(_) | Self::RecommendedBeside(_) => Ability::Recommended,
            Self::Citing(_) => Ability::Citing,
        }
    }
}

/// A name that a work is known by beyond one list of works.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum WorkName {
    /// Its record at a service: `semantic-scholar:354d…`, `openalex:W2741809807`.
    Record(WorkId),
    /// Its arXiv id.
    Arxiv(ArxivId),
    /// Its DOI.
    Doi(Doi),
    /// Its ACL Anthology id.
    Acl(AclId),
}

impl WorkName {
    /// The names of a work: its records, then its identifiers.
    #[must_use]
    pub fn of(work: &Work) -> Vec<Self> {
        let records = std::iter::once(&work.id).chain(&work.also).cloned().map(Self::Record);
        records.chain(Self::of_identifiers(&work.identifiers)).collect()
    }

    /// The names that identifiers are.
    #[must_use]
    pub fn of_identifiers(identifiers: &Identifiers) -> Vec<Self> {
        let names = [
            identifiers.arxiv.clone().map(Self::Arxiv),
            identifiers.doi.clone().map(Self::Doi),
            identifiers.acl.clone().map(Self::Acl),
        ];
        names.into_iter().flatten().collect()
    }

    /// What follows the name of `service` in a record's id; `None` for a record elsewhere and for what is no record.
    #[must_use]
    pub(crate) fn record_at(&self, service: &str) -> Option<&str> {
        match self {
            Self::Record(id) => id.as_str().strip_prefix(service)?.strip_prefix(':'),
            _ => None,
        }
    }
}

impl fmt::Display for WorkName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Record(id) => id.fmt(f),
            Self::Arxiv(id) => write!(f, "arXiv:{id}"),
            Self::Doi(id) => write!(f, "doi:{id}"),
            Self::Acl(id) => write!(f, "acl:{id}"),
        }
    }
}

/// How a service calls a work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Called {
    /// Names of one kind can stand in one question.
    pub kind: u8,
    /// The name, as the service writes it.
    pub name: String,
}

/// A question that is no search.
#[derive(Debug, Clone, Copy)]
pub enum Inquiry<'a> {
    /// About a text or a title, as plain words.
    Text(Ability, &'a str),
    /// About one work.
    One(Ability, &'a Called),
    /// About several works, all called by names of one kind.
    Many(Ability, &'a [Called]),
}

/// What an answer to such a question holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Told {
    /// The works. Where works were looked up: a place for each name if `in_order`, else those that are known.
    pub works: Vec<Option<Draft>>,
    /// What those works cite, beside them: ids of records at the service. `None` where it is not known.
    pub cited: Vec<Option<Vec<String>>>,
    /// Whether there is a place for each name asked for, in their order.
    pub in_order: bool,
    /// Whether there are more.
    pub more: bool,
}

/// What a service knows of works besides what a search tells: how it is asked, and how its answers are read. A part of [`Service`](super::Service).
pub trait Relations: Send + Sync {
    /// Whether it can be asked this.
    fn can(&self, ability: Ability) -> bool;

    /// How it calls a work; `None` for a name that it does not take for this.
    fn call(&self, name: &WorkName, ability: Ability) -> Option<Called>;

    /// Most names in one question.
    fn most_names(&self, ability: Ability) -> usize;

    /// Whether what it tells are stubs, to be looked up.
    fn tells_stubs(&self, ability: Ability) -> bool {
        let _ = ability;
        false
    }

    /// What a question costs, in millionths of a US dollar.
    fn price(&self, ability: Ability) -> u64 {
        let _ = ability;
        0
    }

    /// The least time between two questions of this kind, where it is longer than between any two.
    fn between(&self, ability: Ability) -> Duration {
        let _ = ability;
        Duration::ZERO
    }

    /// The ways to put a question, the usual one first; the next is only gone where one brings nothing.
    ///
    /// # Errors
    /// When the address is none.
    fn requests(&self, inquiry: &Inquiry<'_>, page: &Page, endpoint: &Endpoint) -> Result<Vec<Request>, HttpError>;

    /// What came back with a status of success.
    ///
    /// # Errors
    /// When it is no answer of this service.
    fn read(&self, ability: Ability, body: &str) -> Result<Told, Unreadable>;

    /// Whether an answer with another status says that there is no such work.
    fn is_miss(&self, ability: Ability, status: u16, body: &str) -> bool;
}
