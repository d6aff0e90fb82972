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
        "use the ledger: it has format {found}, but this program supports only formats up to {known}; use the version that wrote it, or another output folder or database"
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
    /// The address of a database cannot be used. It may contain a password, so it is not part of the message.
    #[error("use the database: its URL is not usable, because {why}; write it as postgres://USER@HOST/DATABASE")]
    DatabaseUrl {
        /// What is wrong with it.
        why: String,
    },
    /// What was recorded is not what this program records.
    #[error("read the {what} in the ledger; use the version of the program that wrote it")]
    Unreadable {
        /// What it is.
        what: String,
    },
    /// The program was built without the driver.
    #[error(
        "use the database: this program was built without PostgreSQL; build it with `cargo build --release --features postgres`"
    )]
    NoPostgres,
    /// A database cannot be used.
    #[error("use the database {place}: {problem}")]
    Database {
        /// Its name, host and port.
        place: String,
        /// What is wrong, and what to do.
        problem: DatabaseProblem,
        /// The cause.
        #[source]
        source: sqlx::Error,
    },
}

impl LedgerError {
    /// Whether this process has closed its connections.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        matches!(
            self,
            Self::Database {
                source: sqlx::Error::PoolClosed,
                ..
            }
        )
    }

    /// Whether the database could not be reached, and may be reached later.
    #[must_use]
    pub fn is_outage(&self) -> bool {
        matches!(
            self,
            Self::Database {
                problem: DatabaseProblem::Away | DatabaseProblem::TooManyConnections | DatabaseProblem::NoRoom,
                ..
            }
        )
    }
}

/// Why a database cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DatabaseProblem {
    /// Wrong user or password.
    #[error("the server refuses the user or the password; check PRECEDENT_DATABASE, PGPASSWORD or ~/.pgpass")]
    Refused,
    /// It does not exist.
    #[error("the server has no such database; create it with `createdb`")]
    NoSuchDatabase,
    /// The user may not create or use the tables.
    #[error("the user may not create or use the schema `precedent`; let an administrator create it for this user")]
    NotAllowed,
    /// The server accepts no more connections.
    #[error("the server accepts no more connections; use fewer --jobs or raise its max_connections")]
    TooManyConnections,
    /// Its disk is full or it is read-only.
    #[error("its disk is full or it is read-only; what it holds is kept")]
    NoRoom,
    /// No server answers.
    #[error("no server answers; check that it runs and the host and port are right, then repeat the command")]
    Away,
    /// There is no encrypted connection.
    #[error(
        "there is no encrypted connection with a valid certificate; add ?sslrootcert=FILE, or ?sslmode=require to accept any certificate"
    )]
    NotEncrypted,
    /// Something else failed.
    #[error("a query failed")]
    Other,
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
