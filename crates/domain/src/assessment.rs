use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Author, Candidate, Contribution, ContributionComparison, CoreTask, DateOrigin, Extent, Funnel, HiddenText,
    Identifiers, MissingCitation, PaperOrigin, ParseQuality, PartialDate, Position, PublicationDate, Quote,
    ReadWarning, Scope, SetAside, Taxonomy, TextualOverlap,
};

/// Version of the shape of [`Assessment`]. A change of meaning or a removal raises the first number.
pub const ASSESSMENT_SCHEMA_VERSION: &str = "1.0";

/// Everything a run found about one paper: the one input of every renderer (OpenNovelty, C.8, Table 24).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Assessment {
    /// [`ASSESSMENT_SCHEMA_VERSION`] of the program that wrote it.
    pub schema_version: String,
    /// The paper.
    pub original_paper: OriginalPaper,
    /// The field around it.
    pub core_task_survey: CoreTaskSurvey,
    /// Its claims against prior work.
    pub contribution_analysis: ContributionAnalysis,
    /// Its place among its nearest neighbours.
    pub core_task_comparisons: CoreTaskComparisons,
    /// Text it shares with others.
    pub textual_similarity: TextualSimilarity,
    /// Every work the report names.
    pub references: ReferenceIndex,
    /// What was done, and what was not.
    pub metadata: RunMetadata,
}

/// The paper as the report shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OriginalPaper {
    /// Title; the file's name where none was found.
    pub title: String,
    /// False when `title` had to stand in.
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
    /// Pages, where the format has them.
    pub pages: Option<u32>,
    /// Entries in its reference list.
    pub reference_count: usize,
    /// How well it was read.
    pub quality: ParseQuality,
    /// What to know about the reading.
    pub warnings: Vec<ReadWarning>,
    /// Text that nobody sees.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<HiddenText>,
}

/// The field around the paper.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CoreTaskSurvey {
    /// The core task; `None` where none could be told.
    pub core_task: Option<CoreTask>,
    /// The tree.
    pub taxonomy: Option<Taxonomy>,
    /// Two paragraphs; `None` offline.
    pub narrative: Option<Vec<String>>,
    /// A line for each candidate.
    pub one_liners: Vec<OneLiner>,
    /// Whether what was searched holds the paper's field; `None` where nothing was found, and in reports of before this was told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<FieldCoverage>,
    /// Works that stand near the paper as a whole, by title and summary, nearest first; empty in reports of before this was told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub near: Vec<NearWork>,
}

/// A work that stands near the paper as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NearWork {
    /// The candidate's number.
    pub candidate: u32,
    /// How near title and summary stand to the paper's, 0 to 1.
    pub nearness: f64,
}

/// How near the works found stand to the paper as wholes: whether what was searched holds its field at all. A rule, not a judgement.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FieldCoverage {
    /// The outcome.
    pub level: CoverageLevel,
    /// How near the five nearest works (all, where fewer were found) stand to the paper by title and summary, their mean, 0 to 1.
    pub nearest: f64,
    /// From here on a field is covered, as a rule.
    pub usual: f64,
    /// Works found that stand near the paper as a whole.
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
    /// Hardly any were.
    Thin,
    /// None stands near the paper: what was found shares words with it.
    Outside,
}

/// One candidate in one line: offline, a sentence of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OneLiner {
    /// The candidate's number.
    pub candidate: u32,
    /// 20 to 30 words by a model, or `None`.
    pub text: Option<String>,
    /// The candidate's own sentence.
    pub quote: Option<Quote>,
}

/// The paper's claims against prior work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContributionAnalysis {
    /// The claims.
    pub contributions: Vec<Contribution>,
    /// Claims that were dropped or replaced because their words do not stand in the paper.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extraction_notes: Vec<String>,
    /// Every claim × candidate, by contribution, then closeness.
    pub comparisons: Vec<ContributionComparison>,
    /// Counts.
    pub statistics: ComparisonStatistics,
    /// 3 to 4 paragraphs; `None` offline.
    pub overall_assessment: Option<Vec<String>>,
    /// Near works that the reference list lacks.
    pub missing_citations: Vec<MissingCitation>,
    /// What came out, in the abstract's own words, where it says so: shown, and set beside nothing, since figures are no contribution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported_result: Option<Quote>,
}

