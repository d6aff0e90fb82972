use serde::{Deserialize, Serialize};

use crate::board::Dimension;
use crate::extract::Idea;

/// One of the ideas to rank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdeaOfGroup {
    /// Its name in the report. No judge sees it.
    pub name: String,
    /// Its text.
    pub idea: Idea,
}

/// Ideas in one order of presentation, and the criteria.
#[derive(Debug, Clone, Copy)]
pub struct GroupQuestion<'a> {
    /// Their texts as shown to the judge.
    pub ideas: &'a [&'a str],
    /// The dimensions.
    pub dimensions: &'a [Dimension],
}

/// An answer by index in the presented order. Each list names every idea once, best first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupAnswer {
    /// Overall order.
    pub order: Vec<usize>,
    /// Reason for it.
    pub reason: String,
    /// Order and reason for each dimension, in the order of the dimensions.
    pub dimensions: Vec<(Vec<usize>, String)>,
}
