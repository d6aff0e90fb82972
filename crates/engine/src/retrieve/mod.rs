//! Finds earlier work: the queries, the search in every source, the citations around a paper, full texts, and passages of them.

pub mod citations;
pub(crate) mod passages;
pub mod queries;
pub mod search;
pub(crate) mod texts;
