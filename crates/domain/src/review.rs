use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Document, Quote, RunMetadata, SetAside, Timing, Work};

/// Version of the shape of [`IdeaReview`]. A change of meaning or a removal raises the first number.
pub const REVIEW_SCHEMA_VERSION: &str = "1.0";

/// Everything a review of an idea found and judged: the one input of its reports (InnoEval).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IdeaReview {
    /// [`REVIEW_SCHEMA_VERSION`] of the program that wrote it.
    pub schema_version: String,
    /// The idea, part by part.
    pub idea: ReviewedIdea,
    /// What was found, by number.
    pub knowledge: Vec<KnowledgePiece>,
    /// How it was looked for.
    pub search: DeepSearch,
    /// What of it bears on which part: part by part, of each part the weightiest first.
    pub grounding: Vec<Grounding>,
    /// What the idea was judged by, in the order of the reports.
    pub dimensions: Vec<ReviewDimension>,
    /// The readers who judged, by id; empty without a model.
    pub board: Vec<BoardReview>,
    /// What the reviews come to; `None` without a model.
    pub meta: Option<MetaReview>,
    /// What could be done better, from what appeared after the idea; empty without a model, without a date, or where nothing later was found.
    pub suggestions: Vec<Suggestion>,
    /// What of an answer was dropped, bounded or replaced, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Works that were found and set aside, with the reason.
    pub set_aside: Vec<SetAside>,
    /// What was done, and what was not. Its funnel is empty: [`DeepSearch`] has the figures.
    pub metadata: RunMetadata,
}

/// An idea as it was given, and what it says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewedIdea {
    /// What the report calls it; empty where it has no title.
    pub title: String,
    /// Its text: what the spans of its own quotes point into.
    pub document: Document,
    /// What it says, part by part in the order of [`IdeaPart::ALL`], numbered from 1.
    pub statements: Vec<PartStatement>,
    /// Parts on which it says nothing that could be told.
    pub missing: Vec<IdeaPart>,
}

/// One thing an idea says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PartStatement {
    /// Counts from 1 over all parts.
    pub number: u32,
    /// The part it belongs to.
    pub part: IdeaPart,
    /// The statement so that it can be understood by itself: the idea's own words, or a model's.
    pub statement: String,
    /// The words of the idea that it rests on.
    pub quote: Quote,
}

/// Something that was found: a paper, a page, a repository.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KnowledgePiece {
    /// Its number: the same in what a model was shown, in its answer and in the report. Counts from 1.
    pub number: u32,
    /// A short name for citing: `Knuth 1989`.
    pub alias: String,
    /// What kind.
    pub kind: EvidenceKind,
    /// Its record.
    pub work: Work,
    /// How its date stands to the idea's; without such a date everything counts as earlier.
    pub timing: Timing,
    /// What it may be used for, which follows from its timing.
    pub role: KnowledgeRole,
    /// Names of the sources that found it.
    pub found_by: Vec<String>,
    /// The round that found it; counts from 1.
    pub round: u32,
    /// How near its record stands to the idea by vectors and shared words, 0 to 1.
    pub semantic: f64,
    /// How much it bears on the idea in a model's judgement, 0 to 1; `None` without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged: Option<f64>,
    /// What it was chosen by, 0 to 1: the two weighed, or the first alone.
    pub score: f64,
    /// Whether its text was read, or only what the search showed of it.
    pub read_whole: bool,
    /// The idea's own paper or page found again: never held against the idea, and not counted among what was kept.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub own: bool,
}

/// What a piece of knowledge may be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KnowledgeRole {
    /// It is surely earlier than the idea: it may decide.
    Grounds,
    /// It has no date, or one that leaves it open: it is shown and marked, and decides nothing.
    Marked,
    /// It is later: it feeds suggestions and nothing else.
    Suggests,
}

impl KnowledgeRole {
    /// The one that follows from how a date stands to the idea's.
    #[must_use]
    pub fn of(timing: Timing) -> Self {
        match timing {
            Timing::Earlier => Self::Grounds,
            Timing::Concurrent | Timing::Undated => Self::Marked,
            Timing::Later => Self::Suggests,
        }
    }
}

/// How knowledge was looked for, with the settings by name (InnoEval, 3.1).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DeepSearch {
    /// Weight of the semantic score beside the judged one, 0 to 1.
    pub alpha: f64,
    /// Pieces kept of each kind.
    pub keep: usize,
    /// How many times as many are judged.
    pub oversample: usize,
    /// Most rounds.
    pub most_rounds: usize,
    /// The rounds, in order. The last brought nothing new, or was the last allowed.
    pub rounds: Vec<SearchRound>,
    /// What told how near records stand to the idea.
    pub semantic_by: String,
}

/// One round of looking.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchRound {
    /// Counts from 1.
    pub number: u32,
    /// What was asked.
    pub queries: Vec<KnowledgeQuery>,
    /// Results of all queries, where one record found by two counts twice.
    pub results: usize,
    /// Records among them that no earlier round found.
    pub new: usize,
    /// Of those, the ones that were among the kept at the end of the round.
    pub kept: usize,
}

/// A query for knowledge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KnowledgeQuery {
    /// The kind it looks for.
    pub kind: EvidenceKind,
    /// The part of the idea it comes from; `None` for the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<IdeaPart>,
    /// Its words.
    pub text: String,
    /// How it came from an earlier one.
    pub refined: Refinement,
}

/// How a query came from an earlier one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Refinement {
    /// It did not.
    #[default]
    First,
    /// The same in other words.
    Rewritten,
    /// Wider.
    Generalised,
    /// Narrower.
    Concretised,
}

