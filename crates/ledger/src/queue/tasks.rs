//! The jobs of papers in the tables of apalis-postgres.

use apalis_core::backend::TaskResult;
use apalis_core::task::builder::TaskBuilder;
use apalis_core::task::status::Status;
use apalis_core::task::task_id::TaskId;
use apalis_postgres::queries;
use sqlx::{PgConnection, Row};

/// Adds a job for each paper that waits without one.
pub(super) async fn add_jobs(connection: &mut PgConnection, batch: &str) -> Result<(), apalis_postgres::Error> {
    let rows = sqlx::query(
        "SELECT folder, number, apalis.generate_ulid() AS task FROM precedent.papers AS p
         WHERE batch = $1 AND state IN ('waiting', 'running')
           AND NOT EXISTS (SELECT FROM apalis.jobs WHERE id = p.task AND status IN ('Pending', 'Queued', 'Running'))
         ORDER BY number",
    )
    .bind(batch)
    .fetch_all(&mut *connection)
    .await?;
    let mut jobs = Vec::new();
    for row in &rows {
        jobs.push(NewJob {
            folder: row.try_get("folder")?,
            id: row.try_get("task")?,
            // Jobs are taken in the order of their time, which is therefore the number of the paper, in seconds after 1970.
            time: row.try_get("number")?,
        });
    }
    push_jobs(connection, batch, jobs).await
}

/// A job that a paper gets.
pub(super) struct NewJob {
    pub(super) folder: String,
    pub(super) id: String,
    /// When it may be taken, in seconds since 1970-01-01, UTC.
    pub(super) time: i64,
}

pub(super) async fn push_jobs(
    connection: &mut PgConnection,
    batch: &str,
    jobs: Vec<NewJob>,
) -> Result<(), apalis_postgres::Error> {
    let (mut folders, mut ids, mut tasks) = (Vec::new(), Vec::new(), Vec::new());
    for NewJob { folder, id, time } in jobs {
        let body = serde_json::to_vec(&folder).map_err(apalis_postgres::Error::JsonError)?;
        let task: TaskId = id.parse().map_err(apalis_postgres::Error::TaskIdError)?;
        let time = u64::try_from(time).unwrap_or_default();
        tasks.push(TaskBuilder::new(body).task_id(task).run_at_timestamp(time).build());
        folders.push(folder);
        ids.push(id);
    }
    queries::push_tasks(connection, batch, tasks).await?;
    sqlx::query(
        "UPDATE precedent.papers AS p SET task = new.task FROM unnest($2::text[], $3::text[]) AS new (folder, task)
         WHERE p.batch = $1 AND p.folder = new.folder",
    )
    .bind(batch)
    .bind(folders)
    .bind(ids)
    .execute(connection)
    .await?;
    Ok(())
}

/// Locks the row of a batch, which is locked before those of its papers, so that no two processes wait for each other.
pub(super) async fn lock_batch(connection: &mut PgConnection, batch: &str) -> Result<(), sqlx::Error> {
    sqlx::query("SELECT FROM precedent.batches WHERE id = $1 FOR SHARE")
        .bind(batch)
        .execute(connection)
        .await?;
    Ok(())
}

/// Ends papers that nobody runs of a batch that was cancelled or used up its budget: those that were given back, and, of a cancelled one, those whose
/// worker ended. In the other one, these have a part of the budget, and are run.
pub(super) async fn end_stopped(connection: &mut PgConnection, batch: &str) -> Result<(), apalis_postgres::Error> {
    // The row is locked, so that the batch is not continued meanwhile.
    let stopped: Option<(bool, bool)> = sqlx::query_as(
        "SELECT state = 'cancelled', is_used_up FROM precedent.batches WHERE id = $1 AND (state = 'cancelled' OR is_used_up) FOR SHARE",
    )
    .bind(batch)
    .fetch_optional(&mut *connection)
    .await?;
    match stopped {
        Some((true, _)) => {
            sqlx::query(
                "UPDATE precedent.papers AS p
                 SET state = CASE WHEN result_round IS NULL THEN 'cancelled' ELSE 'partial' END, round = coalesce(result_round, round),
                     token = NULL, ended = clock_timestamp(), error = 'the batch was cancelled'
                 WHERE batch = $1 AND state IN ('waiting', 'running')
                   AND NOT EXISTS (SELECT FROM apalis.jobs WHERE id = p.task AND status IN ('Queued', 'Running'))",
            )
            .bind(batch)
            .execute(connection)
            .await?;
        }
        Some((false, _)) => super::budget::end_waiting(connection, batch).await?,
        None => {}
    }
    Ok(())
}

/// Ends the pauses of papers that are to be run again.
pub(super) async fn retry_now(connection: &mut PgConnection, batch: &str) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE apalis.jobs AS job SET run_at = to_timestamp(p.number) FROM precedent.papers AS p
         WHERE p.batch = $1 AND p.state = 'waiting' AND p.retries > 0 AND job.id = p.task AND job.status = 'Pending'",
    )
    .bind(batch)
    .execute(&mut *connection)
    .await?;
    sqlx::query("UPDATE precedent.papers SET retries = 0 WHERE batch = $1 AND retries > 0")
        .bind(batch)
        .execute(connection)
        .await?;
    Ok(())
}

/// Removes a job from the queue, if `worker` holds it.
pub(super) async fn complete(
    connection: &mut PgConnection,
    task: &TaskId,
    worker: &str,
) -> Result<(), apalis_postgres::Error> {
    let done = TaskResult {
        task_id: task.clone(),
        attempt: 1,
        status: Status::Done,
        result: Ok(serde_json::Value::Null),
    };
    queries::handle_results(connection, &[&done], worker).await?;
    Ok(())
}
