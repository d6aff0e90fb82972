use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{OriginalPaper, Quote, RunMetadata, SetAside, Timing, Work, WorkId};

/// Version of the shape of [`PointsReport`]. A change of meaning or a removal raises the first number.
pub const POINTS_SCHEMA_VERSION: &str = "1.0";

/// Everything a run found about what a paper offers as new, point by point: the one input of its reports (NoveltyAgent, 3).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PointsReport {
    /// [`POINTS_SCHEMA_VERSION`] of the program that wrote it.
    pub schema_version: String,
    /// The paper.
    pub original_paper: OriginalPaper,
    /// What the paper does, a sentence each; empty without a model.
    pub content_summary: Vec<String>,
    /// The points, strongest first; five at most.
    pub points: Vec<NoveltyPoint>,
    /// What the comparisons come to; `None` without a model.
    pub novelty_summary: Option<NoveltySummary>,
    /// Every work the report names, each once. Those that are cited or shown come first.
    pub references: Vec<PointsReference>,
    /// Every passage that was retrieved for a point, each once.
    pub passages: Vec<BasePassage>,
    /// The literature that was looked through.
    pub base: LiteratureBase,
    /// How sentences on other works were held against their sources; `None` without a model.
    pub validation: Option<SelfValidation>,
    /// What was dropped or replaced when the points were read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Works that were found and set aside, with the reason.
    pub set_aside: Vec<SetAside>,
    /// What was done, and what was not.
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
    /// Every class, in the order in which they are explained.
    pub const ALL: [Self; 6] = [
        Self::Methodological,
        Self::Theoretical,
        Self::System,
        Self::Dataset,
        Self::Empirical,
        Self::Task,
    ];

    /// Its name as reports print it.
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

/// Something the paper offers as new, beside what the literature says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NoveltyPoint {
    /// Counts from 1.
    pub number: u32,
    /// At most 15 words.
    pub name: String,
    /// Its class: exactly one.
    pub class: PointClass,
    /// Why this class, where a rule told it; `None` where a model did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class_rule: Option<String>,
    /// The authors' own words.
    pub claim: Quote,
    /// Where the paper states the same again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_stated: Vec<Quote>,
    /// Sentences of the paper that say more of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub said_of_it: Vec<Quote>,
    /// The queries that passages were looked for with: four of two to four words, two phrases.
    pub queries: Vec<String>,
    /// What was found: passages of works that are surely earlier than the paper first, of each kind the nearest first.
    pub passages: Vec<PointPassage>,
    /// The comparison; `None` without a model, or where its answer could not be used.
    pub analysis: Option<PointAnalysis>,
}

/// A passage found for a point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PointPassage {
    /// The passage's number in [`PointsReport::passages`].
    pub passage: u32,
    /// How well it answers the point's queries, 0 to 1: by words and by vectors, each brought to one scale, halved.
    pub score: f64,
    /// The same by words alone.
    pub by_words: f64,
    /// The same by vectors alone.
    pub by_vectors: f64,
    /// Which queries brought it; they count from 1.
    pub queries: Vec<u8>,
    /// Share of the point's words, weighed by how rare they are in the base, that stand in `nearest`: 0 to 1.
    pub shared: f64,
    /// The sentence or two of the passage that stand nearest to the point; `None` where none shares anything that tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearest: Option<Quote>,
    /// Whether it is printed beside the point; others are listed in short.
    pub shown: bool,
}

/// A passage of the literature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BasePassage {
    /// Counts from 1.
    pub number: u32,
    /// The work it stands in: a number of [`PointsReport::references`].
    pub reference: u32,
    /// Its words, at most 512 tokens of running text, never of a reference list.
    pub text: Quote,
}

/// A sentence of a report with what it rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CitedSentence {
    /// The sentence, without marks of citation.
    pub text: String,
    /// What it rests on; empty for a sentence on the paper itself. At most two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub citations: Vec<SentenceCitation>,
}

/// What a sentence rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SentenceCitation {
    /// The work: a number of [`PointsReport::references`].
    pub reference: u32,
    /// The passage that was shown: a number of [`PointsReport::passages`].
    pub passage: u32,
    /// The words in that passage that carry the sentence, located there.
    pub quote: Quote,
}

/// A point set beside the literature, in the four parts of the published form.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PointAnalysis {
    /// a) What the paper claims.
    pub claimed: Vec<CitedSentence>,
    /// b) What it has in common with earlier works; empty where nothing was found.
    pub similarities: Vec<CitedSentence>,
    /// c) In what it differs from them; empty where nothing was found.
    pub differences: Vec<CitedSentence>,
    /// d) More on what differs; empty where c) is.
    pub details: Vec<CitedSentence>,
}

/// A part of the report that sentences stand in.
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

/// What the comparisons come to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NoveltySummary {
    /// What kind of work it is, in a few sentences.
    pub character: Vec<String>,
    /// Points that are new beside the works shown.
    pub innovations: Vec<GenuineInnovation>,
    /// Points, or sides of them, that lack originality.
    pub unoriginal: Vec<UnoriginalAspect>,
    /// The whole in one sentence.
    pub one_line: String,
    /// The score.
    pub score: NoveltyScore,
}

