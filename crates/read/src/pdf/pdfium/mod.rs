//! The pdfium library, loaded at run time, as a second engine.
//!
//! Input: the bytes of a PDF. Output: pages of glyphs, in the same form as from the built-in engine. Lines, columns and paragraphs are not handled
//! here. pdfium runs inside our process, so a crash in it crashes Precedent. It comes first only on request.

mod library;
mod objects;
mod page;
mod reader;

pub(super) use library::state;
pub(super) use reader::read_pdf;
