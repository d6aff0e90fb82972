use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Quote;

/// The topic of the paper, as one phrase.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CoreTask {
    /// 5 to 15 words in the field's own terms, without names coined by the paper.
    pub phrase: String,
    /// The sentence of the paper it was taken from.
    pub evidence: Option<Quote>,
    /// The queries for it: the phrase itself first, then variants.
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
    /// Other passages where the paper states the same contribution in other words. They are searched for in prior work like the claim.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_stated: Vec<Quote>,
    /// At most 60 words; offline, sentences of the paper.
    pub description: String,
    /// The sources of `description` if it consists of the paper's own words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub description_quotes: Vec<Quote>,
    /// The kind of contribution.
    pub class: ContributionClass,
    /// The queries for it: the primary one first, then variants.
    pub queries: Vec<Query>,
}

/// The kind of contribution that a claim makes.
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
    /// Known methods applied to a new problem.
    Application,
    /// Not recognised.
    Unclear,
}

/// A query to the sources.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Query {
    /// The words; none of them is an operator.
    pub text: String,
    /// What it searches for.
    pub scope: Scope,
    /// 0 for the primary query, 1 and up for variants.
    pub variant: u8,
}

impl Query {
    /// Prefix of a contribution's query (OpenNovelty, B), for search engines that understand questions.
    pub const PREFIX: &str = "Find papers about ";

    /// The words without [`Query::PREFIX`]. Word indexes need this form, because they would search for `find` and `papers` like any other words.
    #[must_use]
    pub fn topic(&self) -> &str {
        self.text.strip_prefix(Self::PREFIX).unwrap_or(&self.text)
    }
}

/// The subject of a query, a candidate or a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The core task.
    CoreTask,
    /// The contribution of this number.
    Contribution(u32),
}
