use std::collections::BTreeMap;

use sqlx::Row;
use sqlx::postgres::PgRow;

use super::tasks::add_jobs;
use super::{BatchCounts, JobQueue, PaperFilter, SharedPaper};
use crate::LedgerError;

impl JobQueue {
    /// `open`, `paused` or `cancelled`. `None` if there is no such batch.
    ///
    /// # Errors
    /// If the database cannot be used.
    pub async fn state(&self, batch: &str) -> Result<Option<String>, LedgerError> {
        sqlx::query_scalar("SELECT state FROM precedent.batches WHERE id = $1")
            .bind(batch)
            .fetch_optional(&self.pool)
            .await
            .map_err(|error| self.failed(error))
    }

    /// Pauses, resumes or cancels a batch. Papers that are running end. `false` if there is no such batch, or it was cancelled.
    ///
    /// # Errors
    /// If the database cannot be used.
    pub async fn set_state(&self, batch: &str, state: &str) -> Result<bool, LedgerError> {
        let set = self.try_set_state(batch, state).await;
        set.map_err(|error| self.failed(error))
    }

    async fn try_set_state(&self, batch: &str, state: &str) -> Result<bool, sqlx::Error> {
        let mut transaction = self.pool.begin().await?;
        let done = sqlx::query("UPDATE precedent.batches SET state = $2 WHERE id = $1 AND state <> 'cancelled'")
            .bind(batch)
            .bind(state)
            .execute(&mut *transaction)
            .await?;
        if state == "cancelled" {
            sqlx::query(
                "UPDATE precedent.papers
                 SET state = CASE WHEN result_round IS NULL THEN 'cancelled' ELSE 'partial' END, round = coalesce(result_round, round), ended = clock_timestamp(), error = 'the batch was cancelled'
                 WHERE batch = $1 AND state = 'waiting'",
            )
            .bind(batch)
            .execute(&mut *transaction)
            .await?;
        }
        transaction.commit().await?;
        Ok(done.rows_affected() > 0)
    }

    /// Sets the priority of a batch. `false` if there is no such batch.
    ///
    /// # Errors
    /// If the database cannot be used.
    pub async fn set_priority(&self, batch: &str, priority: i64) -> Result<bool, LedgerError> {
        let done = sqlx::query("UPDATE precedent.batches SET priority = $2 WHERE id = $1")
            .bind(batch)
            .bind(priority)
            .execute(&self.pool)
            .await
            .map_err(|error| self.failed(error))?;
        Ok(done.rows_affected() > 0)
    }

    /// Lets a paper wait again whose result of `round` was lost. `false` if it does not have this result any more.
    ///
    /// # Errors
    /// If the database cannot be used.
    pub async fn run_again(&self, batch: &str, folder: &str, round: i64) -> Result<bool, LedgerError> {
        let again = self.try_run_again(batch, folder, round).await;
        again.map_err(|error| self.failed(error))
    }

    async fn try_run_again(&self, batch: &str, folder: &str, round: i64) -> Result<bool, apalis_postgres::Error> {
        let mut transaction = self.pool.begin().await?;
        let done = sqlx::query(
            "UPDATE precedent.papers SET state = 'waiting', round = round + 1, attempts = 0, token = NULL, result_round = NULL
             WHERE batch = $1 AND folder = $2 AND round = $3 AND state IN ('done', 'partial')",
        )
        .bind(batch)
        .bind(folder)
        .bind(round)
        .execute(&mut *transaction)
        .await?;
        add_jobs(&mut transaction, batch).await?;
        transaction.commit().await?;
        Ok(done.rows_affected() > 0)
    }

    /// The user whose budget a batch counts towards.
    ///
    /// # Errors
    /// If the database cannot be used.
    pub async fn user(&self, batch: &str) -> Result<Option<String>, LedgerError> {
        let user = sqlx::query_scalar("SELECT user_name FROM precedent.batches WHERE id = $1")
            .bind(batch)
            .fetch_optional(&self.pool)
            .await
            .map_err(|error| self.failed(error))?;
        Ok(user.flatten())
    }

    /// The options of a batch, as JSON. `None` if there is no such batch.
    ///
    /// # Errors
    /// If the database cannot be used.
    pub async fn request(&self, batch: &str) -> Result<Option<String>, LedgerError> {
        sqlx::query_scalar("SELECT request FROM precedent.batches WHERE id = $1")
            .bind(batch)
            .fetch_optional(&self.pool)
            .await
            .map_err(|error| self.failed(error))
    }

    /// Where the papers of a batch are, as JSON, by the folders of their runs.
    ///
    /// # Errors
    /// If the database cannot be used.
    pub async fn inputs(&self, batch: &str) -> Result<BTreeMap<String, String>, LedgerError> {
        let rows: Vec<(String, String)> = sqlx::query_as("SELECT folder, input FROM precedent.papers WHERE batch = $1")
            .bind(batch)
            .fetch_all(&self.pool)
            .await
            .map_err(|error| self.failed(error))?;
        Ok(rows.into_iter().collect())
    }

