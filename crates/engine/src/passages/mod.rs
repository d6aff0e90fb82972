//! Passages of many works, and the search among them (NoveltyAgent, A.1).
//!
//! In: texts of works. Out: passages of at most 512 tokens of running text, and which of them answer a query best: by words (BM25) and by vectors, each
//! brought to one scale, half and half, then put in order anew by their sentences, or by a model that reads query and passage together. No order of the works
//! changes which passages are found. Deliberately not here: which works deserve it.

mod cut;
mod index;
mod rank;

pub(crate) use cut::passages;
pub(crate) use index::{Answer, Entry, PassageIndex};
pub use rank::PassageModels;
pub(crate) use rank::Ranker;
