use precedent_domain::{PartialDate, Span, WorkId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How works are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ranking {
    /// BM25 and vectors combined; BM25 only if the corpus has no vectors ([`crate::Corpus::has_vectors`]).
    #[default]
    Hybrid,
    /// BM25 over title, abstract and passages.
    Words,
}

/// Options of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchOptions {
    /// Maximum number of results (default 50).
    pub limit: usize,
    /// Excludes works that certainly appeared after this date; works without a date are kept.
    pub as_of: Option<PartialDate>,
    /// Excluded works.
    pub exclude: Vec<WorkId>,
    /// Includes only works whose venue contains this text, ignoring case.
    pub venue: Option<String>,
    /// Includes only works with a field of study that contains this text, ignoring case.
    pub field: Option<String>,
    /// Whether to search passages of full texts in addition to titles and abstracts (default true).
    pub passages: bool,
    /// The ranking method.
    pub ranking: Ranking,
    /// Whether to scan every vector even if the corpus has cells (default false); for measuring the recall of cells.
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
    /// The `limit` best works, with default options.
    #[must_use]
    pub fn top(limit: usize) -> Self {
        Self {
            limit,
            ..Self::default()
        }
    }
}

/// A search result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Found {
    /// Its id.
    pub id: WorkId,
    /// BM25 score; in a hybrid ranking plus the vector similarity and how well the title fits. May be negative. Comparable within one query only.
    pub score: f64,
    /// Its title.
    pub title: String,
    /// Year of its earliest date.
    pub year: Option<u16>,
    /// The matching passage in the full text ([`crate::Corpus::document`]); `None` if title and abstract scored higher.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passage: Option<Span>,
}

/// Ranking features of a result of a hybrid ranking. Its score is their weighted sum, times the tenth best BM25 score (the last one if there are
/// fewer).
#[derive(Debug, Clone, PartialEq)]
pub struct RankingFeatures {
    /// The result.
    pub id: WorkId,
    /// BM25 score, divided by the tenth best one.
    pub words: f32,
    /// Similarity to the query plus that to the mean of the best works, less where the table of vectors does not know the query's words.
    pub similarity: f32,
    /// Share of the title's terms that are in the query.
    pub title_share: f32,
    /// Natural logarithm of one plus the number of terms in the title.
    pub title_length: f32,
}
