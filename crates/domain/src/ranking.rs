use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ModelUse, SentRecord};

/// Version of the shape of [`GroupRanking`]. A change of meaning or a removal raises the first number.
pub const RANKING_SCHEMA_VERSION: &str = "1.0";

/// Ideas set side by side and put in order by a judge that saw them in several orders (InnoEval, group and pair evaluation). It does not depend on the order in which
/// the ideas were given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GroupRanking {
    /// [`RANKING_SCHEMA_VERSION`] of the program that wrote it.
    pub schema_version: String,
    /// The ideas, in the order of the hashes of their texts: a number says nothing about a rank.
    pub ideas: Vec<GroupedIdea>,
    /// What the answers come to over everything.
    pub overall: Standing,
    /// What they come to dimension by dimension.
    pub dimensions: Vec<DimensionStanding>,
    /// Every order in which the judge saw the ideas, and what it answered.
    pub orders: Vec<OrderAsked>,
    /// Seed of the orders.
    pub seed: u64,
    /// Version of the program.
    pub program_version: String,
    /// Who judged: `provider:name`.
    pub analyst: String,
    /// What was asked of models.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<ModelUse>,
    /// What left the machine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sent: Vec<SentRecord>,
}

/// One of the ideas. The judge never saw its name or its number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GroupedIdea {
    /// From 1.
    pub number: u32,
    /// The name it was given by.
    pub name: String,
    /// SHA-256 of its text, in hex.
    pub sha256: String,
    /// Words that the judge read.
    pub words: usize,
    /// Whether it was longer than that.
    pub cut: bool,
}

/// What several answers come to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Standing {
    /// What came of it.
    pub outcome: RankingOutcome,
    /// The share of pairs of ideas that two answers put in the same order, in the mean over all pairs of answers, from 0 to 1.
    pub agreement: f64,
    /// The share of pairs of ideas that an answer puts in the order in which they were shown, in the mean over all answers, from 0 to 1. A judge that heeds the ideas alone comes
    /// to one half, since every order is also shown backwards.
    pub follows_position: f64,
}

/// What came of asking in several orders.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum RankingOutcome {
    /// An order, from the best. Ideas that the answers do not tell apart share a place.
    Ranked {
        /// Numbers of ideas, place by place.
        places: Vec<Vec<u32>>,
    },
    /// The answers follow the order of the question more than they follow the ideas: there is no ranking.
    PositionBias,
}

/// What the answers come to on one dimension.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DimensionStanding {
    /// `novelty`.
    pub id: String,
    /// `Novelty`.
    pub name: String,
    /// What they come to.
    #[serde(flatten)]
    pub standing: Standing,
}

/// One order in which the judge saw the ideas.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OrderAsked {
    /// Numbers of ideas, as shown.
    pub shown: Vec<u32>,
    /// The answer; `None` where there was none that names every idea once, though it was asked for again.
    pub answer: Option<OrderAnswer>,
}

/// An answer in full.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OrderAnswer {
    /// Numbers of ideas, from the best.
    pub order: Vec<u32>,
    /// Why, in the model's words; empty where they could not be printed.
    pub reason: String,
    /// Dimension by dimension.
    pub dimensions: Vec<DimensionOrder>,
}

/// An answer on one dimension.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DimensionOrder {
    /// `novelty`.
    pub id: String,
    /// Numbers of ideas, from the best.
    pub order: Vec<u32>,
    /// Why, in the model's words; empty where they could not be printed.
    pub reason: String,
}
