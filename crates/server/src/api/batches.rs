use std::collections::BTreeMap;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::body::Body;
use crate::batches::{Batch, KnownBatch, NewBatch, NewPaper};
use crate::error::Problem;
use crate::jobs::JobState;
use crate::request::JobRequest;
use crate::state::Shared;

/// A batch to start.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BatchBody {
    /// Its name. Without it, the name of the first file.
    name: Option<String>,
    /// SHA-256 of uploaded papers.
    #[schema(min_items = 1, max_items = 100)]
    inputs: Vec<String>,
    /// The request of each paper, without an input. Its job is `assess`.
    request: JobRequest,
}

/// A batch, with the states of its runs.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BatchView {
    /// The batch.
    #[serde(flatten)]
    pub(crate) batch: Batch,
    /// How many of its runs are in each state. Deleted ones are in none.
    pub(crate) states: BTreeMap<&'static str, usize>,
}

/// A batch with what its runs found.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BatchDetail {
    /// The batch.
    #[serde(flatten)]
    batch: BatchView,
    /// `summary.json` (docs/schema/batch-1.json): each paper with its claims and their closest papers.
    #[schema(value_type = Object)]
    summary: Value,
}

impl From<&KnownBatch> for BatchView {
    fn from(known: &KnownBatch) -> Self {
        let states = JobState::ALL
            .into_iter()
            .map(|state| (state.word(), known.count(state)));
        Self {
            batch: known.batch.clone(),
            states: states.filter(|(_, count)| *count > 0).collect(),
        }
    }
}

/// Start a batch
///
/// Adds a run for each paper to the queue. If a paper is refused, nothing is added. For the same batch, its stopped, failed and unstarted runs are queued again.
#[utoipa::path(
    post, operation_id = "start_batch", path = "/api/v1/batches", tag = "batches", request_body = BatchBody,
    responses(
        (status = 202, description = "Its runs wait or run", body = BatchView, headers(("location" = String, description = "The address of the batch"))),
        (status = "4XX", description = "The request or a paper is not valid", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn start(
    State(state): State<Shared>,
    Body(body): Body<BatchBody>,
) -> Result<impl IntoResponse, Problem> {
    let batch = state.draft_batch(NewBatch {
        name: body.name,
        papers: body
            .inputs
            .into_iter()
            .map(|sha256| NewPaper { sha256, name: None })
            .collect(),
        request: body.request,
    });
    let known = state.start_batch(&batch.await?.id).await?;
    let location = [(header::LOCATION, format!("/api/v1/batches/{}", known.batch.id))];
    Ok((StatusCode::ACCEPTED, location, Json(BatchView::from(&known))))
}

/// List batches
#[utoipa::path(
    get, operation_id = "list_batches", path = "/api/v1/batches", tag = "batches",
    responses((status = 200, description = "All batches, newest first", body = Vec<BatchView>))
)]
pub(crate) async fn list(State(state): State<Shared>) -> Json<Vec<BatchView>> {
    Json(state.all_batches().iter().map(BatchView::from).collect())
}

/// Show a batch
#[utoipa::path(
    get, operation_id = "show_batch", path = "/api/v1/batches/{id}", tag = "batches", params(("id" = String, Path, description = "Id of a batch")),
    responses(
        (status = 200, description = "The batch and what its runs found", body = BatchDetail),
        (status = 404, description = "Unknown", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn show(State(state): State<Shared>, Path(id): Path<String>) -> Result<Json<BatchDetail>, Problem> {
    let known = state.batch(&id)?;
    let summary = serde_json::to_value(state.batch_summary(&known).await?);
    Ok(Json(BatchDetail {
        batch: BatchView::from(&known),
        summary: summary.map_err(|error| Problem::bug(format!("failed to write the batch: {error}")))?,
    }))
}

/// Claims of a batch as a table
///
/// The same columns as `summary.csv` of `precedent batch`: one line for each claim, with its closest paper.
#[utoipa::path(
    get, operation_id = "show_batch_table", path = "/api/v1/batches/{id}/summary.csv", tag = "batches", params(("id" = String, Path, description = "Id of a batch")),
    responses(
        (status = 200, description = "CSV", body = String, content_type = "text/csv"),
        (status = 404, description = "Unknown", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn csv(State(state): State<Shared>, Path(id): Path<String>) -> Result<impl IntoResponse, Problem> {
    let summary = state.batch_summary(&state.batch(&id)?).await?;
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"summary.csv\""),
    ];
    Ok((headers, summary.csv()))
}

/// Stop a batch
///
/// Stops each run that waits or runs.
#[utoipa::path(
    post, operation_id = "stop_batch", path = "/api/v1/batches/{id}/stop", tag = "batches", params(("id" = String, Path, description = "Id of a batch")),
    responses(
        (status = 202, description = "Being stopped", body = BatchView),
        (status = "4XX", description = "Unknown, or not active", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn stop(State(state): State<Shared>, Path(id): Path<String>) -> Result<impl IntoResponse, Problem> {
    let known = state.stop_batch(&id)?;
    Ok((StatusCode::ACCEPTED, Json(BatchView::from(&known))))
}

/// Resume a batch
///
/// Queues each run that was stopped, failed or never started.
#[utoipa::path(
    post, operation_id = "resume_batch", path = "/api/v1/batches/{id}/resume", tag = "batches", params(("id" = String, Path, description = "Id of a batch")),
    responses(
        (status = 202, description = "Its runs wait or run", body = BatchView),
        (status = "4XX", description = "Unknown, or no run can be queued", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn resume(State(state): State<Shared>, Path(id): Path<String>) -> Result<impl IntoResponse, Problem> {
    let known = state.start_batch(&id).await?;
    Ok((StatusCode::ACCEPTED, Json(BatchView::from(&known))))
}

/// Delete a batch
///
/// With its runs, except those that are in another batch too.
#[utoipa::path(
    delete, operation_id = "delete_batch", path = "/api/v1/batches/{id}", tag = "batches", params(("id" = String, Path, description = "Id of a batch")),
    responses(
        (status = 204, description = "Deleted"),
        (status = "4XX", description = "Unknown, or active", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn delete(State(state): State<Shared>, Path(id): Path<String>) -> Result<StatusCode, Problem> {
    state.delete_batch(&id)?;
    Ok(StatusCode::NO_CONTENT)
}
