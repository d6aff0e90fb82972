use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row};

use super::{BudgetChunk, JobQueue, QueueUser, TakenPaper};
use crate::LedgerError;
use crate::connection::storable;

/// A chunk is at least this share of what is left. Chosen by hand: 256 papers that run at the same time then hold less than two thirds of it.
const CHUNK: f64 = 1.0 / 256.0;

/// Less than this is a rounding error, in US dollars.
const ROUNDING: f64 = 1e-6;

/// Why a paper was not run. People read it in the list of failures.
const USED_UP: &str = "the budget of the batch is used up; repeat the command with a larger --batch-budget to continue";

/// What is left of a budget for one paper.
struct Left {
    /// Whose budget it is, if not that of the batch.
    user: Option<String>,
    dollars: f64,
    /// Whether other running papers may give something back.
    may_grow: bool,
}

impl JobQueue {
    /// Reserves a chunk of the budgets of the batch and of its user for the run of a paper, at least `wanted` if so much is left. Its calls so far cost
    /// `spent`, and those in flight cost `held` at most; what was reserved beyond that is free. `None` if another worker has taken the paper.
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
        let user: Option<(String, f64)> = sqlx::query_as(
            "SELECT u.name, u.budget FROM precedent.users AS u JOIN precedent.batches AS b ON b.user_name = u.name WHERE b.id = $1 FOR UPDATE OF u",
        )
        .bind(&paper.batch)
        .fetch_optional(&mut *transaction)
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
        let own = earlier + spent;
        let mut limits = Vec::new();
        // With 30,000 papers, a sum takes 40 ms, so none is made without need.
        if let Some(budget) = budget {
            let (others, may_grow) = taken(&mut transaction, paper, own, None).await?;
            limits.push(Left {
                user: None,
                dollars: budget - others - own - held,
                may_grow,
            });
        }
        if let Some((name, budget)) = user {
            let (others, may_grow) = taken(&mut transaction, paper, own, Some(&name)).await?;
            limits.push(Left {
                user: Some(name),
                dollars: budget - others - own - held,
                may_grow,
            });
        }
        let left = limits.iter().map(|limit| limit.dollars).fold(f64::INFINITY, f64::min);
        // What is short must be able to grow.
        let ended = limits.iter().find(|limit| limit.dollars < wanted && !limit.may_grow);
        let may_grow = match left >= wanted {
            true => !limits.is_empty() && limits.iter().all(|limit| limit.may_grow),
            false => ended.is_none(),
        };
        if let Some(ended) = ended {
            // If the batch ends because of that, this is the reason.
            sqlx::query("UPDATE precedent.batches SET used_up = $2 WHERE id = $1")
                .bind(&paper.batch)
                .bind(&ended.user)
                .execute(&mut *transaction)
                .await?;
        }
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

    /// Ends the papers of a batch that wait, because its budget or that of its user is used up.
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

    /// Sets what all batches of a user together may cost, in US dollars. Without `budget`, the user has no limit.
    ///
    /// # Errors
    /// If the database cannot be used.
    pub async fn set_user_budget(&self, user: &str, budget: Option<f64>) -> Result<(), LedgerError> {
        let statement = match budget {
            Some(_) => {
                "INSERT INTO precedent.users (name, budget) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET budget = excluded.budget"
            }
            None => "DELETE FROM precedent.users WHERE name = $1 AND $2::float8 IS NULL",
        };
        let done = sqlx::query(statement).bind(storable(user)).bind(budget);
        done.execute(&self.pool).await.map_err(|error| self.failed(error))?;
        Ok(())
    }

