use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Note, OriginalPaper, Quote, RunMetadata, SetAside, Timing, Work, WorkId};

/// Version of the [`PointsReport`] schema. A change of meaning or a removal increments the major version.
pub const POINTS_SCHEMA_VERSION: &str = "1.4";

/// Everything a run found about what a paper offers as new, point by point: the only input of its reports (NoveltyAgent, 3).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PointsReport {
    /// [`POINTS_SCHEMA_VERSION`] of the program that wrote this value.
    pub schema_version: String,
    /// The paper.
    pub original_paper: OriginalPaper,
    /// A summary of the paper, one sentence each; empty without a model.
    pub content_summary: Vec<String>,
    /// The points, strongest first; at most five.
    pub points: Vec<NoveltyPoint>,
    /// The summary of the comparisons; `None` without a model.
    pub novelty_summary: Option<NoveltySummary>,
    /// Every work in the report, once each. Those that are cited or shown come first.
    pub references: Vec<PointsReference>,
    /// Every passage retrieved for a point, once each.
    pub passages: Vec<BasePassage>,
    /// The literature that was searched.
    pub base: LiteratureBase,
    /// Validation of sentences about other works against their sources; `None` without a model.
    pub validation: Option<SelfValidation>,
    /// What was dropped or replaced when the points were extracted, in words. Empty until the report is written, if there are `coded_notes`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The same as codes with their figures. Missing in reports of schema 1.1 and before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub coded_notes: Vec<Note>,
    /// Works that were found and excluded, with the reason.
    pub set_aside: Vec<SetAside>,
    /// What was done and what was not.
    pub metadata: RunMetadata,
}

/// What kind of point (NoveltyAgent, A.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PointClass {
    /// A method, model or algorithm.
    Methodological,
    /// A theorem, bound, formalism or conceptual frame.
    Theoretical,
    /// Software, hardware or an architecture that others can run.
    System,
    /// Data or a benchmark.
    Dataset,
    /// A finding from experiments, observation or analysis.
    Empirical,
    /// A problem put anew, or known means in a new field.
    Task,
}

impl PointClass {
    /// Every class, in the order in which reports explain them.
    pub const ALL: [Self; 6] = [
        Self::Methodological,
        Self::Theoretical,
        Self::System,
        Self::Dataset,
        Self::Empirical,
        Self::Task,
    ];

    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Methodological => "Methodological/Algorithmic",
            Self::Theoretical => "Theoretical",
            Self::System => "System/Infrastructure",
            Self::Dataset => "Dataset/Benchmark",
            Self::Empirical => "Empirical/Analytical",
            Self::Task => "Task/Application",
        }
    }
}

/// Something the paper offers as new, with the related literature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NoveltyPoint {
    /// Counts from 1.
    pub number: u32,
    /// At most 15 words.
    pub name: String,
    /// Its class: exactly one.
    pub class: PointClass,
    /// The rule that determined the class; `None` if a model did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class_rule: Option<String>,
    /// The authors' own words.
    pub claim: Quote,
    /// Other passages where the paper states the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_stated: Vec<Quote>,
    /// Sentences of the paper that elaborate on it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub said_of_it: Vec<Quote>,
    /// The queries used to find passages: four of two to four words, and two phrases.
    pub queries: Vec<String>,
    /// The passages found: those of certainly earlier works first, and within a group the most similar first.
    pub passages: Vec<PointPassage>,
    /// The comparison; `None` without a model, or if its answer was unusable.
    pub analysis: Option<PointAnalysis>,
}

/// A passage found for a point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PointPassage {
    /// The passage's number in [`PointsReport::passages`].
    pub passage: u32,
    /// How well it matches the point's queries, 0 to 1: the mean of the scores by words and by vectors, each normalized to one scale.
    pub score: f64,
    /// The score by words alone.
    pub by_words: f64,
    /// The score by vectors alone.
    pub by_vectors: f64,
    /// The queries that found it; they count from 1.
    pub queries: Vec<u8>,
    /// Share of the point's words, weighted by rarity in the base, that appear in `nearest`: 0 to 1.
    pub shared: f64,
    /// The one or two sentences of the passage most similar to the point; `None` if none shares a distinctive word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearest: Option<Quote>,
    /// Whether it is printed with the point; others are only listed.
    pub shown: bool,
    /// Estimated probability that its paper states the point, 0 to 1; `None` if point or text is too short to compare, and in files before version 1.3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// Whether the probability is high enough for a reader to look; `None` in files before version 1.3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub similar: Option<bool>,
}

