//! Reads PDFs into a draft: positioned glyphs, then lines, columns and blocks. Invisible text is kept separately.

mod authors;
mod cmap;
mod content;
mod cover;
mod document;
mod emit;
mod encoding;
mod engine;
mod error;
mod font;
mod font_widths;
mod front;
mod furniture;
mod glyph;
mod group;
mod gutter;
mod hidden;
mod interpret;
mod kind;
mod line;
mod look;
mod matrix;
mod measure;
mod mend;
mod metadata;
mod objects;
mod ocr;
mod open;
mod order;
mod packed_objects;
mod page;
mod paint;
#[cfg(feature = "pdfium")]
mod pdfium;
mod reader;
mod run;
mod show;
mod sight;
mod tables;
mod truetype;
mod unpack;
mod words;
mod xmp;

pub(crate) use engine::{Engine, read_pdf, settings};
pub use engine::{PdfEngine, PdfSettings, PdfiumState, configure, pdfium_state};
pub use ocr::{OcrProgram, ocr_program};
