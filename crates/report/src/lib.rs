//! Reports.
//!
//! In: an [`Assessment`](precedent_domain::Assessment). Out: the bytes of a report in a format of the registry.
//! Deliberately not here: models, the network, files, any judgement. The same assessment always gives the same bytes, and nothing that a
//! paper or a record says is ever read as markup.

mod error;
mod formats;
mod plain;
mod publish;
mod registry;
mod view;
mod words;

pub use error::ReportError;
pub use formats::{HtmlRenderer, JsonRenderer, MarkdownRenderer, assessment_schema, read_assessment};
pub use registry::{Renderer, renderer, renderers};
