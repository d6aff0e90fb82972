use std::io;

/// Why a file gave no paper. Each message is a fragment that fits "failed to {error}".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// No such file or folder.
    #[error("find {name}")]
    NotFound {
        /// The file's own name.
        name: String,
    },
    /// The operating system refused.
    #[error("open {name}")]
    Unreadable {
        /// The file's own name.
        name: String,
        /// What the system said.
        source: io::Error,
    },
    /// A device, a named pipe or a socket.
    #[error("read {name}: it is {what}, not a regular file")]
    NotAFile {
        /// Its own name.
        name: String,
        /// What it is.
        what: String,
    },
    /// More bytes than any paper has.
    #[error("read {name}: it has {bytes} bytes and the limit is {limit}")]
    TooLarge {
        /// The file's own name.
        name: String,
        /// Size in bytes.
        bytes: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// Nothing in it.
    #[error("read {name}: it is empty")]
    Empty {
        /// The file's own name.
        name: String,
    },
    /// A password stands before the text.
    #[error("read {name}: it is encrypted with a password")]
    Encrypted {
        /// The file's own name.
        name: String,
    },
    /// Pages, but no text on them, or too few words for an abstract.
    #[error("read {name}: its pages hold no text to speak of; they may be images")]
    NoText {
        /// The file's own name.
        name: String,
        /// Pages in the file, where known.
        pages: Option<u32>,
    },
    /// A PDF whose fonts do not tell which letters they draw.
    #[error("read {name}: the text of this PDF cannot be read (its fonts have no usable mapping)")]
    NoLetters {
        /// The file's own name.
        name: String,
    },
    /// Something else than a paper.
    #[error("read {name} as a paper: it is {what}")]
    NotAPaper {
        /// The file's own name.
        name: String,
        /// What it is, as far as one can tell.
        what: String,
    },
    /// The format is known, but the file is broken.
    #[error("read {name}: the file is damaged: {reason}")]
    Damaged {
        /// The file's own name.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// pdfium was asked for and cannot be used.
    #[error("read {name} with pdfium: {reason}")]
    NoPdfium {
        /// The file's own name.
        name: String,
        /// Why not.
        reason: String,
    },
    /// A format that this build does not read.
    #[error("read {name}: {what} is not supported")]
    Unsupported {
        /// The file's own name.
        name: String,
        /// What it is.
        what: String,
    },
}

impl ReadError {
    /// What the user can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NotFound { .. } => "check the path",
            Self::Unreadable { .. } => "check that the file may be read by you",
            Self::NotAFile { .. } => "save the paper to a regular file first",
            Self::TooLarge { .. } => "give the paper alone, without data or videos",
            Self::Empty { .. } => "check that the download or the export finished",
            Self::Encrypted { .. } => "save a copy without password and read that",
            Self::NoText { .. } | Self::NoLetters { .. } => {
                "run it through an OCR program first, or give the LaTeX source or an HTML version"
            }
            Self::NotAPaper { .. } => {
                "give a paper as PDF, LaTeX (file, folder or .tar.gz), HTML, JATS or TEI XML, Markdown or plain text"
            }
            Self::Damaged { .. } => "fetch the file again, or give another format of the paper",
            Self::NoPdfium { .. } => {
                "build with `--features pdfium` and name the library with --pdfium or PRECEDENT_PDFIUM, or read with --pdf-engine builtin"
            }
            Self::Unsupported { .. } => "convert it to PDF, HTML, Markdown or plain text",
        }
    }
}
