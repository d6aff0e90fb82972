//! Answer types, sent with the requests as schemas. Rules beyond the shape of an answer are in [`checks`](super::checks).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct CoreTaskSaid {
    /// 5 to 15 words.
    pub(super) phrase: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct ContributionsSaid {
    /// At most three.
    pub(super) contributions: Vec<ContributionSaid>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct ContributionSaid {
    /// At most 15 words.
    pub(super) name: String,
    /// Copied from the paper, at most 40 words.
    pub(super) author_claim_text: String,
    /// At most 60 words.
    pub(super) description: Option<String>,
    /// The heading it was copied from.
    pub(super) source_hint: Option<String>,
    /// What kind.
    pub(super) kind: Option<KindSaid>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum KindSaid {
    Method,
    Theory,
    Resource,
    Finding,
    Survey,
    Application,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct QueriesSaid {
    pub(super) queries: Vec<QuerySaid>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct QuerySaid {
    /// The item's number.
    pub(super) item: u32,
    pub(super) query: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct VariantsSaid {
    pub(super) queries: Vec<VariantSaid>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct VariantSaid {
    /// The item's number.
    pub(super) item: u32,
    /// Two.
    pub(super) variants: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct RelevanceSaid {
    pub(super) works: Vec<WorkJudged>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct WorkJudged {
    /// The work's number.
    pub(super) work: u32,
    pub(super) problem: VerdictSaid,
    pub(super) means: VerdictSaid,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum VerdictSaid {
    Support,
    SomewhatSupport,
    Reject,
    InsufficientInformation,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct ComparisonsSaid {
    pub(super) answers: Vec<ComparisonSaid>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct ComparisonSaid {
    /// The claim's number.
    pub(super) claim: u32,
    pub(super) status: StatusSaid,
    pub(super) note: String,
    /// For can_refute: one to three pairs.
    pub(super) evidence: Vec<PairSaid>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum StatusSaid {
    CanRefute,
    CannotRefute,
    Unclear,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct PairSaid {
    /// Copied from the paper.
    pub(super) paper_quote: String,
    /// Copied from the work.
    pub(super) work_quote: String,
    /// One sentence.
    pub(super) rationale: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct TreeSaid {
    pub(super) nodes: Vec<NodeSaid>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct NodeSaid {
    /// From 1.
    pub(super) id: u32,
    /// 0 for a child of the root.
    pub(super) parent: u32,
    /// 3 to 8 words.
    pub(super) name: String,
    pub(super) scope_note: String,
    pub(super) exclude_note: String,
    /// Numbers of works; empty for a node with children.
    pub(super) works: Vec<u32>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct PlacesSaid {
    pub(super) places: Vec<PlaceSaid>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct PlaceSaid {
    pub(super) work: u32,
    pub(super) leaf: u32,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct LinesSaid {
    pub(super) lines: Vec<LineSaid>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct LineSaid {
    pub(super) work: u32,
    /// 20 to 30 words.
    pub(super) line: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct NarrativeSaid {
    /// Exactly two.
    pub(super) paragraphs: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct SiblingsSaid {
    pub(super) works: Vec<SiblingSaid>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct SiblingSaid {
    pub(super) work: u32,
    /// Two or three sentences.
    pub(super) distinction: String,
    pub(super) is_duplicate_variant: bool,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct NeighboursSaid {
    pub(super) overall: String,
    pub(super) similarities: Vec<String>,
    pub(super) differences: Vec<String>,
    pub(super) suggested_directions: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct OverallSaid {
    /// Three or four.
    pub(super) paragraphs: Vec<String>,
}