/// A passage of the literature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BasePassage {
    /// Counts from 1.
    pub number: u32,
    /// The work it is from: a number of [`PointsReport::references`].
    pub reference: u32,
    /// Its text, at most 512 tokens of running text, never from a reference list.
    pub text: Quote,
}

/// A sentence of a report with its sources.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CitedSentence {
    /// The sentence, without citation marks.
    pub text: String,
    /// Its sources; empty for a sentence on the paper itself. At most two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub citations: Vec<SentenceCitation>,
}

/// A source of a sentence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SentenceCitation {
    /// The work: a number of [`PointsReport::references`].
    pub reference: u32,
    /// The passage that was shown: a number of [`PointsReport::passages`].
    pub passage: u32,
    /// The words in that passage that support the sentence, located there.
    pub quote: Quote,
}

/// A point compared with the literature, in the four parts of the published form.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PointAnalysis {
    /// a) What the paper claims.
    pub claimed: Vec<CitedSentence>,
    /// b) What it has in common with earlier works; empty if nothing was found.
    pub similarities: Vec<CitedSentence>,
    /// c) How it differs from them; empty if nothing was found.
    pub differences: Vec<CitedSentence>,
    /// d) Details of the differences; empty if c) is.
    pub details: Vec<CitedSentence>,
}

impl PointAnalysis {
    /// Whether it says anything about another paper.
    #[must_use]
    pub fn compares(&self) -> bool {
        !self.similarities.is_empty() || !self.differences.is_empty()
    }
}

/// A part of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReportPart {
    /// The summary of the paper.
    ContentSummary,
    /// a).
    Claimed,
    /// b).
    Similarities,
    /// c).
    Differences,
    /// d).
    Details,
    /// The summary of what is new.
    NoveltySummary,
}

/// The summary of the comparisons.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NoveltySummary {
    /// The character of the paper, in a few sentences.
    pub character: Vec<String>,
    /// Points that are new compared with the works shown.
    pub innovations: Vec<GenuineInnovation>,
    /// Points, or aspects of them, that lack originality.
    pub unoriginal: Vec<UnoriginalAspect>,
    /// A summary in one sentence.
    pub one_line: String,
    /// The score.
    pub score: NoveltyScore,
}

/// A point that is new compared with the works shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GenuineInnovation {
    /// The point.
    pub point: u32,
    /// Why, in sentences.
    pub sentences: Vec<String>,
}

/// A point, or an aspect of one, that lacks originality.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnoriginalAspect {
    /// The point.
    pub point: u32,
    /// The kind of problem.
    pub kind: UnoriginalKind,
    /// What lacks originality and why, in sentences.
    pub sentences: Vec<String>,
    /// How it could be improved, in one sentence.
    pub suggestion: String,
}

/// In what way something lacks originality (NoveltyAgent, A.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UnoriginalKind {
    /// Nearly the same as earlier work.
    DirectRepetition,
    /// A small change of known means.
    MinorAdjustment,
    /// Known parts put together, and nothing more comes of it.
    SimpleCombination,
    /// What everybody does.
    StandardPractice,
    /// Something else.
    Other,
}

impl UnoriginalKind {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::DirectRepetition => "Direct Repetition",
            Self::MinorAdjustment => "Minor Adjustment",
            Self::SimpleCombination => "Simple Combination",
            Self::StandardPractice => "Standard Practice",
            Self::Other => "Other",
        }
    }
}

/// How new a paper is compared with the works shown, on the published scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "u8", into = "u8")]
#[schemars(with = "u8")]
pub enum NoveltyScore {
    /// 1.
    Poor,
    /// 2.
    Fair,
    /// 3.
    Good,
    /// 4.
    Excellent,
}

impl NoveltyScore {
    /// Every score, highest first.
    pub const ALL: [Self; 4] = [Self::Excellent, Self::Good, Self::Fair, Self::Poor];

    /// The two names of the score.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Excellent => "Excellent / Transformative",
            Self::Good => "Good / Significant",
            Self::Fair => "Fair / Incremental",
            Self::Poor => "Poor / Insufficient",
        }
    }

    /// When this score applies.
    #[must_use]
    pub fn rubric(self) -> &'static str {
        match self {
            Self::Excellent => {
                "a question, method or perspective that none of the works shown has and that could start a line of research"
            }
            Self::Good => {
                "clear progress on a known problem, with a method or combination of methods that does not follow from the works shown"
            }
            Self::Fair => "useful but limited: a small change to a known method, or a known method in a related field",
            Self::Poor => "no contribution beyond the works shown, or its claims do not hold",
        }
    }
}

