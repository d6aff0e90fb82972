//! Answer types, sent with the requests as schemas. Rules beyond the shape of an answer are in [`checks`](crate::model::checks).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct ComparisonsReply {
    pub(crate) answers: Vec<ComparisonReply>,
    // Last, so that an answer that is cut off loses it first.
    /// What the work does, in 20 to 30 words.
    #[schemars(required)]
    pub(crate) line: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct ComparisonReply {
    /// The claim's number.
    pub(crate) claim: u32,
    pub(crate) status: StatusReply,
    pub(crate) note: String,
    /// For can_refute: one to three pairs.
    pub(crate) evidence: Vec<PairReply>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StatusReply {
    CanRefute,
    CannotRefute,
    Unclear,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct PairReply {
    /// Copied from the paper.
    pub(crate) paper_quote: String,
    /// Copied from the work.
    pub(crate) work_quote: String,
    /// One sentence.
    pub(crate) rationale: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct TreeReply {
    pub(crate) nodes: Vec<NodeReply>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct NodeReply {
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
pub(crate) struct PlacesReply {
    pub(crate) places: Vec<PlaceReply>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct PlaceReply {
    pub(crate) work: u32,
    pub(crate) leaf: u32,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct NarrativeReply {
    /// Exactly two.
    pub(crate) paragraphs: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct SiblingsReply {
    pub(crate) works: Vec<SiblingReply>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct SiblingReply {
    pub(crate) work: u32,
    /// Two or three sentences.
    pub(crate) distinction: String,
    pub(crate) is_duplicate_variant: bool,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct NeighboursReply {
    pub(crate) overall: String,
    pub(crate) similarities: Vec<String>,
    pub(crate) differences: Vec<String>,
    pub(crate) suggested_directions: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct OverallReply {
    /// Three or four.
    pub(crate) paragraphs: Vec<String>,
}
