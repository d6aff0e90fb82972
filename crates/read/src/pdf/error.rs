use thiserror::Error;

use crate::ReadError;

/// Why a PDF gives no draft, as a reason behind the file's name. Whatever can be read in spite of damage is read and warned about instead.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub(crate) enum PdfError {
    /// Opens with a password only.
    #[error("it is encrypted with a password")]
    Encrypted,
    /// Not a PDF, or too damaged for its objects to be found.
    #[error("it cannot be opened as a PDF ({detail})")]
    Damaged {
        /// What was wrong, from the parser.
        detail: String,
    },
    /// There is not one page in it.
    #[error("there is no page in it")]
    NoPages,
    /// Pages, but no text on them.
    #[error("its {pages} page(s) hold images only")]
    NoText {
        /// How many pages were looked at.
        pages: u32,
    },
    /// pdfium was asked for and cannot be used.
    #[error("{reason}")]
    NoPdfium {
        /// Why not.
        reason: String,
    },
    /// Letters are drawn, but the file does not tell which.
    #[error("the text of this PDF cannot be read (its fonts have no usable mapping)")]
    NoLetters,
    /// No page could be read.
    #[error("none of its {pages} page(s) can be read")]
    AllPagesLost {
        /// How many pages there were.
        pages: u32,
    },
}

impl PdfError {
    /// The same for the file of this name.
    pub(crate) fn of_file(self, name: &str) -> ReadError {
        let name = name.to_owned();
        match self {
            Self::Encrypted => ReadError::Encrypted { name },
            Self::NoText { pages } => ReadError::NoText {
                name,
                pages: Some(pages),
            },
            Self::NoLetters => ReadError::NoLetters { name },
            Self::NoPdfium { reason } => ReadError::NoPdfium { name, reason },
            Self::Damaged { .. } | Self::NoPages | Self::AllPagesLost { .. } => ReadError::Damaged {
                name,
                reason: self.to_string(),
            },
        }
    }
}
