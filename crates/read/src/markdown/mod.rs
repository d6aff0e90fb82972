//! Reads Markdown into a draft.
//!
//! Input: Markdown with or without YAML front matter. Output: a [`Draft`](crate::draft::Draft). Raw HTML is checked for hidden text, and is
//! otherwise dropped.

mod citations;
mod front;
mod markup;
mod reader;
#[cfg(test)]
mod tests;
mod visible;

pub(crate) use front::bibliography_names;
pub(crate) use reader::read_markdown;
pub use visible::{hidden_in, without_hidden};
