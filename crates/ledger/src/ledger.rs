use std::path::Path;
use std::time::Duration;

use futures_util::future::BoxFuture;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{SqliteExecutor, SqlitePool};

use crate::{InputHash, LedgerError, answer};

/// The newest table format that this program supports.
const FORMAT: i64 = 2;

/// An open ledger. Clones share one connection pool.
#[derive(Debug, Clone)]
pub struct Ledger {
    pool: SqlitePool,
}

impl Ledger {
    /// Opens the ledger at `path`, or creates it. Its folder must exist.
    ///
    /// # Errors
    /// If the file cannot be opened or a later version wrote it.
    pub fn open<'a>(path: &'a Path) -> BoxFuture<'a, Result<Self, LedgerError>> {
        Box::pin(async move {
            let options = file_options(path)
                .create_if_missing(true)
                .journal_mode(SqliteJournalMode::Wal)
                .synchronous(SqliteSynchronous::Normal);
            let opened = SqlitePoolOptions::new().max_connections(4).connect_with(options).await;
            let pool = opened.map_err(|source| LedgerError::Open {
                path: path.to_owned(),
                source,
            })?;
            Self::prepare(pool).await
        })
    }

    /// A ledger in memory, which is lost when the program ends.
    ///
    /// # Errors
    /// If SQLite cannot start.
    pub fn in_memory() -> BoxFuture<'static, Result<Self, LedgerError>> {
        Box::pin(async move {
            // One connection that never closes, because every in-memory connection is a separate database.
            let pool = SqlitePoolOptions::new()
                .max_connections(1)
                .idle_timeout(None)
                .max_lifetime(None)
                .connect_with(SqliteConnectOptions::new().in_memory(true))
                .await?;
            Self::prepare(pool).await
        })
    }

    async fn prepare(pool: SqlitePool) -> Result<Self, LedgerError> {
        let found = format_of(&pool).await?;
        sqlx::query(
            "CREATE TABLE IF NOT EXISTS artifacts (
                stage      TEXT    NOT NULL,
                version    INTEGER NOT NULL,
                input_hash TEXT    NOT NULL,
                output     BLOB    NOT NULL,
                PRIMARY KEY (stage, version, input_hash)
            ) WITHOUT ROWID",
        )
        .execute(&pool)
        .await?;
        // Tables have only ever been added, so upgrading an older file only creates the missing ones.
        for table in answer::TABLES.iter().copied() {
            sqlx::query(table).execute(&pool).await?;
        }
        if found < FORMAT {
            sqlx::query("PRAGMA user_version = 2").execute(&pool).await?;
        }
        Ok(Self { pool })
    }

    pub(crate) fn pool(&self) -> &SqlitePool {
        &self.pool
    }

    /// The output of `stage` at `version` for this input, if it was computed before.
    ///
    /// # Errors
    /// If the ledger cannot be read.
    pub fn artifact<'a>(
        &'a self,
        stage: &'a str,
        version: u32,
        input: &'a InputHash,
    ) -> BoxFuture<'a, Result<Option<Vec<u8>>, LedgerError>> {
        Box::pin(async move {
            let output = sqlx::query_scalar(
                "SELECT output FROM artifacts WHERE stage = ?1 AND version = ?2 AND input_hash = ?3",
            )
            .bind(stage)
            .bind(i64::from(version))
            .bind(input.as_str())
            .fetch_optional(&self.pool)
            .await?;
            Ok(output)
        })
    }

    /// Records the output of `stage` at `version` for this input. The first output is final: recording another one is not an error and changes
    /// nothing.
    ///
    /// # Errors
    /// If the ledger cannot be written.
    pub fn keep_artifact<'a>(
        &'a self,
        stage: &'a str,
        version: u32,
        input: &'a InputHash,
        output: &'a [u8],
    ) -> BoxFuture<'a, Result<(), LedgerError>> {
        Box::pin(async move {
            sqlx::query("INSERT OR IGNORE INTO artifacts (stage, version, input_hash, output) VALUES (?1, ?2, ?3, ?4)")
                .bind(stage)
                .bind(i64::from(version))
                .bind(input.as_str())
                .bind(output)
                .execute(&self.pool)
                .await?;
            Ok(())
        })
    }

    /// Replaces a recorded output of `stage` that can no longer be parsed.
    ///
    /// # Errors
    /// If the ledger cannot be written.
    pub fn mend_artifact<'a>(
        &'a self,
        stage: &'a str,
        version: u32,
        input: &'a InputHash,
        output: &'a [u8],
    ) -> BoxFuture<'a, Result<(), LedgerError>> {
        Box::pin(async move {
            sqlx::query(
                "INSERT OR REPLACE INTO artifacts (stage, version, input_hash, output) VALUES (?1, ?2, ?3, ?4)",
            )
            .bind(stage)
            .bind(i64::from(version))
            .bind(input.as_str())
            .bind(output)
            .execute(&self.pool)
            .await?;
            Ok(())
        })
    }

    /// The number of recorded artifacts.
    ///
    /// # Errors
    /// If the ledger cannot be read.
    pub fn artifact_count<'a>(&'a self) -> BoxFuture<'a, Result<u64, LedgerError>> {
        Box::pin(async move {
            let count: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM artifacts")
                .fetch_one(&self.pool)
                .await?;
            Ok(u64::try_from(count).unwrap_or_default())
        })
    }

    /// Writes everything to the main file and closes it, so that the folder can be copied.
    pub fn close(self) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            // A failed checkpoint loses nothing, because the write-ahead log still holds the data.
            let _ = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&self.pool).await;
            self.pool.close().await;
        })
    }
}

