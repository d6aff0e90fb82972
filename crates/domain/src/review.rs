use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    CallGraph, DecisionConfidence, Document, Grounding, Lowering, Note, Quote, ReportedField, RunMetadata, SetAside,
    Timing, Work,
};

/// Version of the [`IdeaReview`] schema. A change of meaning or a removal increments the major version.
pub const REVIEW_SCHEMA_VERSION: &str = "1.6";

/// Everything a review of an idea found and judged: the only input of its reports (InnoEval).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IdeaReview {
    /// [`REVIEW_SCHEMA_VERSION`] of the program that wrote this value.
    pub schema_version: String,
    /// The idea, part by part.
    pub idea: ReviewedIdea,
    /// The documents found, by number.
    pub knowledge: Vec<KnowledgePiece>,
    /// How the documents were searched for.
    pub search: DeepSearch,
    /// Which document concerns which part: by part, and within a part by weight.
    pub grounding: Vec<Grounding>,
    /// The dimensions of the judgement, in report order.
    pub dimensions: Vec<ReviewDimension>,
    /// The reviewers, by id; empty without a model.
    pub board: Vec<BoardReview>,
    /// The combined reviews; `None` without a model.
    pub meta: Option<MetaReview>,
    /// Suggestions based on documents later than the idea; empty without a model, without a date, or if nothing later was found.
    pub suggestions: Vec<Suggestion>,
    /// Parts of answers that were dropped, limited or replaced, in words. Empty until the report is written, if there are `coded_notes`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The same as codes with their figures. Missing in reports of schema 1.1 and before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub coded_notes: Vec<Note>,
    /// Works that were found and excluded, with the reason.
    pub set_aside: Vec<SetAside>,
    /// What was done and what was not. The funnel is empty: [`DeepSearch`] has the figures.
    pub metadata: RunMetadata,
}

/// An idea as given, with its statements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewedIdea {
    /// The title in the report; empty if it has none.
    pub title: String,
    /// The text. Spans of quotes from the idea refer to it.
    pub document: Document,
    /// Its statements, by part in the order of [`IdeaPart::ALL`], numbered from 1.
    pub statements: Vec<PartStatement>,
    /// Parts without a recognised statement.
    pub missing: Vec<IdeaPart>,
}

/// One statement of an idea.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PartStatement {
    /// Counts from 1 over all parts.
    pub number: u32,
    /// The part it belongs to.
    pub part: IdeaPart,
    /// The statement in a form that is understandable by itself: the idea's own words, or a model's.
    pub statement: String,
    /// The words of the idea that it is based on.
    pub quote: Quote,
}

/// A document found: a paper, a web page or a repository.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KnowledgePiece {
    /// The number, counting from 1: the same in the model's input, its answer and the report.
    pub number: u32,
    /// A short name for citing: `Knuth 1989`.
    pub alias: String,
    /// The kind.
    pub kind: EvidenceKind,
    /// The record.
    pub work: Work,
    /// How its date compares with the idea's. Without a date of the idea, everything counts as earlier.
    pub timing: Timing,
    /// What it may be used for, derived from its timing.
    pub role: KnowledgeRole,
    /// Names of the sources that found it.
    pub found_by: Vec<String>,
    /// The round that found it; counts from 1.
    pub round: u32,
    /// Similarity of its record to the idea by vectors and shared words, 0 to 1.
    pub semantic: f64,
    /// Relevance to the idea as judged by a model, 0 to 1; `None` without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged: Option<f64>,
    /// Its place in the reranker's order of the candidates of its kind, from 1; `None` without a reranker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reranked: Option<u32>,
    /// The score used for selection, 0 to 1: the weighted sum of similarity and judged relevance, or the similarity alone. With a reranker, the candidate
    /// at place n counts with the n-th highest similarity among the candidates of its kind.
    pub score: f64,
    /// Whether its full text was read, or only the search result.
    pub read_whole: bool,
    /// What the document says, field by field, in a model's words; empty without a model. Missing in reports of schema 1.3 and before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub report: Vec<ReportedField>,
    /// Calls between the functions and between the files of a repository. Missing in reports of schema 1.3 and before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<CallGraph>,
    /// The idea's own paper or page, found again. It is never compared with the idea and not counted among the documents kept.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub own: bool,
}

