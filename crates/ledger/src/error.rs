use std::path::PathBuf;

/// Errors of the ledger. Messages complete the phrase "failed to".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// The file cannot be opened or created.
    #[error("open the ledger {}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: sqlx::Error,
    },
    /// A later version of the program wrote the file.
    #[error(
        "use the ledger: it has format {found}, but this program supports only formats up to {known}; use the version that wrote it, or another output folder"
    )]
    Newer {
        /// Its format.
        found: i64,
        /// The newest supported format.
        known: i64,
    },
    /// The disk is full or read-only.
    #[error("write the ledger: its disk is full or it is read-only; what it holds is kept")]
    NoRoom(#[source] sqlx::Error),
    /// The file is corrupt.
    #[error("read the ledger: it is damaged; move its file away to recompute its content and repeat its requests")]
    Damaged(#[source] sqlx::Error),
    /// A read or a write failed.
    #[error("read or write the ledger")]
    Query(#[source] sqlx::Error),
}

impl From<sqlx::Error> for LedgerError {
    /// Classified by `SQLite` result codes (<https://www.sqlite.org/rescode.html>): the low byte is the kind, the rest the extended code.
    fn from(error: sqlx::Error) -> Self {
        let code = error.as_database_error().and_then(|error| error.code());
        let code: Option<u32> = code.and_then(|code| code.parse().ok());
        match code {
            // Full; read-only; failed to write, to sync or to extend the file.
            Some(13 | 8 | 778 | 1034 | 1290 | 4874) => Self::NoRoom(error),
            Some(code) if matches!(code & 0xff, 11 | 26) => Self::Damaged(error),
            _ => Self::Query(error),
        }
    }
}
