use std::time::Duration;

use sqlx::PgConnection;

use super::tasks::{NewJob, complete, end_stopped, lock_batch, push_jobs};
use super::{JobQueue, Settlement, SettlementOutcome, TakenPaper};
use crate::connection::storable;
use crate::{LedgerError, RunCost};

/// The pauses before a paper is run again that failed for a reason that may pass, in leases: with the usual one, 1, 5 and 25 minutes. Chosen by hand: a
/// service that fails for longer needs an operator.
const PAUSES: [u32; 3] = [1, 5, 25];

/// Why a paper waits that has a result. People read it in the list of failures.
const INCOMPLETE: &str = "incomplete: calls of the model failed";

impl JobQueue {
    /// Records how the run of a paper ended, and what its calls cost, if it made any. A paper whose end may pass waits for a while and is run again.
    ///
    /// # Errors
    /// If the database cannot be used.
    pub async fn settle(
        &self,
        paper: &TakenPaper,
        end: &Settlement,
        cost: Option<RunCost>,
    ) -> Result<SettlementOutcome, LedgerError> {
        let settled = self.try_settle(paper, end, cost).await;
        settled.map_err(|error| self.failed(error))
    }

    async fn try_settle(
        &self,
        paper: &TakenPaper,
        end: &Settlement,
        cost: Option<RunCost>,
    ) -> Result<SettlementOutcome, apalis_postgres::Error> {
        let (state, status, kind, error, dollars, may_pass) = match end {
            Settlement::Done {
                status,
                complete,
                dollars,
                may_pass,
            } => {
                let state = if *complete { "done" } else { "partial" };
                (state, Some(status), None, None, *dollars, *may_pass)
            }
            Settlement::Failed { kind, error, may_pass } => {
                ("failed", None, Some(kind), Some(storable(error)), 0.0, *may_pass)
            }
        };
        let pause = usize::try_from(paper.retries)
            .ok()
            .and_then(|retries| PAUSES.get(retries))
            .filter(|_| may_pass)
            .map(|leases| self.lease * *leases);
        let state = if pause.is_some() { "waiting" } else { state };
        let error = error.or_else(|| pause.is_some().then(|| INCOMPLETE.to_owned()));
        let mut transaction = self.pool.begin().await?;
        lock_batch(&mut transaction, &paper.batch).await?;
        // A later budget covers earlier costs. Only a complete run used all recorded answers. After others, what earlier workers reserved still counts.
        let done = sqlx::query(
            "UPDATE precedent.papers
             SET state = CASE WHEN $4 = 'failed' AND result_round IS NOT NULL THEN 'partial' ELSE $4 END,
                 status = coalesce($5, status), result_round = CASE WHEN $5 IS NOT NULL THEN round ELSE result_round END, kind = $6, error = $7, dollars = greatest(dollars, $8, $11),
                 ended = CASE WHEN $4 <> 'waiting' THEN clock_timestamp() END,
                 retries = CASE WHEN $4 = 'waiting' THEN retries + 1 ELSE retries END,
                 round = CASE WHEN $4 = 'waiting' THEN round + 1 WHEN $4 = 'failed' THEN coalesce(result_round, round) ELSE round END,
                 attempts = CASE WHEN $4 = 'waiting' THEN 0 ELSE attempts END,
                 paid = greatest(paid, $8, $9, CASE WHEN $4 <> 'done' OR $9 IS NULL THEN earlier + coalesce($10, spent + reserved) END),
                 earlier = greatest(paid, $8, $9, CASE WHEN $4 <> 'done' OR $9 IS NULL THEN earlier + coalesce($10, spent + reserved) END),
                 spent = 0, reserved = 0
             WHERE batch = $1 AND folder = $2 AND token = $3 AND state = 'running'",
        )
        .bind(&paper.batch)
        .bind(&paper.folder)
        .bind(paper.token)
        .bind(state)
        .bind(status)
        .bind(kind)
        .bind(error)
        .bind(dollars)
        .bind(cost.map(|cost| cost.used + cost.unknown))
        .bind(cost.map(|cost| cost.live))
        .bind(cost.map(|cost| cost.used))
        .execute(&mut *transaction)
        .await?;
        if done.rows_affected() == 0 {
            return Ok(SettlementOutcome::ByOther);
        }
        complete(&mut transaction, &paper.task, &paper.worker).await?;
        let Some(pause) = pause else {
            transaction.commit().await?;
            return Ok(SettlementOutcome::Finally);
        };
        self.queue_after(&mut transaction, paper, pause).await?;
        end_stopped(&mut transaction, &paper.batch).await?;
        let waits: bool =
            sqlx::query_scalar("SELECT state = 'waiting' FROM precedent.papers WHERE batch = $1 AND folder = $2")
                .bind(&paper.batch)
                .bind(&paper.folder)
                .fetch_one(&mut *transaction)
                .await?;
        transaction.commit().await?;
        Ok(if waits {
            SettlementOutcome::Again(pause)
        } else {
            SettlementOutcome::Finally
        })
    }

    /// Queues a paper again, by the clock of the database.
    async fn queue_after(
        &self,
        connection: &mut PgConnection,
        paper: &TakenPaper,
        pause: Duration,
    ) -> Result<(), apalis_postgres::Error> {
        let (id, time): (String, i64) = sqlx::query_as(
            "SELECT apalis.generate_ulid(), ceil(extract(epoch FROM clock_timestamp() + make_interval(secs => $1)))::bigint",
        )
        .bind(pause.as_secs_f64())
        .fetch_one(&mut *connection)
        .await?;
        let folder = paper.folder.clone();
        push_jobs(connection, &paper.batch, vec![NewJob { folder, id, time }]).await
    }
}
