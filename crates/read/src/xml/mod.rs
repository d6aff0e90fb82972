//! Reads JATS and TEI XML into a draft.
//!
//! Input: the XML that publishers deposit (JATS, NLM) or that GROBID writes (TEI). Output: a [`Draft`](crate::draft::Draft). Document type
//! definitions are not read, entities defined by the file are not expanded, and no other file is opened.

mod jats;
mod parse;
mod people;
mod reference;
mod tei;
#[cfg(test)]
mod tests;

pub(crate) use jats::read_jats;
pub(crate) use parse::{attribute, children, find, formula, text_in, text_of, with_document};
pub(crate) use tei::read_tei;
