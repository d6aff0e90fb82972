use std::path::PathBuf;

/// What can go wrong with a repository. Messages fit "failed to {error}".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CodeError {
    /// The archive is no gzipped tar, or broke off before its first file.
    #[error("read the archive of a repository: {source}")]
    Archive {
        /// What the unpacking says.
        source: std::io::Error,
    },
    /// The folder cannot be read.
    #[error("read the repository in {path}: {source}")]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
}
