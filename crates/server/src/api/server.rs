use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use precedent_app::batch_metrics;
use serde::Serialize;
use utoipa::ToSchema;

use crate::jobs::JobState;
use crate::state::Shared;

/// The state of the server.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Health {
    /// Always `ok`.
    status: &'static str,
    /// Version of the program.
    version: &'static str,
    /// Runs with a process.
    running: usize,
    /// Runs that wait for one.
    queued: usize,
}

impl Health {
    /// From the runs of each user by state.
    pub(crate) fn of(counts: impl IntoIterator<Item = BTreeMap<JobState, usize>>) -> Self {
        let (mut running, mut queued) = (0, 0);
        for of_user in counts {
            let count = |state| of_user.get(&state).copied().unwrap_or_default();
            running += count(JobState::Running);
            queued += count(JobState::Queued);
        }
        Self {
            status: "ok",
            version: env!("CARGO_PKG_VERSION"),
            running,
            queued,
        }
    }
}

/// Whether the server works
#[utoipa::path(get, path = "/api/v1/health", tag = "server", responses((status = 200, description = "It does", body = Health)))]
pub(crate) async fn health(State(state): State<Shared>) -> Json<Health> {
    Json(Health::of([state.jobs.counts()]))
}

/// Counters for Prometheus
///
/// With those of shared batches, if the server shows them.
#[utoipa::path(
    get, path = "/api/v1/metrics", tag = "server",
    responses((status = 200, description = "Text format of Prometheus", body = String, content_type = "text/plain"))
)]
pub(crate) async fn metrics(State(state): State<Shared>) -> impl IntoResponse {
    let mut text = state.metrics.text(&state.jobs);
    // The other numbers are needed most when the database is away, which is in the log.
    if state.offer.shared_batches.is_some()
        && let Ok(batches) = state.shared_batches().await
    {
        text.push_str(&batch_metrics(&batches));
    }
    (
        [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")],
        text,
    )
}

/// This document
#[utoipa::path(
    get, path = "/api/v1/openapi.json", tag = "server",
    responses((status = 200, description = "OpenAPI", body = Object, content_type = "application/json"))
)]
pub(crate) async fn openapi_document() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], super::openapi())
}
