//! Answer types, sent with the requests as schemas. Rules beyond the shape of an answer are in [`checks`](crate::model::checks).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct ComparisonsSaid {
    pub(crate) answers: Vec<ComparisonSaid>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct ComparisonSaid {
    /// The claim's number.
    pub(crate) claim: u32,
    pub(crate) status: StatusSaid,
    pub(crate) note: String,
    /// For can_refute: one to three pairs.
    pub(crate) evidence: Vec<PairSaid>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StatusSaid {
    CanRefute,
    CannotRefute,
    Unclear,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct PairSaid {
    /// Copied from the paper.
    pub(crate) paper_quote: String,
    /// Copied from the work.
    pub(crate) work_quote: String,
    /// One sentence.
    pub(crate) rationale: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct TreeSaid {
    pub(crate) nodes: Vec<NodeSaid>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct NodeSaid {
    /// From 1.
    pub(crate) id: u32,
    /// 0 for a child of the root.
    pub(crate) parent: u32,
    /// 3 to 8 words.
    pub(crate) name: String,
    pub(crate) scope_note: String,
    pub(crate) exclude_note: String,
    /// Numbers of works; empty for a node with children.
    pub(crate) works: Vec<u32>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct PlacesSaid {
    pub(crate) places: Vec<PlaceSaid>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct PlaceSaid {
    pub(crate) work: u32,
    pub(crate) leaf: u32,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct LinesSaid {
    pub(crate) lines: Vec<LineSaid>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct LineSaid {
    pub(crate) work: u32,
    /// 20 to 30 words.
    pub(crate) line: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct NarrativeSaid {
    /// Exactly two.
    pub(crate) paragraphs: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct SiblingsSaid {
    pub(crate) works: Vec<SiblingSaid>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct SiblingSaid {
    pub(crate) work: u32,
    /// Two or three sentences.
    pub(crate) distinction: String,
    pub(crate) is_duplicate_variant: bool,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct NeighboursSaid {
    pub(crate) overall: String,
    pub(crate) similarities: Vec<String>,
    pub(crate) differences: Vec<String>,
    pub(crate) suggested_directions: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct OverallSaid {
    /// Three or four.
    pub(crate) paragraphs: Vec<String>,
}
