use std::path::Path;
use std::time::Duration;

use futures_util::future::BoxFuture;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Row, SqlitePool};

use crate::{Answer, InputHash, LedgerError};

/// The newest table format that this program supports.
const FORMAT: i64 = 1;
/// Maximum size of all bodies, compressed. The oldest answers are removed first.
const MOST_BYTES: i64 = 1 << 30;
/// Maximum size of one body.
const LONGEST_BODY: usize = 32 << 20;

/// Responses of external services that all runs on a machine share. It contains no requests, only the hashes of them.
#[derive(Debug, Clone)]
pub struct AnswerCache {
    pool: SqlitePool,
}

impl AnswerCache {
    /// Opens the cache at `path`, or creates it. Answers kept before `oldest`, in seconds since 1970, are removed.
    ///
    /// # Errors
    /// If the file cannot be opened or a later version wrote it.
    pub fn open<'a>(path: &'a Path, oldest: u64) -> BoxFuture<'a, Result<Self, LedgerError>> {
        Box::pin(async move {
            let options = SqliteConnectOptions::new()
                .filename(path)
                .create_if_missing(true)
                .journal_mode(SqliteJournalMode::Wal)
                .synchronous(SqliteSynchronous::Off)
                .busy_timeout(Duration::from_secs(5));
            let opened = SqlitePoolOptions::new().max_connections(2).connect_with(options).await;
            let pool = opened.map_err(|source| LedgerError::Open {
                path: path.to_owned(),
                source,
            })?;
            let found: i64 = sqlx::query_scalar("PRAGMA user_version").fetch_one(&pool).await?;
            if found > FORMAT {
                return Err(LedgerError::Newer { found, known: FORMAT });
            }
            sqlx::query(
                "CREATE TABLE IF NOT EXISTS answers (key TEXT NOT NULL PRIMARY KEY, kept INTEGER NOT NULL, status INTEGER NOT NULL,
                 head TEXT NOT NULL, body BLOB NOT NULL) WITHOUT ROWID",
            )
            .execute(&pool)
            .await?;
            sqlx::query("PRAGMA user_version = 1").execute(&pool).await?;
            sqlx::query("DELETE FROM answers WHERE kept < ?1")
                .bind(seconds(oldest))
                .execute(&pool)
                .await?;
            let size: i64 = sqlx::query_scalar("SELECT COALESCE(SUM(LENGTH(body)), 0) FROM answers")
                .fetch_one(&pool)
                .await?;
            if size > MOST_BYTES {
                sqlx::query("DELETE FROM answers WHERE kept <= (SELECT kept FROM answers ORDER BY kept LIMIT 1 OFFSET (SELECT COUNT(*) / 4 FROM answers))")
                    .execute(&pool)
                    .await?;
            }
            Ok(Self { pool })
        })
    }

    /// The response for `key`, if it was kept at `oldest` or later.
    ///
    /// # Errors
    /// If the cache cannot be read.
    pub fn answer<'a>(&'a self, key: &'a InputHash, oldest: u64) -> BoxFuture<'a, Result<Option<Answer>, LedgerError>> {
        Box::pin(async move {
            let row = sqlx::query("SELECT status, head, body FROM answers WHERE key = ?1 AND kept >= ?2")
                .bind(key.as_str())
                .bind(seconds(oldest))
                .fetch_optional(&self.pool)
                .await?;
            let Some(row) = row else { return Ok(None) };
            let body: Vec<u8> = row.try_get("body")?;
            // A damaged body is as good as none.
            let Ok(body) = zstd::bulk::decompress(&body, LONGEST_BODY) else {
                return Ok(None);
            };
            Ok(Some(Answer {
                asked: String::new(),
                status: u16::try_from(row.try_get::<i64, _>("status")?).unwrap_or_default(),
                head: row.try_get("head")?,
                body,
                settled: true,
            }))
        })
    }

    /// Keeps a settled response under `key` since `now`, in seconds since 1970. The description of the request is not kept.
    ///
    /// # Errors
    /// If the cache cannot be written.
    pub fn keep<'a>(
        &'a self,
        key: &'a InputHash,
        answer: &'a Answer,
        now: u64,
    ) -> BoxFuture<'a, Result<(), LedgerError>> {
        Box::pin(async move {
            if answer.body.len() > LONGEST_BODY {
                return Ok(());
            }
            let Ok(body) = zstd::bulk::compress(&answer.body, 3) else {
                return Ok(());
            };
            sqlx::query("INSERT OR REPLACE INTO answers (key, kept, status, head, body) VALUES (?1, ?2, ?3, ?4, ?5)")
                .bind(key.as_str())
                .bind(seconds(now))
                .bind(i64::from(answer.status))
                .bind(&answer.head)
                .bind(body)
                .execute(&self.pool)
                .await?;
            Ok(())
        })
    }
}

fn seconds(time: u64) -> i64 {
    i64::try_from(time).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_answer_is_found_until_it_is_too_old_and_its_request_is_not_kept() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("answers.sqlite");
        let (one, other) = (InputHash::of([b"one".as_slice()]), InputHash::of([b"other".as_slice()]));
        let answer = Answer {
            asked: "GET https://example.org/?q=secret+words".to_owned(),
            status: 200,
            head: "{}".to_owned(),
            body: b"ropes ".repeat(1_000),
            settled: true,
        };
        let cache = AnswerCache::open(&path, 0).await.unwrap();
        cache.keep(&one, &answer, 1_000).await.unwrap();
        let found = cache.answer(&one, 1_000).await.unwrap().unwrap();
        assert_eq!(
            (found.status, &found.body, found.asked.as_str()),
            (200, &answer.body, "")
        );
        assert_eq!(cache.answer(&one, 1_001).await.unwrap(), None);
        assert_eq!(cache.answer(&other, 0).await.unwrap(), None);
        cache.pool.close().await;
        let whole: Vec<u8> = std::fs::read(&path).unwrap();
        assert!(!String::from_utf8_lossy(&whole).contains("secret"));
        // A second process sees it, and removes what is too old.
        let again = AnswerCache::open(&path, 1_000).await.unwrap();
        assert!(again.answer(&one, 0).await.unwrap().is_some());
        let later = AnswerCache::open(&path, 1_001).await.unwrap();
        assert_eq!(later.answer(&one, 0).await.unwrap(), None);
    }
}
