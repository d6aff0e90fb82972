use std::path::PathBuf;

/// An error in a run's folder.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// A file or folder cannot be read or written.
    #[error("{doing} {}", path.display())]
    Io {
        /// The operation: `make`, `read`, `write` or `remove`.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The manifest cannot be parsed.
    #[error("read {}: it is not a run manifest", path.display())]
    Manifest {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: serde_json::Error,
    },
    /// The manifest was written by a later version of the program.
    #[error("read {}: it was written by a newer version of Precedent (manifest version {found})", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// Another process is using the folder.
    #[error("work in {}: another process is using it{}", path.display(), process.map(|id| format!(" (pid {id})")).unwrap_or_default())]
    InUse {
        /// The folder.
        path: PathBuf,
        /// The id of that process, if known.
        process: Option<u32>,
    },
    /// The request does not give a valid run name.
    #[error("name the run")]
    Name {
        /// Why.
        #[from]
        source: precedent_engine::domain::DomainError,
    },
    /// There is no run at this path.
    #[error("find a run at {}", path.display())]
    NotFound {
        /// The path.
        path: PathBuf,
    },
}
