//! Reads documents of word processors and e-books into a draft.
//!
//! Input: the zip packages of Word (`.docx`), LibreOffice (`.odt`) and EPUB. Output: a [`Draft`](crate::draft::Draft). Deleted text of tracked
//! changes, comments, headers and tables of contents are left out; text hidden by its format is kept separately. Macros, embedded files and links
//! are never opened.

mod docx;
mod docx_runs;
mod epub;
mod front;
mod look;
mod manuscript;
mod odt;
mod omml;
mod package;
mod paragraph;
mod roles;
mod style_sheet;

#[cfg(test)]
mod tests;

pub(crate) use docx::read_docx;
pub(crate) use epub::read_epub;
pub(crate) use odt::read_odt;
pub(crate) use package::{PackageKind, ZipPackage};
