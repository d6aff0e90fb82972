//! Reads files into a [`Paper`](precedent_domain::Paper) with stable spans and pages.
//!
//! Input: a file, a folder or bytes of a paper in PDF, Word, OpenDocument, EPUB, LaTeX, HTML, JATS, TEI, Markdown or plain text. Output: a
//! `Paper`. This crate does not use the network or models, and does not judge the content.
//!
//! Each format reader produces a `draft::Draft`; `assemble` turns any draft into a paper in the same way.

mod assemble;
mod budget;
mod citations;
mod dates;
mod decode;
mod detect;
pub(crate) mod draft;
mod error;
mod format;
mod headings;
mod html;
mod hyphens;
mod identifiers;
mod input;
mod latex;
mod markdown;
mod markup;
mod names;
mod office;
mod origin;
pub(crate) mod pdf;
mod placeholder;
mod quality;
mod references;
mod regular;
mod second_opinion;
mod text;
mod warm_up;
mod xml;

pub use error::ReadError;
pub use input::{FolderPapers, is_latex_folder, papers_in_folder, read, read_bytes, reads_other_files};
pub use latex::plain_latex;
pub use markdown::{hidden_in, without_hidden};
pub use pdf::{
    OCR_TIME, OcrProgram, Password, PdfEngine, PdfSettings, PdfiumState, configure as configure_pdf, ocr_program,
    pdfium_state,
};
pub use regular::open_file;

#[cfg(test)]
mod tests;