/// A point that is new beside the works shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GenuineInnovation {
    /// The point.
    pub point: u32,
    /// Why, in sentences.
    pub sentences: Vec<String>,
}

/// A point, or a side of one, that lacks originality.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnoriginalAspect {
    /// The point.
    pub point: u32,
    /// In what way.
    pub kind: UnoriginalKind,
    /// What lacks originality and why, in sentences.
    pub sentences: Vec<String>,
    /// How it could be mended, in one sentence.
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
    /// Its name as reports print it.
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

/// How new a paper is beside the works shown, on the published scale.
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

    /// Its two words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Excellent => "Excellent / Transformative",
            Self::Good => "Good / Significant",
            Self::Fair => "Fair / Incremental",
            Self::Poor => "Poor / Insufficient",
        }
    }

    /// When it is given.
    #[must_use]
    pub fn rubric(self) -> &'static str {
        match self {
            Self::Excellent => {
                "a question, a means or a view that none of the works shown has, and that could open a line of work"
            }
            Self::Good => {
                "clear progress on a known problem by means, or a combination of means, that do not follow from the works shown"
            }
            Self::Fair => "useful and limited: a small change of known means, or known means in a field nearby",
            Self::Poor => "no contribution of its own can be seen beside the works shown, or its claims do not hold",
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
            .ok_or_else(|| format!("{number} is no score from 1 to 4"))
    }
}

/// A work that the report names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PointsReference {
    /// Its number; counts from 1.
    pub number: u32,
    /// A short name for citing: `Knuth 1989`.
    pub alias: String,
    /// The work.
    pub work: Work,
    /// How its date stands to the paper's.
    pub timing: Timing,
    /// How it came into the base.
    pub origins: Vec<BaseOrigin>,
    /// Names of the sources that found it.
    pub found_by: Vec<String>,
    /// Whether a sentence cites it or a passage of it is printed: the list of references has these and no others.
    pub listed: bool,
}

/// How a work came into the base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum BaseOrigin {
    /// The paper's own list names it under this number.
    Reference {
        /// The number in the paper's list.
        number: u32,
    },
    /// So many of the paper's references cite it.
    SecondOrder {
        /// How many.
        cited_by: u32,
    },
    /// A search for the paper's topic or points found it, at this place.
    Search {
        /// The place, from 1.
        place: u32,
    },
}

/// The literature that a paper is set beside.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LiteratureBase {
    /// Most works it may hold, the paper counted; direct references are all kept.
    pub capacity: usize,
    /// Entries of the paper's own list.
    pub listed_references: usize,
    /// Of those, the ones found in what was searched.
    pub found_references: usize,
    /// Works that came by references of references alone.
    pub second_order: usize,
    /// Works that came by search alone.
    pub by_search: usize,
    /// Works beyond the capacity.
    pub cut: usize,
    /// Works with full text.
    pub full_texts: usize,
    /// Passages that all works were cut into.
    pub passages: usize,
    /// The model that made vectors of passages and queries; the program's own table where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedder: Option<String>,
    /// The model that put passages in order anew; the program's own rule where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reranker: Option<String>,
    /// The works, in the order in which they were taken.
    pub works: Vec<BaseWork>,
}

/// A work of the base in a line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BaseWork {
    /// Its id.
    pub id: WorkId,
    /// Its title.
    pub title: String,
    /// Its year, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub year: Option<u16>,
    /// How it came.
    pub origins: Vec<BaseOrigin>,
    /// Its passages.
    pub passages: usize,
}

/// How sentences on other works were held against their sources, in four steps.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SelfValidation {
    /// Pairs of a sentence and a source that it cites.
    pub pairs: usize,
    /// Of those, different ones: a double is judged once and mended wherever it stands.
    pub distinct: usize,
    /// Of those, judged by a model.
    pub judged: usize,
    /// Of those, found right.
    pub right: usize,
    /// What was mended or taken out, in the order of the report.
    pub corrections: Vec<Correction>,
    /// What came of polishing.
    pub polish: Polish,
}

/// A sentence that was mended or taken out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Correction {
    /// The point it stood in; `None` for the summaries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<u32>,
    /// The part it stood in.
    pub part: ReportPart,
    /// What it said; a model's words that did not hold.
    pub before: String,
    /// What it says now; `None` where it was taken out.
    pub after: Option<String>,
    /// Why, in words.
    pub reason: String,
    /// Who found it.
    pub by: CorrectedBy,
}

/// Who found that a sentence does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CorrectedBy {
    /// A rule of the program.
    Rule,
    /// The model that judged it beside its source.
    Judge,
}

/// What came of polishing the report.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Polish {
    /// Whether the polished text stands.
    pub accepted: bool,
    /// Why not; empty where it does.
    pub reason: String,
    /// Sentences that were worded anew.
    pub reworded: usize,
    /// Sentences that were left as they were, since their new wording said something else.
    pub left: usize,
}
