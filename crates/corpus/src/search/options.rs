use precedent_domain::{PartialDate, Span, WorkId};
use serde::{Deserialize, Serialize};

/// How works are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ranking {
    /// By words and vectors together; by words alone where the corpus has no vectors ([`crate::Corpus::has_vectors`]).
    #[default]
    Hybrid,
    /// By words alone: BM25 over title, abstract and passages.
    Words,
}

/// What a search may return.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchOptions {
    /// Most works returned (default 50).
    pub limit: usize,
    /// Works that surely appeared after this date are left out; works without a date are kept.
    pub as_of: Option<PartialDate>,
    /// Works left out.
    pub exclude: Vec<WorkId>,
    /// Only works whose venue holds these words, whatever their case.
    pub venue: Option<String>,
    /// Only works of a field of study that holds these words, whatever their case.
    pub field: Option<String>,
    /// Whether passages of full texts are searched beside titles and abstracts (default true).
    pub passages: bool,
    /// How works are ranked.
    pub ranking: Ranking,
    /// Whether every vector is looked at even where the corpus has cells of near ones (default false); for measuring what those miss.
    pub exact: bool,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            limit: 50,
            as_of: None,
            exclude: Vec::new(),
            venue: None,
            field: None,
            passages: true,
            ranking: Ranking::Hybrid,
            exact: false,
        }
    }
}

impl SearchOptions {
    /// The `limit` best works, and nothing else asked.
    #[must_use]
    pub fn top(limit: usize) -> Self {
        Self {
            limit,
            ..Self::default()
        }
    }
}

/// A work that a search found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// Its id.
    pub id: WorkId,
    /// BM25 score, with the share of the vectors in a hybrid ranking; comparable within one query only.
    pub score: f64,
    /// Its title.
    pub title: String,
    /// Year of its earliest date.
    pub year: Option<u16>,
    /// Where in the full text ([`crate::Corpus::document`]) the passage stands that it was found by; `None` when title and abstract
    /// were nearer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passage: Option<Span>,
}
