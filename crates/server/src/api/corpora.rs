use axum::Json;
use axum::extract::{Path, State};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::call::Call;
use crate::error::Problem;
use crate::state::Shared;

/// What requests can choose from.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Offered {
    /// Names of corpora.
    corpora: Vec<String>,
    /// Models besides offline analysis.
    models: Vec<String>,
    /// Literature services that are ready to be searched.
    sources: Vec<String>,
    /// Maximum spend of each run, in US dollars.
    budget: Option<f64>,
}

/// Corpora, models and services of the server
#[utoipa::path(
    get, operation_id = "list_corpora", path = "/api/v1/corpora", tag = "corpora",
    responses((status = 200, description = "What requests can choose from", body = Offered))
)]
pub(crate) async fn list(State(state): State<Shared>) -> Json<Offered> {
    let offer = &state.offer;
    let ready = offer.services.iter().filter(|service| service.needs.is_none());
    Json(Offered {
        corpora: offer.corpora.names().map(str::to_owned).collect(),
        models: offer.models.clone(),
        sources: ready.map(|service| service.name.clone()).collect(),
        budget: offer.budget,
    })
}

/// Statistics of a corpus
#[utoipa::path(
    get, operation_id = "show_corpus", path = "/api/v1/corpora/{name}", tag = "corpora", params(("name" = String, Path, description = "Name of a corpus")),
    responses(
        (status = 200, description = "What `precedent corpus stats --json` prints", body = Object),
        (status = 404, description = "Unknown", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn statistics(State(state): State<Shared>, Path(name): Path<String>) -> Result<Json<Value>, Problem> {
    let corpus = state.offer.corpora.path(&name)?.clone();
    state.caller.call(Call::Statistics { corpus }).await.map(Json)
}
