use serde::{Deserialize, Serialize};

use crate::board::Dimension;
use crate::pipelines::Idea;

/// One of the ideas that are put in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdeaOfGroup {
    /// What the report calls it. No judge sees it.
    pub name: String,
    /// Its text.
    pub idea: Idea,
}

/// Ideas in one order, and what to judge them by.
#[derive(Debug, Clone, Copy)]
pub struct GroupQuestion<'a> {
    /// Their texts, as they are shown.
    pub ideas: &'a [&'a str],
    /// The dimensions.
    pub dimensions: &'a [Dimension],
}

/// An answer, by places in the question: each list names every idea once, from the best.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupAnswer {
    /// Over everything.
    pub order: Vec<usize>,
    /// Why.
    pub reason: String,
    /// By dimension, in their order, each with its reason.
    pub dimensions: Vec<(Vec<usize>, String)>,
}
