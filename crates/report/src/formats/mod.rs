//! One file per format.

pub(crate) mod html;
pub(crate) mod json;
pub(crate) mod markdown;
mod pdf;

pub use html::HtmlRenderer;
pub use json::{JsonRenderer, assessment_schema, read_assessment};
pub use markdown::MarkdownRenderer;
pub use pdf::{PdfRenderer, browser};
