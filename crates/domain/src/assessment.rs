use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Author, Candidate, Contribution, ContributionComparison, CoreTask, DateOrigin, Extent, Funnel, HiddenText,
    Identifiers, MissingCitation, NotSearched, Note, PaperOrigin, ParseQuality, PartialDate, Position, PublicationDate,
    Quote, ReadWarning, SentRecord, SetAside, Taxonomy, TextualOverlap,
};

/// Version of the [`Assessment`] schema. A change of meaning or a removal increments the major version.
pub const ASSESSMENT_SCHEMA_VERSION: &str = "1.3";

/// Everything a run found about one paper: the only input of every renderer (OpenNovelty, C.8, Table 24).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Assessment {
    /// [`ASSESSMENT_SCHEMA_VERSION`] of the program that wrote this value.
    pub schema_version: String,
    /// The paper.
    pub original_paper: OriginalPaper,
    /// The field of the paper.
    pub core_task_survey: CoreTaskSurvey,
    /// Its claims compared with prior work.
    pub contribution_analysis: ContributionAnalysis,
    /// Its position among the most similar papers.
    pub core_task_comparisons: CoreTaskComparisons,
    /// Text it shares with other papers.
    pub textual_similarity: TextualSimilarity,
    /// Every work in the report.
    pub references: ReferenceIndex,
    /// What was done and what was not.
    pub metadata: RunMetadata,
}

/// The paper as shown in the report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OriginalPaper {
    /// Title; the file name if none was found.
    pub title: String,
    /// False if `title` is a fallback.
    pub title_found: bool,
    /// Authors.
    pub authors: Vec<Author>,
    /// Abstract.
    #[serde(rename = "abstract")]
    pub summary: Option<Quote>,
    /// Dates found, most trusted first.
    pub dates: Vec<PublicationDate>,
    /// Its own identifiers.
    pub identifiers: Identifiers,
    /// The file.
    pub origin: PaperOrigin,
    /// Length in words, without references.
    pub words: usize,
    /// Number of pages, if the format has them.
    pub pages: Option<u32>,
    /// Entries in its reference list.
    pub reference_count: usize,
    /// How well it was parsed.
    pub quality: ParseQuality,
    /// Warnings about the parsing.
    pub warnings: Vec<ReadWarning>,
    /// Text that is not visible to readers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<HiddenText>,
}

/// The field of the paper.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CoreTaskSurvey {
    /// The core task; `None` if it was not recognised.
    pub core_task: Option<CoreTask>,
    /// The tree.
    pub taxonomy: Option<Taxonomy>,
    /// Two paragraphs; `None` offline.
    pub narrative: Option<Vec<String>>,
    /// One line for each candidate.
    pub one_liners: Vec<OneLiner>,
    /// Whether the sources searched cover the paper's field; `None` if nothing was found, and in reports written before this field existed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<FieldCoverage>,
    /// Papers similar to this one as a whole, by title and summary, most similar first; empty in reports written before this field existed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub near: Vec<SimilarWork>,
}

/// A paper similar to the assessed paper as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SimilarWork {
    /// The candidate's number.
    pub candidate: u32,
    /// Similarity of title and summary to the paper's, 0 to 1.
    #[serde(rename = "nearness")]
    pub similarity: f64,
}

/// Similarity of the works found to the paper as a whole: whether the sources searched cover its field at all. A rule, not a judgement.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FieldCoverage {
    /// The outcome.
    pub level: CoverageLevel,
    /// Mean similarity of the five most similar works (all, if fewer were found) to the paper by title and summary, 0 to 1.
    pub nearest: f64,
    /// The typical minimum for a covered field.
    pub usual: f64,
    /// Works found that are similar to the paper as a whole.
    pub near: usize,
    /// All works found.
    pub works: usize,
}

/// The outcome of [`FieldCoverage`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CoverageLevel {
    /// Works on the paper's topic were found.
    Covered,
    /// Hardly any works on the topic were found.
    Thin,
    /// No work is similar to the paper. The works found only share words with it.
    Outside,
}

/// One line on a candidate; offline, one of its own sentences.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OneLiner {
    /// The candidate's number.
    pub candidate: u32,
    /// 20 to 30 words by a model, or `None`.
    pub text: Option<String>,
    /// The candidate's own sentence.
    pub quote: Option<Quote>,
}

/// The paper's claims compared with prior work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContributionAnalysis {
    /// The claims.
    pub contributions: Vec<Contribution>,
    /// Claims that were dropped or replaced because their words do not appear in the paper. Empty until the report is written, if there are
    /// `coded_notes`: then the report has the words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extraction_notes: Vec<String>,
    /// The same as codes with their figures. Missing in reports of schema 1.1 and before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub coded_notes: Vec<Note>,
    /// Every pair of claim and candidate, by contribution, then similarity.
    pub comparisons: Vec<ContributionComparison>,
    /// Counts.
    pub statistics: ComparisonStatistics,
    /// 3 to 4 paragraphs; `None` offline.
    pub overall_assessment: Option<Vec<String>>,
    /// Similar works missing from the reference list.
    pub missing_citations: Vec<MissingCitation>,
    /// The reported result, quoted from the abstract if it states one. It is shown but not compared, because figures are not a contribution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported_result: Option<Quote>,
}

