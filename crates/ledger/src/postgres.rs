use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use sqlx::pool::PoolConnection;
use sqlx::postgres::PgRow;
use sqlx::{Connection, PgExecutor, PgPool, Postgres, Row};
use tokio::runtime::Handle;

use crate::connection::{self, failed, storable};
use crate::store::{ArtifactKey, Store, saturating};
use crate::{Answer, Claim, InputHash, Lease, LedgerError, Sent};

/// A turn that is further away is of a clock that was set back, or of processes that ended, and does not count.
const FURTHEST: Duration = Duration::from_secs(600);

/// A ledger in a PostgreSQL database. Several processes and machines may use it at the same time. Each scope has its own rows.
pub(crate) struct PostgresStore {
    pool: PgPool,
    /// The runtime that opens connections. They end with it, and a run's own ends before a pool that runs share.
    runtime: Handle,
    is_shared_pool: bool,
    scope: String,
    /// The database as messages name it, without the user and the password.
    place: String,
}

impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresStore")
            .field("place", &self.place)
            .field("scope", &self.scope)
            .finish_non_exhaustive()
    }
}

impl PostgresStore {
    pub(crate) async fn connect(url: &str, scope: &str) -> Result<Self, LedgerError> {
        // A batch has a ledger for each paper that is assessed, and a server usually allows 100 connections.
        let (pool, place) = connection::open(url, 1).await?;
        Ok(Self {
            pool,
            runtime: Handle::current(),
            is_shared_pool: false,
            scope: scope.to_owned(),
            place,
        })
    }

    /// A ledger that borrows connections of a pool which is not its own.
    pub(crate) fn borrowing(pool: &PgPool, runtime: &Handle, place: &str, scope: &str) -> Self {
        Self {
            pool: pool.clone(),
            runtime: runtime.clone(),
            is_shared_pool: true,
            scope: scope.to_owned(),
            place: place.to_owned(),
        }
    }

    async fn connection(&self) -> Result<PoolConnection<Postgres>, sqlx::Error> {
        let pool = self.pool.clone();
        let opened = self.runtime.spawn(async move { pool.acquire().await }).await;
        // Only the end of the process ends the runtime of the pool.
        opened.map_err(|_| sqlx::Error::PoolClosed)?
    }

    async fn borrow(&self) -> Result<PoolConnection<Postgres>, LedgerError> {
        self.connection().await.map_err(|error| self.failed(error))
    }

    fn failed(&self, error: sqlx::Error) -> LedgerError {
        failed(&self.place, error)
    }

    async fn keep_answer(
        &self,
        database: impl PgExecutor<'_>,
        key: &InputHash,
        answer: &Answer,
    ) -> Result<(), sqlx::Error> {
        sqlx::query(
            "INSERT INTO precedent.answers (scope, key, asked, status, head, body, settled) VALUES ($1, $2, $3, $4, $5, $6, $7)
             ON CONFLICT (scope, key) DO UPDATE SET asked = excluded.asked, status = excluded.status, head = excluded.head,
                 body = excluded.body, settled = excluded.settled
             WHERE NOT answers.settled",
        )
        .bind(&self.scope)
        .bind(key.as_str())
        .bind(storable(&answer.asked))
        .bind(i64::from(answer.status))
        .bind(storable(&answer.head))
        .bind(&answer.body)
        .bind(answer.settled)
        .execute(database)
        .await?;
        Ok(())
    }

    async fn try_claim(&self, key: &InputHash, lease: Duration) -> Result<Claim, sqlx::Error> {
        let mut connection = self.connection().await?;
        // A new row has no earlier version.
        let claimed: Option<(i64, bool)> = sqlx::query_as(
            "INSERT INTO precedent.claims AS held (scope, key, token, held_until)
             VALUES ($1, $2, nextval('precedent.tokens'), clock_timestamp() + make_interval(secs => $3))
             ON CONFLICT (scope, key) DO UPDATE SET token = excluded.token, held_until = excluded.held_until
             WHERE held.held_until < clock_timestamp()
             RETURNING token, xmax <> 0",
        )
        .bind(&self.scope)
        .bind(key.as_str())
        .bind(lease.as_secs_f64())
        .fetch_optional(&mut *connection)
        .await?;
        let Some((token, was_held)) = claimed else {
            return Ok(Claim::Held);
        };
        // An earlier holder records its response before its claim ends, so this sees it.
        let is_settled: Option<bool> =
            sqlx::query_scalar("SELECT settled FROM precedent.answers WHERE scope = $1 AND key = $2")
                .bind(&self.scope)
                .bind(key.as_str())
                .fetch_optional(&mut *connection)
                .await?;
        if is_settled == Some(true) {
            self.remove_claim(&mut *connection, key, token).await?;
            return Ok(Claim::Answered);
        }
        Ok(Claim::Ours(Lease {
            key: key.clone(),
            token,
            was_held,
        }))
    }

