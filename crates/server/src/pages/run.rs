use std::fs;

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use precedent_app::{EVENTS_FILE, SentRequest};
use precedent_report::PaperSummary;
use serde::Deserialize;

use super::frame::{PageError, page};
use super::plan::Plan;
use super::progress::Progress;
use crate::api::{RunQuery, RunView};
use crate::error::Problem;
use crate::evidence::Report;
use crate::guard::with_frame;
use crate::jobs::{JobRecord, JobState};
use crate::request::JobName;
use crate::state::{Shared, State as Server};

/// Runs on a page.
const PAGE: usize = 50;

#[derive(Template)]
#[template(path = "runs.html")]
struct RunsPage<'p> {
    here: &'static str,
    runs: Vec<RunView>,
    total: usize,
    q: &'p str,
    status: &'static str,
    states: [JobState; 6],
    skip: usize,
    older: String,
    /// Whether a run is active, so that the page loads itself again.
    active: bool,
}

/// The query of the list. A form sends empty fields.
#[derive(Debug, Deserialize)]
pub(super) struct ListQuery {
    #[serde(default)]
    q: String,
    #[serde(default)]
    status: String,
    #[serde(default)]
    skip: usize,
}

/// `/runs`: the list.
pub(super) async fn list(State(state): State<Shared>, Query(query): Query<ListQuery>) -> Response {
    let status = JobState::ALL.into_iter().find(|one| one.word() == query.status);
    let found = state.runs(&RunQuery {
        status,
        q: Some(query.q.clone()),
        skip: Some(query.skip),
        limit: Some(PAGE),
    });
    let encoded: String = query.q.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let word = status.map_or("", JobState::word);
    let shown = RunsPage {
        here: "Runs",
        active: found.runs.iter().any(|one| one.run.state.is_active()),
        total: found.total,
        older: format!("/runs?q={encoded}&status={word}&skip={}", query.skip + PAGE),
        runs: found.runs,
        q: &query.q,
        status: word,
        states: JobState::ALL,
        skip: query.skip,
    };
    page(StatusCode::OK, &shown)
}

#[derive(Template)]
#[template(path = "run.html")]
struct RunPage {
    here: &'static str,
    run: JobRecord,
    position: Option<usize>,
    /// What it searches.
    searches: String,
    /// What it would send, before it is started.
    plan: Option<Result<Plan, Problem>>,
    /// Whether the draft may be started.
    can_start: bool,
    progress: Progress,
    /// The claims of an assessment, once it has a report.
    summary: Option<PaperSummary>,
    /// What the report says about the coverage of the field, if it is poor: the reader must know it before the claims.
    field: Option<String>,
    /// The report as a page.
    html: Option<String>,
    /// Whether nothing is left that could be repeated.
    is_complete: bool,
    /// Whether it can be watched.
    can_watch: bool,
    /// The watch of the same request.
    watch: Option<String>,
    /// Id and name of the batch that it is in.
    batch: Option<(String, String)>,
}

/// `/runs/{id}`: what a run would send, what it does, or what it found.
pub(super) async fn show(State(state): State<Shared>, Path(id): Path<String>) -> Result<Response, PageError> {
    let RunView { run, position } = state.view(state.jobs.get(&id)?);
    let plan = match run.state {
        JobState::Draft => Some(plan(&state, &run).await),
        _ => None,
    };
    let searches = [run.request.corpora.as_slice(), &run.request.sources]
        .concat()
        .join(", ");
    let (progress, summary, field) = found(&state, &run).await;
    let shown = RunPage {
        here: "Runs",
        position,
        searches: if searches.is_empty() {
            "nothing".to_owned()
        } else {
            searches
        },
        can_start: matches!(plan, Some(Ok(_))),
        plan,
        progress,
        summary,
        field,
        is_complete: run.state == JobState::Finished && run.status.as_deref() == Some("complete"),
        can_watch: run.state == JobState::Finished
            && run.watch.is_none()
            && matches!(run.request.job, JobName::Assess | JobName::Idea),
        watch: run.watch.clone().or_else(|| state.watches.of(&run.request)),
        batch: state.batches.of(&run.id).map(|batch| (batch.id, batch.name)),
        html: run.files.iter().find(|file| file.ends_with(".html")).cloned(),
        run,
    };
    Ok(with_frame(page(StatusCode::OK, &shown)))
}

