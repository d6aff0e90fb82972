//! Measures answers against known ones: verdicts on ideas, orders of ideas, and scores of reviews.
//!
//! Input: labelled tasks, and the answers of a run. Output: figures with bootstrap intervals. Out of scope: running the jobs, and reading arguments.

mod idea;
mod rank;
mod review;
mod statistics;

pub use idea::{
    Agreement, Decision, Found, LeanAgreement, TopOverlap, agreement, clusters, found, lean_agreement, top_overlap,
};
pub use rank::{OrderAgreement, RankingTask, ScoredAnswers, TaskOutcome, order_agreement, ranking_tasks};
pub use review::{
    ClassAgreement, ConfusionRow, LabelScore, PointAgreement, PointOutcome, PointTask, RecordCheck, check_record,
    point_agreement, point_tasks, venue_record,
};
pub use statistics::{Clustered, recall_at};