impl From<NoveltyScore> for u8 {
    fn from(score: NoveltyScore) -> Self {
        match score {
            NoveltyScore::Poor => 1,
            NoveltyScore::Fair => 2,
            NoveltyScore::Good => 3,
            NoveltyScore::Excellent => 4,
        }
    }
}

impl TryFrom<u8> for NoveltyScore {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, Self::Error> {
        Self::ALL
            .into_iter()
            .find(|score| u8::from(*score) == number)
            .ok_or_else(|| format!("{number} is not a score from 1 to 4"))
    }
}

/// A work in the report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PointsReference {
    /// Its number; counts from 1.
    pub number: u32,
    /// A short name for citing: `Knuth 1989`.
    pub alias: String,
    /// The work.
    pub work: Work,
    /// How its date compares with the paper's.
    pub timing: Timing,
    /// How it entered the base.
    pub origins: Vec<BaseOrigin>,
    /// Names of the sources that found it.
    pub found_by: Vec<String>,
    /// Whether a sentence cites it or a passage of it is printed. Only these works are in the printed reference list.
    pub listed: bool,
}

/// How a work entered the base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum BaseOrigin {
    /// The paper's own reference list contains it under this number.
    Reference {
        /// The number in the paper's list.
        number: u32,
    },
    /// This many of the paper's references cite it.
    SecondOrder {
        /// The number of those references.
        cited_by: u32,
    },
    /// A search for the paper's topic or points found it at this rank.
    Search {
        /// The rank, from 1.
        place: u32,
    },
}

/// The literature that a paper is compared with.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LiteratureBase {
    /// Maximum number of works, including the paper. Direct references are always kept.
    pub capacity: usize,
    /// Entries of the paper's own reference list.
    pub listed_references: usize,
    /// Of those, the ones found in the sources searched.
    pub found_references: usize,
    /// Works found only through references of references.
    pub second_order: usize,
    /// Works found only by search.
    pub by_search: usize,
    /// Works beyond the capacity.
    pub cut: usize,
    /// Works with full text.
    pub full_texts: usize,
    /// Number of passages of all works.
    pub passages: usize,
    /// The model that embedded passages and queries; `None` for the built-in table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedder: Option<String>,
    /// The model that reranked passages; `None` for the built-in rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reranker: Option<String>,
    /// The works, in the order in which they were added.
    pub works: Vec<BaseWork>,
}

/// A work of the base, in short.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BaseWork {
    /// Its id.
    pub id: WorkId,
    /// Its title.
    pub title: String,
    /// The year, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub year: Option<u16>,
    /// How it entered the base.
    pub origins: Vec<BaseOrigin>,
    /// Its passages.
    pub passages: usize,
}

/// Validation of sentences about other works against their sources, in four steps.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SelfValidation {
    /// Pairs of a sentence and a source it cites.
    pub pairs: usize,
    /// Of those, distinct ones: a duplicate is judged once and corrected everywhere.
    pub distinct: usize,
    /// Of those, judged by a model.
    pub judged: usize,
    /// Of those, found to be correct.
    pub right: usize,
    /// Sentences corrected or removed, in the order of the report.
    pub corrections: Vec<Correction>,
    /// Result of polishing.
    pub polish: Polish,
}

/// A sentence that was corrected or removed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Correction {
    /// The point it belonged to; `None` for the summaries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<u32>,
    /// The part it belonged to.
    pub part: ReportPart,
    /// The previous text: words of a model that its source did not support.
    pub before: String,
    /// The new text; `None` if it was removed.
    pub after: Option<String>,
    /// Why, in words.
    pub reason: String,
    /// What found it.
    pub by: CorrectedBy,
}

/// What found that a sentence is not supported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CorrectedBy {
    /// A rule of the program.
    Rule,
    /// The model that judged it against its source.
    Judge,
}

/// Result of polishing the report.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Polish {
    /// Whether the polished text was accepted.
    pub accepted: bool,
    /// Why not; empty if it was accepted.
    pub reason: String,
    /// Sentences that were reworded.
    pub reworded: usize,
    /// Sentences left unchanged because their new wording said something else.
    pub left: usize,
}