    /// Whether the claim was held with `token`.
    async fn remove_claim(
        &self,
        database: impl PgExecutor<'_>,
        key: &InputHash,
        token: i64,
    ) -> Result<bool, sqlx::Error> {
        let done = sqlx::query("DELETE FROM precedent.claims WHERE scope = $1 AND key = $2 AND token = $3")
            .bind(&self.scope)
            .bind(key.as_str())
            .bind(token)
            .execute(database)
            .await?;
        Ok(done.rows_affected() > 0)
    }

    async fn try_settle(&self, lease: &Lease, answer: &Answer) -> Result<bool, sqlx::Error> {
        let mut connection = self.connection().await?;
        let mut transaction = connection.begin().await?;
        if !self.remove_claim(&mut *transaction, &lease.key, lease.token).await? {
            return Ok(false);
        }
        self.keep_answer(&mut *transaction, &lease.key, answer).await?;
        transaction.commit().await?;
        Ok(true)
    }
}

#[async_trait]
impl Store for PostgresStore {
    async fn artifact(&self, key: ArtifactKey<'_>) -> Result<Option<Vec<u8>>, LedgerError> {
        sqlx::query_scalar(
            "SELECT output FROM precedent.artifacts WHERE scope = $1 AND stage = $2 AND version = $3 AND input_hash = $4",
        )
        .bind(&self.scope)
        .bind(key.stage)
        .bind(i64::from(key.version))
        .bind(key.input.as_str())
        .fetch_optional(&mut *self.borrow().await?)
        .await
        .map_err(|error| self.failed(error))
    }

    async fn keep_artifact(&self, key: ArtifactKey<'_>, output: &[u8]) -> Result<Option<Vec<u8>>, LedgerError> {
        let done = sqlx::query(
            "INSERT INTO precedent.artifacts (scope, stage, version, input_hash, output) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT DO NOTHING",
        )
        .bind(&self.scope)
        .bind(key.stage)
        .bind(i64::from(key.version))
        .bind(key.input.as_str())
        .bind(output)
        .execute(&mut *self.borrow().await?)
        .await
        .map_err(|error| self.failed(error))?;
        match done.rows_affected() {
            0 => self.artifact(key).await,
            _ => Ok(None),
        }
    }

    async fn mend_artifact(&self, key: ArtifactKey<'_>, output: &[u8]) -> Result<(), LedgerError> {
        sqlx::query(
            "INSERT INTO precedent.artifacts (scope, stage, version, input_hash, output) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (scope, stage, version, input_hash) DO UPDATE SET output = excluded.output",
        )
        .bind(&self.scope)
        .bind(key.stage)
        .bind(i64::from(key.version))
        .bind(key.input.as_str())
        .bind(output)
        .execute(&mut *self.borrow().await?)
        .await
        .map_err(|error| self.failed(error))?;
        Ok(())
    }

    async fn artifact_count(&self) -> Result<u64, LedgerError> {
        let count: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM precedent.artifacts WHERE scope = $1")
            .bind(&self.scope)
            .fetch_one(&mut *self.borrow().await?)
            .await
            .map_err(|error| self.failed(error))?;
        Ok(u64::try_from(count).unwrap_or_default())
    }

    async fn answer(&self, key: &InputHash) -> Result<Option<Answer>, LedgerError> {
        let row = sqlx::query(
            "SELECT asked, status, head, body, settled FROM precedent.answers WHERE scope = $1 AND key = $2",
        )
        .bind(&self.scope)
        .bind(key.as_str())
        .fetch_optional(&mut *self.borrow().await?)
        .await
        .map_err(|error| self.failed(error))?;
        row.map(|row| read_answer(&row)).transpose()
    }

    async fn answer_heads(&self) -> Result<Vec<(String, String)>, LedgerError> {
        sqlx::query_as("SELECT key, head FROM precedent.answers WHERE scope = $1")
            .bind(&self.scope)
            .fetch_all(&mut *self.borrow().await?)
            .await
            .map_err(|error| self.failed(error))
    }

    async fn keep_answer(&self, key: &InputHash, answer: &Answer) -> Result<(), LedgerError> {
        let kept = self.keep_answer(&mut *self.borrow().await?, key, answer).await;
        kept.map_err(|error| self.failed(error))
    }

    async fn note_sent(&self, sent: &Sent) -> Result<i64, LedgerError> {
        sqlx::query_scalar(
            "INSERT INTO precedent.egress (scope, who, host, asked, bytes_out, bytes_in, outcome) VALUES ($1, $2, $3, $4, $5, $6, $7)
             RETURNING number",
        )
        .bind(&self.scope)
        .bind(storable(&sent.who))
        .bind(storable(&sent.host))
        .bind(storable(&sent.asked))
        .bind(saturating(sent.bytes_out))
        .bind(saturating(sent.bytes_in))
        .bind(storable(&sent.outcome))
        .fetch_one(&mut *self.borrow().await?)
        .await
        .map_err(|error| self.failed(error))
    }

    async fn note_received(&self, number: i64, bytes_in: u64, outcome: &str) -> Result<(), LedgerError> {
        sqlx::query("UPDATE precedent.egress SET bytes_in = $3, outcome = $4 WHERE scope = $1 AND number = $2")
            .bind(&self.scope)
            .bind(number)
            .bind(saturating(bytes_in))
            .bind(storable(outcome))
            .execute(&mut *self.borrow().await?)
            .await
            .map_err(|error| self.failed(error))?;
        Ok(())
    }

