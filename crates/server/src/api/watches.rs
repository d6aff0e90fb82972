use axum::Json;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use precedent_app::{WatchInterval, WatchRequest, WatchSubject};
use precedent_report::{ClaimLevel, WatchCheck};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::body::Body;
use super::runs::RunView;
use crate::error::Problem;
use crate::request::JobRequest;
use crate::state::{Shared, State as Server};
use crate::watches::{KnownWatch, NewWatch};

/// How often a watch is due.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Interval {
    /// After one day.
    Day,
    /// After seven days.
    #[default]
    Week,
    /// After thirty days.
    Month,
}

impl Interval {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
        }
    }
}

/// The level that makes a paper an alert.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AlertLevel {
    /// Nearly word for word.
    Anticipated,
    /// Similar or closer.
    #[default]
    Similar,
}

impl AlertLevel {
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Anticipated => "Nearly word for word",
            Self::Similar => ClaimLevel::Similar.label(),
        }
    }
}

/// A watch to add.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WatchBody {
    /// Id of a finished run of `assess` or `idea`. Its papers are known.
    run: Option<String>,
    /// A request of `assess` or `idea` instead of a run. Its first check is the start.
    request: Option<JobRequest>,
    /// A name, from which the id is made. Without it, the title is used.
    name: Option<String>,
    /// How often it is due.
    #[serde(default)]
    every: Interval,
    /// A new paper of this level or closer is an alert.
    #[serde(default)]
    level: AlertLevel,
}

/// A watch.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct WatchView {
    /// Its id.
    pub(crate) id: String,
    /// Title of the paper, or the beginning of the idea.
    pub(crate) title: String,
    /// How often it is due.
    pub(crate) every: Interval,
    /// A new paper of this level or closer is an alert.
    pub(crate) level: AlertLevel,
    /// The day it was added.
    pub(crate) added: String,
    /// The day of the next check. Null before the first one, which is due now.
    pub(crate) next_due: Option<String>,
    /// The latest check in a sentence.
    pub(crate) summary: String,
    /// The latest check.
    pub(crate) last: Option<CheckView>,
    /// Whether the latest check noticed a paper of the level.
    pub(crate) alert: bool,
    /// Papers that all checks noticed.
    pub(crate) papers: usize,
    /// Id of the check that waits or runs.
    pub(crate) active: Option<String>,
    /// The request of each check, without its date.
    pub(crate) request: JobRequest,
}

/// One check of a watch.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CheckView {
    /// Its date.
    date: String,
    /// Papers compared.
    compared: usize,
    /// Papers noticed: new, or closer than before.
    noticed: usize,
    /// Whether it was the start of the watch.
    first: bool,
    /// Why sources did not answer all queries.
    failures: Vec<String>,
    /// Id of its run.
    run: Option<String>,
}

/// A watch with everything that it found.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct WatchDetail {
    /// The watch.
    #[serde(flatten)]
    watch: WatchView,
    /// `watch.json` (docs/schema/watch-1.json): each check and each paper, with the claims that it is similar to.
    #[schema(value_type = Object)]
    report: Value,
}

impl From<&WatchCheck> for CheckView {
    fn from(check: &WatchCheck) -> Self {
        Self {
            date: check.date.to_string(),
            compared: check.compared,
            noticed: check.noticed,
            first: check.first,
            failures: check.failures.clone(),
            run: check.run.clone(),
        }
    }
}

impl From<&KnownWatch> for WatchView {
    fn from(known: &KnownWatch) -> Self {
        let report = known.watch.report.published();
        Self {
            id: known.id.clone(),
            title: report.title.clone(),
            every: match known.watch.every {
                WatchInterval::Day => Interval::Day,
                WatchInterval::Month => Interval::Month,
                _ => Interval::Week,
            },
            level: match report.level {
                ClaimLevel::Anticipated => AlertLevel::Anticipated,
                _ => AlertLevel::Similar,
            },
            added: known.watch.added.to_string(),
            next_due: known.watch.next_due().map(|date| date.to_string()),
            summary: report.summary(),
            last: report.checks.last().map(CheckView::from),
            alert: report.is_alert(),
            papers: report.papers.len(),
            active: known.check.as_ref().map(|run| run.id.clone()),
            request: known.watched.request.clone(),
        }
    }
}

