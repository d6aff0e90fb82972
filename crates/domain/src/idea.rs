use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Document, NamedPaper, Quote, RunMetadata, SetAside, Timing, VerdictGrounds, Work};

/// Version of the [`IdeaAssessment`] schema. A change of meaning or a removal increments the major version.
pub const IDEA_SCHEMA_VERSION: &str = "1.4";

/// A side of an idea on which it may differ from a work (Idea Novelty Checker, section 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Facet {
    /// The problem it works on.
    Purpose,
    /// The means it would use.
    Mechanism,
    /// How it would be shown to work.
    Evaluation,
    /// Where it would be used.
    ApplicationDomain,
}

impl Facet {
    /// Every facet, in the order in which reports list them.
    pub const ALL: [Self; 4] = [
        Self::Purpose,
        Self::Mechanism,
        Self::Evaluation,
        Self::ApplicationDomain,
    ];
    /// The facets that decide novelty (Idea Novelty Checker, section 3). A new application domain counts too.
    pub const CORE: [Self; 3] = [Self::Purpose, Self::Mechanism, Self::Evaluation];

    /// The name in running text.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Purpose => "purpose",
            Self::Mechanism => "mechanism",
            Self::Evaluation => "evaluation",
            Self::ApplicationDomain => "application domain",
        }
    }
}

/// Verdict on an idea after comparing it with the papers found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoveltyVerdict {
    /// It differs from every listed paper in a core facet, combines facets as none does, or applies them to a new domain.
    Novel,
    /// A named paper shares its facets.
    NotNovel,
    /// Neither could be shown. Never used in place of the other two.
    Undecided,
}

impl NoveltyVerdict {
    /// The name in running text.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Novel => "novel",
            Self::NotNovel => "not novel",
            Self::Undecided => "undecided",
        }
    }
}

/// Everything a run found about one idea: the only input of its reports.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IdeaAssessment {
    /// [`IDEA_SCHEMA_VERSION`] of the program that wrote this value.
    pub schema_version: String,
    /// The idea.
    pub idea: IdeaText,
    /// The verdict and its grounds.
    pub verdict: IdeaVerdict,
    /// The papers compared with the idea, most similar first; at most ten.
    pub works: Vec<IdeaWork>,
    /// What a comparison of words suggests, without a verdict. Missing in reports of schema 1.2 and before, and if the idea says too little.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lean: Option<IdeaLean>,
    /// Searches that were not made and may find more. Missing in reports of schema 1.2 and before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next_searches: Vec<NextSearch>,
    /// How the papers were chosen.
    pub ranking: IdeaRanking,
    /// The labelled examples that guided the verdict.
    pub examples: ExamplesShown,
    /// Papers found and excluded, with the reason.
    pub set_aside: Vec<SetAside>,
    /// What was done and what was not. The funnel is empty: [`IdeaRanking`] has the figures.
    pub metadata: RunMetadata,
}

/// An idea as given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IdeaText {
    /// The id, if one was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The text. Spans of quotes from the idea refer to it.
    pub document: Document,
    /// What the idea states on each facet, in its own words. A facet without a recognised statement is absent.
    pub facets: Vec<FacetStatement>,
}

/// What an idea states on one facet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FacetStatement {
    /// The facet.
    pub facet: Facet,
    /// The idea's own words.
    pub quote: Quote,
    /// Who says that they state the facet. Missing in reports of schema 1.2 and before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<FacetOrigin>,
}

/// Who says that some words of an idea state a facet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FacetOrigin {
    /// The user.
    User,
    /// The author, who emphasised them.
    Emphasis,
    /// A language model.
    Model,
    /// The program, without a language model. Files of earlier versions, in which rules did this, have the same code.
    Rules,
}

/// What a comparison of words suggests about an idea. It is no verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IdeaLean {
    /// The suggestion.
    pub kind: LeanKind,
    /// Up to three papers with passages on purpose and mechanism, closest first; only for [`LeanKind::CloseWorkFound`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub papers: Vec<NamedPaper>,
    /// Whether purpose and mechanism were both pointed out by the user or the author. Otherwise the suggestion is hardly better than chance.
    pub facets_are_certain: bool,
}

/// Whether similar papers were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LeanKind {
    /// An earlier paper is close to the idea's purpose and to its mechanism.
    CloseWorkFound,
    /// No earlier paper is, although the papers found cover the field.
    NoCloseWorkFound,
    /// The papers found do not cover the field.
    FieldNotCovered,
}

/// A search that was not made and may find more prior work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NextSearch {
    /// What to search for.
    pub query: String,
    /// Numbers of the papers that use these words, if they are not the idea's own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words_of: Vec<u32>,
}

/// A paper compared with the idea.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IdeaWork {
    /// The number, counting from 1: the same in the model's input, its answer and the report.
    pub number: u32,
    /// A short name for citing: `Knuth 1989`.
    pub alias: String,
    /// The work.
    pub work: Work,
    /// How its date compares with the cutoff date of the idea. Without a cutoff, every paper counts as earlier.
    pub timing: Timing,
    /// Names of the sources that found it.
    pub found_by: Vec<String>,
    /// Rank by similarity alone, before the facets were compared; counts from 1.
    #[serde(rename = "nearness_rank")]
    pub similarity_rank: u32,
    /// Similarity to the idea as a whole, 0 to 1.
    #[serde(rename = "nearness")]
    pub similarity: f64,
    /// Comparison by facet, in the order of [`Facet::ALL`]; only facets that the idea states.
    pub facets: Vec<FacetComparison>,
    /// The passage most similar to the idea as a whole. Missing in reports of schema 1.2 and before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passage: Option<Quote>,
}

