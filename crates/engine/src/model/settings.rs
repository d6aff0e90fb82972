use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a model is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelSettings {
    /// How much of a candidate paper is read.
    pub depth: Depth,
    /// Which of its words are printed.
    pub policy: Policy,
    /// Maximum concurrent requests.
    pub at_once: usize,
    /// Seed of the marks that fence untrusted text.
    pub seed: u64,
}

/// How much of a candidate paper a model reads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Depth {
    /// The passages most similar to the claims, and the whole text only if these do not settle a claim.
    #[default]
    Passages,
    /// Both whole texts, always.
    Full,
}

/// Which of a model's words a report may print.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// Everything that passed its checks.
    #[default]
    Open,
    /// For venues that accept located facts only: statuses with their quotes, and no sentence written by a model.
    Reviewer,
}

impl Default for ModelSettings {
    fn default() -> Self {
        Self {
            depth: Depth::Passages,
            policy: Policy::Open,
            at_once: 8,
            seed: 0,
        }
    }
}
