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
    /// Nothing more can be written.
    #[error("write the ledger: there is no room left on its disk, or it may not be written to; what it holds is kept")]
    NoRoom(#[source] sqlx::Error),
    /// What the file holds makes no sense.
    #[error("read the ledger: it is damaged; move its file away, and what it held is worked out and asked again")]
    Damaged(#[source] sqlx::Error),
    /// A read or a write failed.
    #[error("read or write the ledger")]
    Query(#[source] sqlx::Error),
}

impl From<sqlx::Error> for LedgerError {
    /// Told apart by the codes of `SQLite` (<https://www.sqlite.org/rescode.html>); the low byte is the kind, the rest says which.
    fn from(error: sqlx::Error) -> Self {
        let code = error.as_database_error().and_then(|error| error.code());
        let code: Option<u32> = code.and_then(|code| code.parse().ok());
        match code {
            // Full; read-only; failed to write, to synchronise or to make the file longer.
            Some(13 | 8 | 778 | 1034 | 1290 | 4874) => Self::NoRoom(error),
            Some(code) if matches!(code & 0xff, 11 | 26) => Self::Damaged(error),
            _ => Self::Query(error),
        }
    }
}
