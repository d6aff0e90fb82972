//! Finds earlier work: the queries, the search in every source, and the citations around a paper.

pub mod citations;
pub mod queries;
pub mod search;
