use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Extent, Quote, SharedPassage, TaxonomyPaper};

/// Whether a candidate refutes the novelty of a claim (OpenNovelty, C.9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The candidate contains the substance of the claim, shown by verified quotes on both sides.
    CanRefute,
    /// No match was found in the text that was compared.
    CannotRefute,
    /// Needs a human reader. Counts as not refuting.
    Unclear,
}

/// Comparison of one claim of the paper with one candidate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContributionComparison {
    /// The contribution's number.
    pub contribution: u32,
    /// The candidate's number.
    pub candidate: u32,
    /// The judgement.
    pub status: Status,
    /// How much of the candidate was compared.
    pub compared: Extent,
    /// Pairs of similar passages, best first.
    pub evidence: Vec<EvidencePair>,
    /// Why this status, in one to five sentences; offline, the deciding facts.
    pub note: String,
    /// Similarity of the candidate to the claim, 0 to 1: for ordering only.
    pub closeness: f64,
    /// Estimated probability that the compared text states the claim, 0 to 1. `None` in reports written before it was estimated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// Terms of the claim that the candidate's best passages also contain.
    pub shared_terms: Vec<String>,
    /// Terms of the claim that the whole compared text lacks.
    pub missing_terms: Vec<String>,
    /// Whether the two share words that are rare among the works. If not, the overlap is accidental and no evidence is shown.
    #[serde(default = "near_by_default")]
    pub near: bool,
    /// Whether the status is `unclear` because the claim, or the available text of the work, is too short or generic to compare words. Nothing is
    /// found and nothing is ruled out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub too_little: bool,
    /// Set when a stronger status was withdrawn, with the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub downgraded: Option<String>,
    /// What judged the comparison, if a model was used in the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged_by: Option<JudgedBy>,
}

impl ContributionComparison {
    /// Whether the words of the claim do not suffice for a comparison and no model has judged it since.
    #[must_use]
    pub fn says_too_little(&self) -> bool {
        let by_words = matches!(self.judged_by, None | Some(JudgedBy::Program));
        self.too_little && self.status == Status::Unclear && by_words
    }

    /// Whether the work is similar and needs a human reader.
    #[must_use]
    pub fn needs_reading(&self) -> bool {
        self.status == Status::Unclear && !self.says_too_little()
    }
}

/// What judged a comparison in a run with a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum JudgedBy {
    /// The model, from the passages most similar to the claims.
    ModelPassages,
    /// The model, from the whole text.
    ModelWholeText,
    /// The program, by words alone.
    Program,
}

/// Reports written before this field existed showed every work.
fn near_by_default() -> bool {
    true
}

/// Two passages side by side, each cut from its own source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EvidencePair {
    /// From the paper.
    pub target: Quote,
    /// From the candidate.
    pub candidate: Quote,
    /// The text around the paper's passage (its paragraph), for reading in context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_context: Option<Quote>,
    /// The text around the candidate's passage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidate_context: Option<Quote>,
    /// How much of the claim's content the two share, 0 to 1.
    pub similarity: f64,
    /// Why the pair is shown.
    pub rationale: String,
}

/// Comparison of the paper with a work in its leaf, or with neighbouring subtopics.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Position {
    /// Names from the root to the paper's leaf.
    pub path: Vec<String>,
    /// The kind of position.
    pub kind: PositionKind,
    /// Set if the paper is in its leaf only for lack of a better one: the topic of the leaf does not match the paper's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_clear_place: Option<NoClearPlace>,
    /// Works in the same leaf, each with its difference from the paper.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub siblings: Vec<SiblingComparison>,
    /// The neighbouring subtopics, if the leaf has no other work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neighbours: Option<SubtopicComparison>,
}

/// Why a position is not clear.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum NoClearPlace {
    /// The reason.
    Reason(PlaceDoubt),
    /// In words, in reports of schema 1.0.
    InWords(String),
}

/// A reason why a position is not clear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlaceDoubt {
    /// No phrase of two or more words is both in the paper's title or abstract and in those of the papers of its category.
    NoSharedPhrase,
    /// None of the papers most similar to the paper as a whole is in its branch.
    MostSimilarElsewhere,
    /// The papers found share no phrase with the paper, and they are in one category.
    PapersShareNoPhrase,
}

/// The kind of position of the paper in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PositionKind {
    /// Other works share its leaf.
    HasSiblings,
    /// Alone in its leaf, with neighbouring subtopics.
    HasNeighbours,
    /// Neither.
    Isolated,
}

/// Comparison of the paper with one work in its leaf.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SiblingComparison {
    /// The candidate's number.
    pub candidate: u32,
    /// How much of it was compared.
    pub compared: Extent,
    /// Whether the two look like versions of the same work.
    pub is_duplicate_variant: bool,
    /// 2 to 3 sentences; offline, the facts.
    pub distinction: String,
    /// Terms in both.
    pub shared_terms: Vec<String>,
    /// Terms only in the paper.
    pub target_only_terms: Vec<String>,
    /// Terms only in the candidate.
    pub candidate_only_terms: Vec<String>,
    /// The sentence of the candidate that best describes what it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidate_quote: Option<Quote>,
}

/// Comparison of the paper's leaf with its neighbouring subtopics.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SubtopicComparison {
    /// 2 to 4 sentences.
    pub overall: String,
    /// Similarities.
    pub similarities: Vec<String>,
    /// Differences.
    pub differences: Vec<String>,
    /// Directions for further search.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suggested_directions: Vec<String>,
    /// Works in those subtopics, most similar first.
    pub papers: Vec<TaxonomyPaper>,
}

/// Text that the paper shares with one candidate, shown without judgement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TextualOverlap {
    /// The candidate's number.
    pub candidate: u32,
    /// The longest passages, at most three.
    pub passages: Vec<OverlapPassage>,
    /// Total number found.
    pub found: usize,
}

/// One shared passage with both sides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OverlapPassage {
    /// Offsets, kind, agreement and marks.
    #[serde(flatten)]
    pub shared: SharedPassage,
    /// The paper's words.
    pub target: Quote,
    /// The candidate's words.
    pub candidate: Quote,
}

/// A similar work missing from the reference list. A missing citation is not prior art against a claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MissingCitation {
    /// The candidate's number.
    pub candidate: u32,
    /// The facts that make it similar.
    pub reason: String,
}