    /// Everybody who has a budget or a batch, by name.
    ///
    /// # Errors
    /// If the database cannot be used.
    pub async fn users(&self) -> Result<Vec<QueueUser>, LedgerError> {
        let rows = sqlx::query(
            // Batches with the same paper have the same run, whose answers are paid once.
            "SELECT who.name, u.budget, count(b.id) AS batches, coalesce(max(cost.dollars), 0)::float8 AS dollars, coalesce(max(cost.taken), 0)::float8 AS taken
             FROM precedent.users AS u FULL JOIN precedent.batches AS b ON b.user_name = u.name
             CROSS JOIN LATERAL (SELECT coalesce(u.name, b.user_name) AS name) AS who
             LEFT JOIN (
                 SELECT user_name, sum(dollars) AS dollars, sum(taken) AS taken FROM (
                     SELECT b.user_name, max(dollars) AS dollars, max(earlier + spent) + sum(reserved) AS taken
                     FROM precedent.papers AS p JOIN precedent.batches AS b ON b.id = p.batch GROUP BY b.user_name, folder
                 ) AS run GROUP BY user_name
             ) AS cost ON cost.user_name = who.name
             WHERE who.name IS NOT NULL GROUP BY who.name, u.budget ORDER BY who.name",
        )
        .fetch_all(&self.pool)
        .await
        .map_err(|error| self.failed(error))?;
        let user = |row: &PgRow| {
            Ok(QueueUser {
                name: row.try_get("name")?,
                budget: row.try_get("budget")?,
                dollars: row.try_get("dollars")?,
                taken: row.try_get("taken")?,
                batches: u64::try_from(row.try_get::<i64, _>("batches")?).unwrap_or_default(),
            })
        };
        rows.iter()
            .map(user)
            .collect::<Result<_, sqlx::Error>>()
            .map_err(|error| self.failed(error))
    }
}

/// What all other papers of the batch of `paper`, or of all batches of `user`, took of the budget, and whether some of them may give something back. The
/// paper itself took `own`. The same paper in several batches has one run, whose answers are paid once.
async fn taken(
    connection: &mut PgConnection,
    paper: &TakenPaper,
    own: f64,
    user: Option<&str>,
) -> Result<(f64, bool), sqlx::Error> {
    let batches: Vec<String> = match user {
        None => vec![paper.batch.clone()],
        Some(user) => {
            let of_user = sqlx::query_scalar("SELECT id FROM precedent.batches WHERE user_name = $1").bind(user);
            of_user.fetch_all(&mut *connection).await?
        }
    };
    sqlx::query_as(
        "SELECT coalesce(sum(taken), 0)::float8, coalesce(bool_or(may_grow), false) FROM (
             SELECT greatest(max(earlier + spent) - CASE WHEN folder = $2 THEN $5 ELSE 0 END, 0) + sum(reserved) AS taken,
                    bool_or(reserved > $3 AND EXISTS (
                        SELECT FROM apalis.jobs WHERE id = p.task AND status IN ('Queued', 'Running'))) AS may_grow
             FROM precedent.papers AS p WHERE batch = ANY($4) AND NOT (batch = $1 AND folder = $2) GROUP BY folder
         ) AS run",
    )
    .bind(&paper.batch)
    .bind(&paper.folder)
    .bind(ROUNDING)
    .bind(batches)
    .bind(own)
    .fetch_one(connection)
    .await
}

pub(super) async fn end_waiting(connection: &mut PgConnection, batch: &str) -> Result<(), sqlx::Error> {
    let user: Option<String> = sqlx::query_scalar("SELECT used_up FROM precedent.batches WHERE id = $1")
        .bind(batch)
        .fetch_one(&mut *connection)
        .await?;
    let reason = match user {
        Some(user) => format!(
            "the budget of the user {user} is used up; set a larger one with `precedent batches budget`, and repeat the command to continue"
        ),
        None => USED_UP.to_owned(),
    };
    sqlx::query(
        "UPDATE precedent.papers
         SET state = CASE WHEN result_round IS NULL THEN 'failed' ELSE 'partial' END, round = coalesce(result_round, round), token = NULL, ended = clock_timestamp(), kind = 'budget', error = $2
         WHERE batch = $1 AND state = 'waiting'",
    )
    .bind(batch)
    .bind(reason)
    .execute(connection)
    .await?;
    Ok(())
}
