//! Comparison of a claim with candidates.
//!
//! Input: a contribution, and the candidates with their texts. Output: the most similar passages, shared and missing terms, and a status.
//! The matcher (crate `precedent-matcher`) orders the candidates and decides which ones a reader should look at. Only words decide that a candidate
//! anticipates a claim: it must state the claim nearly word for word. What is similar in other words is at best `unclear`.
//! A [`ComparisonSet`] holds the paper and the candidates in comparable terms. The other comparisons of a paper with its field are functions over it:
//! the tree of the field, the position in it, shared text, missing citations, and how well the candidates cover the field.

mod claim;
#[cfg(test)]
mod claim_tests;
mod comparison_set;
mod contribution;
mod coverage;
mod evidence;
#[cfg(test)]
pub(crate) mod fixture;

mod matching;
mod missing_citations;
mod note;
pub mod one_claim;
mod one_liners;
mod overlap;
mod passages;
mod position;
mod taxonomy;
#[cfg(test)]
mod tests;
mod weighted_terms;
mod word_agreement;

pub(crate) use comparison_set::summary_of_target;
pub use comparison_set::{Background, ComparisonSet, Prior, PriorReading, Reading, Sentence, rank_in};
pub use contribution::compare;
pub(crate) use coverage::field_not_covered;
pub use coverage::{coverage, similar_works};
pub(crate) use matching::{MatchingPassage, literal_passage, matching_passage, repeated_passage, shared_words};
pub use missing_citations::{missing_citations, missing_citations_not_searched};
pub use one_liners::{describing_sentence, one_liners};
pub use overlap::textual_overlap;
pub use position::position;
pub use taxonomy::{taxonomy, taxonomy_over};
pub(crate) use weighted_terms::WeightedTerms;