/// What a piece of knowledge has to do with a part of the idea.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Grounding {
    /// The part.
    pub part: IdeaPart,
    /// The piece: a number of [`IdeaReview::knowledge`].
    pub piece: u32,
    /// The statements of that part that it bears on, by number.
    pub statements: Vec<u32>,
    /// What bears on them, located in the piece; never empty.
    pub evidence: Vec<Evidence>,
    /// What it has to do with the part, in a model's words; empty without one.
    pub analysis: String,
    /// How much, 0 to 10 in a model's judgement; `None` without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Share of the part's words, weighed by how rare they are, that stand in the evidence: 0 to 1.
    pub shared: f64,
}

/// Words of a piece that bear on the idea.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// Which way.
    pub stance: Stance,
    /// The words, located in the piece.
    pub quote: Quote,
}

/// Which way evidence bears.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stance {
    /// It speaks for what the idea says.
    Supports,
    /// It speaks against it.
    Contradicts,
    /// It speaks of the same; only reading tells which way. Every evidence without a model.
    SpeaksOf,
}

/// A dimension that an idea was judged by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewDimension {
    /// `novelty`.
    pub id: String,
    /// `Novelty`.
    pub name: String,
    /// What is asked.
    pub question: String,
}

/// What one reader of the board says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BoardReview {
    /// `funder`.
    pub id: String,
    /// What they are called.
    pub name: String,
    /// Where they come from.
    pub background: String,
    /// The pieces they had before them; the others were masked by their familiarity.
    pub seen: Vec<u32>,
    /// How many pieces of each kind they had, of how many.
    pub familiarity: Vec<SeenShare>,
    /// What they say dimension by dimension, in order. A dimension without a usable answer is not here.
    pub opinions: Vec<DimensionOpinion>,
    /// Mean of the opinions; `None` where there is none: never 0.
    pub average: Option<f64>,
}

/// How much of the evidence of a kind a reader had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SeenShare {
    /// The kind.
    pub kind: EvidenceKind,
    /// What decides it, 1 to 10.
    pub familiarity: u8,
    /// Pieces they had.
    pub seen: usize,
    /// Pieces there were.
    pub of: usize,
}

/// What a reader says on one dimension.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DimensionOpinion {
    /// The dimension's id.
    pub dimension: String,
    /// 0 to 10.
    pub score: f64,
    /// Why, in the model's words; it cites pieces as `[n]`, and only pieces that the reader had.
    pub reason: String,
    /// The pieces it cites.
    pub cited: Vec<u32>,
    /// What was worked out first, where the dimension asks for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub working: Vec<String>,
}

/// What the reviews come to (InnoEval, H.5).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MetaReview {
    /// Dimension by dimension over the readers.
    pub dimensions: Vec<DimensionScore>,
    /// Mean over the dimensions of the means over the readers.
    pub average: f64,
    /// What a chair adds to it or takes from it; 0 without a named reason.
    pub delta: f64,
    /// Why, in the model's words, citing pieces as `[n]`; empty for no change.
    pub delta_reason: String,
    /// The two together, bounded to 0 to 10.
    pub score: f64,
    /// What the score comes to, by rule.
    pub decision: ReviewDecision,
    /// How sure the chair is, 0 to 1.
    pub confidence: f64,
    /// The pieces that weigh most: only such as may decide.
    pub key_evidence: Vec<u32>,
    /// The whole in a few sentences, citing pieces as `[n]`.
    pub summary: String,
}

/// A dimension over all readers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DimensionScore {
    /// The dimension's id.
    pub dimension: String,
    /// Mean over the readers who have an opinion.
    pub mean: f64,
    /// The lowest of them.
    pub lowest: f64,
    /// The highest of them.
    pub highest: f64,
    /// How many.
    pub readers: usize,
}

/// Something that could be done better.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Suggestion {
    /// What it concerns.
    pub group: SuggestionGroup,
    /// What to do, in the model's words.
    pub text: String,
    /// The later pieces it comes from; never empty.
    pub pieces: Vec<u32>,
}

/// What a suggestion concerns (InnoEval).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SuggestionGroup {
    /// The method.
    Method,
    /// The experiments.
    Experiments,
    /// The data, or the task.
    Data,
    /// What could go wrong.
    Risks,
    /// Next steps that can be measured.
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

    /// In words.
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
    /// The idea in a sentence or two, where it is put so.
    BasicIdea,
    /// Why it is worth doing.
    Motivation,
    /// What is asked.
    ResearchQuestion,
    /// How it is to be answered.
    Method,
    /// With what data, measures and comparisons, where that is said.
    ExperimentalSetting,
    /// What is hoped for, where that is said.
    ExpectedResults,
}

impl IdeaPart {
    /// All of them, in order.
    pub const ALL: [Self; 6] = [
        Self::BasicIdea,
        Self::Motivation,
        Self::ResearchQuestion,
        Self::Method,
        Self::ExperimentalSetting,
        Self::ExpectedResults,
    ];

    /// In words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::BasicIdea => "basic idea",
            Self::Motivation => "motivation",
            Self::ResearchQuestion => "research question",
            Self::Method => "method",
            Self::ExperimentalSetting => "experimental setting",
            Self::ExpectedResults => "expected results",
        }
    }
}

/// What kind of knowledge a piece of evidence is (InnoEval, 3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceKind {
    /// Papers.
    Literature,
    /// Pages.
    Web,
    /// Repositories.
    Code,
}

impl EvidenceKind {
    /// All of them, in order.
    pub const ALL: [Self; 3] = [Self::Literature, Self::Web, Self::Code];

    /// In a word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Literature => "literature",
            Self::Web => "web",
            Self::Code => "code",
        }
    }
}

/// What the score of a review comes to (InnoEval, H.5). Told by rule from the score that stands beside it.
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
    /// In a word.
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