/// Counts over the comparisons. Computed from them, never given.
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
    /// Withdrawn from a stronger status.
    pub downgraded: usize,
    /// Made on an abstract only.
    pub abstract_only: usize,
}

/// The paper among its nearest neighbours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CoreTaskComparisons {
    /// Its place in the tree; `None` without a tree.
    pub position: Option<Position>,
}

/// Text shared with others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TextualSimilarity {
    /// Whether overlap was looked for at all.
    pub searched: bool,
    /// Candidates whose full text was compared.
    pub full_texts_compared: usize,
    /// Shortest passage looked for, in words.
    pub min_words: usize,
    /// What was found, by candidate.
    pub overlaps: Vec<TextualOverlap>,
}

/// Every work the report names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReferenceIndex {
    /// The candidates, by number.
    pub candidates: Vec<Candidate>,
    /// Works that were found and set aside, with the reason.
    pub set_aside: Vec<SetAside>,
}

/// What was done, and what was not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunMetadata {
    /// Version of the program.
    pub program_version: String,
    /// Who judged: `offline` or `provider:name`.
    pub analyst: String,
    /// The date the paper is judged by: nothing later counts.
    pub as_of: Option<AsOf>,
    /// Seed of everything drawn by lot.
    pub seed: u64,
    /// Every query put.
    pub queries: Vec<crate::Query>,
    /// The funnel.
    pub funnel: Funnel,
    /// Each source with what it holds and how it answered.
    pub sources: Vec<SourceReport>,
    /// What was not searched, read or judged, most important first. Stands on the first screen of every report.
    pub not_searched: Vec<NotSearched>,
    /// Hosts that anything was sent to, with what; empty when nothing left the machine.
    pub sent: Vec<SentRecord>,
    /// What was asked of models, by prompt; empty when none took part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<ModelUse>,
    /// That a report finds conflicts only within what was searched, and is no ground for rejection.
    pub disclaimer: String,
}

/// The date the paper is judged by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AsOf {
    /// The date.
    pub date: PartialDate,
    /// Where it comes from.
    pub origin: DateOrigin,
}

/// How a source took part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SourceReport {
    /// Its name.
    pub name: String,
    /// Works it holds, where known.
    pub works: Option<u64>,
    /// Works of it with full text, where known.
    pub full_texts: Option<u64>,
    /// Queries it answered, whole or in part.
    pub answered: usize,
    /// Of those, queries whose list of results ends early because a later request failed.
    #[serde(default, skip_serializing_if = "none")]
    pub partial: usize,
    /// Queries it did not answer.
    #[serde(default, skip_serializing_if = "none")]
    pub unanswered: usize,
    /// Queries it failed, with the reasons in words.
    pub failures: Vec<String>,
    /// Whether it was asked with the paper's own title, abstract, related work and introduction too: only sources on the user's machine are. Of an idea: with the
    /// whole idea; sources on the user's machine are, and services that were named for it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub own_text: bool,
}

