use sqlx::{PgConnection, Row};

use super::{BudgetChunk, JobQueue, TakenPaper};
use crate::LedgerError;

/// A chunk is at least this share of what is left. Chosen by hand: 256 papers that run at the same time then hold less than two thirds of it.
const CHUNK: f64 = 1.0 / 256.0;

/// Less than this is a rounding error, in US dollars.
const ROUNDING: f64 = 1e-6;

/// Why a paper was not run. People read it in the list of failures.
const USED_UP: &str = "the budget of the batch is used up; repeat the command with a larger --batch-budget to continue";

impl JobQueue {
    /// Reserves a chunk of the batch's budget for the run of a paper, at least `wanted` if so much is left. Its calls so far cost `spent`, and those in
    /// flight cost `held` at most; what was reserved beyond that is free. `None` if another worker has taken the paper.
    /// Without a budget, the chunk is infinite.
    ///
    /// # Errors
    /// If the database cannot be used.
    pub async fn reserve(
        &self,
        paper: &TakenPaper,
        spent: f64,
        held: f64,
        wanted: f64,
    ) -> Result<Option<BudgetChunk>, LedgerError> {
        let reserved = self.try_reserve(paper, spent, held, wanted).await;
        reserved.map_err(|error| self.failed(error))
    }

    async fn try_reserve(
        &self,
        paper: &TakenPaper,
        spent: f64,
        held: f64,
        wanted: f64,
    ) -> Result<Option<BudgetChunk>, sqlx::Error> {
        let mut transaction = self.pool.begin().await?;
        // Locked until the end, so that no dollar is given to two papers.
        let budget: Option<f64> = sqlx::query_scalar("SELECT budget FROM precedent.batches WHERE id = $1 FOR UPDATE")
            .bind(&paper.batch)
            .fetch_one(&mut *transaction)
            .await?;
        let earlier: Option<f64> = sqlx::query_scalar(
            "SELECT earlier FROM precedent.papers WHERE batch = $1 AND folder = $2 AND token = $3 AND state = 'running'
             FOR UPDATE",
        )
        .bind(&paper.batch)
        .bind(&paper.folder)
        .bind(paper.token)
        .fetch_optional(&mut *transaction)
        .await?;
        let Some(earlier) = earlier else {
            return Ok(None);
        };
        let others = sqlx::query(
            "SELECT coalesce(sum(earlier + spent + reserved), 0)::float8 AS taken,
                    coalesce(bool_or(reserved > $3 AND EXISTS (
                        SELECT FROM apalis.jobs WHERE id = p.task AND status IN ('Queued', 'Running'))), false) AS may_grow
             FROM precedent.papers AS p WHERE batch = $1 AND folder <> $2",
        )
        .bind(&paper.batch)
        .bind(&paper.folder)
        .bind(ROUNDING)
        .fetch_one(&mut *transaction)
        .await?;
        let (taken, may_grow): (f64, bool) = (others.try_get("taken")?, others.try_get("may_grow")?);
        let left = budget.unwrap_or(f64::INFINITY) - taken - earlier - spent - held;
        let dollars = match left >= wanted {
            true => wanted.max(left * CHUNK).min(left),
            // Whoever waits holds nothing, so that papers never wait for each other.
            false if may_grow => 0.0,
            false => left.max(0.0),
        };
        // Without a budget, only what is in flight counts towards one that is set meanwhile.
        let reserved = if dollars.is_finite() { held + dollars } else { held };
        sqlx::query("UPDATE precedent.papers SET spent = $3, reserved = $4 WHERE batch = $1 AND folder = $2")
            .bind(&paper.batch)
            .bind(&paper.folder)
            .bind(spent)
            .bind(reserved)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(Some(BudgetChunk { dollars, may_grow }))
    }

    /// Ends the papers of a batch that wait, because its budget is used up.
    ///
    /// # Errors
    /// If the database cannot be used.
    pub async fn use_up(&self, batch: &str) -> Result<(), LedgerError> {
        let ended = async {
            let mut transaction = self.pool.begin().await?;
            sqlx::query("UPDATE precedent.batches SET is_used_up = true WHERE id = $1")
                .bind(batch)
                .execute(&mut *transaction)
                .await?;
            end_waiting(&mut transaction, batch).await?;
            transaction.commit().await
        };
        ended.await.map_err(|error: sqlx::Error| self.failed(error))
    }
}

pub(super) async fn end_waiting(connection: &mut PgConnection, batch: &str) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE precedent.papers
         SET state = CASE WHEN result_round IS NULL THEN 'failed' ELSE 'partial' END, round = coalesce(result_round, round), token = NULL, ended = clock_timestamp(), kind = 'budget', error = $2
         WHERE batch = $1 AND state = 'waiting'",
    )
    .bind(batch)
    .bind(USED_UP)
    .execute(connection)
    .await?;
    Ok(())
}
