use std::io;

use precedent_domain::OcrProblem;

/// Reasons why a file could not be read as a paper. Each message completes the sentence "failed to {error}".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file or folder does not exist.
    #[error("find {name}")]
    NotFound {
        /// The file's own name.
        name: String,
    },
    /// The operating system denied access.
    #[error("open {name}")]
    Unreadable {
        /// The file's own name.
        name: String,
        /// Error from the operating system.
        source: io::Error,
    },
    /// A device, a named pipe or a socket.
    #[error("read {name}: it is {what}, not a regular file")]
    NotAFile {
        /// The file's own name.
        name: String,
        /// What kind of file it is.
        what: String,
    },
    /// The file exceeds the size limit.
    #[error("read {name}: it has {bytes} bytes and the limit is {limit}")]
    TooLarge {
        /// The file's own name.
        name: String,
        /// Size in bytes.
        bytes: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// The file is empty.
    #[error("read {name}: it is empty")]
    Empty {
        /// The file's own name.
        name: String,
    },
    /// A folder without LaTeX source, but with other papers.
    #[error("read {name} as a paper: it is a folder without LaTeX source ({files})")]
    FolderOfPapers {
        /// The folder's own name.
        name: String,
        /// How many files look like papers: "1 file in it may be a paper".
        files: String,
    },
    /// The file is protected by a password.
    #[error("read {name}: it is encrypted with a password")]
    Encrypted {
        /// The file's own name.
        name: String,
    },
    /// The file is protected by another password than the given one.
    #[error("read {name}: the password does not open it")]
    WrongPassword {
        /// The file's own name.
        name: String,
    },
    /// The file cannot be read without OCR, and OCR failed or no program is installed.
    #[error("read {name} by OCR: {reason}. Without OCR: failed to {without}")]
    Ocr {
        /// The file's own name.
        name: String,
        /// What went wrong.
        reason: OcrProblem,
        /// Why it cannot be read without OCR.
        without: Box<Self>,
    },
    /// The pages have no text, or too few words for an abstract.
    #[error("read {name}: its pages have almost no text; they may be scanned images")]
    NoText {
        /// The file's own name.
        name: String,
        /// Pages in the file, where known.
        pages: Option<u32>,
    },
    /// A PDF whose fonts do not map glyphs to characters.
    #[error("read {name}: the text of this PDF cannot be read (its fonts have no usable mapping)")]
    NoLetters {
        /// The file's own name.
        name: String,
    },
    /// The file is not a paper.
    #[error("read {name} as a paper: it is {what}")]
    NotAPaper {
        /// The file's own name.
        name: String,
        /// What it is, if known.
        what: String,
    },
    /// The format is known, but the file is damaged.
    #[error("read {name}: the file is damaged: {reason}")]
    Damaged {
        /// The file's own name.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// pdfium was requested but cannot be used.
    #[error("read {name} with pdfium: {reason}")]
    NoPdfium {
        /// The file's own name.
        name: String,
        /// Why not.
        reason: String,
    },
    /// A format that is not supported.
    #[error("read {name}: {what} is not supported")]
    Unsupported {
        /// The file's own name.
        name: String,
        /// What it is.
        what: String,
        /// How to convert it.
        how: &'static str,
    },
}

impl ReadError {
    /// How to fix the problem.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NotFound { .. } => "check the path",
            Self::Unreadable { .. } => "check that you have permission to read the file",
            Self::NotAFile { .. } => "save the paper to a regular file first",
            Self::TooLarge { .. } => "pass only the paper, without data or videos",
            Self::Empty { .. } => "check that the download or the export finished",
            Self::FolderOfPapers { .. } => {
                "give one of its files; `precedent assess` also takes a folder of papers; to search the folder as prior work, use --corpus"
            }
            Self::Encrypted { .. } => {
                "give the password of a PDF with --pdf-password or PRECEDENT_PDF_PASSWORD, or save a copy without a password"
            }
            Self::WrongPassword { .. } => "check the password, or save a copy without one",
            Self::Ocr { .. } => {
                "install ocrmypdf, or tesseract and pdftoppm (from poppler), so that the program finds it on PATH; `precedent doctor` checks this"
            }
            Self::NoText { .. } | Self::NoLetters { .. } => {
                "use --ocr if ocrmypdf or tesseract is installed, or use the LaTeX source or an HTML version"
            }
            Self::NotAPaper { .. } => {
                "use a paper in one of these formats: PDF, Word (.docx), ODT, EPUB, LaTeX (file, folder, .zip or .tar.gz), HTML, JATS or TEI XML, Markdown or plain text"
            }
            Self::Damaged { .. } => "download the file again, or use another format of the paper",
            Self::NoPdfium { .. } => {
                "build with `--features pdfium` and set the library path with --pdfium or PRECEDENT_PDFIUM, or use --pdf-engine builtin"
            }
            Self::Unsupported { how, .. } => how,
        }
    }
}