async fn plan(state: &Server, run: &JobRecord) -> Result<Plan, Problem> {
    let request = state.validated_again(&run.id).await?;
    let answer = state.plan(request).await?;
    Plan::of(&answer).map_err(|error| Problem::bug(format!("failed to read the estimate: {error}")))
}

/// The events of a run so far, the claims of its report, and the warning about the field.
async fn found(state: &Server, run: &JobRecord) -> (Progress, Option<PaperSummary>, Option<String>) {
    let dir = state.jobs.dir(run);
    let feed = state.jobs.feed(&run.id);
    let files = run.files.clone();
    let finished = run.state == JobState::Finished;
    let read = tokio::task::spawn_blocking(move || {
        let progress = match feed {
            Some(feed) => Progress::of(feed.lines().iter().map(|line| &**line)),
            None => Progress::of(fs::read_to_string(dir.join(EVENTS_FILE)).unwrap_or_default().lines()),
        };
        // Other jobs have reports of other kinds, which are only shown in full.
        let report = finished.then(|| Report::read(&dir, &files).ok()).flatten();
        let field = report.as_ref().and_then(Report::field_warning);
        (progress, report.map(|report| report.summary()), field)
    });
    read.await.unwrap_or_default()
}

fn to_run(id: &str) -> Response {
    Redirect::to(&format!("/runs/{id}")).into_response()
}

/// Starts a run that was prepared.
pub(super) async fn start(State(state): State<Shared>, Path(id): Path<String>) -> Result<Response, PageError> {
    state.queue(&id, false).await?;
    Ok(to_run(&id))
}

/// Stops a run.
pub(super) async fn stop(State(state): State<Shared>, Path(id): Path<String>) -> Result<Response, PageError> {
    state.jobs.stop(&id)?;
    Ok(to_run(&id))
}

/// Resumes a run.
pub(super) async fn resume(State(state): State<Shared>, Path(id): Path<String>) -> Result<Response, PageError> {
    state.queue(&id, true).await?;
    Ok(to_run(&id))
}

/// Makes a link to the report of a run.
pub(super) async fn share(State(state): State<Shared>, Path(id): Path<String>) -> Result<Response, PageError> {
    state.jobs.share(&id, true)?;
    Ok(to_run(&id))
}

/// Removes the link to the report of a run.
pub(super) async fn unshare(State(state): State<Shared>, Path(id): Path<String>) -> Result<Response, PageError> {
    state.jobs.share(&id, false)?;
    Ok(to_run(&id))
}

/// Deletes a run.
pub(super) async fn delete(State(state): State<Shared>, Path(id): Path<String>) -> Result<Response, PageError> {
    state.jobs.delete(&id)?;
    Ok(Redirect::to("/runs").into_response())
}

#[derive(Template)]
#[template(path = "requests.html")]
struct RequestsPage {
    here: &'static str,
    run: JobRecord,
    sent: Vec<SentRequest>,
    total: u64,
}

/// `/runs/{id}/requests`: every request that a run sent.
pub(super) async fn requests(State(state): State<Shared>, Path(id): Path<String>) -> Result<Response, PageError> {
    let run = state.jobs.get(&id)?;
    let sent = state.sent(&id).await?;
    let shown = RequestsPage {
        here: "Runs",
        run,
        total: sent.iter().map(|one| one.bytes_out).sum(),
        sent,
    };
    Ok(page(StatusCode::OK, &shown))
}