    async fn everything_sent(&self) -> Result<Vec<Sent>, LedgerError> {
        let rows = sqlx::query(
            "SELECT who, host, asked, bytes_out, bytes_in, outcome FROM precedent.egress WHERE scope = $1 ORDER BY number",
        )
        .bind(&self.scope)
        .fetch_all(&mut *self.borrow().await?)
        .await
        .map_err(|error| self.failed(error))?;
        rows.iter().map(read_sent).collect()
    }

    fn is_shared(&self) -> bool {
        true
    }

    async fn claim(&self, key: &InputHash, lease: Duration) -> Result<Claim, LedgerError> {
        let claimed = self.try_claim(key, lease).await;
        claimed.map_err(|error| self.failed(error))
    }

    async fn renew(&self, lease: &Lease, length: Duration) -> Result<bool, LedgerError> {
        let done = sqlx::query(
            "UPDATE precedent.claims SET held_until = clock_timestamp() + make_interval(secs => $4)
             WHERE scope = $1 AND key = $2 AND token = $3",
        )
        .bind(&self.scope)
        .bind(lease.key.as_str())
        .bind(lease.token)
        .bind(length.as_secs_f64())
        .execute(&mut *self.borrow().await?)
        .await
        .map_err(|error| self.failed(error))?;
        Ok(done.rows_affected() > 0)
    }

    async fn settle(&self, lease: &Lease, answer: &Answer) -> Result<bool, LedgerError> {
        let settled = self.try_settle(lease, answer).await;
        settled.map_err(|error| self.failed(error))
    }

    async fn release(&self, lease: &Lease) -> Result<(), LedgerError> {
        let removed = self
            .remove_claim(&mut *self.borrow().await?, &lease.key, lease.token)
            .await;
        removed.map(|_| ()).map_err(|error| self.failed(error))
    }

    async fn host_rest(&self, host: &str) -> Result<Duration, LedgerError> {
        let seconds: Option<f64> = sqlx::query_scalar(
            "SELECT extract(epoch FROM rests_until - clock_timestamp())::float8
             FROM precedent.hosts WHERE host = $1 AND rests_until > clock_timestamp()",
        )
        .bind(storable(host))
        .fetch_optional(&mut *self.borrow().await?)
        .await
        .map_err(|error| self.failed(error))?;
        Ok(length(seconds.unwrap_or_default()))
    }

    async fn rest_host(&self, host: &str, rest: Duration) -> Result<(), LedgerError> {
        sqlx::query(
            "INSERT INTO precedent.hosts AS h (host, rests_until) VALUES ($1, clock_timestamp() + make_interval(secs => $2))
             ON CONFLICT (host) DO UPDATE SET rests_until = greatest(h.rests_until, excluded.rests_until)",
        )
        .bind(storable(host))
        .bind(rest.as_secs_f64())
        .execute(&mut *self.borrow().await?)
        .await
        .map_err(|error| self.failed(error))?;
        Ok(())
    }

    async fn take_turns(&self, host: &str, between: Duration, turns: u32) -> Result<Duration, LedgerError> {
        let taken = between * turns;
        let seconds: f64 = sqlx::query_scalar(
            "INSERT INTO precedent.hosts AS h (host, next_turn) VALUES ($1, clock_timestamp() + make_interval(secs => $2))
             ON CONFLICT (host) DO UPDATE
             SET next_turn = greatest(CASE WHEN h.next_turn < clock_timestamp() + make_interval(secs => $3) THEN h.next_turn END,
                                      h.rests_until, clock_timestamp()) + make_interval(secs => $2)
             RETURNING extract(epoch FROM next_turn - make_interval(secs => $2) - clock_timestamp())::float8",
        )
        .bind(storable(host))
        .bind(taken.as_secs_f64())
        .bind(FURTHEST.as_secs_f64())
        .fetch_one(&mut *self.borrow().await?)
        .await
        .map_err(|error| self.failed(error))?;
        Ok(length(seconds))
    }

    async fn close(&self) {
        if !self.is_shared_pool {
            self.pool.close().await;
        }
    }
}

/// A length of time that the database computed. One that has passed is zero.
fn length(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}

fn read_answer(row: &PgRow) -> Result<Answer, LedgerError> {
    Ok(Answer {
        asked: row.try_get("asked")?,
        status: u16::try_from(row.try_get::<i64, _>("status")?).unwrap_or_default(),
        head: row.try_get("head")?,
        body: row.try_get("body")?,
        settled: row.try_get("settled")?,
    })
}

fn read_sent(row: &PgRow) -> Result<Sent, LedgerError> {
    Ok(Sent {
        who: row.try_get("who")?,
        host: row.try_get("host")?,
        asked: row.try_get("asked")?,
        bytes_out: u64::try_from(row.try_get::<i64, _>("bytes_out")?).unwrap_or_default(),
        bytes_in: u64::try_from(row.try_get::<i64, _>("bytes_in")?).unwrap_or_default(),
        outcome: row.try_get("outcome")?,
    })
}