impl SourceReport {
    /// How many of the queries were answered, such as `10 of 11 queries`; `None` where all were, in whole.
    #[must_use]
    pub fn shortfall(&self) -> Option<String> {
        let all = self.answered + self.unanswered;
        let queries = if all == 1 { "query" } else { "queries" };
        match (self.unanswered, self.partial) {
            (0, 0) => None,
            (_, 0) => Some(format!("{} of {all} {queries}", self.answered)),
            (_, partial) => Some(format!(
                "{} of {all} {queries}, {partial} of them only in part",
                self.answered
            )),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn none(count: &usize) -> bool {
    *count == 0
}

/// Something that was not searched, read or judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NotSearched {
    /// What kind.
    pub kind: NotSearchedKind,
    /// In words, with figures.
    pub message: String,
    /// The scope it concerns, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
}

/// Kinds of [`NotSearched`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NotSearchedKind {
    /// Sources that were not asked at all.
    SourceNotAsked,
    /// A source that failed.
    SourceFailed,
    /// Records or papers of a source that could not be used.
    SourcePart,
    /// Candidates known by abstract only.
    AbstractOnly,
    /// Works cut by a limit.
    CutOff,
    /// Works without a date.
    Undated,
    /// The paper's own date is not known.
    TargetUndated,
    /// Parts of the paper that could not be read.
    PaperPart,
    /// A judgement that only reading can make.
    NotJudged,
    /// The budget ended.
    Budget,
    /// Calls to the model failed.
    ModelIncomplete,
    /// What was searched hardly holds the paper's field.
    FieldNotCovered,
}

/// What was sent to a host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SentRecord {
    /// The host.
    pub host: String,
    /// What kind of content: `query words`, `paper text`, …
    pub what: String,
    /// Requests.
    pub requests: usize,
    /// Bytes of text that they held, each counted once however often the line broke.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub bytes: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// What was asked of a model with one prompt, and what came of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelUse {
    /// The prompt with its version: `compare.passages@1`.
    pub prompt: String,
    /// `provider:name`.
    pub model: String,
    /// The host that was asked.
    pub host: String,
    /// Things asked about: a paper's claims, a batch of works, a work against the claims.
    pub items: u64,
    /// Items without a usable answer, by reason. The program's own answer stands in their place.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub failed: BTreeMap<String, u64>,
    /// Of those, the ones that failed because the service could not be reached or failed itself: the same command again retries them.
    #[serde(default, skip_serializing_if = "is_none")]
    pub retryable: u64,
    /// Answers that were sent back once and came back usable.
    pub repaired: u64,
    /// Questions put, those sent back counted. One that never went out is not counted.
    pub questions: u64,
    /// Answers that came.
    pub answers: u64,
    /// Bytes of text that the questions held.
    pub bytes: u64,
    /// Tokens of the questions, as the provider counts.
    pub input_tokens: u64,
    /// Of those, the ones it had in its cache.
    pub cached_tokens: u64,
    /// Of those, the ones it put into its cache for later, where it charges for that.
    #[serde(default, skip_serializing_if = "is_none")]
    pub cache_written_tokens: u64,
    /// Tokens of the answers, those of refusals and unreadable answers included.
    pub output_tokens: u64,
    /// Tries that may have been billed and whose answer did not arrive, such as after a broken line.
    #[serde(default, skip_serializing_if = "is_none")]
    pub lost_tries: u64,
    /// The most tokens that their questions may have had; counted in `dollars`.
    #[serde(default, skip_serializing_if = "is_none")]
    pub lost_input_tokens: u64,
    /// The most tokens that their answers may have had; counted in `dollars`.
    #[serde(default, skip_serializing_if = "is_none")]
    pub lost_output_tokens: u64,
    /// US dollars; `None` where the price is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dollars: Option<f64>,
}

impl ModelUse {
    /// Items without a usable answer, those that the budget stopped not counted.
    #[must_use]
    pub fn without_answer(&self) -> u64 {
        self.failed
            .iter()
            .filter(|(kind, _)| *kind != "budget")
            .map(|(_, count)| count)
            .sum()
    }
}

/// How complete a model's part of a run is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ModelCoverage {
    /// Items that the model was called for.
    pub items: u64,
    /// Items without a usable answer, those that the budget stopped not counted.
    pub failed: u64,
    /// Of those, the ones that the same command again retries.
    pub retryable: u64,
}

impl ModelCoverage {
    /// The coverage of these uses together.
    #[must_use]
    pub fn of(uses: &[ModelUse]) -> Self {
        uses.iter().fold(Self::default(), |sum, one| Self {
            items: sum.items + one.items,
            failed: sum.failed + one.without_answer(),
            retryable: sum.retryable + one.retryable,
        })
    }

    /// Both together.
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

    /// What to tell the reader, with what to do about it; `None` where the model's part is complete.
    #[must_use]
    pub fn caveat(self) -> Option<String> {
        if !self.is_incomplete() {
            return None;
        }
        let items = match self.items {
            1 => "its 1 item".to_owned(),
            items => format!("{items} items"),
        };
        let action = match self.retryable > 0 {
            true => "Repeat the command to retry.",
            false => "Use another model.",
        };
        Some(format!(
            "Incomplete: the model gave no usable answer for {} of {items}. {action}",
            self.failed
        ))
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
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
