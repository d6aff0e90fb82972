//! What the chair of a review board takes off a score, and how sure the decision is (InnoEval, H.5).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Quote;

/// Points that the chair takes off a dimension.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Lowering {
    /// The dimension's id.
    pub dimension: String,
    /// The reason.
    pub reason: LoweringReason,
    /// Points taken off.
    pub by: f64,
    /// Mean of the dimension over the reviewers.
    pub before: f64,
    /// What is left of it.
    pub after: f64,
    /// The words that the reason rests on.
    pub basis: LoweringBasis,
}

/// Why a score is lowered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LoweringReason {
    /// The idea is vague where it has to be concrete.
    Vague,
    /// It names nothing to compare the results with.
    NoBaseline,
    /// It does not say how the results are evaluated.
    NoProtocol,
    /// It does not say how the method works.
    NoMechanism,
}

impl LoweringReason {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Vague, Self::NoBaseline, Self::NoProtocol, Self::NoMechanism];

    /// The name in JSON.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Vague => "vague",
            Self::NoBaseline => "no_baseline",
            Self::NoProtocol => "no_protocol",
            Self::NoMechanism => "no_mechanism",
        }
    }
}

/// The words that a lowering rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum LoweringBasis {
    /// Words of the idea.
    Quote {
        /// The words, located in the idea.
        quote: Quote,
    },
    /// Something that the idea does not mention.
    Absent {
        /// Terms that were looked for. None of them is in the idea.
        looked_for: Vec<String>,
    },
}

/// Why a lowering was dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LoweringFault {
    /// It names a dimension without a score.
    UnknownDimension,
    /// It has none of the four reasons.
    UnknownReason,
    /// It takes off nothing.
    NothingTakenOff,
    /// The words are not in the idea.
    QuoteNotInIdea,
    /// It does not say what was looked for.
    NothingLookedFor,
    /// The idea mentions what is said to be missing.
    Mentioned,
    /// The dimension is lowered already.
    Repeated,
}

/// How sure a decision is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionConfidence {
    /// The chair's level, or the lower one that the limits allow.
    pub level: ConfidenceLevel,
    /// The chair's level.
    pub by_chair: ConfidenceLevel,
    /// Why the level is lower than the chair's; empty if it is not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<ConfidenceLimit>,
}

/// A level of confidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConfidenceLevel {
    /// Low.
    Low,
    /// Medium.
    Medium,
    /// High.
    High,
}

impl ConfidenceLevel {
    /// All of them, lowest first.
    pub const ALL: [Self; 3] = [Self::Low, Self::Medium, Self::High];

    /// The name in running text and in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }

    /// The level as a number from 0 to 1, for programs that read reviews of schema 1.2. The numbers only keep the order.
    #[must_use]
    pub fn as_number(self) -> f64 {
        match self {
            Self::Low => 0.2,
            Self::Medium => 0.5,
            Self::High => 0.8,
        }
    }
}

/// Why a decision cannot be more certain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum ConfidenceLimit {
    /// The reviewers' scores for a dimension are far apart.
    ReadersDisagree {
        /// The dimension's id.
        dimension: String,
        /// Points between the lowest and the highest score.
        spread: f64,
    },
    /// Opinions are missing.
    OpinionsMissing {
        /// Usable opinions.
        usable: usize,
        /// Opinions requested.
        requested: usize,
    },
    /// Few of the documents shown are certainly earlier than the idea.
    DatesUncertain {
        /// Documents that are certainly earlier.
        certain: usize,
        /// Documents shown.
        documents: usize,
    },
    /// The chair lowered the score because the idea is vague or incomplete.
    ScoreLowered {
        /// Dimensions lowered.
        dimensions: usize,
    },
}
