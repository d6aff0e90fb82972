use std::path::PathBuf;

/// Errors of reading a repository. Messages complete the phrase "failed to".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CodeError {
    /// The archive is not a gzipped tar, or ended before its first file.
    #[error("read the archive of a repository: {source}")]
    Archive {
        /// The error of the decoder.
        source: std::io::Error,
    },
    /// The folder cannot be read.
    #[error("read the repository in {path}: {source}")]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The error of the file system.
        source: std::io::Error,
    },
}
