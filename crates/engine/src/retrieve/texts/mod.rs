//! Full texts of works that services know only by title and abstract.
//!
//! Input: works, best first. Output: the text of each, or why it is missing. Texts come from open archives by the works' own identifiers and, if
//! allowed, from open copies listed in an index. A text is accepted only if it is the requested work. Out of scope: choosing the works.

mod fetcher;
mod outcome;
mod same;

pub use fetcher::{FullTextFetcher, TextSettings};
pub(crate) use outcome::{FullTextOutcome, Tally};
