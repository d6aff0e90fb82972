//! The report as Markdown (CommonMark with tables). [`blocks`](crate::blocks) writes the content; this escapes it.

mod inline;
mod renderer;
mod writer;

pub(crate) use inline::Inline;
pub use renderer::MarkdownRenderer;
pub(crate) use writer::Writer;
