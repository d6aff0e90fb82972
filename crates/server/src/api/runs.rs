use std::fs;
use std::time::Duration;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::sse::{KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use precedent_app::runs::RunRequest;
use precedent_app::{App, SentRequest};
use serde::de::IntoDeserializer;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::openapi::{ObjectBuilder, OneOfBuilder, Ref, Schema, Type};
use utoipa::{IntoParams, ToSchema};

use super::body::Body;
use crate::call::{Call, Texts};
use crate::error::Problem;
use crate::evidence::{Evidence, Report};
use crate::jobs::{JobRecord, JobState, Jobs, LastEvent, events as event_stream};
use crate::request::JobRequest;
use crate::state::{Shared, State as Server};

/// Proxies close connections that are silent for a minute.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// Runs on one page of the list, unless the query says otherwise.
const PAGE: usize = 100;

/// Which runs to list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct RunQuery {
    // The schema has its description.
    #[serde(default, deserialize_with = "state_or_empty")]
    #[param(schema_with = state_or_empty_schema, required = false)]
    pub(crate) status: Option<JobState>,
    /// Only runs whose title, file or text contains this, ignoring case.
    #[param(nullable = false)]
    pub(crate) q: Option<String>,
    /// Leave out this many of the newest.
    #[param(nullable = false)]
    pub(crate) skip: Option<usize>,
    /// Maximum number of runs.
    #[param(nullable = false)]
    pub(crate) limit: Option<usize>,
}

/// Forms send an empty value for no choice.
fn state_or_empty<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<JobState>, D::Error> {
    let word = Option::<String>::deserialize(deserializer)?.filter(|word| !word.is_empty());
    word.map(|word| JobState::deserialize(word.into_deserializer()))
        .transpose()
}

fn state_or_empty_schema() -> Schema {
    let empty = ObjectBuilder::new().schema_type(Type::String).enum_values(Some([""]));
    let states = OneOfBuilder::new().item(Ref::from_schema_name("JobState")).item(empty);
    states
        .description(Some("Only runs in this state. Empty for all."))
        .build()
        .into()
}

/// A page of the list of runs.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RunList {
    /// Newest first.
    pub(crate) runs: Vec<RunView>,
    /// Runs that fit the query.
    pub(crate) total: usize,
}

/// A run, with its place in the queue.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RunView {
    /// The run.
    #[serde(flatten)]
    pub(crate) run: JobRecord,
    /// How many waiting runs were added before this one, plus one; only while it waits. A user with fewer running runs comes first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) position: Option<usize>,
}

/// Whether to add both texts.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct EvidenceQuery {
    /// Add the full texts of both papers.
    #[serde(default)]
    texts: bool,
}

/// A server-sent event.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what `jobs::events` sends")]
struct StreamedEvent {
    /// `EXECUTION.NUMBER`. The event `queued` has none.
    id: Option<String>,
    /// The kind of event.
    event: String,
    /// The event as JSON.
    data: String,
}

/// A request that a run sent to another machine.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SentView {
    /// The part of the program that sent it.
    who: String,
    /// The host.
    host: String,
    /// The request, without keys.
    request: String,
    /// Bytes sent.
    bytes_out: u64,
    /// Bytes received.
    bytes_in: u64,
    /// The status or the failure.
    outcome: String,
}

impl Server {
    /// The runs that fit a query.
    pub(crate) fn runs(&self, query: &RunQuery) -> RunList {
        let sought = query.q.as_deref().unwrap_or_default().to_lowercase();
        let fits = |record: &JobRecord| {
            // Drafts are only listed if asked for.
            query
                .status
                .map_or(record.state != JobState::Draft, |state| record.state == state)
                && (sought.is_empty() || record.names().any(|name| name.to_lowercase().contains(&sought)))
        };
        let most = query.limit.unwrap_or(PAGE).min(10 * PAGE);
        let (page, total) = self.jobs.page(fits, query.skip.unwrap_or(0), most);
        RunList {
            runs: page.into_iter().map(|run| self.view(run)).collect(),
            total,
        }
    }

    pub(crate) fn view(&self, mut run: JobRecord) -> RunView {
        if run.state == JobState::Running {
            // The title is known before the end.
            let dir = self.jobs.dir(&run);
            run.update_from_manifest(&dir);
        }
        RunView {
            position: self.jobs.position(&run.id),
            run,
        }
    }

