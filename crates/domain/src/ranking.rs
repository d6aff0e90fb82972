use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ModelUse, SentRecord};

/// Version of the [`GroupRanking`] schema. A change of meaning or a removal increments the major version.
pub const RANKING_SCHEMA_VERSION: &str = "1.0";

/// A ranking of ideas by a judge that saw them in several orders (InnoEval, group and pair evaluation). It does not depend on the order of the input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GroupRanking {
    /// [`RANKING_SCHEMA_VERSION`] of the program that wrote this value.
    pub schema_version: String,
    /// The ideas, ordered by the hashes of their texts, so that a number does not hint at a rank.
    pub ideas: Vec<GroupedIdea>,
    /// The overall result of the answers.
    pub overall: Standing,
    /// The result for each dimension.
    pub dimensions: Vec<DimensionStanding>,
    /// Every order in which the judge saw the ideas, and its answer.
    pub orders: Vec<OrderAsked>,
    /// Seed of the orders.
    pub seed: u64,
    /// Version of the program.
    pub program_version: String,
    /// The judge: `provider:name`.
    pub analyst: String,
    /// Model requests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<ModelUse>,
    /// What was sent to other machines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sent: Vec<SentRecord>,
}

/// One of the ideas. The judge never saw its name or its number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GroupedIdea {
    /// From 1.
    pub number: u32,
    /// The name under which it was given.
    pub name: String,
    /// SHA-256 of its text, in hex.
    pub sha256: String,
    /// Words sent to the judge.
    pub words: usize,
    /// Whether it was truncated to that length.
    pub cut: bool,
}

/// The combined result of several answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Standing {
    /// The outcome.
    pub outcome: RankingOutcome,
    /// Share of pairs of ideas that two answers order the same way, averaged over all pairs of answers, 0 to 1.
    pub agreement: f64,
    /// Share of pairs of ideas that an answer keeps in the order shown, averaged over all answers, 0 to 1. A judge that considers only the ideas
    /// reaches one half, because every order is also shown reversed.
    pub follows_position: f64,
}

/// The outcome of prompting in several orders.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum RankingOutcome {
    /// An order, best first. Ideas that the answers do not separate share a place.
    Ranked {
        /// Numbers of ideas, by place.
        places: Vec<Vec<u32>>,
    },
    /// The answers depend more on the order shown than on the ideas: there is no ranking.
    PositionBias,
}

/// The result of the answers on one dimension.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DimensionStanding {
    /// `novelty`.
    pub id: String,
    /// `Novelty`.
    pub name: String,
    /// The result.
    #[serde(flatten)]
    pub standing: Standing,
}

/// One order in which the judge saw the ideas.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OrderAsked {
    /// Numbers of ideas, as shown.
    pub shown: Vec<u32>,
    /// The answer; `None` if no answer listed every idea once, even after a retry.
    pub answer: Option<OrderAnswer>,
}

/// A complete answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OrderAnswer {
    /// Numbers of ideas, best first.
    pub order: Vec<u32>,
    /// The reason in the model's words; empty if they could not be printed.
    pub reason: String,
    /// The orders by dimension.
    pub dimensions: Vec<DimensionOrder>,
}

/// An answer on one dimension.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DimensionOrder {
    /// `novelty`.
    pub id: String,
    /// Numbers of ideas, best first.
    pub order: Vec<u32>,
    /// The reason in the model's words; empty if they could not be printed.
    pub reason: String,
}
