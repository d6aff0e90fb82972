//! What an audit of a report on points found, as JSON and as Markdown.
//!
//! In: an [`Audit`](precedent_domain::Audit). Out: the bytes of `audit.json`, `audit.md`. An item that nobody decided is shown as such, and no score stands beside it.

mod json;
mod markdown;

pub use json::{audit_json, audit_schema};
pub use markdown::audit_markdown;
