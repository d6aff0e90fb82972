use askama::Template;
use axum::Form;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use precedent_report::{WatchChange, WatchReport, WatchedPaper};
use serde::Deserialize;

use super::frame::{PageError, page};
use crate::api::{AlertLevel, Interval, WatchView};
use crate::error::Problem;
use crate::state::Shared;
use crate::watches::NewWatch;

#[derive(Template)]
#[template(path = "watches.html")]
struct WatchesPage {
    here: &'static str,
    watches: Vec<WatchView>,
}

/// `/watches`: the list.
pub(super) async fn list(State(state): State<Shared>) -> Result<Response, PageError> {
    let watches = state.watches().await?;
    let shown = WatchesPage {
        here: "Watches",
        watches: watches.iter().map(WatchView::from).collect(),
    };
    Ok(page(StatusCode::OK, &shown))
}

#[derive(Template)]
#[template(path = "watch.html")]
struct WatchPage {
    here: &'static str,
    watch: WatchView,
    report: WatchReport,
    /// What it searches.
    searches: String,
    /// Why it cannot be checked.
    problem: Option<Problem>,
}

impl WatchPage {
    /// The papers of the latest check, closest first.
    fn latest(&self) -> Vec<&WatchedPaper> {
        self.report.latest().collect()
    }

    /// The papers of earlier checks, latest first.
    fn earlier(&self) -> Vec<&WatchedPaper> {
        let earlier = self.report.papers.len() - self.report.latest().count();
        self.report.papers.iter().take(earlier).rev().collect()
    }
}

/// Whether a paper was known before.
fn is_known(paper: &WatchedPaper) -> bool {
    paper.change == WatchChange::Closer
}

/// The date of a paper.
fn date(paper: &WatchedPaper) -> String {
    paper.date.map_or_else(|| "no date".to_owned(), |date| date.to_string())
}

/// `/watches/{id}`: what is new.
pub(super) async fn show(State(state): State<Shared>, Path(id): Path<String>) -> Result<Response, PageError> {
    let known = state.watch(&id).await?;
    let request = &known.watched.request;
    let mut report = known.watch.report.published();
    for check in &mut report.checks {
        // A user may have deleted it.
        check.run = check.run.take().filter(|run| state.jobs.get(run).is_ok());
    }
    let shown = WatchPage {
        here: "Watches",
        searches: [request.corpora.as_slice(), &request.sources].concat().join(", "),
        watch: WatchView::from(&known),
        problem: state.cannot_check(&known.id, &known.watched).await,
        report,
    };
    Ok(page(StatusCode::OK, &shown))
}

/// `/watches/{id}/feed`: the papers as Atom.
pub(super) async fn feed(State(state): State<Shared>, Path(id): Path<String>) -> Result<Response, PageError> {
    let known = state.watch(&id).await?;
    let failed = |error: precedent_report::ReportError| Problem::bug(format!("failed to write the feed: {error}"));
    let feed = known.watch.report.feed().map_err(failed)?;
    Ok(([(header::CONTENT_TYPE, "application/atom+xml; charset=utf-8")], feed).into_response())
}

/// How to watch a run.
#[derive(Debug, Deserialize)]
pub(super) struct WatchForm {
    every: Interval,
    level: AlertLevel,
}

/// Watches a finished run.
pub(super) async fn add(
    State(state): State<Shared>,
    Path(run): Path<String>,
    Form(form): Form<WatchForm>,
) -> Result<Response, PageError> {
    let added = state.add_named_watch(NewWatch::Run(run), None, form.every, form.level);
    let (id, _) = added.await?;
    Ok(Redirect::to(&format!("/watches/{id}")).into_response())
}

/// Queues a check, and shows its run.
pub(super) async fn check(State(state): State<Shared>, Path(id): Path<String>) -> Result<Response, PageError> {
    let run = state.search_now(&id).await?;
    Ok(Redirect::to(&format!("/runs/{}", run.id)).into_response())
}

/// Removes a watch.
pub(super) async fn remove(State(state): State<Shared>, Path(id): Path<String>) -> Result<Response, PageError> {
    state.remove_watch(&id)?;
    Ok(Redirect::to("/watches").into_response())
}
