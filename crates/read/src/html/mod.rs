//! Reads HTML pages into a draft.
//!
//! Input: arXiv and ar5iv pages (LaTeXML), ACL Anthology and arXiv abstract pages, article pages of any publisher. Output: a
//! [`Draft`](crate::draft::Draft). Scripts, styles, menus and forms are dropped; text hidden by a style or a style sheet is kept separately.

mod content;
mod elements;
mod front;
mod hidden;
mod latexml;
mod meta;
mod parse;
mod reader;
mod references;
mod styles;
#[cfg(test)]
mod tests;

pub(crate) use hidden::hides;
pub(crate) use reader::read_html;
