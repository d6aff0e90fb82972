use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A part of an idea (InnoEval, 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum IdeaPart {
    /// The idea in a sentence or two, where it is put so.
    BasicIdea,
    /// Why it is worth doing.
    Motivation,
    /// What is asked.
    ResearchQuestion,
    /// How it is to be answered.
    Method,
    /// With what data, measures and comparisons, where that is said.
    ExperimentalSetting,
    /// What is hoped for, where that is said.
    ExpectedResults,
}

impl IdeaPart {
    /// All of them, in order.
    pub const ALL: [Self; 6] = [
        Self::BasicIdea,
        Self::Motivation,
        Self::ResearchQuestion,
        Self::Method,
        Self::ExperimentalSetting,
        Self::ExpectedResults,
    ];

    /// In words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::BasicIdea => "basic idea",
            Self::Motivation => "motivation",
            Self::ResearchQuestion => "research question",
            Self::Method => "method",
            Self::ExperimentalSetting => "experimental setting",
            Self::ExpectedResults => "expected results",
        }
    }
}

/// What kind of knowledge a piece of evidence is (InnoEval, 3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceKind {
    /// Papers.
    Literature,
    /// Pages.
    Web,
    /// Repositories.
    Code,
}

impl EvidenceKind {
    /// All of them, in order.
    pub const ALL: [Self; 3] = [Self::Literature, Self::Web, Self::Code];

    /// In a word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Literature => "literature",
            Self::Web => "web",
            Self::Code => "code",
        }
    }
}

/// What the score of a review comes to (InnoEval, H.5). Told by rule from the score that stands beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReviewDecision {
    /// Below 6.
    Reject,
    /// From 6, below 7.
    Poster,
    /// From 7, below 8.
    Spotlight,
    /// From 8.
    Oral,
}
