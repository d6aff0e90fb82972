//! One file a format.

mod json;
mod markdown;
mod pdf;

pub use json::{JsonRenderer, assessment_schema, read_assessment};
pub use markdown::MarkdownRenderer;
pub(crate) use pdf::PDF;
