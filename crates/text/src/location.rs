use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Span;

/// Where a quote stands in a source, and how faithfully.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "outcome", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Location {
    /// Word for word.
    Exact {
        /// Where.
        span: Span,
        /// The paper's confidence, 0 to 1.
        score: f64,
    },
    /// The same passage with small edits, each listed.
    Close {
        /// Where.
        span: Span,
        /// The paper's confidence, 0 to 1.
        score: f64,
        /// What differs, in order.
        edits: Vec<Edit>,
    },
    /// The passage is there, but what differs changes what it says. **Not** verification.
    Altered {
        /// Where the nearest passage stands.
        span: Span,
        /// The paper's confidence, 0 to 1.
        score: f64,
        /// What differs, in order.
        edits: Vec<Edit>,
        /// Why the edits are more than small.
        reasons: Vec<AlteredReason>,
    },
    /// Parts that are all there, in order and in one place, with a gap that the quote itself marks.
    Stitched {
        /// The parts, in order.
        spans: Vec<Span>,
        /// The paper's confidence, 0 to 1.
        score: f64,
    },
    /// Not there.
    Absent {
        /// The best confidence any place reached.
        best_score: f64,
    },
    /// Too short, or too common in the source, to mean anything.
    TooShort,
}

impl Location {
    /// Whether the quote may be shown as standing in the source.
    #[must_use]
    pub fn verified(&self) -> bool {
        matches!(self, Self::Exact { .. } | Self::Close { .. } | Self::Stitched { .. })
    }
}

/// One difference between a quote and its source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Edit {
    /// What was done.
    pub kind: EditKind,
    /// The source's words (empty for an insertion).
    pub source: String,
    /// The quote's words (empty for a deletion).
    pub quote: String,
}

/// What the quote did to the source's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EditKind {
    /// Words the source does not have.
    Inserted,
    /// Words the quote leaves out.
    Deleted,
    /// Other words in their place.
    Replaced,
}

/// Why an edit changes what a passage says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AlteredReason {
    /// A negation came or went.
    Negation,
    /// A number or a unit differs.
    Number,
    /// A comparison or an antonym was turned.
    Comparison,
    /// A name differs.
    Name,
    /// A quantifier or a modal differs.
    Quantifier,
    /// More than a tenth of the content words differ.
    ContentWords,
    /// A true part is joined to a foreign one.
    ForeignPart,
    /// The same words in another order.
    Order,
    /// Parts stand apart and the quote does not say so.
    UnmarkedGap,
}
