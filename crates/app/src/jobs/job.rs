use std::collections::BTreeSet;

use crate::runs::JobKind;
use precedent_engine::domain::{
    Assessment, Audit, GroupRanking, IdeaAssessment, IdeaReview, NotSearched, PointsReport,
};

use super::ideas::IdeasSummary;
use super::reviews::ReviewsSummary;
use super::{assess, audit, idea, ideas, points, rank, review, reviews};
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
    Ideas(Box<IdeasSummary>),
    /// Of `review`.
    Review(Box<IdeaReview>),
    /// Of a batch of reviews. The answers were passed on as events, and are in `reviews.jsonl`.
    Reviews(Box<ReviewsSummary>),
    /// Of `rank` and `compare`.
    Rank(Box<GroupRanking>),
    /// Of `audit`.
    Audit(Box<Audit>),
}

impl Report {
    /// What was not searched, read or judged. A limit of several reviews of a ranking is in it once.
    #[must_use]
    pub fn not_searched(&self) -> Vec<&NotSearched> {
        let of_one: &[NotSearched] = match self {
            Self::Assess(found) => &found.metadata.not_searched,
            Self::Points(found) => &found.metadata.not_searched,
            Self::Idea(found) => &found.metadata.not_searched,
            Self::Review(found) => &found.metadata.not_searched,
            Self::Ideas(_) | Self::Reviews(_) | Self::Audit(_) => &[],
            Self::Rank(found) => {
                let reviews = found.ideas.iter().filter_map(|one| one.review.as_ref());
                let mut known = BTreeSet::new();
                let all = reviews.flat_map(|one| &one.metadata.not_searched);
                return all.filter(|one| known.insert(one.message.as_str())).collect();
            }
        };
        of_one.iter().collect()
    }
}

/// Runs the job of `run` and records how it ended.
pub(crate) fn work(run: &mut Run) -> Result<Report, AppError> {
    Ok(match run.manifest.request.job() {
        JobKind::Assess => Report::Assess(run.execute(assess::work, assess::status)?),
        JobKind::Points => Report::Points(run.execute(points::work, points::status)?),
        JobKind::Idea => Report::Idea(run.execute(idea::work, idea::status)?),
        JobKind::Ideas => Report::Ideas(run.execute(ideas::work, IdeasSummary::status)?),
        JobKind::Review => Report::Review(run.execute(review::work, review::status)?),
        JobKind::Reviews => Report::Reviews(run.execute(reviews::work, ReviewsSummary::status)?),
        JobKind::Rank => Report::Rank(run.execute(rank::work, rank::status)?),
        JobKind::Audit => Report::Audit(run.execute(audit::work, audit::status)?),
    })
}
