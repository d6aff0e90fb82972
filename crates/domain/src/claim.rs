use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Quote;

/// What the paper is about, as one phrase.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CoreTask {
    /// 5 to 15 words in the field's own terms, without a name the paper itself coined.
    pub phrase: String,
    /// The sentence of the paper it was taken from.
    pub evidence: Option<Quote>,
    /// The queries that stand for it: the phrase itself first, then variants.
    pub queries: Vec<Query>,
}

/// Something the paper claims to contribute.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Contribution {
    /// Position in the report, counting from 1.
    pub number: u32,
    /// At most 15 words.
    pub name: String,
    /// The authors' own words, at most 40 of them, cut from the paper.
    pub claim: Quote,
    /// Where the paper states the same contribution again, in other words; each is looked for in prior work as the claim is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_stated: Vec<Quote>,
    /// At most 60 words; offline, sentences of the paper.
    pub description: String,
    /// Where `description` was cut from, when it is the paper's own words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub description_quotes: Vec<Quote>,
    /// What kind of contribution.
    pub class: ContributionClass,
    /// The queries that stand for it: the primary one first, then variants.
    pub queries: Vec<Query>,
}

/// What kind of contribution a claim makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ContributionClass {
    /// A method, model, algorithm or system.
    Method,
    /// A theorem, bound, formalism or analysis.
    Theory,
    /// A data set, benchmark or tool for others.
    Resource,
    /// A finding from experiments or observation.
    Finding,
    /// A survey or taxonomy.
    Survey,
    /// A use of known means on a new problem.
    Application,
    /// Could not be told.
    Unclear,
}

/// A question put to the sources.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Query {
    /// The words; nothing in them is an operator.
    pub text: String,
    /// What it stands for.
    pub scope: Scope,
    /// 0 for the primary query, 1 and up for variants.
    pub variant: u8,
}

impl Query {
    /// What a contribution's query starts with (OpenNovelty, B). It speaks to engines that read questions.
    pub const PREFIX: &str = "Find papers about ";

    /// The words without [`Query::PREFIX`]: what an index of words is asked, to which `find` and `papers` would be words like any other.
    #[must_use]
    pub fn topic(&self) -> &str {
        self.text.strip_prefix(Self::PREFIX).unwrap_or(&self.text)
    }
}

/// What a query, a candidate or a comparison is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The core task.
    CoreTask,
    /// The contribution of this number.
    Contribution(u32),
}
