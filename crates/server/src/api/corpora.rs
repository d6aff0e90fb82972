use std::sync::Arc;

use axum::Json;
use axum::body::Body as RawBody;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::body::Body;
use super::inputs::{UploadQuery, content_length};
use crate::call::Call;
use crate::corpora::{CorpusView, MOST_FILE_BYTES};
use crate::error::Problem;
use crate::state::{Shared, State as Server};
use crate::uploads::{SizeLimit, in_background};

/// What requests can choose from.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Offered {
    /// Names of corpora that have papers.
    corpora: Vec<String>,
    /// The corpora that you made.
    own: Vec<CorpusView>,
    /// Models besides offline analysis.
    models: Vec<String>,
    /// Literature services that are ready to be searched.
    sources: Vec<String>,
    /// Maximum spend of a new run now, in US dollars: that of each run, or what is left of your budget.
    budget: Option<f64>,
}

/// A corpus to make.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CorpusBody {
    /// Its name: up to 40 lower-case letters, digits, `-` and `_`, beginning with a letter.
    name: String,
}

/// A corpus.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CorpusDetail {
    /// What `precedent corpus stats --json` prints; nothing while the corpus has no papers.
    #[serde(flatten)]
    #[schema(value_type = Object)]
    statistics: Value,
    /// What the server knows about a corpus that you made.
    own: Option<CorpusView>,
}

impl Server {
    /// Deletes a corpus of the user, which may take seconds.
    pub(crate) async fn delete_corpus(&self, name: &str) -> Result<(), Problem> {
        self.is_own(name)?;
        let (jobs, name) = (Arc::clone(&self.jobs), name.to_owned());
        let deleted = tokio::task::spawn_blocking(move || jobs.delete_corpus(&name)).await;
        deleted.map_err(|_| Problem::bug("the corpus could not be deleted"))?
    }

    /// An error unless the user made the corpus.
    pub(crate) fn is_own(&self, name: &str) -> Result<(), Problem> {
        if self.own.view(name).is_ok() {
            return Ok(());
        }
        match self.offer.corpora.path(name) {
            Ok(_) => {
                let detail = format!("the corpus {name} belongs to the server and cannot be changed");
                Err(Problem::new(StatusCode::FORBIDDEN, "refused", detail).hint("make a corpus of your own"))
            }
            Err(problem) => Err(problem),
        }
    }

    /// The statistics of a corpus that has papers.
    pub(crate) async fn statistics(&self, name: &str) -> Result<Value, Problem> {
        let corpus = self.offer.corpora.path(name)?;
        self.call(Call::Statistics { corpus }).await
    }
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
        corpora: offer.corpora.names(),
        own: state.jobs.corpora(),
        models: offer.models.clone(),
        sources: ready.map(|service| service.name.clone()).collect(),
        budget: state.jobs.budget(),
    })
}

/// Make a corpus
///
/// It has no papers until files are uploaded to it.
#[utoipa::path(
    post, path = "/api/v1/corpora", tag = "corpora", request_body = CorpusBody,
    responses(
        (status = 201, description = "Made", body = CorpusView, headers(("location" = String, description = "The address of the corpus"))),
        (status = "4XX", description = "The name is not valid or there is such a corpus", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn create(
    State(state): State<Shared>,
    Body(body): Body<CorpusBody>,
) -> Result<impl IntoResponse, Problem> {
    state.offer.corpora.create(&body.name)?;
    let location = [(header::LOCATION, format!("/api/v1/corpora/{}", body.name))];
    Ok((StatusCode::CREATED, location, Json(state.jobs.corpus(&body.name)?)))
}

/// Upload a file to a corpus
///
/// The body is the file itself, of at most 500 MB: records or a paper, as `precedent corpus add` reads them. It is imported when a process is free and no
/// waiting or running run uses the corpus. Until then, no run with the corpus can be started.
#[utoipa::path(
    post, path = "/api/v1/corpora/{name}/files", tag = "corpora",
    params(("name" = String, Path, description = "Name of a corpus that you made"), UploadQuery),
    request_body(content_type = "application/octet-stream", description = "The file"),
    responses(
        (status = 202, description = "It waits or is being imported", body = CorpusView),
        (status = "4XX", description = "Too large, too slow or empty, or not your corpus", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn upload(
    State(state): State<Shared>,
    Path(name): Path<String>,
    Query(query): Query<UploadQuery>,
    headers: HeaderMap,
    body: RawBody,
) -> Result<impl IntoResponse, Problem> {
    content_length(&headers, MOST_FILE_BYTES, 0)?;
    state.is_own(&name)?;
    let _uploading = state.own.uploading()?;
    let most = SizeLimit::of_file(MOST_FILE_BYTES);
    let file = state.own.receive(query.name(), body.into_data_stream(), most).await?;
    let jobs = Arc::clone(&state.jobs);
    let view = in_background(move || jobs.import(&name, &[file])).await?;
    Ok((StatusCode::ACCEPTED, Json(view)))
}

/// Show a corpus
#[utoipa::path(
    get, operation_id = "show_corpus", path = "/api/v1/corpora/{name}", tag = "corpora", params(("name" = String, Path, description = "Name of a corpus")),
    responses(
        (status = 200, description = "Its statistics and, if you made it, what happens to uploaded files", body = CorpusDetail),
        (status = 404, description = "Unknown", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn show(State(state): State<Shared>, Path(name): Path<String>) -> Result<Json<CorpusDetail>, Problem> {
    let own = state.jobs.corpus(&name).ok();
    let statistics = match &own {
        Some(own) if own.papers == 0 && !own.hidden => Value::Object(serde_json::Map::new()),
        _ => state.statistics(&name).await?,
    };
    Ok(Json(CorpusDetail { statistics, own }))
}

/// Delete a corpus
///
/// Only one that you made. An import is ended. Refused while a watch, or a run that waits or runs, uses it. Finished runs keep their reports.
#[utoipa::path(
    delete, path = "/api/v1/corpora/{name}", tag = "corpora", params(("name" = String, Path, description = "Name of a corpus that you made")),
    responses(
        (status = 204, description = "Deleted"),
        (status = "4XX", description = "Unknown, used, or of the server", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn delete(State(state): State<Shared>, Path(name): Path<String>) -> Result<StatusCode, Problem> {
    state.delete_corpus(&name).await?;
    Ok(StatusCode::NO_CONTENT)
}
