use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Source, Span};

/// What counts as a shared passage.
#[derive(Debug, Clone, PartialEq)]
pub struct OverlapOptions {
    /// Shortest passage reported, in words (default 30).
    pub min_words: usize,
}

impl Default for OverlapOptions {
    fn default() -> Self {
        Self { min_words: 30 }
    }
}

/// What a target shares with one candidate.
#[derive(Debug, Clone, PartialEq)]
pub struct Overlap {
    /// Index of the candidate in the slice given to [`overlap`].
    pub candidate: usize,
    /// The passages, in the order of the target.
    pub passages: Vec<SharedPassage>,
}

/// A passage that two texts share.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SharedPassage {
    /// Where it stands in the target.
    pub a: Span,
    /// Where it stands in the candidate.
    pub b: Span,
    /// Words that agree.
    pub words: usize,
    /// How alike.
    pub kind: OverlapKind,
    /// Share of tokens that agree, 0 to 1.
    pub agreement: f64,
    /// What explains it away, if anything.
    pub marks: Vec<OverlapMark>,
}

/// How alike two passages are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum OverlapKind {
    /// At least 90 % of the tokens agree.
    Direct,
    /// Fewer agree, in the same order.
    NearVerbatim,
    /// Sentences that may say the same in other words: a candidate, never a finding.
    ParaphraseCandidate,
}

/// An innocent explanation of a shared passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum OverlapMark {
    /// It lies in a reference list.
    ReferenceList,
    /// It stands in quotation marks with a citation.
    QuotedWithCitation,
    /// It is common to many works.
    Boilerplate,
}

/// Every passage of at least `options.min_words` words that `target` shares with each candidate. Candidates that share nothing are left out.
#[must_use]
pub fn overlap(_target: &Source, _candidates: &[&Source], _options: &OverlapOptions) -> Vec<Overlap> {
    Vec::new()
}
