//! What an audit of a report on points found, in every format.
//!
//! In: an [`Audit`](precedent_domain::Audit). Out: the bytes of `audit.json`, `audit.md`, `audit.html`. An item that nobody decided is shown as such, and no score
//! stands beside it.

mod html;
mod json;
mod markdown;
mod render;
mod shown;

pub(crate) use html::html;
pub use json::audit_schema;
pub(crate) use json::json;
pub(crate) use markdown::markdown;
pub use render::{audit_file_name, audit_formats, render_audit};
