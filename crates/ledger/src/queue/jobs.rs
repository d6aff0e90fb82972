use std::fmt;
use std::time::Duration;

use apalis_core::worker::context::WorkerContext;
use apalis_postgres::{Config, PgTask, PostgresStorage, queries};
use sqlx::postgres::PgRow;
use sqlx::{Connection, PgConnection, PgPool, Row};
use tokio::runtime::Handle;

use super::tasks::{add_jobs, complete, end_stopped, lock_batch, retry_now};
use super::{OpenBatch, QueuedBatch, QueuedPaper, TakenPaper};
use crate::connection::{self, failed, storable};
use crate::postgres::PostgresStore;
use crate::{Ledger, LedgerError, RunCost};

/// How often a paper is started before it is parked, if each worker that runs it ends without a result. Chosen by hand: one worker may be killed by an
/// operator and one by another paper.
const ATTEMPTS: i64 = 3;

/// Signs of life in the length of a lease. The default of the kill test (docs/benchmarks.md, "Killed workers of job libraries") was 3.
const BEATS: usize = 4;

/// Connections of one process. Its papers need them for moments: with 4, 128 papers at a time used up the quota of a provider (docs/benchmarks.md, "Time
/// against a quota"). More, because a database on another machine answers later, and 12 processes fit into the 100 that a server allows.
const CONNECTIONS: u32 = 8;

/// The jobs of all shared batches in a PostgreSQL database.
#[derive(Clone)]
pub struct JobQueue {
    pub(super) pool: PgPool,
    /// It opens the connections, and they end with it.
    runtime: Handle,
    place: String,
    /// After it, a worker without a sign of life loses its papers.
    pub(super) lease: Duration,
}

impl fmt::Debug for JobQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JobQueue")
            .field("place", &self.place)
            .finish_non_exhaustive()
    }
}

impl JobQueue {
    /// Connects to the database at `url`, and creates the tables that are missing. A worker without a sign of life loses its papers after `lease`.
    ///
    /// # Errors
    /// If the URL or the database cannot be used. No message contains the password.
    pub async fn connect(url: &str, lease: Duration) -> Result<Self, LedgerError> {
        let (pool, place) = connection::open(url, CONNECTIONS).await?;
        let queue = Self {
            pool,
            runtime: Handle::current(),
            place,
            lease,
        };
        PostgresStorage::setup(&queue.pool)
            .await
            .map_err(|error| queue.failed(error))?;
        Ok(queue)
    }

    /// A ledger in the same database, on the connections of the queue. A process runs more papers at a time than it should open connections: a server
    /// usually allows 100 for all machines.
    #[must_use]
    pub fn ledger(&self, scope: &str) -> Ledger {
        Ledger::of(PostgresStore::borrowing(&self.pool, &self.runtime, &self.place, scope))
    }

    /// How often [`JobQueue::beat`] is to be called.
    #[must_use]
    pub fn beat_every(&self) -> Duration {
        self.lease / u32::try_from(BEATS).unwrap_or(1)
    }

    /// A name that no other worker has or had, so that a job is completed only by the worker that holds it.
    ///
    /// # Errors
    /// If the database cannot be used.
    pub async fn new_worker(&self, host: &str) -> Result<String, LedgerError> {
        let number: i64 = sqlx::query_scalar("SELECT nextval('precedent.tokens')")
            .fetch_one(&self.pool)
            .await
            .map_err(|error| self.failed(error))?;
        Ok(format!("{}-{number}", storable(host)))
    }

    /// Adds a batch, or continues it: papers that failed or are not complete wait again.
    ///
    /// # Errors
    /// If the database cannot be used.
    pub async fn add(&self, batch: &QueuedBatch) -> Result<(), LedgerError> {
        self.try_add(batch).await.map_err(|error| self.failed(error))
    }

