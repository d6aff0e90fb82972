use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    ConfidenceLevel, DimensionScore, Grounding, KnowledgePiece, ModelUse, ReviewDecision, RunMetadata, SentRecord,
};

/// Version of the [`GroupRanking`] schema. A change of meaning or a removal increments the major version.
pub const RANKING_SCHEMA_VERSION: &str = "1.7";

/// Largest p-value of the agreement at which there is a ranking: 0.05, shared among the overall order and the five built-in dimensions.
pub const RANKING_P: f64 = 0.05 / 6.0;
/// Largest p-value at which position bias is reported. It is smaller, because it is a statement about the judge: a judge that tosses coins must not be
/// blamed. The test `a_judge_without_preferences_gets_no_ranking_and_no_blame` counts how often it is.
pub const POSITION_BIAS_P: f64 = 0.002_5;

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
    /// Every prompt: the order in which the judge saw the ideas, or some of them, and its answer. No two prompts are the same.
    pub orders: Vec<OrderAsked>,
    /// Whether the ranking holds if the shorter ideas become the longer ones; absent if no ranking, overall or of a dimension, resembles the order of lengths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length_check: Option<LengthCheck>,
    /// Documents from the reviews that the judge saw, numbered from 1 over all ideas. Sentences cite them as `[n]`. Empty if the judge saw only the texts, and
    /// in reports of version 1.2 and before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<RankedEvidence>,
    /// What the documents say about two ideas. Only with reviews of two ideas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparison: Option<PairComparison>,
    /// Sentences of reasons that were left out: they cite something that was not shown, contain words, figures or addresses that are not in what they
    /// cite, name an idea by its number, a score or a decision, or exceed a limit of length or number. Counted only with reviews.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: usize,
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

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// One of the ideas. The judge never saw its name or its number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// The review that the judge saw beside the text; absent if the judge saw only the texts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<Box<ReviewOfIdea>>,
}

/// The review of one idea, in short. Its full report is a file of the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewOfIdea {
    /// The scores by dimension over all readers; empty if no reader gave a usable answer.
    pub dimensions: Vec<DimensionScore>,
    /// The score, 0 to 10; absent without a usable answer of the chair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// The decision that follows from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<ReviewDecision>,
    /// The confidence in it; absent without a decision, and in files before version 1.4.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<ConfidenceLevel>,
    /// The chair's summary, citing [`GroupRanking::evidence`] as `[n]`.
    pub summary: String,
    /// Number of documents found.
    pub documents: usize,
    /// Titles of earlier documents that contain nearly the same text. They are not compared with the idea.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub same_text: Vec<String>,
    /// What the review did and what it did not.
    pub metadata: RunMetadata,
}

/// A document from the review of an idea, with what the judge saw of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RankedEvidence {
    /// Counts from 1 over all ideas.
    pub number: u32,
    /// The idea whose review found it.
    pub idea: u32,
    /// The document. Its own number is that of the review.
    pub piece: KnowledgePiece,
    /// The quotes shown, by part of the idea.
    pub groundings: Vec<Grounding>,
}

/// What the documents say about two ideas (InnoEval, pair evaluation). It does not decide which is better: that is the ranking.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PairComparison {
    /// The statements, by section.
    pub statements: Vec<PairStatement>,
    /// Statements that were dropped: they cite no document that may decide, contain words, figures or addresses that are not in what they cite, name a
    /// score or a decision, or exceed a limit of length or number.
    pub dropped: usize,
}

/// One statement of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PairStatement {
    /// The section.
    pub section: PairSection,
    /// The idea that it is about; absent if it is about both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idea: Option<u32>,
    /// The statement in the model's words, citing [`GroupRanking::evidence`] as `[n]`.
    pub text: String,
    /// The documents that it is based on; never empty.
    pub evidence: Vec<u32>,
}

/// A section of a comparison (InnoEval, pair evaluation).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PairSection {
    /// The main differences.
    Summary,
    /// A strength of one idea.
    Strength,
    /// A weakness of one idea.
    Weakness,
    /// A risk of one idea.
    Risk,
    /// What one idea offers at the expense of what the other offers.
    TradeOff,
    /// Where the readers of both reviews agree or disagree.
    Consensus,
}

impl PairSection {
    /// All of them, in report order.
    pub const ALL: [Self; 6] = [
        Self::Summary,
        Self::Strength,
        Self::Weakness,
        Self::Risk,
        Self::TradeOff,
        Self::Consensus,
    ];

    /// The name in running text.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Summary => "summary",
            Self::Strength => "strengths",
            Self::Weakness => "weaknesses",
            Self::Risk => "risks",
            Self::TradeOff => "trade-offs",
            Self::Consensus => "consensus of the readers",
        }
    }

    /// Whether a statement is about one of the ideas, and not about both.
    #[must_use]
    pub fn is_of_one_idea(self) -> bool {
        matches!(self, Self::Strength | Self::Weakness | Self::Risk)
    }
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
    /// Probability of at least this much agreement if the answers did not depend on the ideas; absent in reports of version 1.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreement_p: Option<f64>,
    /// Probability that answers that do not depend on the order shown would follow it at least as much; absent if they hardly follow it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position_p: Option<f64>,
    /// Each idea with the interval of its position, in the order fitted. Only of a ranking of ideas that were shown in windows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub intervals: Vec<PositionInterval>,
}

/// The 95 % interval of an idea's position, from resampled windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PositionInterval {
    /// The idea.
    pub number: u32,
    /// 2.5th percentile of its position, from 1.
    pub low: u32,
    /// 97.5th percentile.
    pub high: u32,
}

/// More prompts, in which the shorter ideas are repeated until they are the longer ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LengthCheck {
    /// Share of the ranked pairs in which the longer idea has the better overall rank, 0 to 1; absent without an overall ranking.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longer_first: Option<f64>,
    /// Share of the ranked pairs that the answers to these prompts keep, 0 to 1; absent without an answer, or if the overall ranking does not resemble
    /// the order of lengths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<f64>,
    /// The prompts and answers.
    pub orders: Vec<OrderAsked>,
}

/// The outcome of prompting in several orders.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum RankingOutcome {
    /// An order, best first. Ideas that the answers do not separate share a place. If the ideas were shown in windows, an idea shares the place of the ideas
    /// before it, unless it is below the first of them in 97.5 % of the resamples of the windows.
    Ranked {
        /// Numbers of ideas, by place.
        places: Vec<Vec<u32>>,
    },
    /// The answers depend on the order shown: there is no ranking.
    PositionBias,
    /// The answers agree no more than answers that do not depend on the ideas: there is no ranking.
    NoAgreement,
    /// The answers depend on the lengths of the ideas: there is no ranking.
    LengthBias,
    /// The order resembles the lengths of the ideas, and no answer shows whether it depends on them: there is no ranking.
    LengthNotTested,
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
    /// Numbers of the ideas shown, in order.
    pub shown: Vec<u32>,
    /// The answer; `None` if no answer listed every idea shown once, even after a retry.
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
