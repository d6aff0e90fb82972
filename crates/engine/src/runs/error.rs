use std::path::PathBuf;

/// What can go wrong with a run's folder.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// A file or folder cannot be read or written.
    #[error("{doing} {}", path.display())]
    Io {
        /// What was being done: `make`, `read`, `write`.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The manifest is no manifest.
    #[error("read {}: it is no manifest of a run", path.display())]
    Manifest {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: serde_json::Error,
    },
    /// The manifest was written by a later version of the program.
    #[error("read {}: it was written by a later version of this program (manifest version {found})", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// Another process works in the folder.
    #[error("work in {}: another process is at it{}", path.display(), process.map(|id| format!(" (number {id})")).unwrap_or_default())]
    InUse {
        /// The folder.
        path: PathBuf,
        /// The number of the process, where it is known.
        process: Option<u32>,
    },
    /// What was asked makes no name for a run.
    #[error("name the run")]
    Name {
        /// Why.
        #[from]
        source: precedent_domain::DomainError,
    },
    /// There is no run of that name.
    #[error("find a run at {}", path.display())]
    NotFound {
        /// Where it was looked for.
        path: PathBuf,
    },
}
