use std::path::PathBuf;

use precedent_corpus::CorpusError;

/// What can go wrong with filling or opening a corpus as a whole.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LibraryError {
    /// There is nothing at the path.
    #[error("find {}", path.display())]
    NotFound {
        /// The path.
        path: PathBuf,
    },
    /// A file or folder cannot be read.
    #[error("read {}", path.display())]
    Io {
        /// The path.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// No record and no paper came out of it.
    #[error("find works in {}: {reason}", path.display())]
    NoWorks {
        /// The path.
        path: PathBuf,
        /// What was found instead.
        reason: String,
    },
    /// The corpus refused.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
}
