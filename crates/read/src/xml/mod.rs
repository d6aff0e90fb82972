//! JATS and TEI XML to a draft.
//!
//! In: the XML that publishers deposit (JATS, NLM) or that GROBID writes (TEI). Out: a [`Draft`](crate::draft::Draft). No document type
//! definition is read, no entity of the file's own is expanded, nothing outside the file is opened.

mod jats;
mod parse;
mod people;
mod reference;
mod tei;
#[cfg(test)]
mod tests;

pub(crate) use jats::read_jats;
pub(crate) use tei::read_tei;