    async fn try_add(&self, batch: &QueuedBatch) -> Result<(), apalis_postgres::Error> {
        let mut transaction = self.pool.begin().await?;
        // The row is locked until the end, so two processes never add jobs for the same papers.
        sqlx::query(
            "INSERT INTO precedent.batches AS b (id, name, request, budget, user_name) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (id) DO UPDATE SET state = CASE WHEN b.state = 'cancelled' THEN 'open' ELSE b.state END,
                 request = excluded.request, budget = excluded.budget, user_name = coalesce(b.user_name, excluded.user_name), is_used_up = false, used_up = NULL",
        )
        .bind(&batch.id)
        .bind(storable(&batch.name))
        .bind(&batch.request)
        .bind(batch.budget)
        .bind(batch.user.as_deref().map(storable))
        .execute(&mut *transaction)
        .await?;
        let of = |part: fn(&QueuedPaper) -> &str| -> Vec<String> {
            batch.papers.iter().map(|paper| storable(part(paper))).collect()
        };
        sqlx::query(
            "INSERT INTO precedent.papers (batch, folder, number, name, input)
             SELECT $1, folder, number, name, input
             FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS paper (folder, name, input, number)
             ON CONFLICT (batch, folder) DO NOTHING",
        )
        .bind(&batch.id)
        .bind(of(|paper| &paper.folder))
        .bind(of(|paper| &paper.name))
        .bind(of(|paper| &paper.input))
        .execute(&mut *transaction)
        .await?;
        sqlx::query(
            "UPDATE precedent.papers SET state = 'waiting', round = round + 1, attempts = 0, token = NULL, kind = NULL, error = NULL, result_round = NULL
             WHERE batch = $1 AND state IN ('partial', 'failed', 'parked', 'cancelled')",
        )
        .bind(&batch.id)
        .execute(&mut *transaction)
        .await?;
        retry_now(&mut transaction, &batch.id).await?;
        add_jobs(&mut transaction, &batch.id).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// The batches with papers that wait or run, those of the highest priority first, and of these the oldest. Without `only`, those of everybody.
    ///
    /// # Errors
    /// If the database cannot be used.
    pub async fn open_batches(&self, only: Option<&str>) -> Result<Vec<OpenBatch>, LedgerError> {
        let rows = sqlx::query(
            "SELECT id, request FROM precedent.batches AS b
             WHERE state = 'open' AND ($1::text IS NULL OR id = $1)
               AND EXISTS (SELECT FROM precedent.papers WHERE batch = b.id AND state IN ('waiting', 'running'))
             ORDER BY priority DESC, created, id",
        )
        .bind(only)
        .fetch_all(&self.pool)
        .await
        .map_err(|error| self.failed(error))?;
        let batch = |row: &PgRow| {
            Ok(OpenBatch {
                id: row.try_get("id")?,
                request: row.try_get("request")?,
            })
        };
        rows.iter()
            .map(batch)
            .collect::<Result<_, sqlx::Error>>()
            .map_err(|error| self.failed(error))
    }

    /// Shows that the workers of `held` work on these papers. In `batches`, frees the papers of workers that have not done so for the length of a lease,
    /// and ends papers of cancelled batches that nobody runs.
    ///
    /// # Errors
    /// If the database cannot be used.
    pub async fn beat(&self, held: &[TakenPaper], batches: &[String]) -> Result<(), LedgerError> {
        let beaten = self.try_beat(held, batches).await;
        beaten.map_err(|error| self.failed(error))
    }

    async fn try_beat(&self, held: &[TakenPaper], batches: &[String]) -> Result<(), apalis_postgres::Error> {
        // One connection for all, so that signs of life wait once behind the queries of runs.
        let mut connection = self.pool.acquire().await?;
        for paper in held {
            let mut transaction = connection.begin().await?;
            self.register(&mut transaction, &paper.worker, &paper.batch).await?;
            transaction.commit().await?;
        }
        // Nobody looks after a paused or cancelled batch, whose lost papers hold a part of the budget of their user.
        let running: Vec<String> = sqlx::query_scalar(
            "SELECT DISTINCT batch FROM precedent.papers WHERE state = 'running' AND reserved > 0 AND batch <> ALL($1)",
        )
        .bind(batches)
        .fetch_all(&mut *connection)
        .await?;
        for batch in batches.iter().chain(&running) {
            let mut transaction = connection.begin().await?;
            queries::reenqueue_orphaned(&mut *transaction, batch, self.lease.as_secs()).await?;
            end_stopped(&mut transaction, batch).await?;
            transaction.commit().await?;
        }
        Ok(())
    }

    /// Creates the worker with this name in the queue, or shows that it is alive, by the clock of the database.
    async fn register(
        &self,
        connection: &mut PgConnection,
        name: &str,
        batch: &str,
    ) -> Result<(), apalis_postgres::Error> {
        let context = WorkerContext::new(name);
        match queries::keep_alive(connection, batch, &context).await {
            Err(apalis_postgres::Error::WorkerOutOfSync) => {
                // The time is replaced by that of the database at once.
                queries::register_worker(connection, batch, &context, &0_i64.into(), "precedent").await?;
                queries::keep_alive(connection, batch, &context).await
            }
            other => other,
        }
    }

    /// The next paper of a batch, for `worker`. A paper whose workers all ended without a result is parked.
    ///
    /// # Errors
    /// If the database cannot be used. The worker may then hold a paper that it does not know, so it needs a new name.
    pub async fn take(&self, worker: &str, batch: &str) -> Result<Option<TakenPaper>, LedgerError> {
        loop {
            match self.try_take(worker, batch).await {
                Ok(Taken::Nothing) => return Ok(None),
                Ok(Taken::Settled) => {}
                Ok(Taken::Paper(paper)) => return Ok(Some(*paper)),
                Err(error) => return Err(self.failed(error)),
            }
        }
    }

    async fn try_take(&self, worker: &str, batch: &str) -> Result<Taken, apalis_postgres::Error> {
        let mut transaction = self.pool.begin().await?;
        let is_open: bool =
            sqlx::query_scalar("SELECT EXISTS (SELECT FROM precedent.batches WHERE id = $1 AND state = 'open')")
                .bind(batch)
                .fetch_one(&mut *transaction)
                .await?;
        if !is_open {
            return Ok(Taken::Nothing);
        }
        let (name, config) = (name_in(worker, batch), Config::default().queue(batch).batch_size(1));
        self.register(&mut transaction, &name, batch).await?;
        let context = WorkerContext::new(&name);
        let tasks = queries::fetch_next(&mut *transaction, &config, &context).await?;
        let Some(task) = tasks.first().and_then(|task| task.task_id().cloned()) else {
            transaction.commit().await?;
            return Ok(Taken::Nothing);
        };
        queries::lock_tasks(&mut *transaction, &[task.to_string()], &name).await?;
        // A paper that was settled, cancelled or added again has no use for this job.
        let row = sqlx::query(
            "UPDATE precedent.papers
             SET state = CASE WHEN attempts < $4 THEN 'running' WHEN result_round IS NULL THEN 'parked' ELSE 'partial' END,
                 round = CASE WHEN attempts < $4 THEN round ELSE coalesce(result_round, round) END,
                 attempts = attempts + 1, kind = NULL, token = nextval('precedent.tokens'),
                 error = CASE WHEN attempts >= $4 THEN attempts || ' workers ended while they ran it, the last one was ' || worker END,
                 earlier = earlier + spent + reserved, spent = 0, reserved = 0,
                 worker = $5, started = clock_timestamp(), ended = CASE WHEN attempts >= $4 THEN clock_timestamp() END
             WHERE batch = $1 AND folder = $2 AND task = $3 AND state IN ('waiting', 'running')
             RETURNING name, input, round, attempts, retries, token, state",
        )
        .bind(batch)
        .bind(folder_of(&tasks))
        .bind(task.to_string())
        .bind(ATTEMPTS)
        .bind(worker)
        .fetch_optional(&mut *transaction)
        .await?;
        let taken = match row {
            Some(row) if row.try_get::<String, _>("state")? == "running" => Taken::Paper(Box::new(TakenPaper {
                batch: batch.to_owned(),
                folder: folder_of(&tasks),
                name: row.try_get("name")?,
                input: row.try_get("input")?,
                round: row.try_get("round")?,
                attempts: row.try_get("attempts")?,
                retries: row.try_get("retries")?,
                worker: name,
                token: row.try_get("token")?,
                task,
            })),
            _ => {
                complete(&mut transaction, &task, &name).await?;
                Taken::Settled
            }
        };
        transaction.commit().await?;
        Ok(taken)
    }

    /// Gives a paper back that this process could not run, as if it had not been taken. What its calls cost, if it is known, still counts; what was
    /// reserved beyond that is free.
    ///
    /// # Errors
    /// If the database cannot be used. The paper is then free when its lease ends.
    pub async fn give_back(&self, paper: &TakenPaper, cost: Option<RunCost>) -> Result<(), LedgerError> {
        let given = self.try_give_back(paper, cost).await;
        given.map_err(|error| self.failed(error))
    }

    async fn try_give_back(&self, paper: &TakenPaper, cost: Option<RunCost>) -> Result<(), apalis_postgres::Error> {
        let mut transaction = self.pool.begin().await?;
        lock_batch(&mut transaction, &paper.batch).await?;
        sqlx::query(
            "UPDATE precedent.papers SET state = 'waiting', attempts = attempts - 1, token = NULL,
                 earlier = CASE WHEN $4::float8 IS NULL THEN earlier + spent + reserved ELSE greatest(earlier + $4, $5) END, spent = 0, reserved = 0
             WHERE batch = $1 AND folder = $2 AND token = $3 AND state = 'running'",
        )
        .bind(&paper.batch)
        .bind(&paper.folder)
        .bind(paper.token)
        .bind(cost.map(|cost| cost.live))
        .bind(cost.map(|cost| cost.used + cost.unknown))
        .execute(&mut *transaction)
        .await?;
        let task = [paper.task.to_string()];
        queries::reenqueue_abandoned(&mut *transaction, &paper.batch, &paper.worker, &task).await?;
        end_stopped(&mut transaction, &paper.batch).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Closes the connections.
    pub async fn close(&self) {
        self.pool.close().await;
    }

    pub(super) fn failed(&self, error: impl Into<apalis_postgres::Error>) -> LedgerError {
        let error = match error.into() {
            apalis_postgres::Error::Database(error) => error,
            other => sqlx::Error::Protocol(other.to_string()),
        };
        failed(&self.place, error)
    }
}

/// What came of an attempt to take a paper.
enum Taken {
    /// Nothing waits.
    Nothing,
    /// There was a job without use.
    Settled,
    Paper(Box<TakenPaper>),
}

/// The name of a worker in the queue of a batch.
fn name_in(worker: &str, batch: &str) -> String {
    format!("{worker}/{batch}")
}

/// The folder that a job names.
fn folder_of(tasks: &[PgTask]) -> String {
    let bytes = tasks.first().map(|task| task.args.as_slice()).unwrap_or_default();
    serde_json::from_slice(bytes).unwrap_or_default()
}
