//! Phase II: the search for prior work (OpenNovelty, 2.2, B).
//!
//! Input: queries. Output: numbered candidates with their texts, excluded papers with reasons, and the funnel. Every query goes to every source
//! unchanged. A source that fails is recorded, and the search continues. Judging claims is out of scope.

mod aliases;
mod asking;
mod by_meaning;
mod dated;
mod doubted;
mod full_texts;
mod funnel;
mod judge_relevance;
mod limits;
mod model;
mod outcome;
mod own_text;
mod self_matcher;
mod shared_text;
mod timing;

pub(crate) use aliases::aliases;
pub(crate) use asking::{
    Answer, Results, in_plain_words, look_up_alone, note_failure, put_alone, related_alone, reports, source_failures,
};
pub use by_meaning::{NEAR_LIMIT, queries_by_meaning};
pub(crate) use dated::dated;
pub(crate) use doubted::doubted;
pub(crate) use funnel::top_of;
pub(crate) use judge_relevance::topic_verdicts;
pub(crate) use limits::{is_of_a_part, left_out_of, limits, other_sources};
pub(crate) use outcome::document_of;
pub use outcome::{SearchOutcome, search};
pub(crate) use own_text::looks_up_references;
pub(crate) use self_matcher::SelfMatcher;
pub(crate) use timing::REEXPORT_MONTHS;
pub(crate) use timing::doubt_date;
pub use timing::{as_of, not_before, timing};

#[cfg(test)]
mod pace_tests;
#[cfg(test)]
mod property_tests;
#[cfg(test)]
mod tests;
