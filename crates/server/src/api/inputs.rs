use axum::Json;
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream::try_unfold;
use serde::Deserialize;
use tokio::io::AsyncReadExt;
use utoipa::IntoParams;

use crate::error::Problem;
use crate::inputs::{InputFacts, MOST_BYTES};
use crate::state::Shared;
use crate::uploads::too_large;

/// What a browser allows a PDF: to be shown by its viewer, in a page of this server. A viewer in Chromium is an embedded object with styles of its own.
const PDF_POLICY: &str = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'";
/// Bytes of a file that are in memory at a time.
const CHUNK: usize = 64 << 10;

/// Query of an upload.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct UploadQuery {
    /// The file's name, from which the format is detected, such as `paper.pdf`.
    #[param(nullable = false)]
    name: Option<String>,
}

impl UploadQuery {
    pub(super) fn name(&self) -> &str {
        self.name.as_deref().unwrap_or("input")
    }
}

/// Refuses a body that announces more than `most` bytes, and `extra` ones around it.
pub(crate) fn content_length(headers: &HeaderMap, most: u64, extra: u64) -> Result<(), Problem> {
    let announced = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok());
    match announced.and_then(|value| value.parse::<u64>().ok()) {
        Some(length) if length > most + extra => Err(too_large(most)),
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
    content_length(&headers, MOST_BYTES, 0)?;
    let facts = state.inputs.store(query.name(), body.into_data_stream()).await?;
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

/// Show a PDF
///
/// The upload as it was sent, if it is a PDF by its first bytes: to be opened at a page with `#page=4`. Other formats are never shown.
#[utoipa::path(
    get, path = "/api/v1/inputs/{sha256}/pdf", tag = "inputs", params(("sha256" = String, Path, description = "SHA-256 of the file, in hex")),
    responses(
        (status = 200, description = "The file", content_type = "application/pdf"),
        (status = 404, description = "Unknown, or no PDF", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn pdf(State(state): State<Shared>, Path(sha256): Path<String>) -> Result<Response, Problem> {
    let (facts, file) = state.inputs.pdf(&sha256)?;
    // Only letters, digits and `.-_ `, as every name of an input.
    let name = facts.name.strip_suffix(".pdf").unwrap_or(&facts.name);
    let headers = [
        (header::CONTENT_TYPE, "application/pdf".to_owned()),
        (header::CONTENT_DISPOSITION, format!("inline; filename=\"{name}.pdf\"")),
        (header::CONTENT_LENGTH, facts.bytes.to_string()),
        (header::CONTENT_SECURITY_POLICY, PDF_POLICY.to_owned()),
    ];
    let chunks = try_unfold(tokio::fs::File::from_std(file), |mut file| async {
        let mut chunk = vec![0; CHUNK];
        let read = file.read(&mut chunk).await?;
        chunk.truncate(read);
        Ok::<_, std::io::Error>((read > 0).then_some((chunk, file)))
    });
    Ok((headers, Body::from_stream(chunks)).into_response())
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
