//! The report as Markdown (CommonMark with tables). The writer escapes; the sections only say what stands where.

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
