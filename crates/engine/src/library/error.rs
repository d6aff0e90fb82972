use std::path::PathBuf;

use precedent_corpus::CorpusError;

/// An error that prevents filling or opening a corpus.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LibraryError {
    /// The path does not exist.
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
    /// The path contains no record and no paper.
    #[error("find papers in {}: {reason}", path.display())]
    NoWorks {
        /// The path.
        path: PathBuf,
        /// What was found instead.
        reason: String,
    },
    /// The corpus reported an error.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
}
