//! Ranking: BM25 over all works, and how near their vectors are, exact and the same whatever order the records came in.
//!
//! The scores of all works are summed term by term over the posting lists. That is as fast as skipping for the long queries that are normal
//! here (a title and an abstract), it needs no operators, and it leaves the parameters of BM25 to us.
//! A work with full text scores as its best unit: title and abstract together, or one passage.

mod frequency;
mod hybrid;
mod options;
mod rank;
mod scorer;

/// Raised whenever the same corpus would answer the same query otherwise.
pub(crate) const VERSION: u32 = 2;

pub(crate) use frequency::text_frequency;
pub use options::{Found, Ranking, SearchOptions};
pub(crate) use rank::{search, search_works};
