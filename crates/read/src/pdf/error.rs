use thiserror::Error;

use crate::ReadError;

/// Reasons why a PDF could not be read, worded to follow the file's name. Damage that can be worked around becomes a warning instead.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub(crate) enum PdfError {
    /// The file needs a password.
    #[error("it is encrypted with a password")]
    Encrypted,
    /// The given password does not open the file.
    #[error("wrong password")]
    WrongPassword,
    /// Not a PDF, or too damaged to locate its objects.
    #[error("it cannot be opened as a PDF ({detail})")]
    Damaged {
        /// The parser's message.
        detail: String,
    },
    /// The file has no pages.
    #[error("it has no pages")]
    NoPages,
    /// The pages have no text.
    #[error("its {pages} page(s) contain only images")]
    NoText {
        /// Number of pages examined.
        pages: u32,
    },
    /// pdfium was requested but cannot be used.
    #[error("{reason}")]
    NoPdfium {
        /// The reason.
        reason: String,
    },
    /// The file draws glyphs but does not map them to characters.
    #[error("the text of this PDF cannot be read (its fonts have no usable mapping)")]
    NoLetters,
    /// No page could be read.
    #[error("none of its {pages} page(s) can be read")]
    AllPagesLost {
        /// Number of pages.
        pages: u32,
    },
}

impl PdfError {
    /// Converts this error for the file of this name.
    pub(crate) fn of_file(self, name: &str) -> ReadError {
        let name = name.to_owned();
        match self {
            Self::Encrypted => ReadError::Encrypted { name },
            Self::WrongPassword => ReadError::WrongPassword { name },
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