    /// What a run would send and cost.
    pub(crate) async fn estimate(&self, asked: &JobRequest) -> Result<Value, Problem> {
        let (request, _) = self.validated(asked).await?;
        self.plan(request).await
    }

    /// What a run of a checked request would send and cost.
    pub(crate) async fn plan(&self, request: RunRequest) -> Result<Value, Problem> {
        self.call(Call::Estimate {
            request: Box::new(request),
        })
        .await
    }

    /// Adds a run without starting it. `name` is that of its file, if it is not that of the first upload with these bytes.
    pub(crate) async fn draft(&self, asked: JobRequest, name: Option<String>) -> Result<JobRecord, Problem> {
        let (request, id) = self.validated(&asked).await?;
        let name = self.input_name(&asked, name)?;
        self.jobs.add(&id, asked, name, &request, None)
    }

    /// The name of the file of a request: `own`, or else that of its first upload.
    pub(crate) fn input_name(&self, asked: &JobRequest, own: Option<String>) -> Result<Option<String>, Problem> {
        let first = asked.input.as_deref().map(|sha256| self.inputs.facts(sha256));
        Ok(first.transpose()?.map(|facts| own.unwrap_or(facts.name)))
    }

    /// The evidence of a claim and a paper, with both texts if wanted.
    pub(crate) async fn evidence(&self, id: &str, claim: u32, paper: u32, texts: bool) -> Result<Evidence, Problem> {
        let record = self.jobs.get(id)?;
        let dir = self.jobs.dir(&record);
        let files = record.files.clone();
        let read = tokio::task::spawn_blocking(move || {
            let report = Report::read(&dir, &files)?;
            Ok::<_, Problem>((report.evidence(claim, paper)?, report.paper_id(paper).cloned()))
        });
        let (evidence, work) = read.await.map_err(|_| Problem::bug("the report could not be read"))??;
        let input = record.request.input.as_deref().map(|sha256| self.inputs.path(sha256));
        match (texts, input, work) {
            // Without its input, a run still has the passages.
            (true, Some(Ok(paper)), Some(candidate)) => {
                let call = Call::Texts {
                    paper,
                    corpora: self.offer.corpora.paths(&record.request.corpora).unwrap_or_default(),
                    candidate,
                };
                let texts: Texts = self.call(call).await?;
                Ok(evidence.with_texts(texts))
            }
            _ => Ok(evidence),
        }
    }

    /// Every request that a run sent.
    pub(crate) async fn sent(&self, id: &str) -> Result<Vec<SentRequest>, Problem> {
        let dir = self.jobs.dir(&self.jobs.get(id)?);
        if !dir.join("manifest.json").is_file() {
            return Ok(Vec::new());
        }
        let read = tokio::task::spawn_blocking(move || App::default().stored_run(&dir)?.sent()).await;
        Ok(read.map_err(|_| Problem::bug("the record could not be read"))??)
    }
}