/// How every ledger in a file is opened.
pub(crate) fn file_options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .busy_timeout(Duration::from_secs(30))
}

/// The format of a ledger, which is not later than [`FORMAT`].
pub(crate) async fn format_of(database: impl SqliteExecutor<'_>) -> Result<i64, LedgerError> {
    let found = sqlx::query_scalar("PRAGMA user_version").fetch_one(database).await?;
    match found > FORMAT {
        true => Err(LedgerError::Newer { found, known: FORMAT }),
        false => Ok(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(text: &str) -> InputHash {
        InputHash::of([text.as_bytes()])
    }

    #[tokio::test]
    async fn an_artifact_survives_a_restart_and_the_first_one_is_final() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("ledger.sqlite");
        let ledger = Ledger::open(&path).await.unwrap();
        ledger
            .keep_artifact("extract", 1, &hash("paper"), b"one")
            .await
            .unwrap();
        ledger
            .keep_artifact("extract", 1, &hash("paper"), b"two")
            .await
            .unwrap();
        ledger.close().await;
        let again = Ledger::open(&path).await.unwrap();
        assert_eq!(
            again.artifact("extract", 1, &hash("paper")).await.unwrap().unwrap(),
            b"one"
        );
        assert_eq!(again.artifact("extract", 2, &hash("paper")).await.unwrap(), None);
        assert_eq!(again.artifact("search", 1, &hash("paper")).await.unwrap(), None);
        assert_eq!(again.artifact_count().await.unwrap(), 1);
        again
            .mend_artifact("extract", 1, &hash("paper"), b"mended")
            .await
            .unwrap();
        let mended = again.artifact("extract", 1, &hash("paper")).await.unwrap();
        assert_eq!(mended.unwrap(), b"mended");
        assert_eq!(again.artifact_count().await.unwrap(), 1);
    }

    #[tokio::test]
    async fn concurrent_writers_all_succeed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("ledger.sqlite");
        let (a, b) = (Ledger::open(&path).await.unwrap(), Ledger::open(&path).await.unwrap());
        let write = |ledger: Ledger, who: &'static str| async move {
            for n in 0..50 {
                ledger
                    .keep_artifact(who, 1, &hash(&n.to_string()), &[7; 1000])
                    .await
                    .unwrap();
            }
        };
        tokio::join!(write(a.clone(), "a"), write(b, "b"));
        assert_eq!(a.artifact_count().await.unwrap(), 100);
    }

    #[tokio::test]
    async fn a_file_of_the_first_format_opens_and_gets_the_new_tables() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("ledger.sqlite");
        let options = SqliteConnectOptions::new().filename(&path).create_if_missing(true);
        let old = SqlitePoolOptions::new().connect_with(options).await.unwrap();
        for statement in [
            "CREATE TABLE artifacts (stage TEXT NOT NULL, version INTEGER NOT NULL, input_hash TEXT NOT NULL, output BLOB NOT NULL,
             PRIMARY KEY (stage, version, input_hash)) WITHOUT ROWID",
            "PRAGMA user_version = 1",
        ] {
            sqlx::query(statement).execute(&old).await.unwrap();
        }
        sqlx::query("INSERT INTO artifacts VALUES ('extract', 1, ?1, x'6f6e65')")
            .bind(hash("paper").as_str())
            .execute(&old)
            .await
            .unwrap();
        old.close().await;
        assert!(Ledger::sent_in(&path).await.unwrap().is_empty());
        let ledger = Ledger::open(&path).await.unwrap();
        let kept = ledger.artifact("extract", 1, &hash("paper")).await.unwrap();
        assert_eq!(kept.unwrap(), b"one");
        assert_eq!(ledger.answer(&hash("asked")).await.unwrap(), None);
        assert!(ledger.everything_sent().await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn a_later_format_and_a_file_that_is_not_a_ledger_are_rejected() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("later.sqlite");
        let ledger = Ledger::open(&path).await.unwrap();
        sqlx::query("PRAGMA user_version = 99")
            .execute(&ledger.pool)
            .await
            .unwrap();
        ledger.close().await;
        assert!(matches!(
            Ledger::open(&path).await,
            Err(LedgerError::Newer { found: 99, known: 2 })
        ));
        assert!(matches!(
            Ledger::sent_in(&path).await,
            Err(LedgerError::Newer { found: 99, known: 2 })
        ));
        let other = dir.path().join("other.sqlite");
        std::fs::write(&other, "this is no database, it is a plain text file of some length").unwrap();
        assert!(Ledger::open(&other).await.is_err());
    }
}
