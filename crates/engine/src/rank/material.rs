use precedent_domain::IdeaReview;
use serde::{Deserialize, Serialize};

use super::evidence::ReviewShown;
use crate::board::Dimension;
use crate::extract::Idea;

/// One of the ideas to rank.
#[derive(Debug, Clone, PartialEq)]
pub struct IdeaOfGroup {
    /// Its name in the report. No judge sees it.
    pub name: String,
    /// Its text.
    pub idea: Idea,
    /// Its review, if the judge sees reviews. Either every idea has one or none has.
    pub review: Option<Box<IdeaReview>>,
}

/// Ideas in one order of presentation, and the criteria.
#[derive(Debug, Clone, Copy)]
pub(super) struct GroupQuestion<'a> {
    /// Their texts as shown to the judge.
    pub(super) ideas: &'a [&'a str],
    /// Their reviews, in the same order; empty if the judge sees only the texts.
    pub(super) reviews: &'a [&'a ReviewShown],
    /// The dimensions.
    pub(super) dimensions: &'a [Dimension],
}

/// An answer by index in the presented order. Each list names every idea once, best first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct GroupAnswer {
    /// Overall order.
    pub(super) order: Vec<usize>,
    /// Reason for it.
    pub(super) reason: String,
    /// Order and reason for each dimension, in the order of the dimensions.
    pub(super) dimensions: Vec<(Vec<usize>, String)>,
    /// Sentences of reasons that were left out. Counted only with reviews.
    #[serde(default)]
    pub(super) left_out: usize,
}
