use precedent_domain::Facet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct IdeaReadSaid {
    pub(super) facets: Vec<FacetWordsSaid>,
    /// Three to six.
    pub(super) key_phrases: Vec<String>,
    /// Four.
    pub(super) titles: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct FacetWordsSaid {
    pub(super) facet: FacetSaid,
    /// Copied from the idea.
    pub(super) words: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum FacetSaid {
    Purpose,
    Mechanism,
    Evaluation,
    ApplicationDomain,
}

impl From<FacetSaid> for Facet {
    fn from(said: FacetSaid) -> Self {
        match said {
            FacetSaid::Purpose => Self::Purpose,
            FacetSaid::Mechanism => Self::Mechanism,
            FacetSaid::Evaluation => Self::Evaluation,
            FacetSaid::ApplicationDomain => Self::ApplicationDomain,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct OrderSaid {
    /// `[2] > [1] > [3]`.
    pub(super) order: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct JudgementSaid {
    pub(super) works: Vec<WorkSaid>,
    /// 60 to 100 words.
    pub(super) reasoning: String,
    /// novel, not_novel or undecided.
    pub(super) verdict: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct WorkSaid {
    /// The work's number.
    pub(super) work: u32,
    pub(super) shares: Vec<SharedSaid>,
    pub(super) differs: Vec<FacetSaid>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct SharedSaid {
    pub(super) facet: FacetSaid,
    /// Copied from the work.
    pub(super) work_quote: String,
}