/// What a document may be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KnowledgeRole {
    /// It is certainly earlier than the idea: it may decide.
    Grounds,
    /// It has no date, or the date leaves the order undecided. It is shown and marked, and decides nothing.
    Marked,
    /// It is later: it is used only for suggestions.
    Suggests,
}

impl KnowledgeRole {
    /// The role that follows from how its date compares with the idea's.
    #[must_use]
    pub fn of(timing: Timing) -> Self {
        match timing {
            Timing::Earlier => Self::Grounds,
            Timing::Concurrent | Timing::SameYear | Timing::Undated => Self::Marked,
            Timing::Later => Self::Suggests,
        }
    }
}

/// How documents were searched for, with the settings by name (InnoEval, 3.1).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DeepSearch {
    /// Weight of the semantic score relative to the judged one, 0 to 1.
    pub alpha: f64,
    /// Documents kept of each kind.
    pub keep: usize,
    /// How many times that number are judged.
    pub oversample: usize,
    /// Maximum number of rounds.
    pub most_rounds: usize,
    /// The rounds, in order. The last one found nothing new or reached the limit.
    pub rounds: Vec<SearchRound>,
    /// The method that computed the similarity of records to the idea.
    pub semantic_by: String,
    /// Whether the model that judged relevance saw citations, venue and stars, as in the published system.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub as_published: bool,
    /// The model that reranked the candidates before they were judged and selected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reranker: Option<String>,
    /// Candidates that were not judged, because enough of those that the reranker puts before them are fully relevant.
    #[serde(default, skip_serializing_if = "crate::sent::is_none")]
    pub spared: usize,
}

/// One search round.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchRound {
    /// Counts from 1.
    pub number: u32,
    /// The queries.
    pub queries: Vec<KnowledgeQuery>,
    /// Results of all queries. A record found by two queries counts twice.
    pub results: usize,
    /// Records among them that no earlier round found.
    pub new: usize,
    /// Of those, the ones among the documents kept at the end of the round.
    pub kept: usize,
}

/// A query for documents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KnowledgeQuery {
    /// The kind it looks for.
    pub kind: EvidenceKind,
    /// The part of the idea it comes from; `None` for the whole idea.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<IdeaPart>,
    /// Its words.
    pub text: String,
    /// How it was derived from an earlier query.
    pub refined: Refinement,
}

/// How a query was derived from an earlier one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Refinement {
    /// It was not.
    #[default]
    First,
    /// The same in other words.
    Rewritten,
    /// Broader.
    Generalised,
    /// Narrower.
    Concretised,
}

/// A dimension of the judgement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewDimension {
    /// `novelty`.
    pub id: String,
    /// `Novelty`.
    pub name: String,
    /// The question.
    pub question: String,
}

/// One reviewer's opinion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BoardReview {
    /// `funder`.
    pub id: String,
    /// The reviewer's name.
    pub name: String,
    /// The reviewer's background.
    pub background: String,
    /// The documents shown to the reviewer; the others were masked by familiarity.
    pub seen: Vec<u32>,
    /// Documents shown of each kind, out of the total.
    pub familiarity: Vec<SeenShare>,
    /// The opinions by dimension, in order. A dimension without a usable answer is absent.
    pub opinions: Vec<DimensionOpinion>,
    /// Mean of the opinions; `None`, never 0, if there is none.
    pub average: Option<f64>,
}

/// How much evidence of one kind a reviewer saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SeenShare {
    /// The kind.
    pub kind: EvidenceKind,
    /// The reviewer's familiarity with the kind, 1 to 10, which decides the share.
    pub familiarity: u8,
    /// Documents shown.
    pub seen: usize,
    /// Documents in total.
    pub of: usize,
}

/// A reviewer's opinion on one dimension.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DimensionOpinion {
    /// The dimension's id.
    pub dimension: String,
    /// 0 to 10.
    pub score: f64,
    /// The reason in the model's words. It cites only documents shown to the reviewer, as `[n]`.
    pub reason: String,
    /// The documents it cites.
    pub cited: Vec<u32>,
    /// The intermediate steps, if the dimension requires them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub working: Vec<String>,
}

