use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use precedent_app::BatchState;
use precedent_report::{BatchStatus, ClaimLevel, ClosestPaper, PaperSummary};

use super::frame::{PageError, page};
use crate::batches::{KnownBatch, searches};
use crate::error::Problem;
use crate::jobs::{JobRecord, JobState};
use crate::state::Shared;

#[derive(Template)]
#[template(path = "batches.html")]
struct BatchesPage {
    here: &'static str,
    batches: Vec<KnownBatch>,
    /// Those that several machines share, if the server shows them, or why it cannot.
    shared: Option<Result<Vec<BatchState>, Problem>>,
}

impl BatchesPage {
    fn count(&self) -> usize {
        let shared = self.shared.as_ref().and_then(|shared| shared.as_ref().ok());
        self.batches.len() + shared.map_or(0, Vec::len)
    }
}

/// `/batches`: the list.
pub(super) async fn list(State(state): State<Shared>) -> Response {
    let shared = match state.offer.shared_batches {
        Some(_) => Some(state.shared_batches().await),
        None => None,
    };
    let shown = BatchesPage {
        here: "Batches",
        batches: state.all_batches(),
        shared,
    };
    page(StatusCode::OK, &shown)
}

#[derive(Template)]
#[template(path = "batch.html")]
struct BatchPage {
    here: &'static str,
    known: KnownBatch,
    searches: String,
    /// Literature services, which receive requests.
    services: String,
    model: Option<String>,
    /// Maximum spend of each run, and of all that are not finished.
    budget: Option<(f64, f64)>,
    papers: Vec<PaperRow>,
}

/// A paper in the table.
struct PaperRow {
    file: String,
    run: Option<JobRecord>,
    /// What is missing in its report, or why it cannot be read.
    note: String,
    summary: Option<PaperSummary>,
}

impl PaperRow {
    fn title(&self) -> &str {
        let read = self.run.as_ref().and_then(|run| run.title.as_deref());
        let found = self.summary.as_ref().map(|one| one.title.as_str());
        found.or(read).unwrap_or(&self.file)
    }

    fn rank(&self) -> usize {
        rank(self.summary.as_ref())
    }

    fn closest(&self) -> Option<(u32, &ClosestPaper)> {
        closest(self.summary.as_ref())
    }
}

/// For sorting: the level of the claim with the most similar prior work, then how many have it.
pub(super) fn rank(summary: Option<&PaperSummary>) -> usize {
    let claims = summary.map_or(&[][..], |one| &one.claims);
    let strongest = claims.iter().map(|claim| claim.level).min();
    let level = strongest.and_then(|level| ClaimLevel::ALL.iter().position(|one| *one == level));
    let with = claims.iter().filter(|claim| Some(claim.level) == strongest).count();
    level.map_or(1_000 * ClaimLevel::ALL.len(), |level| {
        1_000 * level + 999 - with.min(999)
    })
}

/// The paper closest to a claim, with the number of the claim.
pub(super) fn closest(summary: Option<&PaperSummary>) -> Option<(u32, &ClosestPaper)> {
    let claims = summary.into_iter().flat_map(|one| &one.claims);
    let all = claims.filter_map(|claim| Some((claim.number, claim.closest.first()?)));
    all.min_by(|(_, a), (_, b)| {
        let probability = |one: &ClosestPaper| one.probability.unwrap_or(-1.0);
        a.level.cmp(&b.level).then(probability(b).total_cmp(&probability(a)))
    })
}

/// `/batches/{id}`: its papers with their claims.
pub(super) async fn show(State(state): State<Shared>, Path(id): Path<String>) -> Result<Response, PageError> {
    let known = state.batch(&id)?;
    let summary = state.batch_summary(&known).await?;
    let rows = std::iter::zip(summary.papers, known.runs.clone());
    let papers = rows.map(|(paper, run)| PaperRow {
        file: paper.paper,
        note: match (&paper.summary, paper.status, paper.error) {
            (Some(_), BatchStatus::Complete, _) => String::new(),
            (Some(_), other, _) => other.label().to_owned(),
            (None, _, error) => match &run {
                Some(run) if run.state == JobState::Finished => error.unwrap_or_default(),
                _ => String::new(),
            },
        },
        run,
        summary: paper.summary,
    });
    let request = known.existing().next().map(|run| run.request.clone());
    let model = request.as_ref().and_then(|request| request.model.clone());
    let budget = request.as_ref().and_then(|request| request.budget(&state.offer).ok()?);
    #[expect(clippy::cast_precision_loss, reason = "at most 100 papers")]
    let open = (known.existing().count() - known.count(JobState::Finished)) as f64;
    let shown = BatchPage {
        here: "Batches",
        searches: searches(&known).join(", "),
        services: request.map(|request| request.sources.join(", ")).unwrap_or_default(),
        budget: budget.filter(|_| model.is_some()).map(|budget| (budget, budget * open)),
        model,
        papers: papers.collect(),
        known,
    };
    Ok(page(StatusCode::OK, &shown))
}

impl BatchPage {
    fn count(&self, state: JobState) -> usize {
        self.known.count(state)
    }

    fn is_active(&self) -> bool {
        self.known.existing().any(|run| run.state.is_active())
    }

    /// Whether a run can be queued.
    fn can_start(&self) -> bool {
        let waits = [JobState::Draft, JobState::Stopped, JobState::Failed];
        self.known.existing().any(|run| waits.contains(&run.state))
    }

    /// Whether nothing was started.
    fn is_new(&self) -> bool {
        self.known.existing().all(|run| run.state == JobState::Draft)
    }

    fn has_drafts(&self) -> bool {
        self.count(JobState::Draft) > 0
    }
}

fn to_batch(id: &str) -> Response {
    Redirect::to(&format!("/batches/{id}")).into_response()
}

/// Queues what is not finished.
pub(super) async fn start(State(state): State<Shared>, Path(id): Path<String>) -> Result<Response, PageError> {
    state.start_batch(&id).await?;
    Ok(to_batch(&id))
}

/// Stops all runs.
pub(super) async fn stop(State(state): State<Shared>, Path(id): Path<String>) -> Result<Response, PageError> {
    state.stop_batch(&id)?;
    Ok(to_batch(&id))
}

/// Deletes a batch with its runs.
pub(super) async fn delete(State(state): State<Shared>, Path(id): Path<String>) -> Result<Response, PageError> {
    state.delete_batch(&id)?;
    Ok(Redirect::to("/batches").into_response())
}
