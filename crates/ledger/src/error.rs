use std::path::PathBuf;

/// What can go wrong with the record.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// The file cannot be opened or made.
    #[error("open the ledger {}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: sqlx::Error,
    },
    /// The file was written by a later version of the program.
    #[error(
        "use the ledger: it has format {found}, this program knows up to {known}; use the program that wrote it, or another output folder"
    )]
    Newer {
        /// Its format.
        found: i64,
        /// The newest this program knows.
        known: i64,
    },
    /// A read or a write failed.
    #[error("read or write the ledger")]
    Query(#[from] sqlx::Error),
}
