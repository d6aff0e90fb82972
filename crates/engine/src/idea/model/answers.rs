use precedent_domain::Facet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct IdeaReadSaid {
    pub(crate) facets: Vec<FacetWordsSaid>,
    /// Three to six.
    pub(crate) key_phrases: Vec<String>,
    /// Four.
    pub(crate) titles: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct FacetWordsSaid {
    pub(crate) facet: FacetSaid,
    /// Copied from the idea.
    pub(crate) words: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FacetSaid {
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
pub(crate) struct OrderSaid {
    /// `[2] > [1] > [3]`.
    pub(crate) order: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct JudgementSaid {
    pub(crate) works: Vec<WorkSaid>,
    /// 60 to 100 words.
    pub(crate) reasoning: String,
    /// novel, not_novel or undecided.
    pub(crate) verdict: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct WorkSaid {
    /// The work's number.
    pub(crate) work: u32,
    pub(crate) shares: Vec<SharedSaid>,
    pub(crate) differs: Vec<FacetSaid>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct SharedSaid {
    pub(crate) facet: FacetSaid,
    /// Copied from the work.
    pub(crate) work_quote: String,
}
