//! Ideas in, an order of them out, asked for in several orders (InnoEval, pair and group evaluation).
//!
//! In: texts. Out: a [`GroupRanking`](precedent_domain::GroupRanking): the order that the answers come to, what speaks against it, every answer. A judge sees texts in an order drawn by
//! lot, then the same backwards, and never a name. Where the answers follow the order of the question there is no ranking. Deliberately not here: what a single idea is worth.

mod bench;
mod material;
mod pipeline;
mod tally;

pub use bench::{OrderAgreement, RankingTask, TaskOutcome, order_agreement, ranking_tasks};
pub use material::{GroupAnswer, GroupQuestion, IdeaOfGroup};
pub use pipeline::{MOST_IDEAS, RankOptions, rank};
