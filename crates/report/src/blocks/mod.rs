//! A report as a document of blocks.
//!
//! In: a page that a composer filled, one composer for each kind of report. Out: HTML and Markdown, one writer for each. The writers escape every
//! text, so a composer cannot make markup.

mod block;
mod common;
mod html;
mod html_line;
mod html_table;
mod line;
mod markdown;

pub(crate) use block::{Block, Branch, Column, Entry, InMarkdown, ReportPage, Row, Section, TableKind, Tone};
pub use common::limit_in_brief;
pub(crate) use common::{all_limits, excluded, first_limits, incomplete, incomplete_models, sent};
pub(crate) use html::{SiteFrame, html, html_in_site};
pub(crate) use html_line::{Chip, Glyph};
pub(crate) use line::{Line, Span};
pub(crate) use markdown::markdown;
