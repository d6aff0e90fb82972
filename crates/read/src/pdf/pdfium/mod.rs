//! The pdfium library, loaded at run time, as a second engine.
//!
//! In: the bytes of a PDF. Out: pages of glyphs, as the engine of our own makes them. Deliberately not here: lines, columns, paragraphs.
//! pdfium is a program of its own in our process: what crashes it crashes us. It comes first only where somebody asks for it.

mod library;
mod objects;
mod page;
mod reader;

pub(super) use library::state;
pub(super) use reader::read_pdf;
