use std::path::{Path, PathBuf};

/// What can go wrong with a corpus. Messages fit "failed to {error}".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CorpusError {
    /// There is no corpus in the folder.
    #[error("open {path} as a corpus: there is none; create it with `precedent corpus add {path} FILE`")]
    Missing {
        /// The folder.
        path: PathBuf,
    },
    /// The folder holds other things.
    #[error("create a corpus in {path}: the folder holds other files; name an empty or a new one")]
    NotEmpty {
        /// The folder.
        path: PathBuf,
    },
    /// The corpus was written by a version of the program whose format this one does not read.
    #[error(
        "open {path} as a corpus: it has format {found} and this program reads {expected}; build it anew from its sources"
    )]
    Format {
        /// The folder.
        path: PathBuf,
        /// The format it says it has.
        found: u32,
        /// The format this program reads and writes.
        expected: u32,
    },
    /// The manifest or the index cannot be understood.
    #[error("open {path} as a corpus: {reason}")]
    Damaged {
        /// The folder or file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// Another program is writing to it.
    #[error(
        "write to the corpus {path}: another program is writing to it; wait until it is done, or stop it, and try again (reading is always possible)"
    )]
    Locked {
        /// The folder.
        path: PathBuf,
    },
    /// Neither name nor content of a file tells its format.
    #[error(
        "import {path}: its format is not known; read are {}, plain, .gz or .zst",
        crate::import::format_titles()
    )]
    UnknownFormat {
        /// The file.
        path: PathBuf,
    },
    /// No room is left where the corpus lies, or files may not grow any further.
    #[error(
        "write to the corpus {path}: there is no room left on its disk, or a limit on file sizes is reached; what was committed is safe; make room and run the same command again, and it goes on from there"
    )]
    NoRoom {
        /// The folder.
        path: PathBuf,
        /// What the file system said.
        source: std::io::Error,
    },
    /// The file system refused.
    #[error("{action} {path}")]
    Io {
        /// What was tried: `read`, `write`, `create`.
        action: &'static str,
        /// Where.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The index refused.
    #[error("{action} the index")]
    Index {
        /// What was tried.
        action: &'static str,
        /// Why.
        source: Box<tantivy::TantivyError>,
    },
    /// A stored record cannot be read back.
    #[error("read the stored record {id}")]
    Stored {
        /// Its id.
        id: String,
        /// Why.
        source: serde_json::Error,
    },
}

impl CorpusError {
    /// For `map_err`: a file could not be read.
    pub(crate) fn reading(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        Self::io("read", path)
    }

    /// For `map_err`: the file system refused to do `action` to `path`.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }

    /// For `map_err`: the index refused to do `action`.
    pub(crate) fn index<E: Into<tantivy::TantivyError>>(action: &'static str) -> impl FnOnce(E) -> Self {
        move |source| Self::Index {
            action,
            source: Box::new(source.into()),
        }
    }
}