/// Counts over the comparisons, always computed from them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ComparisonStatistics {
    /// Comparisons made.
    pub compared: usize,
    /// `can_refute`.
    pub can_refute: usize,
    /// `cannot_refute`.
    pub cannot_refute: usize,
    /// `unclear`.
    pub unclear: usize,
    /// Downgraded from a stronger status.
    pub downgraded: usize,
    /// Based on an abstract only.
    pub abstract_only: usize,
}

/// The position of the paper among the most similar papers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CoreTaskComparisons {
    /// Its position in the tree; `None` without a tree.
    pub position: Option<Position>,
}

/// Text shared with other papers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TextualSimilarity {
    /// Whether overlap was searched for at all.
    pub searched: bool,
    /// Candidates whose full text was compared.
    pub full_texts_compared: usize,
    /// Minimum length of a shared passage, in words.
    pub min_words: usize,
    /// The overlaps, by candidate.
    pub overlaps: Vec<TextualOverlap>,
}

impl TextualSimilarity {
    /// Number of candidates that share text without a harmless explanation. Reference lists, quotations with a citation and boilerplate are no finding.
    #[must_use]
    pub fn unexplained(&self) -> usize {
        let open = |one: &&TextualOverlap| one.passages.iter().any(|passage| passage.shared.marks.is_empty());
        self.overlaps.iter().filter(open).count()
    }
}

/// Every work in the report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReferenceIndex {
    /// The candidates, by number.
    pub candidates: Vec<Candidate>,
    /// Works that were found and excluded, with the reason.
    pub set_aside: Vec<SetAside>,
}

/// What was done and what was not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunMetadata {
    /// Version of the program.
    pub program_version: String,
    /// What judged: `offline` or `provider:name`.
    pub analyst: String,
    /// The cutoff date: nothing later counts.
    pub as_of: Option<AsOf>,
    /// Seed of everything sampled at random.
    pub seed: u64,
    /// Every query sent.
    pub queries: Vec<crate::Query>,
    /// The funnel.
    pub funnel: Funnel,
    /// Each source, with its size and how many queries it answered.
    pub sources: Vec<SourceReport>,
    /// What was not searched, read or judged, most important first. On the first screen of every report.
    pub not_searched: Vec<NotSearched>,
    /// Hosts that received anything, with what; empty if nothing was sent to another machine.
    pub sent: Vec<SentRecord>,
    /// Model requests, by prompt; empty without a model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<ModelUse>,
    /// States that a report finds conflicts only within what was searched, and is not a reason for rejection.
    pub disclaimer: String,
}

/// The cutoff date of the assessment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AsOf {
    /// The date.
    pub date: PartialDate,
    /// The origin of the date.
    pub origin: DateOrigin,
}

/// How a source took part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SourceReport {
    /// Its name.
    pub name: String,
    /// Number of works in it, if known.
    pub works: Option<u64>,
    /// Number of its works with full text, if known.
    pub full_texts: Option<u64>,
    /// Queries it answered, fully or in part.
    pub answered: usize,
    /// Of those, queries whose results end early because a later request failed.
    #[serde(default, skip_serializing_if = "none")]
    pub partial: usize,
    /// Queries it did not answer.
    #[serde(default, skip_serializing_if = "none")]
    pub unanswered: usize,
    /// Failed queries, with the reasons in words.
    pub failures: Vec<String>,
    /// Whether it also received the paper's own title, abstract, related work and introduction. Only sources on the user's machine do. For an idea:
    /// whether it received the whole idea, as sources on the user's machine and services enabled for this do.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub own_text: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn none(count: &usize) -> bool {
    *count == 0
}

