//! Ranking: exact BM25 over all works plus vector similarity and how well titles fit, independent of the order in which the records were added.
//!
//! Scores are summed term by term over the posting lists of all works. For the usual long queries (a title and an abstract) this is as fast as
//! dynamic pruning, needs no query operators, and leaves the BM25 parameters to us.
//! A work with full text gets the score of its best unit: title and abstract together, or one passage.

mod filter;
mod frequency;
mod hybrid;
mod options;
mod rank;
mod scorer;

/// Incremented whenever the same corpus would answer the same query differently.
pub(crate) const VERSION: u32 = 3;

pub(crate) use frequency::text_frequency;
pub use options::{Found, Ranking, RankingFeatures, SearchOptions};
pub(crate) use rank::{ranking_features, search, search_works};