/// Comparison of an idea and a paper on one facet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FacetComparison {
    /// The facet.
    pub facet: Facet,
    /// Whether they share the facet.
    #[serde(rename = "standing")]
    pub status: FacetStatus,
    /// Share of the idea's words on this facet that appear in the passage below, 0 to 1.
    pub similarity: f64,
    /// The matching passage, cut from the paper; `None` if no passage is similar.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passage: Option<Quote>,
    /// Whether a model decided this. The passage was located in the paper either way.
    pub by_model: bool,
}

/// Whether an idea and a paper share a facet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FacetStatus {
    /// They share it, and a passage of the paper shows it.
    Shared,
    /// A model read both and found that they do not share it.
    Different,
    /// Needs a human reader.
    Unclear,
}

/// The verdict on an idea, with everything it is based on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IdeaVerdict {
    /// The verdict.
    pub verdict: NoveltyVerdict,
    /// Why the verdict holds, or why there is none: written by the program. Empty until the report is written, if there are `coded_grounds`.
    pub grounds: String,
    /// The same as a code with its figures. Missing in reports of schema 1.1 and before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coded_grounds: Option<VerdictGrounds>,
    /// The model's reasoning, which cites papers as `[n]`; `None` without a model, and under a policy that prints no model prose.
    pub reasoning: Option<String>,
    /// The papers that the reasoning cites.
    pub cited: Vec<u32>,
    /// Only for [`NoveltyVerdict::NotNovel`]: which papers share which facets.
    pub against: Vec<Counterpart>,
    /// The individual answers, if more than one was requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<VerdictSample>,
    /// Share of the samples that support the verdict, 0 to 1; `None` for a single answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreement: Option<f64>,
    /// The second review, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_look: Option<SecondLook>,
}

/// A paper that shares facets with an idea.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Counterpart {
    /// The paper's number.
    pub work: u32,
    /// The shared facets.
    pub facets: Vec<Facet>,
}

/// One of several answers to the same prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VerdictSample {
    /// Counts from 1. The first sample saw the papers in the order of the report, each later one in its own order, with the same numbers.
    pub number: u32,
    /// The verdict of this sample.
    pub verdict: NoveltyVerdict,
    /// Why it counts as undecided, if it does. Missing until the report is written, if there are `coded_grounds`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undecided_because: Option<String>,
    /// The same as a code with its figures. Missing in reports of schema 1.1 and before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coded_grounds: Option<VerdictGrounds>,
}

/// Result of prompting again after the reasoning and the verdict of an answer disagreed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SecondLook {
    /// What disagreed.
    pub because: String,
    /// The first verdict.
    pub first: NoveltyVerdict,
    /// The verdict after the second review; undecided if it contradicted itself again.
    pub settled: NoveltyVerdict,
}

/// How the papers compared with an idea were chosen.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IdeaRanking {
    /// Results of all queries and sources. A record found by two queries counts twice.
    pub results: usize,
    /// Distinct works among them, after merging records of the same work.
    pub works: usize,
    /// Of those, works without a title or an abstract. They are dropped before the limit is applied because nothing can be compared.
    pub without_text: usize,
    /// Of those, versions of the idea's own paper, and works that appeared after its cutoff date.
    pub set_aside: usize,
    /// Works left for the first ranking.
    pub ranked: usize,
    /// The method that computed the similarity to the idea.
    #[serde(rename = "nearness_by")]
    pub similarity_by: String,
    /// What ordered the most similar ones by facets: `offline` or `provider:name`.
    pub ordered_by: String,
    /// Statistics of the ordering by a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listwise: Option<ListwiseRecord>,
    /// The next most similar papers after those compared, in order.
    pub further: Vec<RankedWork>,
}

/// Statistics of ordering papers by a model, window by window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ListwiseRecord {
    /// Windows, each sent once.
    pub windows: usize,
    /// Windows without a usable answer: they keep their previous order.
    pub unanswered: usize,
    /// Numbers that an answer contained more than once.
    pub doubled: usize,
    /// Numbers that no paper of the window has.
    pub unknown: usize,
    /// Papers that an answer left out: they follow in their previous order.
    pub missing: usize,
}

/// A paper that was ranked and not compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RankedWork {
    /// The rank; counts from 1.
    pub rank: u32,
    /// Its id.
    pub id: crate::WorkId,
    /// Its title.
    pub title: String,
    /// The year, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub year: Option<u16>,
    /// Ids of its other records.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<crate::WorkId>,
}

/// The labelled examples shown to the model.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExamplesShown {
    /// Their origin: `built in`, or the file name.
    pub name: String,
    /// Number of examples shown; 0 without a model.
    pub shown: usize,
    /// Of those, the number labelled novel.
    pub novel: usize,
}