    /// The papers of a batch, in order.
    ///
    /// # Errors
    /// If the database cannot be used.
    pub async fn papers(&self, batch: &str) -> Result<Vec<SharedPaper>, LedgerError> {
        self.some_papers(batch, PaperFilter::default()).await
    }

    /// The papers of a batch that `filter` names, in order.
    ///
    /// # Errors
    /// If the database cannot be used.
    pub async fn some_papers(&self, batch: &str, filter: PaperFilter<'_>) -> Result<Vec<SharedPaper>, LedgerError> {
        let rows = sqlx::query(
            "SELECT folder, name, state, round, worker, kind, error FROM precedent.papers
             WHERE batch = $1 AND ($2::text IS NULL OR folder = $2) AND ($3::text IS NULL OR state = $3)
             ORDER BY number OFFSET $4 LIMIT $5",
        )
        .bind(batch)
        .bind(filter.folder)
        .bind(filter.state)
        .bind(i64::from(filter.skip))
        .bind(filter.most.map(i64::from))
        .fetch_all(&self.pool)
        .await
        .map_err(|error| self.failed(error))?;
        let paper = |row: &PgRow| {
            Ok(SharedPaper {
                folder: row.try_get("folder")?,
                name: row.try_get("name")?,
                state: row.try_get("state")?,
                round: row.try_get("round")?,
                worker: row.try_get("worker")?,
                kind: row.try_get("kind")?,
                error: row.try_get("error")?,
            })
        };
        rows.iter()
            .map(paper)
            .collect::<Result<_, sqlx::Error>>()
            .map_err(|error| self.failed(error))
    }

    /// Batches in numbers, newest first. Without `only`, all.
    ///
    /// # Errors
    /// If the database cannot be used.
    pub async fn counts(&self, only: Option<&str>) -> Result<Vec<BatchCounts>, LedgerError> {
        self.try_counts(only).await.map_err(|error| self.failed(error))
    }

    async fn try_counts(&self, only: Option<&str>) -> Result<Vec<BatchCounts>, sqlx::Error> {
        let batches = sqlx::query(
            "SELECT id, name, state, budget, user_name, priority FROM precedent.batches WHERE $1::text IS NULL OR id = $1 ORDER BY created DESC, id",
        )
        .bind(only)
        .fetch_all(&self.pool)
        .await?;
        let mut all = Vec::new();
        for batch in &batches {
            let mut counts = BatchCounts {
                id: batch.try_get("id")?,
                name: batch.try_get("name")?,
                state: batch.try_get("state")?,
                papers: BTreeMap::new(),
                dollars: 0.0,
                workers: 0,
                budget: batch.try_get("budget")?,
                user: batch.try_get("user_name")?,
                priority: batch.try_get("priority")?,
                lately: 0,
                lately_minutes: 0.0,
                failures: Vec::new(),
            };
            let states = sqlx::query(
                "SELECT state, count(*) AS papers, sum(dollars) AS dollars, count(DISTINCT split_part(worker, '.', 1)) FILTER (WHERE state = 'running') AS workers,
                        count(*) FILTER (WHERE ended > clock_timestamp() - interval '10 minutes'
                            AND state <> 'cancelled' AND kind IS DISTINCT FROM 'budget') AS lately,
                        (extract(epoch FROM clock_timestamp() - min(started) FILTER (WHERE ended > clock_timestamp() - interval '10 minutes'
                            AND state <> 'cancelled' AND kind IS DISTINCT FROM 'budget')) / 60)::float8 AS minutes
                 FROM precedent.papers WHERE batch = $1 GROUP BY state",
            )
            .bind(&counts.id)
            .fetch_all(&self.pool)
            .await?;
            for row in &states {
                counts.papers.insert(row.try_get("state")?, count(row, "papers")?);
                counts.dollars += row.try_get::<f64, _>("dollars")?;
                counts.workers += count(row, "workers")?;
                counts.lately += count(row, "lately")?;
                let minutes = row.try_get::<Option<f64>, _>("minutes")?.unwrap_or_default();
                counts.lately_minutes = counts.lately_minutes.max(minutes.min(10.0));
            }
            // Errors of readers name the file, which would make each of them another reason.
            let failures = sqlx::query(
                "SELECT replace(error, 'read ' || regexp_replace(name, '^.*/', ''), 'read it') AS reason, count(*) AS papers
                 FROM precedent.papers WHERE batch = $1 AND error IS NOT NULL GROUP BY reason ORDER BY papers DESC, reason LIMIT 20",
            )
            .bind(&counts.id)
            .fetch_all(&self.pool)
            .await?;
            for row in &failures {
                counts.failures.push((row.try_get("reason")?, count(row, "papers")?));
            }
            all.push(counts);
        }
        Ok(all)
    }
}

fn count(row: &PgRow, name: &str) -> Result<u64, sqlx::Error> {
    Ok(u64::try_from(row.try_get::<i64, _>(name)?).unwrap_or_default())
}
