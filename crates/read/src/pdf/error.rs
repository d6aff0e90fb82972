use thiserror::Error;

/// Why a PDF gives no draft. Whatever can be read in spite of damage is read and warned about instead.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PdfError {
    /// Opens with a password only.
    #[error("open the PDF: it is encrypted and needs a password (save a copy without one)")]
    Encrypted,
    /// Not a PDF, or too damaged for its objects to be found.
    #[error("open the PDF: it is damaged or not a PDF ({detail})")]
    Damaged {
        /// What was wrong, from the parser.
        detail: String,
    },
    /// There is not one page in it.
    #[error("find a page in the PDF")]
    NoPages,
    /// Pages, but no text on them.
    #[error("find text in the PDF: its {pages} page(s) hold images only (recognise the text first, with OCR)")]
    NoText {
        /// How many pages were looked at.
        pages: u32,
    },
    /// No page could be read.
    #[error("read any of the {pages} page(s) of the PDF")]
    AllPagesLost {
        /// How many pages there were.
        pages: u32,
    },
}
