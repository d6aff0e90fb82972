use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Document, Quote, RunMetadata, SetAside, Timing, Work};

/// Version of the shape of [`IdeaAssessment`]. A change of meaning or a removal raises the first number.
pub const IDEA_SCHEMA_VERSION: &str = "1.0";

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
    /// The facets by which an idea is new (Idea Novelty Checker, section 3); another application domain counts besides.
    pub const CORE: [Self; 3] = [Self::Purpose, Self::Mechanism, Self::Evaluation];

    /// Its name in running text.
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

/// What is said of an idea after it was set beside the works that were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoveltyVerdict {
    /// It differs from every work shown in a core facet, combines them as none does, or takes them to a new application domain.
    Novel,
    /// A work that is named shares its facets.
    NotNovel,
    /// Neither could be shown. Never a substitute for one of the two.
    Undecided,
}

impl NoveltyVerdict {
    /// Its name in running text.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Novel => "novel",
            Self::NotNovel => "not novel",
            Self::Undecided => "undecided",
        }
    }
}

/// Everything a run found about one idea: the one input of its reports.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IdeaAssessment {
    /// [`IDEA_SCHEMA_VERSION`] of the program that wrote it.
    pub schema_version: String,
    /// The idea.
    pub idea: IdeaText,
    /// What is said of it.
    pub verdict: IdeaVerdict,
    /// The works it was held against, nearest first; ten at most.
    pub works: Vec<IdeaWork>,
    /// How they were chosen.
    pub ranking: IdeaRanking,
    /// The labelled examples that guided the verdict.
    pub examples: ExamplesShown,
    /// Works that were found and set aside, with the reason.
    pub set_aside: Vec<SetAside>,
    /// What was done, and what was not. Its funnel is empty: [`IdeaRanking`] has the figures.
    pub metadata: RunMetadata,
}

/// An idea as it was given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IdeaText {
    /// Its id, where it was given one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its text: what the spans of the idea's own quotes point into.
    pub document: Document,
    /// What it says on each facet, in its own words. A facet on which it says nothing that could be told is not here.
    pub facets: Vec<FacetStatement>,
}

/// What an idea says on one facet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FacetStatement {
    /// The facet.
    pub facet: Facet,
    /// The idea's own words.
    pub quote: Quote,
}

/// A work that an idea was held against.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IdeaWork {
    /// Its number: the same in what a model was shown, in its answer and in the report. Counts from 1.
    pub number: u32,
    /// A short name for citing: `Knuth 1989`.
    pub alias: String,
    /// The work.
    pub work: Work,
    /// How its date stands to the date the idea is judged by; without such a date every work counts as earlier.
    pub timing: Timing,
    /// Names of the sources that found it.
    pub found_by: Vec<String>,
    /// Its place by nearness alone, before the facets were looked at; counts from 1.
    pub nearness_rank: u32,
    /// How near it stands to the idea as a whole, 0 to 1.
    pub nearness: f64,
    /// How it stands to the idea facet by facet, in the order of [`Facet::ALL`]; only facets that the idea states.
    pub facets: Vec<FacetComparison>,
}

/// An idea and a work on one facet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FacetComparison {
    /// The facet.
    pub facet: Facet,
    /// Whether they share it.
    pub standing: FacetStanding,
    /// How much of the idea's words on this facet stands in the passage below, 0 to 1.
    pub similarity: f64,
    /// The passage of the work that speaks of it, cut from the work; `None` where none comes near.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passage: Option<Quote>,
    /// Whether a model said so. The passage was located either way.
    pub by_model: bool,
}

/// Whether an idea and a work share a facet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FacetStanding {
    /// They do, and a passage of the work shows it.
    Shared,
    /// A model read both and says that they do not.
    Different,
    /// Only reading decides.
    Unclear,
}

/// What is said of an idea, with everything it rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IdeaVerdict {
    /// The verdict.
    pub verdict: NoveltyVerdict,
    /// Why it stands, or why none could be given: the program's own words.
    pub grounds: String,
    /// The reasoning of a model, which cites works as `[n]`; `None` without one, and under a policy that prints no prose of models.
    pub reasoning: Option<String>,
    /// The works that the reasoning cites.
    pub cited: Vec<u32>,
    /// For [`NoveltyVerdict::NotNovel`], and for nothing else: which works share which facets.
    pub against: Vec<Counterpart>,
    /// The single answers, where more than one was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<VerdictSample>,
    /// Share of the samples that give the verdict, 0 to 1; `None` for a single answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreement: Option<f64>,
    /// The second look, where one was taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_look: Option<SecondLook>,
}

/// A work that shares facets with an idea.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Counterpart {
    /// The work's number.
    pub work: u32,
    /// The facets shared.
    pub facets: Vec<Facet>,
}

/// One of several answers to the same question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VerdictSample {
    /// Counts from 1; the first showed the works in the report's order, every other one in an order of its own, under the same numbers.
    pub number: u32,
    /// What it says.
    pub verdict: NoveltyVerdict,
    /// Why it counts as undecided, where it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undecided_because: Option<String>,
}

/// What came of asking again, where the reasoning of an answer and its verdict disagreed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SecondLook {
    /// What disagreed.
    pub because: String,
    /// The verdict that was given first.
    pub first: NoveltyVerdict,
    /// The verdict after the second look; undecided where it disagreed with itself again.
    pub settled: NoveltyVerdict,
}

/// How the works that an idea is held against were chosen.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IdeaRanking {
    /// Results of all queries and sources, where one record found by two queries counts twice.
    pub results: usize,
    /// Different works among them, records of one work merged.
    pub works: usize,
    /// Of those, works without a title or an abstract: dropped before the cut, since nothing can be held against them.
    pub without_text: usize,
    /// Of those, versions of the idea's own paper, and works that appeared after the date it is judged by.
    pub set_aside: usize,
    /// Works that were left for the first ranking.
    pub ranked: usize,
    /// What told how near they stand to the idea.
    pub nearness_by: String,
    /// What ordered the nearest ones by facets: `offline` or `provider:name`.
    pub ordered_by: String,
    /// What came of ordering them by a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listwise: Option<ListwiseRecord>,
    /// The nearest works after those that the idea was held against, in their order.
    pub further: Vec<RankedWork>,
}

/// What came of ordering works by a model, window by window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ListwiseRecord {
    /// Windows, each put once.
    pub windows: usize,
    /// Windows without a usable answer: they keep the order they had.
    pub unanswered: usize,
    /// Numbers that an answer gave more than once.
    pub doubled: usize,
    /// Numbers that no work of the window has.
    pub unknown: usize,
    /// Works that an answer left out: they follow in the order they had.
    pub missing: usize,
}

/// A work that was ranked and not looked at closer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RankedWork {
    /// Its place; counts from 1.
    pub rank: u32,
    /// Its id.
    pub id: crate::WorkId,
    /// Its title.
    pub title: String,
    /// Its year, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub year: Option<u16>,
    /// Ids of its other records.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<crate::WorkId>,
}

/// The labelled examples that a model was shown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExamplesShown {
    /// Where they come from: `built in`, or the file's own name.
    pub name: String,
    /// How many were shown; 0 without a model.
    pub shown: usize,
    /// Of those, how many are labelled novel.
    pub novel: usize,
}
