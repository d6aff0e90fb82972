use askama::Template;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use precedent_app::{BatchControl, BatchState, SharedPaperState, SharedPapersQuery};
use precedent_report::{BatchPaper, ClosestPaper, PaperSummary};
use serde::Deserialize;

use super::batches::{closest, rank};
use super::frame::{PageError, page};
use crate::error::Problem;
use crate::shared_batches::PAPERS;
use crate::state::Shared;

/// In minutes.
const HOUR: f64 = 60.0;
const DAY: f64 = 1_440.0;

#[derive(Template)]
#[template(path = "shared_batch.html")]
struct SharedBatchPage {
    here: &'static str,
    batch: BatchState,
    /// Only papers in this state are shown.
    state: Option<String>,
    skip: u32,
    /// Whether reports cannot be shown.
    without_store: bool,
    papers: Vec<PaperRow>,
    /// Whether there are papers after these.
    has_more: bool,
}

/// A paper in the table.
struct PaperRow {
    name: String,
    folder: String,
    state: String,
    worker: Option<String>,
    error: Option<String>,
    summary: Option<PaperSummary>,
    /// The report, in the form that is best to read.
    report: Option<String>,
}

impl PaperRow {
    fn new(paper: SharedPaperState) -> Self {
        let report = paper.result.as_ref().and_then(report_of).map(str::to_owned);
        Self {
            name: paper.name,
            folder: paper.folder,
            worker: paper.worker.filter(|_| paper.state == "running"),
            state: paper.state,
            error: paper.error,
            summary: paper.result.and_then(|result| result.summary),
            report,
        }
    }

    fn title(&self) -> &str {
        self.summary.as_ref().map_or(&self.name, |one| &one.title)
    }

    fn rank(&self) -> usize {
        rank(self.summary.as_ref())
    }

    fn closest(&self) -> Option<(u32, &ClosestPaper)> {
        closest(self.summary.as_ref())
    }
}

fn report_of(result: &BatchPaper) -> Option<&str> {
    let ends = ["report.html", "report.md", "report.json"].into_iter();
    ends.filter_map(|end| result.files.iter().find(|file| *file == end))
        .map(String::as_str)
        .next()
}

#[derive(Debug, Deserialize)]
pub(super) struct Shown {
    state: Option<String>,
    #[serde(default)]
    skip: u32,
}

/// `/shared-batches/{id}`: its numbers, and its papers with their claims.
pub(super) async fn show(
    State(state): State<Shared>,
    Path(id): Path<String>,
    Query(shown): Query<Shown>,
) -> Result<Response, PageError> {
    let batch = state.shared_batch(&id, None).await?;
    let query = SharedPapersQuery {
        state: shown.state.clone(),
        skip: shown.skip,
        most: Some(PAPERS + 1),
    };
    let mut papers = state.shared_papers(&id, &query).await?;
    let most = usize::try_from(PAPERS).unwrap_or(usize::MAX);
    let has_more = papers.len() > most;
    papers.truncate(most);
    let shown = SharedBatchPage {
        here: "Batches",
        batch,
        state: shown.state,
        skip: shown.skip,
        without_store: !state.shows_reports(),
        papers: papers.into_iter().map(PaperRow::new).collect(),
        has_more,
    };
    Ok(page(StatusCode::OK, &shown))
}

impl SharedBatchPage {
    fn is_active(&self) -> bool {
        self.batch.waiting + self.batch.running > 0
    }

    fn ended(&self) -> u64 {
        self.batch.papers - self.batch.waiting - self.batch.running
    }

    fn cost(&self) -> String {
        cost(&self.batch)
    }

    fn time_left(&self) -> Option<String> {
        let minutes = self.batch.minutes_left?;
        Some(match minutes {
            minutes if minutes < 2.0 => "two minutes or less".to_owned(),
            minutes if minutes < 2.0 * HOUR => format!("{minutes:.0} minutes"),
            minutes if minutes < 2.0 * DAY => format!("{:.0} hours", minutes / HOUR),
            minutes => format!("{:.1} days", minutes / DAY),
        })
    }

    /// The query of the page with other papers in the same state.
    fn at(&self, skip: u32) -> String {
        let state = self.state.as_ref();
        // It came from an address, and only a word goes back into one.
        let state = state.filter(|state| state.bytes().all(|byte| byte.is_ascii_lowercase()));
        let state = state.map(|state| format!("state={state}&")).unwrap_or_default();
        format!("{state}skip={skip}")
    }

    fn last(&self) -> usize {
        usize::try_from(self.skip).unwrap_or_default() + self.papers.len()
    }

    fn earlier(&self) -> u32 {
        self.skip.saturating_sub(PAPERS)
    }

    fn later(&self) -> u32 {
        self.skip.saturating_add(PAPERS)
    }
}

/// What a shared batch cost, and may cost.
pub(crate) fn cost(batch: &BatchState) -> String {
    match batch.budget {
        Some(budget) => format!("${:.2} of ${budget:.2}", batch.dollars),
        None => format!("${:.2}", batch.dollars),
    }
}

/// Pauses, resumes or cancels a batch.
pub(super) async fn control(
    State(state): State<Shared>,
    Path((id, control)): Path<(String, String)>,
) -> Result<Response, PageError> {
    let control = match control.as_str() {
        "pause" => BatchControl::Pause,
        "resume" => BatchControl::Resume,
        "cancel" => BatchControl::Cancel,
        _ => return Err(Problem::not_found("page").into()),
    };
    let batch = state.shared_batch(&id, Some(control)).await?;
    Ok(Redirect::to(&format!("/shared-batches/{}", batch.id)).into_response())
}
