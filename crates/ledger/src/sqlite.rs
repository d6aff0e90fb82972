use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteRow, SqliteSynchronous};
use sqlx::{Connection, Row, SqliteConnection, SqliteExecutor, SqlitePool};

use crate::store::{ArtifactKey, Store, saturating};
use crate::{Answer, Claim, InputHash, Lease, LedgerError, Sent};

/// The newest table format that this program supports.
const FORMAT: i64 = 3;

/// The tables that each format added. Tables have only ever been added, so upgrading an older file only creates the missing ones.
const TABLES: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS artifacts (
        stage      TEXT    NOT NULL,
        version    INTEGER NOT NULL,
        input_hash TEXT    NOT NULL,
        output     BLOB    NOT NULL,
        PRIMARY KEY (stage, version, input_hash)
    ) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS answers (
        key     TEXT    NOT NULL PRIMARY KEY,
        asked   TEXT    NOT NULL,
        status  INTEGER NOT NULL,
        head    TEXT    NOT NULL,
        body    BLOB    NOT NULL,
        settled INTEGER NOT NULL
    ) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS egress (
        number    INTEGER PRIMARY KEY AUTOINCREMENT,
        who       TEXT    NOT NULL,
        host      TEXT    NOT NULL,
        asked     TEXT    NOT NULL,
        bytes_out INTEGER NOT NULL,
        bytes_in  INTEGER NOT NULL,
        outcome   TEXT    NOT NULL
    )",
    // A number is never used again, so that it can be the token of a lease.
    "CREATE TABLE IF NOT EXISTS claims (
        token      INTEGER PRIMARY KEY AUTOINCREMENT,
        key        TEXT    NOT NULL UNIQUE,
        held_until REAL    NOT NULL
    )",
];

const ALL_SENT: &str = "SELECT who, host, asked, bytes_out, bytes_in, outcome FROM egress ORDER BY number";

const KEEP_ANSWER: &str =
    "INSERT INTO answers (key, asked, status, head, body, settled) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    ON CONFLICT (key) DO UPDATE SET asked = excluded.asked, status = excluded.status, head = excluded.head,
        body = excluded.body, settled = excluded.settled
    WHERE answers.settled = 0";

/// A ledger in an SQLite file or in memory.
#[derive(Debug)]
pub(crate) struct SqliteStore {
    pool: SqlitePool,
}

impl SqliteStore {
    pub(crate) async fn open(path: &Path) -> Result<Self, LedgerError> {
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
    }

    pub(crate) async fn in_memory() -> Result<Self, LedgerError> {
        // One connection that never closes, because every in-memory connection is a separate database.
        let pool = SqlitePoolOptions::new()
            .max_connections(1)
            .idle_timeout(None)
            .max_lifetime(None)
            .connect_with(SqliteConnectOptions::new().in_memory(true))
            .await?;
        Self::prepare(pool).await
    }

    async fn prepare(pool: SqlitePool) -> Result<Self, LedgerError> {
        let found = format_of(&pool).await?;
        for table in TABLES.iter().copied() {
            sqlx::query(table).execute(&pool).await?;
        }
        if found < FORMAT {
            sqlx::query("PRAGMA user_version = 3").execute(&pool).await?;
        }
        Ok(Self { pool })
    }

