//! The audit of a report on points, in every format.
//!
//! In: an [`Audit`](precedent_domain::Audit). Out: the bytes of `audit.json`, `audit.md`, `audit.html`. An undecided item is marked as such, and its
//! dimension has no score.

mod html;
mod json;
mod markdown;
mod shown;

pub(crate) use html::html;
pub use json::audit_schema;
pub(crate) use markdown::markdown;