/// Model requests with one prompt, and their results.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelUse {
    /// The prompt with its version: `compare.passages@1`.
    pub prompt: String,
    /// `provider:name`.
    pub model: String,
    /// The host called.
    pub host: String,
    /// Items to decide: a paper's claims, a batch of works, a work against the claims.
    pub items: u64,
    /// Items without a usable answer, by reason. The program's own answer is used for them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub failed: BTreeMap<String, u64>,
    /// Of those, the ones that failed because the service was unreachable or failed. Repeating the command retries them.
    #[serde(default, skip_serializing_if = "is_none")]
    pub retryable: u64,
    /// Answers that were sent back once and then became usable.
    pub repaired: u64,
    /// Requests, including repairs, but only those that were sent.
    pub questions: u64,
    /// Answers received.
    pub answers: u64,
    /// Bytes of text in the requests.
    pub bytes: u64,
    /// Input tokens, as counted by the provider.
    pub input_tokens: u64,
    /// Of those, the ones read from the provider's cache.
    pub cached_tokens: u64,
    /// Of those, the ones written to the provider's cache, if it charges for that.
    #[serde(default, skip_serializing_if = "is_none")]
    pub cache_written_tokens: u64,
    /// Output tokens, including refusals and unreadable answers.
    pub output_tokens: u64,
    /// Attempts that may have been billed but returned no answer, for example after a broken connection.
    #[serde(default, skip_serializing_if = "is_none")]
    pub lost_tries: u64,
    /// Upper bound of their input tokens; included in `dollars`.
    #[serde(default, skip_serializing_if = "is_none")]
    pub lost_input_tokens: u64,
    /// Upper bound of their output tokens; included in `dollars`.
    #[serde(default, skip_serializing_if = "is_none")]
    pub lost_output_tokens: u64,
    /// US dollars; `None` if the price is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dollars: Option<f64>,
}

impl ModelUse {
    /// Items without a usable answer, except those stopped by the budget.
    #[must_use]
    pub fn without_answer(&self) -> u64 {
        self.failed
            .iter()
            .filter(|(kind, _)| *kind != "budget")
            .map(|(_, count)| count)
            .sum()
    }

    /// Adds the figures of more requests with the same prompt. Together they have a price if both have one.
    pub fn add(&mut self, more: &Self) {
        self.items += more.items;
        self.repaired += more.repaired;
        self.questions += more.questions;
        self.answers += more.answers;
        self.bytes += more.bytes;
        self.input_tokens += more.input_tokens;
        self.cached_tokens += more.cached_tokens;
        self.cache_written_tokens += more.cache_written_tokens;
        self.output_tokens += more.output_tokens;
        self.retryable += more.retryable;
        self.lost_tries += more.lost_tries;
        self.lost_input_tokens += more.lost_input_tokens;
        self.lost_output_tokens += more.lost_output_tokens;
        for (kind, count) in &more.failed {
            *self.failed.entry(kind.clone()).or_default() += count;
        }
        self.dollars = self.dollars.zip(more.dollars).map(|(own, more)| own + more);
    }

    /// The requests of several parts of a run, each prompt of a model once.
    #[must_use]
    pub fn together(all: impl IntoIterator<Item = Self>) -> Vec<Self> {
        let mut by_prompt: BTreeMap<String, Self> = BTreeMap::new();
        for one in all {
            let key = format!("{} {}", one.prompt, one.model);
            match by_prompt.get_mut(&key) {
                Some(known) => known.add(&one),
                None => {
                    by_prompt.insert(key, one);
                }
            }
        }
        by_prompt.into_values().collect()
    }
}

/// How complete the model's part of a run is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ModelCoverage {
    /// Items that the model was called for.
    pub items: u64,
    /// Items without a usable answer, except those stopped by the budget.
    pub failed: u64,
    /// Of those, the ones that repeating the command retries.
    pub retryable: u64,
}

impl ModelCoverage {
    /// The combined coverage of these uses.
    #[must_use]
    pub fn of(uses: &[ModelUse]) -> Self {
        uses.iter().fold(Self::default(), |sum, one| Self {
            items: sum.items + one.items,
            failed: sum.failed + one.without_answer(),
            retryable: sum.retryable + one.retryable,
        })
    }

    /// The sum of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            items: self.items + other.items,
            failed: self.failed + other.failed,
            retryable: self.retryable + other.retryable,
        }
    }

    /// Whether fewer than half of the items have a usable answer.
    #[must_use]
    pub fn is_unusable(self) -> bool {
        self.failed * 2 > self.items
    }

    /// Whether calls failed that can be retried, or too few items are usable.
    #[must_use]
    pub fn is_incomplete(self) -> bool {
        self.retryable > 0 || self.is_unusable()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_none(count: &u64) -> bool {
    *count == 0
}

impl ComparisonStatistics {
    /// The counts over `comparisons`.
    #[must_use]
    pub fn of(comparisons: &[ContributionComparison]) -> Self {
        use crate::Status;
        let count =
            |matches: &dyn Fn(&ContributionComparison) -> bool| comparisons.iter().filter(|one| matches(one)).count();
        Self {
            compared: comparisons.len(),
            can_refute: count(&|one| one.status == Status::CanRefute),
            cannot_refute: count(&|one| one.status == Status::CannotRefute),
            unclear: count(&|one| one.status == Status::Unclear),
            downgraded: count(&|one| one.downgraded.is_some()),
            abstract_only: count(&|one| one.compared != Extent::FullText),
        }
    }
}
