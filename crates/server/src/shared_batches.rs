//! Batches that several machines share through a database. This server shows and controls them; workers run their papers.

use std::time::Duration;

use axum::http::StatusCode;
use precedent_app::{
    AppError, BatchControl, BatchState, ErrorKind, SharedBatches, SharedPaperState, SharedPapersQuery,
};

use crate::error::Problem;
use crate::state::State as Server;

/// How long a page waits for the database and the store. Prometheus waits for 10 s by default.
const PATIENCE: Duration = Duration::from_secs(8);
/// Papers on a page, and in an answer of the API unless it says how many.
pub(crate) const PAPERS: u32 = 50;
/// Most papers in an answer of the API. Chosen by hand: some MB.
pub(crate) const MOST_PAPERS: u32 = 1_000;

impl Server {
    fn shared(&self) -> Result<&SharedBatches, Problem> {
        let offered = self.offer.shared_batches.as_ref();
        offered.ok_or_else(|| {
            Problem::not_found("page").hint(
                "to see batches that several machines share, start the server with --database; a user needs the right to see them (`precedent users add --shared-batches`)",
            )
        })
    }

    /// The batches that several machines share, newest first. None if the server does not show them.
    pub(crate) async fn shared_batches(&self) -> Result<Vec<BatchState>, Problem> {
        match &self.offer.shared_batches {
            None => Ok(Vec::new()),
            Some(shared) => in_time(shared.list(None, None))
                .await?
                .map_err(|error| unavailable(&error)),
        }
    }

    /// A batch that several machines share, after `control` was done to it.
    pub(crate) async fn shared_batch(&self, id: &str, control: Option<BatchControl>) -> Result<BatchState, Problem> {
        let shared = self.shared()?;
        let found = in_time(shared.list(Some(id), None)).await?;
        let mut found = found.map_err(|error| match error.kind {
            ErrorKind::Usage => Problem::not_found("shared batch"),
            _ => unavailable(&error),
        })?;
        if control.is_some() {
            let done = in_time(shared.list(Some(id), control)).await?;
            found = done.map_err(|error| match error.kind {
                // It has ended.
                ErrorKind::Usage => Problem::conflict(error.to_string()),
                _ => unavailable(&error),
            })?;
        }
        found.pop().ok_or_else(|| Problem::not_found("shared batch"))
    }

    /// Whether the store of shared batches is known.
    pub(crate) fn shows_reports(&self) -> bool {
        self.offer.shared_batches.as_ref().is_some_and(SharedBatches::has_store)
    }

    /// Papers of a batch that several machines share.
    pub(crate) async fn shared_papers(
        &self,
        id: &str,
        query: &SharedPapersQuery,
    ) -> Result<Vec<SharedPaperState>, Problem> {
        if let Some(state) = query
            .state
            .as_ref()
            .filter(|state| !BatchState::PAPER_STATES.contains(&state.as_str()))
        {
            let known = BatchState::PAPER_STATES.join(", ");
            return Err(
                Problem::usage(format!("no paper has the state {state}")).hint(format!("the states are {known}"))
            );
        }
        let papers = in_time(self.shared()?.papers(id, query)).await?;
        papers.map_err(|error| unavailable(&error))
    }

    /// A file of the run of such a paper.
    pub(crate) async fn shared_file(&self, id: &str, folder: &str, name: &str) -> Result<Vec<u8>, Problem> {
        let file = in_time(self.shared()?.file(id, folder, name)).await?;
        let file = file.map_err(|error| unavailable(&error))?;
        file.ok_or_else(|| Problem::not_found("file"))
    }
}

/// What comes of `work`, unless it takes too long.
async fn in_time<T>(work: impl Future<Output = T>) -> Result<T, Problem> {
    let done = tokio::time::timeout(PATIENCE, work).await;
    done.map_err(|_| away("no answer"))
}

/// The problem with a database or a store.
fn unavailable(error: &AppError) -> Problem {
    away(&format!("{:#}", error.error))
}

/// The reason may name a place, so it is only logged.
fn away(reason: &str) -> Problem {
    tracing::warn!("{reason}");
    let detail = "the database or the store of shared batches cannot be used now";
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "input", detail).hint("the log of the server says why")
}
