use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Extent, Quote, SharedPassage, TaxonomyPaper};

/// Whether a candidate takes the novelty of a claim away (OpenNovelty, C.9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The claim's substance stands in the candidate, shown by verified quotes on both sides.
    CanRefute,
    /// It does not, as far as was compared.
    CannotRefute,
    /// Only reading decides. Counts as not refuting.
    Unclear,
}

/// One claim of the paper set against one candidate.
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
    /// Passages that stand nearest each other, best first.
    pub evidence: Vec<EvidencePair>,
    /// Why this status, in one to five sentences; offline, the facts that decided.
    pub note: String,
    /// How near the candidate stands to the claim, 0 to 1: for ordering only.
    pub closeness: f64,
    /// Terms of the claim that the candidate's nearest passages also have.
    pub shared_terms: Vec<String>,
    /// Terms of the claim that they lack.
    pub missing_terms: Vec<String>,
    /// Whether the two share words that few other works have. Where not, what they share is accident, and no evidence is shown.
    #[serde(default = "near_unless_told")]
    pub near: bool,
    /// Whether the status is `unclear` because the claim, or what is at hand of the work, says too little to be told by its words: nothing is found, and
    /// nothing is ruled out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub too_little: bool,
    /// Set when a stronger status was withdrawn, with the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub downgraded: Option<String>,
    /// Who judged, where a model took part in the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged_by: Option<JudgedBy>,
}

impl ContributionComparison {
    /// Whether nothing can be told of the claim by words here, and no model has judged it since.
    #[must_use]
    pub fn says_too_little(&self) -> bool {
        let by_words = matches!(self.judged_by, None | Some(JudgedBy::Program));
        self.too_little && self.status == Status::Unclear && by_words
    }

    /// Whether the work comes near and only reading decides.
    #[must_use]
    pub fn needs_reading(&self) -> bool {
        self.status == Status::Unclear && !self.says_too_little()
    }
}

/// Who judged a comparison in a run that a model took part in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum JudgedBy {
    /// The model, from the passages nearest to the claims.
    ModelPassages,
    /// The model, from the whole text.
    ModelWholeText,
    /// The program, by words alone.
    Program,
}

/// Reports of before the field was there showed every work.
fn near_unless_told() -> bool {
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
    /// How much of the claim's substance the two share, 0 to 1.
    pub similarity: f64,
    /// Why the pair is shown.
    pub rationale: String,
}

/// The paper set against a work in its own leaf, or against neighbouring subtopics.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Position {
    /// Names from the root to the paper's leaf.
    pub path: Vec<String>,
    /// How the paper stands.
    pub kind: PositionKind,
    /// Set when the paper stands in its leaf for want of a better one: what its leaf is about is not what it says it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_clear_place: Option<String>,
    /// Works in the same leaf, each with what tells it apart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub siblings: Vec<SiblingComparison>,
    /// When there is no sibling: the neighbouring subtopics together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neighbours: Option<SubtopicComparison>,
}

/// How the paper stands in the tree.
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

/// The paper against one work in its leaf.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SiblingComparison {
    /// The candidate's number.
    pub candidate: u32,
    /// How much of it was compared.
    pub compared: Extent,
    /// Whether the two look like versions of one work.
    pub is_duplicate_variant: bool,
    /// 2 to 3 sentences; offline, the facts.
    pub distinction: String,
    /// Terms both have.
    pub shared_terms: Vec<String>,
    /// Terms only the paper has.
    pub target_only_terms: Vec<String>,
    /// Terms only the candidate has.
    pub candidate_only_terms: Vec<String>,
    /// The sentence of the candidate that says best what it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidate_quote: Option<Quote>,
}

/// The paper's leaf against the subtopics beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SubtopicComparison {
    /// 2 to 4 sentences.
    pub overall: String,
    /// What they share.
    pub similarities: Vec<String>,
    /// What tells them apart.
    pub differences: Vec<String>,
    /// Where to look further.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suggested_directions: Vec<String>,
    /// Works in those subtopics, nearest first.
    pub papers: Vec<TaxonomyPaper>,
}

/// Text that the paper shares with one candidate. Shown without judgement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TextualOverlap {
    /// The candidate's number.
    pub candidate: u32,
    /// The longest passages, at most three.
    pub passages: Vec<OverlapPassage>,
    /// How many were found in all.
    pub found: usize,
}

/// One shared passage with both sides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OverlapPassage {
    /// Offsets, kind, agreement, marks.
    #[serde(flatten)]
    pub shared: SharedPassage,
    /// The paper's words.
    pub target: Quote,
    /// The candidate's words.
    pub candidate: Quote,
}

/// A near work that the reference list lacks. A missing citation is not prior art against a claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MissingCitation {
    /// The candidate's number.
    pub candidate: u32,
    /// The facts that make it near.
    pub reason: String,
}
