//! The audit of a novelty report, in every format.
//!
//! In: an [`Audit`](precedent_domain::Audit). Out: the bytes of `audit.json`, `audit.md`, `audit.html`. An undecided item is marked as such, and its
//! dimension has no score.

mod json;
mod page;
mod shown;

pub use json::audit_schema;
pub(crate) use page::compose;
pub use shown::{audit_limits, omission_level, overall_score};
