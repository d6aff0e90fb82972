//! The stages, each `async fn(input, &World) -> Result<output>` over domain types. The comparison stages are plain functions over a
//! [`ComparisonSet`]; [`analysis`] combines them.

pub mod analysis;
mod compare;
mod comparison_set;
mod coverage;
pub mod extract;
#[cfg(test)]
mod fixture;
pub mod judge;
mod judge_relevance;
mod missing_citations;
mod one_liners;
mod overlap;
mod position;
pub mod queries;
pub mod search;
mod taxonomy;
mod terms;
#[cfg(test)]
mod tests;
mod weighted_terms;

pub use compare::compare;
pub(crate) use compare::{MatchingPassage, literal_passage, matching_passage, shared_words};
pub(crate) use comparison_set::summary_of_target;
pub use comparison_set::{Background, ComparisonSet, Prior, PriorReading, Reading, Sentence, rank_in};
pub(crate) use coverage::LOOKED_AT;
pub use coverage::{coverage, near_works};
pub(crate) use judge_relevance::topic_verdicts;
pub use missing_citations::{missing_citations, missing_citations_not_searched};
pub use one_liners::{one_liners, telling_sentence};
pub use overlap::textual_overlap;
pub use position::position;
pub use taxonomy::{taxonomy, taxonomy_over};
pub use terms::*;
pub(crate) use weighted_terms::WeightedTerms;
