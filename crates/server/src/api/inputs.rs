use axum::Json;
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::error::Problem;
use crate::inputs::{InputFacts, MOST_BYTES, too_large};
use crate::state::Shared;

/// Query of an upload.
#[derive(Debug, Deserialize, IntoParams)]
pub(crate) struct UploadQuery {
    /// The file's name, from which the format is detected, such as `paper.pdf`.
    #[param(nullable = false)]
    name: Option<String>,
}

/// The announced length of a body, if it is too large for an upload.
pub(crate) fn content_length(headers: &HeaderMap, extra: u64) -> Result<(), Problem> {
    let announced = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok());
    match announced.and_then(|value| value.parse::<u64>().ok()) {
        Some(length) if length > MOST_BYTES + extra => Err(too_large()),
        _ => Ok(()),
    }
}

/// Upload a file
///
/// The body is the file itself, of at most 50 MB.
#[utoipa::path(
    post, operation_id = "upload_input", path = "/api/v1/inputs", tag = "inputs", params(UploadQuery),
    request_body(content_type = "application/octet-stream", description = "The file"),
    responses(
        (status = 201, description = "Stored; an upload of the same bytes has the same hash", body = InputFacts),
        (status = "4XX", description = "Too large, too slow or empty", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn upload(
    State(state): State<Shared>,
    Query(query): Query<UploadQuery>,
    headers: HeaderMap,
    body: Body,
) -> Result<impl IntoResponse, Problem> {
    content_length(&headers, 0)?;
    let name = query.name.as_deref().unwrap_or("input");
    let facts = state.inputs.store(name, body.into_data_stream()).await?;
    Ok((StatusCode::CREATED, Json(facts)))
}

/// Name and size of an input
#[utoipa::path(
    get, operation_id = "show_input", path = "/api/v1/inputs/{sha256}", tag = "inputs", params(("sha256" = String, Path, description = "SHA-256 of the file, in hex")),
    responses(
        (status = 200, description = "The input", body = InputFacts),
        (status = 404, description = "Unknown", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn show(State(state): State<Shared>, Path(sha256): Path<String>) -> Result<Json<InputFacts>, Problem> {
    state.inputs.facts(&sha256).map(Json)
}

/// Delete an input
///
/// Refused while a watch, or a run that waits or runs, needs it. Finished runs keep their reports.
#[utoipa::path(
    delete, operation_id = "delete_input", path = "/api/v1/inputs/{sha256}", tag = "inputs", params(("sha256" = String, Path, description = "SHA-256 of the file, in hex")),
    responses(
        (status = 204, description = "Deleted"),
        (status = "4XX", description = "Unknown or needed", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn delete(State(state): State<Shared>, Path(sha256): Path<String>) -> Result<StatusCode, Problem> {
    let needs_it =
        |one: &crate::jobs::JobRecord| one.state.is_active() && one.request.input.as_deref() == Some(sha256.as_str());
    if state.jobs.page(needs_it, 0, 0).1 > 0 {
        return Err(Problem::conflict("a run that waits or runs needs this input").hint("stop the run first"));
    }
    if state.watches.needs(&sha256) {
        return Err(Problem::conflict("a watch needs this input").hint("remove the watch first"));
    }
    state.inputs.delete(&sha256)?;
    Ok(StatusCode::NO_CONTENT)
}
