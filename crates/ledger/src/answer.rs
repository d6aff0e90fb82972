use std::path::Path;

use futures_util::future::BoxFuture;
use sqlx::sqlite::SqliteRow;
use sqlx::{Connection, Row, SqliteConnection};

use crate::ledger::{file_options, format_of};
use crate::{InputHash, Ledger, LedgerError};

/// A recorded response of an external service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// A description of the request for people, without secrets.
    pub asked: String,
    /// The HTTP status; 0 if there was no response.
    pub status: u16,
    /// The kept headers and other metadata of the response, as JSON.
    pub head: String,
    /// The body as received.
    pub body: Vec<u8>,
    /// Whether a new request would return the same. "Not found" is settled; "too busy" is not.
    pub settled: bool,
}

/// One outgoing request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// The component that sent it.
    pub who: String,
    /// The host that received it.
    pub host: String,
    /// A description of the request for people, without secrets.
    pub asked: String,
    /// Bytes of the address and body sent.
    pub bytes_out: u64,
    /// Bytes of the body received.
    pub bytes_in: u64,
    /// The status, or a short description of the failure.
    pub outcome: String,
}

impl Ledger {
    /// The recorded response for `key`.
    ///
    /// # Errors
    /// If the ledger cannot be read.
    pub fn answer<'a>(&'a self, key: &'a InputHash) -> BoxFuture<'a, Result<Option<Answer>, LedgerError>> {
        Box::pin(async move {
            let row = sqlx::query("SELECT asked, status, head, body, settled FROM answers WHERE key = ?1")
                .bind(key.as_str())
                .fetch_optional(self.pool())
                .await?;
            row.map(|row| read_answer(&row)).transpose()
        })
    }

    /// Records a response under `key`. A settled response is final: recording another one is not an error and changes nothing. An unsettled response
    /// is replaced by the next one.
    ///
    /// # Errors
    /// If the ledger cannot be written.
    pub fn keep_answer<'a>(&'a self, key: &'a InputHash, answer: &'a Answer) -> BoxFuture<'a, Result<(), LedgerError>> {
        Box::pin(async move {
            sqlx::query(
                "INSERT INTO answers (key, asked, status, head, body, settled) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (key) DO UPDATE SET asked = excluded.asked, status = excluded.status, head = excluded.head,
                 body = excluded.body, settled = excluded.settled
             WHERE answers.settled = 0",
            )
            .bind(key.as_str())
            .bind(&answer.asked)
            .bind(i64::from(answer.status))
            .bind(&answer.head)
            .bind(&answer.body)
            .bind(answer.settled)
            .execute(self.pool())
            .await?;
            Ok(())
        })
    }

    /// Records a request before it is sent, so that it is known what left the machine even if the program dies while sending. Returns the number of
    /// the entry, for [`Ledger::note_received`].
    ///
    /// # Errors
    /// If the ledger cannot be written.
    pub fn note_sent<'a>(&'a self, sent: &'a Sent) -> BoxFuture<'a, Result<i64, LedgerError>> {
        Box::pin(async move {
            let done = sqlx::query(
                "INSERT INTO egress (who, host, asked, bytes_out, bytes_in, outcome) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )
            .bind(&sent.who)
            .bind(&sent.host)
            .bind(&sent.asked)
            .bind(saturating(sent.bytes_out))
            .bind(saturating(sent.bytes_in))
            .bind(&sent.outcome)
            .execute(self.pool())
            .await?;
            Ok(done.last_insert_rowid())
        })
    }

    /// Records the outcome of entry `number`.
    ///
    /// # Errors
    /// If the ledger cannot be written.
    pub fn note_received<'a>(
        &'a self,
        number: i64,
        bytes_in: u64,
        outcome: &'a str,
    ) -> BoxFuture<'a, Result<(), LedgerError>> {
        Box::pin(async move {
            sqlx::query("UPDATE egress SET bytes_in = ?2, outcome = ?3 WHERE number = ?1")
                .bind(number)
                .bind(saturating(bytes_in))
                .bind(outcome)
                .execute(self.pool())
                .await?;
            Ok(())
        })
    }

    /// All outgoing requests, in order.
    ///
    /// # Errors
    /// If the ledger cannot be read.
    pub fn everything_sent<'a>(&'a self) -> BoxFuture<'a, Result<Vec<Sent>, LedgerError>> {
        Box::pin(async move {
            let rows = sqlx::query(ALL_SENT).fetch_all(self.pool()).await?;
            rows.iter().map(read_sent).collect()
        })
    }

    /// All outgoing requests of the ledger at `path`, in order. Only reads, so a run that writes the ledger at the same time is not disturbed.
    ///
    /// # Errors
    /// If the file cannot be opened or read, or a later version wrote it.
    pub fn sent_in<'a>(path: &'a Path) -> BoxFuture<'a, Result<Vec<Sent>, LedgerError>> {
        Box::pin(async move {
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
        })
    }
}

const ALL_SENT: &str = "SELECT who, host, asked, bytes_out, bytes_in, outcome FROM egress ORDER BY number";

/// The tables used by this file.
pub(crate) const TABLES: &[&str] = &[
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
];

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

fn saturating(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> InputHash {
        InputHash::of([text.as_bytes()])
    }

    fn answer(status: u16, body: &str, settled: bool) -> Answer {
        Answer {
            asked: "GET https://example.org/works".to_owned(),
            status,
            head: "{}".to_owned(),
            body: body.as_bytes().to_vec(),
            settled,
        }
    }

    #[tokio::test]
    async fn an_unsettled_response_is_replaced_and_a_settled_one_is_final() {
        let ledger = Ledger::in_memory().await.unwrap();
        assert_eq!(ledger.answer(&key("q")).await.unwrap(), None);
        let trouble = answer(503, "busy", false);
        ledger.keep_answer(&key("q"), &trouble).await.unwrap();
        assert_eq!(ledger.answer(&key("q")).await.unwrap(), Some(trouble));
        let first = answer(200, "one", true);
        ledger.keep_answer(&key("q"), &first).await.unwrap();
        ledger.keep_answer(&key("q"), &answer(200, "two", true)).await.unwrap();
        assert_eq!(ledger.answer(&key("q")).await.unwrap(), Some(first));
        assert_eq!(ledger.answer(&key("other")).await.unwrap(), None);
    }

    #[tokio::test]
    async fn a_request_is_recorded_before_its_response_arrives() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("ledger.sqlite");
        let ledger = Ledger::open(&path).await.unwrap();
        let mut sent = Sent {
            who: "source".to_owned(),
            host: "example.org".to_owned(),
            asked: "GET /works".to_owned(),
            bytes_out: 25,
            bytes_in: 0,
            outcome: "sending".to_owned(),
        };
        let number = ledger.note_sent(&sent).await.unwrap();
        assert_eq!(ledger.everything_sent().await.unwrap(), [sent.clone()]);
        ledger.note_received(number, 1000, "200").await.unwrap();
        sent.bytes_in = 1000;
        sent.outcome = "200".to_owned();
        assert_eq!(ledger.everything_sent().await.unwrap(), [sent.clone()]);
        // Others read it while it is open, and leave the write-ahead log as it is.
        let log = dir.path().join("ledger.sqlite-wal");
        let before = std::fs::metadata(&log).unwrap().len();
        assert_eq!(Ledger::sent_in(&path).await.unwrap(), [sent.clone()]);
        assert_eq!(std::fs::metadata(&log).unwrap().len(), before);
        ledger.close().await;
        assert_eq!(Ledger::sent_in(&path).await.unwrap(), [sent]);
    }
}
