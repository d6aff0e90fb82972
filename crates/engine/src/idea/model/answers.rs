use precedent_domain::Facet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct IdeaReadReply {
    pub(crate) facets: Vec<FacetWordsReply>,
    /// Three to six.
    pub(crate) key_phrases: Vec<String>,
    /// Four.
    pub(crate) titles: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct FacetWordsReply {
    pub(crate) facet: FacetReply,
    /// Copied from the idea.
    pub(crate) words: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FacetReply {
    Purpose,
    Mechanism,
    Evaluation,
    ApplicationDomain,
}

impl From<FacetReply> for Facet {
    fn from(reply: FacetReply) -> Self {
        match reply {
            FacetReply::Purpose => Self::Purpose,
            FacetReply::Mechanism => Self::Mechanism,
            FacetReply::Evaluation => Self::Evaluation,
            FacetReply::ApplicationDomain => Self::ApplicationDomain,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct OrderReply {
    /// `[2] > [1] > [3]`.
    pub(crate) order: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct JudgementReply {
    pub(crate) works: Vec<WorkReply>,
    /// 60 to 100 words.
    pub(crate) reasoning: String,
    /// novel, not_novel or undecided.
    pub(crate) verdict: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct WorkReply {
    /// The work's number.
    pub(crate) work: u32,
    pub(crate) shares: Vec<SharedReply>,
    pub(crate) differs: Vec<FacetReply>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct SharedReply {
    pub(crate) facet: FacetReply,
    /// Copied from the work.
    pub(crate) work_quote: String,
}
