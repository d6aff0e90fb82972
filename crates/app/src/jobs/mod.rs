//! One module per job: it reads the input, runs the pipeline and writes the reports.

mod assess;
mod idea;
pub(crate) mod idea_estimate;
pub mod idea_input;
mod ideas;
mod points;
pub(crate) mod points_estimate;
mod review;
pub(crate) mod review_estimate;
pub(crate) mod review_input;
mod session;

use precedent_engine::domain::{Assessment, IdeaAssessment, IdeaReview, NotSearched, PointsReport};
use precedent_engine::runs::RunRequest;

use crate::AppError;
use crate::run::Run;

pub use ideas::IdeasSummary;
pub use session::IdeaSession;

/// The result of a job.
#[derive(Debug)]
#[non_exhaustive]
pub enum Report {
    /// Of `assess`.
    Assess(Box<Assessment>),
    /// Of `points`.
    Points(Box<PointsReport>),
    /// Of `idea`.
    Idea(Box<IdeaAssessment>),
    /// Of a batch of ideas. The answers were passed on as events, and are in `ideas.jsonl`.
    Ideas(IdeasSummary),
    /// Of `review`.
    Review(Box<IdeaReview>),
}

impl Report {
    /// What was not searched, read or judged.
    #[must_use]
    pub fn not_searched(&self) -> &[NotSearched] {
        match self {
            Self::Assess(found) => &found.metadata.not_searched,
            Self::Points(found) => &found.metadata.not_searched,
            Self::Idea(found) => &found.metadata.not_searched,
            Self::Ideas(_) => &[],
            Self::Review(found) => &found.metadata.not_searched,
        }
    }
}

/// Which job a request asks for.
pub(crate) enum Kind {
    Assess,
    Points,
    Idea,
    Ideas,
    Review,
}

pub(crate) fn job(request: &RunRequest) -> Kind {
    match (&request.idea, &request.points, &request.review) {
        (Some(idea), ..) if idea.batch => Kind::Ideas,
        (Some(_), ..) => Kind::Idea,
        (_, Some(_), _) => Kind::Points,
        (.., Some(_)) => Kind::Review,
        _ => Kind::Assess,
    }
}

/// Runs the job of `run` and records how it ended.
pub(crate) fn work(run: &mut Run) -> Result<Report, AppError> {
    match job(&run.manifest.request) {
        Kind::Assess => {
            let outcome = assess::work(run);
            let found = run.settle(outcome, assess::status)?;
            Ok(Report::Assess(Box::new(found)))
        }
        Kind::Points => {
            let outcome = points::work(run);
            let found = run.settle(outcome, points::status)?;
            Ok(Report::Points(Box::new(found)))
        }
        Kind::Idea => {
            let outcome = idea::work(run);
            let found = run.settle(outcome, idea::status)?;
            Ok(Report::Idea(Box::new(found)))
        }
        Kind::Ideas => {
            let outcome = ideas::work(run);
            let found = run.settle(outcome, IdeasSummary::status)?;
            Ok(Report::Ideas(found))
        }
        Kind::Review => {
            let outcome = review::work(run);
            let found = run.settle(outcome, review::status)?;
            Ok(Report::Review(Box::new(found)))
        }
    }
}
