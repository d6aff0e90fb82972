use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a model is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelSettings {
    /// How much of a work is read.
    pub depth: Depth,
    /// What of its words is printed.
    pub policy: Policy,
    /// Most questions at the same time.
    pub at_once: usize,
    /// Seed of the marks that fence foreign text.
    pub seed: u64,
}

/// How much of a work a model reads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Depth {
    /// The passages nearest to the claims; the whole text only where those leave it open.
    #[default]
    Passages,
    /// Both whole texts, always.
    Full,
}

/// What of a model's words a report may print.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// Everything that passed its checks.
    #[default]
    Open,
    /// For venues that want located facts only: statuses with their quotes, and no sentence of a model.
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
