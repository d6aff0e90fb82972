use precedent_engine::domain::{
    Assessment, Audit, GroupRanking, IdeaAssessment, IdeaReview, NotSearched, PointsReport,
};
use precedent_engine::runs::RunRequest;

use super::ideas::IdeasSummary;
use super::{assess, audit, idea, ideas, points, rank, review};
use crate::AppError;
use crate::run::Run;

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
    /// Of `rank` and `compare`.
    Rank(Box<GroupRanking>),
    /// Of `audit`.
    Audit(Box<Audit>),
}

impl Report {
    /// What was not searched, read or judged.
    #[must_use]
    pub fn not_searched(&self) -> &[NotSearched] {
        match self {
            Self::Assess(found) => &found.metadata.not_searched,
            Self::Points(found) => &found.metadata.not_searched,
            Self::Idea(found) => &found.metadata.not_searched,
            Self::Ideas(_) | Self::Rank(_) | Self::Audit(_) => &[],
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
    Rank,
    Audit,
}

pub(crate) fn job(request: &RunRequest) -> Kind {
    match request {
        RunRequest { idea: Some(idea), .. } if idea.batch => Kind::Ideas,
        RunRequest { idea: Some(_), .. } => Kind::Idea,
        RunRequest { points: Some(_), .. } => Kind::Points,
        RunRequest { review: Some(_), .. } => Kind::Review,
        RunRequest { rank: Some(_), .. } => Kind::Rank,
        RunRequest { audit: Some(_), .. } => Kind::Audit,
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
        Kind::Rank => {
            let outcome = rank::work(run);
            let found = run.settle(outcome, rank::status)?;
            Ok(Report::Rank(Box::new(found)))
        }
        Kind::Audit => {
            let outcome = audit::work(run);
            let found = run.settle(outcome, audit::status)?;
            Ok(Report::Audit(Box::new(found)))
        }
    }
}
