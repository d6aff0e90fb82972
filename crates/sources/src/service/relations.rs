use std::fmt;
use std::time::Duration;

use precedent_domain::{AclId, ArxivId, Doi, Identifiers, Work, WorkId};
use precedent_http::{HttpError, Request};
use serde::{Deserialize, Serialize};

use super::{Draft, Endpoint, Page, Unreadable};

/// What a source may support besides searching with a short query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Ability {
    /// Find works with passages similar to a whole text.
    Passages,
    /// Find the work with a title.
    Titled,
    /// Recommend works to readers of a work.
    Recommended,
    /// List the works that cite a work.
    Citing,
    /// List the works that works cite.
    References,
    /// Look up the records of named works.
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

    /// The ability in words; fits "it cannot …".
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Passages => "search with a whole text",
            Self::Titled => "find a work by its title alone",
            Self::Recommended => "recommend works",
            Self::Citing => "list the works that cite a work",
            Self::References => "list the references of a work",
            Self::LookUp => "look up works by name",
        }
    }
}

/// A relation of works to a text or to another work.
#[derive(Debug, Clone, Copy)]
pub enum Relation<'a> {
    /// They have passages similar to this text.
    Passages(&'a str),
    /// They have passages similar to these words, which are no longer than a query.
    Near(&'a str),
    /// They have this title.
    Titled(&'a str),
    /// They are recommended for this work.
    Recommended(&'a WorkName),
    /// They are recommended for these works together.
    RecommendedBeside(&'a [WorkName]),
    /// They cite this work.
    Citing(&'a WorkName),
}

impl Relation<'_> {
    /// The ability that a source needs for this relation.
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

/// A globally valid name of a work.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum WorkName {
    /// A record at a service: `semantic-scholar:354d…`, `openalex:W2741809807`.
    Record(WorkId),
    /// An arXiv id.
    Arxiv(ArxivId),
    /// A DOI.
    Doi(Doi),
    /// An ACL Anthology id.
    Acl(AclId),
}

impl WorkName {
    /// The names of a work: its records, then its identifiers.
    #[must_use]
    pub fn of(work: &Work) -> Vec<Self> {
        let records = std::iter::once(&work.id).chain(&work.also).cloned().map(Self::Record);
        records.chain(Self::of_identifiers(&work.identifiers)).collect()
    }

    /// The names contained in identifiers.
    #[must_use]
    pub fn of_identifiers(identifiers: &Identifiers) -> Vec<Self> {
        let names = [
            identifiers.arxiv.clone().map(Self::Arxiv),
            identifiers.doi.clone().map(Self::Doi),
            identifiers.acl.clone().map(Self::Acl),
        ];
        names.into_iter().flatten().collect()
    }

    /// The part after the name of `service` in a record's id; `None` for records of other services and for other names.
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

/// A work's name at a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Called {
    /// The kind of the name. Only names of one kind can be in the same request.
    pub kind: u8,
    /// The name in the service's form.
    pub name: String,
}

/// A request other than a search.
#[derive(Debug, Clone, Copy)]
pub enum RelationQuery<'a> {
    /// About a text or a title, as plain words.
    Text(Ability, &'a str),
    /// About one work.
    One(Ability, &'a Called),
    /// About several works, with names of one kind.
    Many(Ability, &'a [Called]),
}

/// The content of an answer to such a request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RelationAnswer {
    /// The works. For a look-up: one entry per name if `in_order`, otherwise the known ones.
    pub works: Vec<Option<Draft>>,
    /// The works that those works cite, in parallel: ids of records at the service. `None` if unknown.
    pub cited: Vec<Option<Vec<String>>>,
    /// Whether there is one entry per requested name, in their order.
    pub in_order: bool,
    /// Whether there are more works.
    pub more: bool,
}

/// What a service knows of works beyond search: how to send requests, and how to parse the answers. Part of [`Service`](super::Service).
pub trait Relations: Send + Sync {
    /// Whether it supports this ability.
    fn can(&self, ability: Ability) -> bool;

    /// Its name of a work; `None` for a name that it does not accept for this ability.
    fn call(&self, name: &WorkName, ability: Ability) -> Option<Called>;

    /// Maximum number of names in one request.
    fn most_names(&self, ability: Ability) -> usize;

    /// Whether its answers contain stubs whose records must be looked up.
    fn answers_with_stubs(&self, ability: Ability) -> bool {
        let _ = ability;
        false
    }

    /// The price of a request, in millionths of a US dollar.
    fn price(&self, ability: Ability) -> u64 {
        let _ = ability;
        0
    }

    /// The minimum time between two requests of this kind, if longer than between any two requests.
    fn between(&self, ability: Ability) -> Duration {
        let _ = ability;
        Duration::ZERO
    }

    /// The alternative requests, the usual one first. The next one is only sent if the previous one found nothing.
    ///
    /// # Errors
    /// Returns an error if the address is invalid.
    fn requests(
        &self,
        inquiry: &RelationQuery<'_>,
        page: &Page,
        endpoint: &Endpoint,
    ) -> Result<Vec<Request>, HttpError>;

    /// Parses a successful response.
    ///
    /// # Errors
    /// Returns an error if it is not an answer of this service.
    fn read(&self, ability: Ability, body: &str) -> Result<RelationAnswer, Unreadable>;

    /// Whether an unsuccessful response means that there is no such work.
    fn is_miss(&self, ability: Ability, status: u16, body: &str) -> bool;
}
