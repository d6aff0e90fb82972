use axum::Json;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use precedent_app::{BatchControl, BatchState, SharedPaperState, SharedPapersQuery};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::body::Body;
use super::runs::served;
use crate::error::Problem;
use crate::shared_batches::{MOST_PAPERS, PAPERS};
use crate::state::Shared;

/// List shared batches
///
/// Batches that several machines share through a database, in numbers, newest first, as `precedent batches --json` prints them. Empty if the server shows none.
#[utoipa::path(
    get, operation_id = "list_shared_batches", path = "/api/v1/shared-batches", tag = "shared batches",
    responses((status = 200, description = "The batches", body = Vec<Object>))
)]
pub(crate) async fn list(State(state): State<Shared>) -> Result<Json<Vec<BatchState>>, Problem> {
    state.shared_batches().await.map(Json)
}

/// Show a shared batch
#[utoipa::path(
    get, operation_id = "show_shared_batch", path = "/api/v1/shared-batches/{id}", tag = "shared batches", params(("id" = String, Path, description = "Id of a shared batch")),
    responses(
        (status = 200, description = "The batch in numbers", body = Object),
        (status = 404, description = "Unknown", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn show(State(state): State<Shared>, Path(id): Path<String>) -> Result<Json<BatchState>, Problem> {
    state.shared_batch(&id, None).await.map(Json)
}

/// Which papers are wanted.
#[derive(Debug, Deserialize, IntoParams)]
pub(crate) struct PapersQuery {
    /// Only papers in this state: `waiting`, `running`, `done`, `incomplete`, `failed`, `parked` or `cancelled`.
    state: Option<String>,
    /// How many to leave out at the beginning.
    #[serde(default)]
    skip: u32,
    /// How many at most: 50, or up to 1,000.
    limit: Option<u32>,
}

/// Papers of a shared batch
///
/// In their order, each with its state. Papers with a report have their claims and closest papers, if the server knows the store.
#[utoipa::path(
    get, operation_id = "list_shared_papers", path = "/api/v1/shared-batches/{id}/papers", tag = "shared batches",
    params(("id" = String, Path, description = "Id of a shared batch"), PapersQuery),
    responses(
        (status = 200, description = "The papers", body = Vec<Object>),
        (status = 404, description = "Unknown", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn papers(
    State(state): State<Shared>,
    Path(id): Path<String>,
    Query(query): Query<PapersQuery>,
) -> Result<Json<Vec<SharedPaperState>>, Problem> {
    state.shared_batch(&id, None).await?;
    let query = SharedPapersQuery {
        state: query.state,
        skip: query.skip,
        most: Some(query.limit.unwrap_or(PAPERS).min(MOST_PAPERS)),
    };
    state.shared_papers(&id, &query).await.map(Json)
}

/// A file of a paper's run
#[utoipa::path(
    get, operation_id = "show_shared_file", path = "/api/v1/shared-batches/{id}/papers/{folder}/files/{name}", tag = "shared batches",
    params(
        ("id" = String, Path, description = "Id of a shared batch"),
        ("folder" = String, Path, description = "Folder of a paper of it"),
        ("name" = String, Path, description = "Name of a file, such as `report.json`"),
    ),
    responses(
        (status = 200, description = "The file", content((Object = "application/json"), (String = "text/html"), (String = "text/markdown"))),
        (status = 404, description = "Unknown, or the paper has no report", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn file(
    State(state): State<Shared>,
    Path((id, folder, name)): Path<(String, String, String)>,
) -> Result<Response, Problem> {
    let bytes = state.shared_file(&id, &folder, &name).await?;
    Ok(served(&name, bytes))
}

/// What to do with a shared batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Control {
    /// Start no more of its papers.
    Pause,
    /// Start its papers again.
    Resume,
    /// Never start the papers that wait.
    Cancel,
    /// Start its papers before those of batches with a lower priority.
    Priority(i32),
}

impl From<Control> for BatchControl {
    fn from(control: Control) -> Self {
        match control {
            Control::Pause => Self::Pause,
            Control::Resume => Self::Resume,
            Control::Cancel => Self::Cancel,
            Control::Priority(priority) => Self::Priority(priority.into()),
        }
    }
}

/// Pause, resume, cancel or prefer a shared batch
///
/// Papers that are running end. The body is `"pause"`, `"resume"`, `"cancel"` or `{"priority": 10}`.
#[utoipa::path(
    post, operation_id = "control_shared_batch", path = "/api/v1/shared-batches/{id}/control", tag = "shared batches", request_body = Control,
    params(("id" = String, Path, description = "Id of a shared batch")),
    responses(
        (status = 200, description = "The batch in numbers, after it was done", body = Object),
        (status = "4XX", description = "Unknown, or it has ended or was cancelled", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn control(
    State(state): State<Shared>,
    Path(id): Path<String>,
    Body(control): Body<Control>,
) -> Result<Json<BatchState>, Problem> {
    state.shared_batch(&id, Some(control.into())).await.map(Json)
}