/// The combined reviews (InnoEval, H.5).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MetaReview {
    /// The scores by dimension over all reviewers.
    pub dimensions: Vec<DimensionScore>,
    /// Mean over the dimensions of the means over the reviewers.
    pub average: f64,
    /// The chair's adjustment; 0 without a stated reason.
    pub delta: f64,
    /// The reason in the model's words, citing documents as `[n]`; empty without an adjustment.
    pub delta_reason: String,
    /// Points that the chair takes off dimensions. Missing in reports of schema 1.2 and before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lowered: Vec<Lowering>,
    /// Mean over the dimensions after the lowerings, plus the adjustment, limited to 0 to 10.
    pub score: f64,
    /// The decision, derived from the score by rule.
    pub decision: ReviewDecision,
    /// The confidence as a number, 0 to 1. Since schema 1.3 it is 0.2, 0.5 or 0.8, for the level of `decision_confidence`.
    pub confidence: f64,
    /// How sure the decision is. Missing in reports of schema 1.2 and before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision_confidence: Option<DecisionConfidence>,
    /// The documents with the most weight, only from those that may decide.
    pub key_evidence: Vec<u32>,
    /// A summary in a few sentences, citing documents as `[n]`.
    pub summary: String,
}

/// A dimension over all reviewers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DimensionScore {
    /// The dimension's id.
    pub dimension: String,
    /// Mean over the reviewers with an opinion.
    pub mean: f64,
    /// The lowest of them.
    pub lowest: f64,
    /// The highest of them.
    pub highest: f64,
    /// The number of reviewers.
    pub readers: usize,
}

/// A suggestion for improvement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Suggestion {
    /// The group.
    pub group: SuggestionGroup,
    /// The suggestion, in the model's words.
    pub text: String,
    /// The later documents it is based on; never empty.
    pub pieces: Vec<u32>,
}

/// The subject of a suggestion (InnoEval).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SuggestionGroup {
    /// The method.
    Method,
    /// The experiments.
    Experiments,
    /// The data or the task.
    Data,
    /// Risks.
    Risks,
    /// Measurable next steps.
    NextSteps,
}

impl SuggestionGroup {
    /// All of them, in order.
    pub const ALL: [Self; 5] = [
        Self::Method,
        Self::Experiments,
        Self::Data,
        Self::Risks,
        Self::NextSteps,
    ];

    /// The name in running text.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Method => "method",
            Self::Experiments => "experiments",
            Self::Data => "data and task",
            Self::Risks => "risks",
            Self::NextSteps => "next steps",
        }
    }
}

/// A part of an idea (InnoEval, 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum IdeaPart {
    /// The idea in a sentence or two, if stated.
    BasicIdea,
    /// Why it is worth doing.
    Motivation,
    /// The research question.
    ResearchQuestion,
    /// The method to answer it.
    Method,
    /// Data, measures and comparisons, if stated.
    ExperimentalSetting,
    /// The expected results, if stated.
    ExpectedResults,
    /// Sentences that no rule assigns to a part.
    Unclassified,
}

impl IdeaPart {
    /// All of them, in order.
    pub const ALL: [Self; 7] = [
        Self::BasicIdea,
        Self::Motivation,
        Self::ResearchQuestion,
        Self::Method,
        Self::ExperimentalSetting,
        Self::ExpectedResults,
        Self::Unclassified,
    ];

    /// The name in running text.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::BasicIdea => "basic idea",
            Self::Motivation => "motivation",
            Self::ResearchQuestion => "research question",
            Self::Method => "method",
            Self::ExperimentalSetting => "experimental setting",
            Self::ExpectedResults => "expected results",
            Self::Unclassified => "unclassified",
        }
    }
}

/// The kind of a document (InnoEval, 3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceKind {
    /// Papers.
    Literature,
    /// Web pages.
    Web,
    /// Repositories.
    Code,
}

impl EvidenceKind {
    /// All of them, in order.
    pub const ALL: [Self; 3] = [Self::Literature, Self::Web, Self::Code];

    /// The name in running text.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Literature => "literature",
            Self::Web => "web",
            Self::Code => "code",
        }
    }
}

/// The decision of a review (InnoEval, H.5), derived by rule from its score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReviewDecision {
    /// Below 6.
    Reject,
    /// From 6, below 7.
    Poster,
    /// From 7, below 8.
    Spotlight,
    /// From 8.
    Oral,
}

impl ReviewDecision {
    /// The name in running text.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Reject => "reject",
            Self::Poster => "poster",
            Self::Spotlight => "spotlight",
            Self::Oral => "oral",
        }
    }
}
