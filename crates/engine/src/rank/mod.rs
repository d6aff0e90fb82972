//! Ranks ideas by asking a model with several orders of presentation (InnoEval, pair and group evaluation).
//!
//! Input: texts, with their reviews if the judge is to see them. Output: a [`GroupRanking`](precedent_domain::GroupRanking) with the combined order, the doubts about it, and every answer. The judge
//! sees the texts in random orders and in the reverse of each, in windows if there are many, and never a name. There is no ranking if the answers follow the order of presentation or
//! the lengths of the texts, or agree no more than chance. Out of scope: the quality of a single idea.

mod chance;
mod evidence;
mod length;
mod material;
mod model;
mod pair;
mod pipeline;
mod prompt;
mod strength;
mod tally;
mod windows;

pub use material::IdeaOfGroup;
pub use pipeline::{RankOptions, default_draws, rank};
pub use tally::places;