/// Estimate a run
///
/// What a run of this request would send, to whom, and what it would cost. Nothing is sent.
#[utoipa::path(
    post, operation_id = "estimate_run", path = "/api/v1/estimates", tag = "runs", request_body = JobRequest,
    responses(
        (status = 200, description = "`estimate` as `precedent estimate --json` prints it (null if nothing is sent), and `egress` with every address", body = Object),
        (status = "4XX", description = "The request is not valid", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn estimate(
    State(state): State<Shared>,
    Body(asked): Body<JobRequest>,
) -> Result<Json<Value>, Problem> {
    state.estimate(&asked).await.map(Json)
}

/// Start a run
///
/// The same request is the same run: it is returned as it is if it waits, runs or has finished, and resumed if it was stopped or failed.
#[utoipa::path(
    post, operation_id = "start_run", path = "/api/v1/runs", tag = "runs", request_body = JobRequest,
    responses(
        (status = 202, description = "Waiting or running", body = RunView, headers(("location" = String, description = "The address of the run"))),
        (status = "4XX", description = "The request is not valid", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn start(
    State(state): State<Shared>,
    Body(asked): Body<JobRequest>,
) -> Result<impl IntoResponse, Problem> {
    let draft = state.draft(asked, None).await?;
    let run = state.jobs.queue(&draft.id, false)?;
    let location = [(header::LOCATION, format!("/api/v1/runs/{}", run.id))];
    Ok((StatusCode::ACCEPTED, location, Json(state.view(run))))
}

/// List runs
#[utoipa::path(
    get, operation_id = "list_runs", path = "/api/v1/runs", tag = "runs", params(RunQuery),
    responses((status = 200, description = "Runs, newest first", body = RunList))
)]
pub(crate) async fn list(State(state): State<Shared>, Query(query): Query<RunQuery>) -> Json<RunList> {
    Json(state.runs(&query))
}

/// Show a run
#[utoipa::path(
    get, operation_id = "show_run", path = "/api/v1/runs/{id}", tag = "runs", params(("id" = String, Path, description = "Id of a run")),
    responses(
        (status = 200, description = "The run", body = RunView),
        (status = 404, description = "Unknown", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn show(State(state): State<Shared>, Path(id): Path<String>) -> Result<Json<RunView>, Problem> {
    Ok(Json(state.view(state.jobs.get(&id)?)))
}

/// Stop a run
///
/// It records what is finished and can be resumed.
#[utoipa::path(
    post, operation_id = "stop_run", path = "/api/v1/runs/{id}/stop", tag = "runs", params(("id" = String, Path, description = "Id of a run")),
    responses(
        (status = 202, description = "Being stopped", body = RunView),
        (status = "4XX", description = "Unknown, or not active", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn stop(State(state): State<Shared>, Path(id): Path<String>) -> Result<impl IntoResponse, Problem> {
    let run = state.jobs.stop(&id)?;
    Ok((StatusCode::ACCEPTED, Json(state.view(run))))
}

/// Resume a run
///
/// What it finished is reused. A finished run repeats what failed.
#[utoipa::path(
    post, operation_id = "resume_run", path = "/api/v1/runs/{id}/resume", tag = "runs", params(("id" = String, Path, description = "Id of a run")),
    responses(
        (status = 202, description = "Waiting or running", body = RunView),
        (status = "4XX", description = "Unknown", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn resume(State(state): State<Shared>, Path(id): Path<String>) -> Result<impl IntoResponse, Problem> {
    let run = state.queue(&id, true).await?;
    Ok((StatusCode::ACCEPTED, Json(state.view(run))))
}

/// Make a link to the report
///
/// Whoever has the link can read the files of the report, without a token. Only on a server with users; elsewhere the address of the run is enough.
#[utoipa::path(
    post, operation_id = "share_run", path = "/api/v1/runs/{id}/share", tag = "runs", params(("id" = String, Path, description = "Id of a run")),
    responses(
        (status = 200, description = "The run. Its files are at `/shared/{shared}/{name}`", body = RunView),
        (status = "4XX", description = "Unknown, or a server without users", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn share(State(state): State<Shared>, Path(id): Path<String>) -> Result<Json<RunView>, Problem> {
    Ok(Json(state.view(state.jobs.share(&id, true)?)))
}

/// Remove the link to the report
#[utoipa::path(
    delete, operation_id = "unshare_run", path = "/api/v1/runs/{id}/share", tag = "runs", params(("id" = String, Path, description = "Id of a run")),
    responses(
        (status = 200, description = "The run", body = RunView),
        (status = 404, description = "Unknown", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn unshare(State(state): State<Shared>, Path(id): Path<String>) -> Result<Json<RunView>, Problem> {
    Ok(Json(state.view(state.jobs.share(&id, false)?)))
}

/// Delete a run
#[utoipa::path(
    delete, operation_id = "delete_run", path = "/api/v1/runs/{id}", tag = "runs", params(("id" = String, Path, description = "Id of a run")),
    responses(
        (status = 204, description = "Deleted, with its files"),
        (status = "4XX", description = "Unknown, or active", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn delete(State(state): State<Shared>, Path(id): Path<String>) -> Result<StatusCode, Problem> {
    state.jobs.delete(&id)?;
    Ok(StatusCode::NO_CONTENT)
}

/// Events of a run
///
/// Server-sent events: those so far, then each as it happens. The data is a line of `events.jsonl`; the event `queued` has the place in the queue, and
/// `end` is the last one. A client that reconnects with `Last-Event-ID` gets what it missed; after `end` the answer is 204.
#[utoipa::path(
    get, operation_id = "follow_run", path = "/api/v1/runs/{id}/events", tag = "runs", params(("id" = String, Path, description = "Id of a run")),
    responses(
        (status = 200, description = "A stream of events, each with these fields", body = StreamedEvent, content_type = "text/event-stream"),
        (status = 204, description = "The client has all events"),
        (status = 404, description = "Unknown", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn events(
    State(state): State<Shared>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let record = state.jobs.get(&id)?;
    let last = headers.get("last-event-id").and_then(|value| value.to_str().ok());
    let last = last.and_then(LastEvent::parse);
    if !record.state.is_active() && last.is_some_and(|last| last.is_end_of(record.executions)) {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let stream = event_stream(state.jobs.clone(), id, last);
    let stream = Sse::new(stream).keep_alive(KeepAlive::new().interval(KEEP_ALIVE));
    // Proxies such as nginx collect a response before they pass it on, unless it says otherwise.
    Ok(([(HeaderName::from_static("x-accel-buffering"), "no")], stream).into_response())
}

/// A file of a run
#[utoipa::path(
    get, operation_id = "show_file", path = "/api/v1/runs/{id}/files/{name}", tag = "runs",
    params(("id" = String, Path, description = "Id of a run"), ("name" = String, Path, description = "Name of a file, such as `report.json`")),
    responses(
        (status = 200, description = "The file", content(
            (Object = "application/json"), (String = "text/html"), (String = "text/markdown"), (Vec<u8> = "application/pdf"), (Vec<u8> = "application/octet-stream"),
        )),
        (status = 404, description = "Unknown", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn file(
    State(state): State<Shared>,
    Path((id, name)): Path<(String, String)>,
) -> Result<Response, Problem> {
    file_of(&state.jobs, &state.jobs.get(&id)?, &name)
}

/// A file of a run. Only names that the run's record lists are opened.
pub(crate) fn file_of(jobs: &Jobs, record: &JobRecord, name: &str) -> Result<Response, Problem> {
    let name = record.files.iter().find(|file| *file == name);
    let name = name.ok_or_else(|| Problem::not_found("file"))?;
    let bytes = fs::read(jobs.dir(record).join(name)).map_err(|error| Problem::io("read the file", &error))?;
    Ok(served(name, bytes))
}

/// A file of a run as a response. What it contains is not trusted.
pub(crate) fn served(name: &str, bytes: Vec<u8>) -> Response {
    let (kind, policy) = match name.rsplit('.').next().unwrap_or_default() {
        // The report's own policy allows its own script. In a sandbox it cannot reach this server.
        "html" => (
            "text/html; charset=utf-8",
            "sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox allow-downloads; frame-ancestors 'self'",
        ),
        "json" => ("application/json", "default-src 'none'"),
        "md" => ("text/markdown; charset=utf-8", "default-src 'none'"),
        "pdf" => ("application/pdf", "frame-ancestors 'self'"),
        _ => ("application/octet-stream", "default-src 'none'"),
    };
    let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_SECURITY_POLICY, policy)];
    (headers, bytes).into_response()
}

/// Evidence for a claim in a paper
///
/// The similar passages of both texts, word for word, with their positions.
#[utoipa::path(
    get, operation_id = "show_evidence", path = "/api/v1/runs/{id}/claims/{claim}/papers/{paper}", tag = "runs",
    params(
        ("id" = String, Path, description = "Id of a run"),
        ("claim" = u32, Path, description = "Number of a claim in the report"),
        ("paper" = u32, Path, description = "Number of a paper in the report"),
        EvidenceQuery,
    ),
    responses(
        (status = 200, description = "The evidence", body = Evidence),
        (status = 404, description = "Unknown", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn evidence(
    State(state): State<Shared>,
    Path((id, claim, paper)): Path<(String, u32, u32)>,
    Query(query): Query<EvidenceQuery>,
) -> Result<Json<Evidence>, Problem> {
    state.evidence(&id, claim, paper, query.texts).await.map(Json)
}

/// Log of requests
///
/// Every request that the run sent to another machine, in order.
#[utoipa::path(
    get, operation_id = "list_requests", path = "/api/v1/runs/{id}/requests", tag = "runs", params(("id" = String, Path, description = "Id of a run")),
    responses(
        (status = 200, description = "The requests; empty if nothing was sent", body = Vec<SentView>),
        (status = 404, description = "Unknown", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn sent(State(state): State<Shared>, Path(id): Path<String>) -> Result<Json<Vec<SentView>>, Problem> {
    let view = |one: SentRequest| SentView {
        who: one.who,
        host: one.host,
        request: one.request,
        bytes_out: one.bytes_out,
        bytes_in: one.bytes_in,
        outcome: one.outcome,
    };
    let sent = state.sent(&id).await?;
    Ok(Json(sent.into_iter().map(view).collect()))
}