impl Server {
    /// Adds a watch. Returns its id, and whether it is new.
    pub(crate) async fn add_named_watch(
        &self,
        what: NewWatch,
        name: Option<String>,
        every: Interval,
        level: AlertLevel,
    ) -> Result<(String, bool), Problem> {
        let options = move |subject: WatchSubject| WatchRequest {
            subject,
            name,
            every: match every {
                Interval::Day => WatchInterval::Day,
                Interval::Week => WatchInterval::Week,
                Interval::Month => WatchInterval::Month,
            },
            level: match level {
                AlertLevel::Anticipated => ClaimLevel::Anticipated,
                AlertLevel::Similar => ClaimLevel::Similar,
            },
        };
        self.add_watch(what, options).await
    }
}

/// List watches
#[utoipa::path(
    get, operation_id = "list_watches", path = "/api/v1/watches", tag = "watches",
    responses((status = 200, description = "All watches, by id", body = Vec<WatchView>))
)]
pub(crate) async fn list(State(state): State<Shared>) -> Result<Json<Vec<WatchView>>, Problem> {
    let watches = state.watches().await?;
    Ok(Json(watches.iter().map(WatchView::from).collect()))
}

/// Add a watch
///
/// Nothing is searched now. The server checks a watch when it is due, with today as the cutoff date and without a model. The same request is the same
/// watch: it is returned as it is.
#[utoipa::path(
    post, operation_id = "add_watch", path = "/api/v1/watches", tag = "watches", request_body = WatchBody,
    responses(
        (status = 201, description = "Added", body = WatchView, headers(("location" = String, description = "The address of the watch"))),
        (status = 200, description = "There is a watch of this request", body = WatchView),
        (status = "4XX", description = "The run or the request cannot be watched", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn add(
    State(state): State<Shared>,
    Body(body): Body<WatchBody>,
) -> Result<impl IntoResponse, Problem> {
    let what = match (body.run, body.request) {
        (Some(run), None) => NewWatch::Run(run),
        (None, Some(request)) => NewWatch::Request(Box::new(request)),
        _ => return Err(Problem::usage("give either a run or a request")),
    };
    let (id, is_new) = state.add_named_watch(what, body.name, body.every, body.level).await?;
    let view = WatchView::from(&state.watch(&id).await?);
    let code = match is_new {
        true => StatusCode::CREATED,
        false => StatusCode::OK,
    };
    Ok((code, [(header::LOCATION, format!("/api/v1/watches/{id}"))], Json(view)))
}

/// Show a watch
#[utoipa::path(
    get, operation_id = "show_watch", path = "/api/v1/watches/{id}", tag = "watches", params(("id" = String, Path, description = "Id of a watch")),
    responses(
        (status = 200, description = "The watch, its checks and the papers that they noticed", body = WatchDetail),
        (status = 404, description = "Unknown", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn show(State(state): State<Shared>, Path(id): Path<String>) -> Result<Json<WatchDetail>, Problem> {
    let known = state.watch(&id).await?;
    let report = serde_json::to_value(known.watch.report.published());
    Ok(Json(WatchDetail {
        watch: WatchView::from(&known),
        report: report.map_err(|error| Problem::bug(format!("failed to write the watch: {error}")))?,
    }))
}

/// Check a watch
///
/// Queues a check, due or not, unless one waits or runs. A check on the same day repeats only what failed.
#[utoipa::path(
    post, operation_id = "check_watch", path = "/api/v1/watches/{id}/check", tag = "watches", params(("id" = String, Path, description = "Id of a watch")),
    responses(
        (status = 202, description = "The run of the check", body = RunView),
        (status = "4XX", description = "Unknown, or the server no longer offers what it searches", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn check(State(state): State<Shared>, Path(id): Path<String>) -> Result<impl IntoResponse, Problem> {
    let run = state.search_now(&id).await?;
    let location = [(header::LOCATION, format!("/api/v1/runs/{}", run.id))];
    Ok((StatusCode::ACCEPTED, location, Json(state.view(run))))
}

/// Remove a watch
#[utoipa::path(
    delete, operation_id = "delete_watch", path = "/api/v1/watches/{id}", tag = "watches", params(("id" = String, Path, description = "Id of a watch")),
    responses(
        (status = 204, description = "Removed, with its reports and the runs of its checks"),
        (status = "4XX", description = "Unknown, or a check is active", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn remove(State(state): State<Shared>, Path(id): Path<String>) -> Result<StatusCode, Problem> {
    state.remove_watch(&id)?;
    Ok(StatusCode::NO_CONTENT)
}
