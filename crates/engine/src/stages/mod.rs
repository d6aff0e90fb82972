//! The stages of an assessment.

mod compare;
mod comparison_set;
mod missing_citations;
mod one_liners;
mod overlap;
mod position;
mod taxonomy;
mod terms;

pub use compare::{compare, compare_with};
pub use comparison_set::{ComparisonSet, Prior, PriorReading, Reading, Sentence, rank_in};
pub use missing_citations::{missing_citations, missing_citations_not_searched};
pub use one_liners::{one_liners, telling_sentence};
pub use overlap::textual_overlap;
pub use position::position;
pub use taxonomy::taxonomy;
pub use terms::*;
