//! Markdown to a draft.
//!
//! In: Markdown with or without YAML front matter. Out: a [`Draft`](crate::draft::Draft). Raw HTML is read for what it hides, never passed on.

mod front;
mod reader;
#[cfg(test)]
mod tests;

pub(crate) use reader::read_markdown;
