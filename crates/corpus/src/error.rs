use std::path::{Path, PathBuf};

/// Errors of a corpus. Messages complete the phrase "failed to".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CorpusError {
    /// There is no corpus in the folder.
    #[error("open {path} as a corpus: there is none; create it with `precedent corpus add {path} FILE`")]
    Missing {
        /// The folder.
        path: PathBuf,
    },
    /// The folder contains other files.
    #[error("create a corpus in {path}: the folder contains other files; use an empty or new folder")]
    NotEmpty {
        /// The folder.
        path: PathBuf,
    },
    /// The corpus has a format that this program does not support.
    #[error(
        "open {path} as a corpus: it has format {found}, but this program supports format {expected}; rebuild it from its sources"
    )]
    Format {
        /// The folder.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The format that this program supports.
        expected: u32,
    },
    /// The manifest or the index is damaged.
    #[error("open {path} as a corpus: {reason}")]
    Damaged {
        /// The folder or file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// Another process is writing to the corpus.
    #[error(
        "write to the corpus {path}: another program is writing to it; wait until it is done, or stop it, and try again (reading is always possible)"
    )]
    Locked {
        /// The folder.
        path: PathBuf,
    },
    /// A file's format cannot be detected from its name or content.
    #[error(
        "import {path}: unknown format; supported formats are {}, plain, .gz or .zst",
        crate::import::format_titles()
    )]
    UnknownFormat {
        /// The file.
        path: PathBuf,
    },
    /// The disk is full, or a file size limit was reached.
    #[error(
        "write to the corpus {path}: its disk is full, or a file size limit was reached; committed data is safe; free some space and run the same command again to resume"
    )]
    NoRoom {
        /// The folder.
        path: PathBuf,
        /// The error of the file system.
        source: std::io::Error,
    },
    /// A file system error.
    #[error("{action} {path}")]
    Io {
        /// The attempted action: `read`, `write`, `create`.
        action: &'static str,
        /// The path.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// An error of the index.
    #[error("{action} the index")]
    Index {
        /// The attempted action.
        action: &'static str,
        /// The cause.
        source: Box<tantivy::TantivyError>,
    },
    /// A stored record cannot be parsed.
    #[error("read the stored record {id}")]
    Stored {
        /// Its id.
        id: String,
        /// The cause.
        source: serde_json::Error,
    },
}

impl CorpusError {
    /// For `map_err`: a failure to read a file.
    pub(crate) fn reading(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        Self::io("read", path)
    }

    /// For `map_err`: a failure to do `action` to `path`.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }

    /// For `map_err`: a failure to do `action` to the index.
    pub(crate) fn index<E: Into<tantivy::TantivyError>>(action: &'static str) -> impl FnOnce(E) -> Self {
        move |source| Self::Index {
            action,
            source: Box::new(source.into()),
        }
    }
}
