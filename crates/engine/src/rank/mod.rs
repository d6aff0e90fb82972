//! Ranks ideas by asking a model with several orders of presentation (InnoEval, pair and group evaluation).
//!
//! Input: texts. Output: a [`GroupRanking`](precedent_domain::GroupRanking) with the combined order, the doubts about it, and every answer. The judge
//! sees the texts in a random order, then in reverse, and never a name. If the answers follow the order of presentation, there is no ranking. Out of
//! scope: the quality of a single idea.

mod bench;
mod material;
mod model;
mod pipeline;
mod tally;

pub use bench::{OrderAgreement, RankingTask, TaskOutcome, order_agreement, ranking_tasks};
pub use material::{GroupAnswer, GroupQuestion, IdeaOfGroup};
pub use pipeline::{MOST_IDEAS, RankOptions, rank};
