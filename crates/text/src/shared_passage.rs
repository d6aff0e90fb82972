//! A passage that two texts share.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Span;
use crate::overlap_edits::PassageEdit;

/// A passage that two texts share.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SharedPassage {
    /// Position in the target.
    pub a: Span,
    /// Position in the candidate.
    pub b: Span,
    /// Words of the passage, on the side that has fewer: at least the requested minimum. Signs are not words; `non-linear` is two.
    pub words: usize,
    /// Degree of similarity.
    pub kind: OverlapKind,
    /// Share of words that agree, 0 to 1. For a paraphrase candidate, the shared weight of its content words.
    pub agreement: f64,
    /// Innocent explanations, if any.
    pub marks: Vec<OverlapMark>,
    /// Where the two texts differ in meaning, in target order; empty for a paraphrase candidate.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<PassageEdit>,
}

/// Degree of similarity of two passages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum OverlapKind {
    /// At least 90 % of the words agree, in one order. No difference replaces a word, number or name, negates, qualifies, or leaves a stretch out.
    Direct,
    /// Fewer words agree, or in another order, or a difference may change the meaning: see the edits.
    NearVerbatim,
    /// Sentences that may say the same in other words. A candidate for review, never a finding.
    ParaphraseCandidate,
}

/// An innocent explanation of a shared passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum OverlapMark {
    /// It is in a reference list.
    ReferenceList,
    /// It is in quotation marks with a citation.
    QuotedWithCitation,
    /// It is common to many papers.
    Boilerplate,
}

impl SharedPassage {
    /// The same passage seen from the other text.
    #[must_use]
    pub fn mirrored(self) -> Self {
        let mut edits: Vec<PassageEdit> = self.edits.into_iter().map(PassageEdit::mirrored).collect();
        edits.sort_unstable();
        Self {
            a: self.b,
            b: self.a,
            edits,
            ..self
        }
    }
}