    /// All outgoing requests of the ledger at `path`. Only reads.
    pub(crate) async fn sent_in(path: &Path) -> Result<Vec<Sent>, LedgerError> {
        let options = file_options(path).read_only(true);
        let opened = SqliteConnection::connect_with(&options).await;
        let mut connection = opened.map_err(|source| LedgerError::Open {
            path: path.to_owned(),
            source,
        })?;
        let rows = match format_of(&mut connection).await? {
            // The first format has no such table.
            ..2 => Vec::new(),
            _ => sqlx::query(ALL_SENT).fetch_all(&mut connection).await?,
        };
        connection.close().await?;
        rows.iter().map(read_sent).collect()
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn artifact(&self, key: ArtifactKey<'_>) -> Result<Option<Vec<u8>>, LedgerError> {
        let output =
            sqlx::query_scalar("SELECT output FROM artifacts WHERE stage = ?1 AND version = ?2 AND input_hash = ?3")
                .bind(key.stage)
                .bind(i64::from(key.version))
                .bind(key.input.as_str())
                .fetch_optional(&self.pool)
                .await?;
        Ok(output)
    }

    async fn keep_artifact(&self, key: ArtifactKey<'_>, output: &[u8]) -> Result<Option<Vec<u8>>, LedgerError> {
        let done =
            sqlx::query("INSERT OR IGNORE INTO artifacts (stage, version, input_hash, output) VALUES (?1, ?2, ?3, ?4)")
                .bind(key.stage)
                .bind(i64::from(key.version))
                .bind(key.input.as_str())
                .bind(output)
                .execute(&self.pool)
                .await?;
        match done.rows_affected() {
            0 => self.artifact(key).await,
            _ => Ok(None),
        }
    }

    async fn mend_artifact(&self, key: ArtifactKey<'_>, output: &[u8]) -> Result<(), LedgerError> {
        sqlx::query("INSERT OR REPLACE INTO artifacts (stage, version, input_hash, output) VALUES (?1, ?2, ?3, ?4)")
            .bind(key.stage)
            .bind(i64::from(key.version))
            .bind(key.input.as_str())
            .bind(output)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    async fn artifact_count(&self) -> Result<u64, LedgerError> {
        let count: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM artifacts")
            .fetch_one(&self.pool)
            .await?;
        Ok(u64::try_from(count).unwrap_or_default())
    }

    async fn answer(&self, key: &InputHash) -> Result<Option<Answer>, LedgerError> {
        let row = sqlx::query("SELECT asked, status, head, body, settled FROM answers WHERE key = ?1")
            .bind(key.as_str())
            .fetch_optional(&self.pool)
            .await?;
        row.map(|row| read_answer(&row)).transpose()
    }

    async fn answer_heads(&self) -> Result<Vec<(String, String)>, LedgerError> {
        Ok(sqlx::query_as("SELECT key, head FROM answers")
            .fetch_all(&self.pool)
            .await?)
    }

    async fn keep_answer(&self, key: &InputHash, answer: &Answer) -> Result<(), LedgerError> {
        keep_answer(&self.pool, key, answer).await
    }

    async fn note_sent(&self, sent: &Sent) -> Result<i64, LedgerError> {
        let done = sqlx::query(
            "INSERT INTO egress (who, host, asked, bytes_out, bytes_in, outcome) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )
        .bind(&sent.who)
        .bind(&sent.host)
        .bind(&sent.asked)
        .bind(saturating(sent.bytes_out))
        .bind(saturating(sent.bytes_in))
        .bind(&sent.outcome)
        .execute(&self.pool)
        .await?;
        Ok(done.last_insert_rowid())
    }

    async fn note_received(&self, number: i64, bytes_in: u64, outcome: &str) -> Result<(), LedgerError> {
        sqlx::query("UPDATE egress SET bytes_in = ?2, outcome = ?3 WHERE number = ?1")
            .bind(number)
            .bind(saturating(bytes_in))
            .bind(outcome)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    async fn everything_sent(&self) -> Result<Vec<Sent>, LedgerError> {
        let rows = sqlx::query(ALL_SENT).fetch_all(&self.pool).await?;
        rows.iter().map(read_sent).collect()
    }

    async fn claim(&self, key: &InputHash, lease: Duration) -> Result<Claim, LedgerError> {
        // One transaction that writes from its start, so that no response is recorded between its two statements.
        let mut transaction = self.pool.begin_with("BEGIN IMMEDIATE").await?;
        let is_settled: Option<i64> = sqlx::query_scalar("SELECT 1 FROM answers WHERE key = ?1 AND settled = 1")
            .bind(key.as_str())
            .fetch_optional(&mut *transaction)
            .await?;
        if is_settled.is_some() {
            return Ok(Claim::Answered);
        }
        sqlx::query("DELETE FROM claims WHERE key = ?1 AND held_until < unixepoch('subsec')")
            .bind(key.as_str())
            .execute(&mut *transaction)
            .await?;
        let done = sqlx::query("INSERT OR IGNORE INTO claims (key, held_until) VALUES (?1, unixepoch('subsec') + ?2)")
            .bind(key.as_str())
            .bind(lease.as_secs_f64())
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(match done.rows_affected() {
            0 => Claim::Held,
            _ => Claim::Ours(Lease {
                key: key.clone(),
                token: done.last_insert_rowid(),
                was_held: false,
            }),
        })
    }

    async fn renew(&self, lease: &Lease, length: Duration) -> Result<bool, LedgerError> {
        let done = sqlx::query("UPDATE claims SET held_until = unixepoch('subsec') + ?2 WHERE token = ?1")
            .bind(lease.token)
            .bind(length.as_secs_f64())
            .execute(&self.pool)
            .await?;
        Ok(done.rows_affected() > 0)
    }

    async fn settle(&self, lease: &Lease, answer: &Answer) -> Result<bool, LedgerError> {
        let mut transaction = self.pool.begin_with("BEGIN IMMEDIATE").await?;
        let done = sqlx::query("DELETE FROM claims WHERE token = ?1")
            .bind(lease.token)
            .execute(&mut *transaction)
            .await?;
        if done.rows_affected() == 0 {
            return Ok(false);
        }
        keep_answer(&mut *transaction, &lease.key, answer).await?;
        transaction.commit().await?;
        Ok(true)
    }

    async fn release(&self, lease: &Lease) -> Result<(), LedgerError> {
        sqlx::query("DELETE FROM claims WHERE token = ?1")
            .bind(lease.token)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    async fn close(&self) {
        // A failed checkpoint loses nothing, because the write-ahead log still holds the data.
        let _ = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&self.pool).await;
        self.pool.close().await;
    }
}

async fn keep_answer(database: impl SqliteExecutor<'_>, key: &InputHash, answer: &Answer) -> Result<(), LedgerError> {
    sqlx::query(KEEP_ANSWER)
        .bind(key.as_str())
        .bind(&answer.asked)
        .bind(i64::from(answer.status))
        .bind(&answer.head)
        .bind(&answer.body)
        .bind(answer.settled)
        .execute(database)
        .await?;
    Ok(())
}

/// How every ledger in a file is opened.
fn file_options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .busy_timeout(Duration::from_secs(30))
}

/// The format of a ledger, which is not later than [`FORMAT`].
async fn format_of(database: impl SqliteExecutor<'_>) -> Result<i64, LedgerError> {
    let found = sqlx::query_scalar("PRAGMA user_version").fetch_one(database).await?;
    match found > FORMAT {
        true => Err(LedgerError::Newer { found, known: FORMAT }),
        false => Ok(found),
    }
}

fn read_answer(row: &SqliteRow) -> Result<Answer, LedgerError> {
    Ok(Answer {
        asked: row.try_get("asked")?,
        status: u16::try_from(row.try_get::<i64, _>("status")?).unwrap_or_default(),
        head: row.try_get("head")?,
        body: row.try_get("body")?,
        settled: row.try_get("settled")?,
    })
}

fn read_sent(row: &SqliteRow) -> Result<Sent, LedgerError> {
    Ok(Sent {
        who: row.try_get("who")?,
        host: row.try_get("host")?,
        asked: row.try_get("asked")?,
        bytes_out: u64::try_from(row.try_get::<i64, _>("bytes_out")?).unwrap_or_default(),
        bytes_in: u64::try_from(row.try_get::<i64, _>("bytes_in")?).unwrap_or_default(),
        outcome: row.try_get("outcome")?,
    })
}
