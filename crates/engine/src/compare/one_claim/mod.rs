//! Finds the papers that state one claim, without a document around it.
//!
//! Input: a claim in one or a few sentences, corpora, and papers that services found for it. Output: papers by the probability that they state it, each with its level, its best passage
//! and the terms shared and missing. The matcher is the same as in the comparison of a paper's claims. Out of scope: dates of the claim
//! and models.

mod claim_search;
mod prepared;
mod services;
#[cfg(test)]
mod tests;
mod verbatim;

pub use claim_search::{ClaimMatch, ClaimQuery, ClaimSearch, MatchedPassage};
pub use services::{ServiceResults, search_services};
