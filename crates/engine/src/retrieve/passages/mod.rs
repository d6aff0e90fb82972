//! Passages of many works, and search among them (NoveltyAgent, A.1).
//!
//! Input: texts of works. Output: passages of at most 512 tokens of running text, and the best passages for a query. Passages are ranked by BM25 and
//! by vectors, scaled and weighted equally, and then reranked by their sentences or by a model that reads query and passage together. The order of
//! the works does not affect the result. Out of scope: choosing the works.

mod cut;
mod index;
mod queries;
mod rank;

pub(crate) use cut::passages;
pub(crate) use index::{Answer, Entry, PassageIndex};
pub(crate) use queries::{filled_up, queries_of};
pub use rank::PassageModels;
pub(crate) use rank::Ranker;
