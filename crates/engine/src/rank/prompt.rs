use serde::{Deserialize, Serialize};

/// One prompt: the ideas and the dimensions in the order shown, as indices.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct RankPrompt {
    pub(super) order: Vec<usize>,
    pub(super) dimensions: Vec<usize>,
}

/// The same prompt with the ideas in the reverse order.
pub(super) fn reversed(prompt: &RankPrompt) -> RankPrompt {
    RankPrompt {
        order: prompt.order.iter().rev().copied().collect(),
        dimensions: prompt.dimensions.clone(),
    }
}
