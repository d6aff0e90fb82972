//! The report as Markdown (CommonMark with tables). The writer escapes; the section modules define the content.

mod claims;
mod field;
mod inline;
mod opening;
mod overlap;
mod references;
mod renderer;
mod run;
mod writer;

pub(crate) use inline::Inline;
pub use renderer::MarkdownRenderer;
pub(crate) use writer::Writer;
