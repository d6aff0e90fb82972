use std::time::Duration;

use precedent_engine::ledger::{BatchCounts, JobQueue, QueueUser};

use crate::batch_sharing::check_user;
use crate::database::unusable;
use crate::runtime::runtime_here;
use crate::{AppError, BatchControl, BatchState, DEFAULT_LEASE, Database, ErrorKind, FailureCount, SharedUser};

/// The state of a batch that was paused, and that of one without papers to run.
pub(crate) const PAUSED: &str = "paused";
const ENDED: &str = "ended";
const CANCELLED: &str = "cancelled";

/// The shared batches of a database in numbers, after `control` was done to `batch`.
pub(crate) fn status(
    database: &Database,
    batch: Option<&str>,
    control: Option<BatchControl>,
) -> Result<Vec<BatchState>, AppError> {
    runtime_here()?.block_on(async {
        let queue: JobQueue = database.queue(Duration::from_secs(DEFAULT_LEASE.into())).await?;
        let found = status_in(&queue, batch, control).await;
        queue.close().await;
        found
    })
}

/// The same in an opened database.
pub(crate) async fn status_in(
    queue: &JobQueue,
    batch: Option<&str>,
    control: Option<BatchControl>,
) -> Result<Vec<BatchState>, AppError> {
    let mut counts = queue.counts(batch).await.map_err(unusable)?;
    if let (Some(batch), Some(control), Some(found)) = (batch, control, counts.first()) {
        let is_over = in_numbers(found.clone()).state == ENDED || found.state == CANCELLED;
        if is_over && control != BatchControl::Cancel {
            let message = format!("the batch {} has ended or was cancelled", crate::text::plain(batch));
            return Err(AppError::with_message(ErrorKind::Usage, message)
                .hint("repeat its `precedent batch` command to start it again"));
        }
        let done = match control {
            BatchControl::Pause => queue.set_state(batch, PAUSED).await,
            BatchControl::Resume => queue.set_state(batch, "open").await,
            BatchControl::Cancel => queue.set_state(batch, CANCELLED).await,
            BatchControl::Priority(priority) => queue.set_priority(batch, priority).await,
        };
        done.map_err(unusable)?;
        counts = queue.counts(Some(batch)).await.map_err(unusable)?;
    }
    if let (Some(batch), true) = (batch, counts.is_empty()) {
        let message = format!("there is no batch {}", crate::text::plain(batch));
        return Err(AppError::with_message(ErrorKind::Usage, message).hint("list them with `precedent batches`"));
    }
    Ok(counts.into_iter().map(in_numbers).collect())
}

/// The users of the shared batches of a database, after `budget` was set for the user that it names.
pub(crate) fn users(database: &Database, budget: Option<(&str, Option<f64>)>) -> Result<Vec<SharedUser>, AppError> {
    if let Some((user, _)) = budget {
        check_user(user)?;
    }
    runtime_here()?.block_on(async {
        let queue: JobQueue = database.queue(Duration::from_secs(DEFAULT_LEASE.into())).await?;
        let found = async {
            if let Some((user, budget)) = budget {
                queue.set_user_budget(user, budget).await?;
            }
            queue.users().await
        };
        let found = found.await.map_err(unusable);
        queue.close().await;
        let user = |user: QueueUser| SharedUser {
            name: user.name,
            budget: user.budget,
            dollars: user.dollars,
            taken: user.taken,
            batches: user.batches,
        };
        Ok(found?.into_iter().map(user).collect())
    })
}

fn in_numbers(counts: BatchCounts) -> BatchState {
    let of = |state: &str| counts.papers.get(state).copied().unwrap_or_default();
    let left = of("waiting") + of("running");
    let per_minute = match counts.lately_minutes > 0.0 {
        true => counts.lately as f64 / counts.lately_minutes,
        false => 0.0,
    };
    BatchState {
        state: match left {
            0 if counts.state != CANCELLED => ENDED.to_owned(),
            _ => counts.state.clone(),
        },
        id: counts.id,
        name: counts.name,
        papers: counts.papers.values().sum(),
        waiting: of("waiting"),
        running: of("running"),
        done: of("done"),
        incomplete: of("partial"),
        failed: of("failed"),
        parked: of("parked"),
        cancelled: of("cancelled"),
        per_minute,
        minutes_left: (left > 0 && per_minute > 0.0 && counts.state != PAUSED).then(|| left as f64 / per_minute),
        dollars: counts.dollars,
        workers: counts.workers,
        budget: counts.budget,
        user: counts.user,
        priority: counts.priority,
        failures: counts
            .failures
            .into_iter()
            .map(|(reason, papers)| FailureCount { reason, papers })
            .collect(),
    }
}
