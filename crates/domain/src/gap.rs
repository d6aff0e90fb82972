//! What a run did not search, read or judge.
//!
//! Long because every gap is a variant of one type.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Doubt, EvidenceKind, FieldCoverage, IdeaPart, ListwiseRecord, PartialDate, ReadProblem, ReadWarning, Scope,
};

/// Something that was not searched, read or judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NotSearched {
    /// The kind.
    pub kind: NotSearchedKind,
    /// In words, with figures. Empty until the report is written, if there is a `gap`: then the report has the words.
    #[serde(default)]
    pub message: String,
    /// The scope it concerns, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// The same as a code with its figures. Missing for messages that have only words, and in reports of earlier versions.
    #[serde(flatten)]
    pub gap: Option<Gap>,
}

impl From<Gap> for NotSearched {
    fn from(gap: Gap) -> Self {
        Self {
            kind: gap.kind(),
            message: String::new(),
            scope: (gap == Gap::NoCoreTask).then_some(Scope::CoreTask),
            gap: Some(gap),
        }
    }
}

impl NotSearched {
    /// Relevant papers of a scope beyond its limit.
    #[must_use]
    pub fn over_limit(scope: Scope, cut: usize, limit: usize) -> Self {
        Self {
            scope: Some(scope),
            ..Gap::OverLimit { cut, limit }.into()
        }
    }

    /// A part of the paper that was not read.
    #[must_use]
    pub fn of_reading(warning: &ReadWarning) -> Self {
        match warning.problem.clone() {
            Some(problem) => Gap::PartOfPaper { problem }.into(),
            None => Self::in_words(NotSearchedKind::PaperPart, &warning.message),
        }
    }

    /// An entry that only has words, such as those of a source.
    #[must_use]
    pub fn in_words(kind: NotSearchedKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            scope: None,
            gap: None,
        }
    }
}

/// Kinds of [`NotSearched`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NotSearchedKind {
    /// Sources that were not searched at all.
    SourceNotAsked,
    /// A source that failed.
    SourceFailed,
    /// Records or papers of a source that could not be used.
    SourcePart,
    /// References that matched no known paper, so what they cite was not followed.
    ReferencesNotFollowed,
    /// Candidates with only an abstract.
    AbstractOnly,
    /// Works excluded by a limit.
    CutOff,
    /// Works without a date.
    Undated,
    /// The paper's own date is not known.
    TargetUndated,
    /// Parts of the paper that could not be read.
    PaperPart,
    /// A judgement that needs a human reader.
    NotJudged,
    /// The budget ran out.
    Budget,
    /// Calls to the model failed.
    ModelIncomplete,
    /// The sources searched hardly cover the paper's field.
    FieldNotCovered,
}

/// A gap of a run: what was not searched, read or judged, with its figures. The wording is in the report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Gap {
    /// Nothing but the sources of the run was searched.
    OtherSources {
        /// Names of the sources that are services.
        services: Vec<String>,
    },
    /// An idea was compared only with the papers given with it.
    GivenPapersOnly {
        /// How many.
        papers: usize,
    },
    /// Kinds of documents for which no source was given.
    KindsNotSearched {
        /// The kinds.
        kinds: Vec<EvidenceKind>,
    },
    /// A source failed a request.
    SourceFailed {
        /// Name of the source.
        source: String,
        /// The reason it gave.
        failure: String,
    },
    /// No source has the paper that an idea was made from.
    SeedNotFound {
        /// Its identifiers.
        names: Vec<String>,
    },
    /// No source has citation data.
    NoCitationData,
    /// A part of the paper was not read, or may be wrong.
    PartOfPaper {
        /// The problem.
        problem: ReadProblem,
    },
    /// References that matched no known paper, so what they cite was not followed.
    ReferencesNotMatched {
        /// References of the paper.
        references: usize,
        /// Those that matched a known paper.
        matched: usize,
    },
    /// References of the paper that no source has.
    ReferencesNotInSources {
        /// How many.
        missing: usize,
        /// References of the paper.
        references: usize,
    },
    /// Papers cited by the paper's references were not included.
    SecondOrderNotIncluded,
    /// Missing citations were not checked, because the paper has no readable reference list.
    NoReferenceList,
    /// The sources hardly cover the field of the paper or idea.
    FieldNotCovered {
        /// How close the papers found are.
        coverage: FieldCoverage,
        /// How many of the closest papers the mean similarity is taken over.
        closest: usize,
    },
    /// The closest papers are not similar to the idea.
    ClosestNotSimilar {
        /// How many papers the mean is taken over.
        papers: usize,
        /// Their mean similarity, 0 to 1.
        mean: f64,
    },
    /// Papers without full text, compared by title and abstract only.
    NoFullText {
        /// How many.
        missing: usize,
        /// Papers compared.
        papers: usize,
    },
    /// Documents of a kind that are known only in part.
    KnownInPart {
        /// The kind.
        evidence: EvidenceKind,
        /// How many.
        missing: usize,
        /// Documents of the kind.
        documents: usize,
    },
    /// Full texts that could not be fetched.
    TextsNotFetched {
        /// Texts fetched.
        fetched: usize,
        /// Texts requested.
        requested: usize,
        /// Missing texts by reason.
        reasons: BTreeMap<NoTextReason, usize>,
        /// Papers whose text was not requested.
        left: usize,
    },
    /// Papers without a date.
    NoDate {
        /// How many.
        undated: usize,
        /// Papers compared.
        papers: usize,
    },
    /// Papers that may not be earlier than the date given.
    MayNotBeEarlier {
        /// How many.
        open: usize,
        /// Papers found.
        papers: usize,
    },
    /// Documents that may not be earlier than the idea: shown, but no evidence for the score.
    DocumentsMayNotBeEarlier {
        /// How many.
        open: usize,
    },
    /// The paper's date is unknown.
    PaperUndated {
        /// Year of the newest paper it cites, if known.
        newest_cited: Option<u16>,
    },
    /// The paper's date comes from the metadata of the file, which may be a copy.
    DateOfFile {
        /// The date.
        date: PartialDate,
        /// Papers of this many months before it are not counted as prior art.
        months: u16,
    },
    /// Only the year of the paper's date is known.
    YearOnly {
        /// The year.
        year: u16,
    },
    /// The idea has no date.
    IdeaUndated,
    /// Without authors on the page, records were taken for the paper itself by title and abstract.
    TakenForThePaper {
        /// Their titles.
        titles: Vec<String>,
    },
    /// Relevant papers beyond the limit of the entry's scope.
    OverLimit {
        /// Papers not compared.
        cut: usize,
        /// The limit.
        limit: usize,
    },
    /// Papers beyond the most similar ones.
    BeyondMostSimilar {
        /// Papers not considered.
        cut: usize,
        /// The limit.
        limit: usize,
    },
    /// Records of a kind beyond the limits.
    BeyondMostRelevant {
        /// Records not considered.
        cut: usize,
        /// The limit for each kind.
        limit: usize,
        /// Records of each kind that were compared with the idea.
        compared: usize,
    },
    /// Papers without the text needed to compare them.
    WithoutText {
        /// How many.
        papers: usize,
    },
    /// Records without a title.
    WithoutTitle {
        /// How many.
        records: usize,
    },
    /// The literature base was full.
    BaseFull {
        /// Papers left out.
        left_out: usize,
    },
    /// The search for shared text used only the first part of the paper.
    SharedTextPart {
        /// What was counted.
        unit: TextUnit,
        /// How many were searched for.
        searched: usize,
        /// How many there are.
        there: usize,
    },
    /// Papers that were retracted.
    Retracted {
        /// The papers.
        papers: Vec<DoubtfulPaper>,
    },
    /// Papers whose identifier names different papers in different sources.
    IdentifiersDisputed {
        /// The papers.
        papers: Vec<DoubtfulPaper>,
    },
    /// Papers that sources date before and after the paper.
    DatesDisputed {
        /// The papers.
        papers: Vec<DoubtfulPaper>,
    },
    /// No core task was found in the paper.
    NoCoreTask,
    /// No contribution claim was found in the paper.
    NoClaims,
    /// No statement of the idea could be read.
    NoStatements,
    /// Parts that the idea does not have.
    PartsMissing {
        /// The parts.
        parts: Vec<IdeaPart>,
    },
    /// Whether a paper says the same in other words needs a human reader.
    OtherWords,
    /// No model was used.
    NoModel,
    /// The model's part is incomplete.
    ModelIncomplete {
        /// Items without a usable answer.
        failed: u64,
        /// All items.
        items: u64,
        /// Whether repeating the command may help.
        retryable: bool,
    },
    /// The budget ended before the run did.
    BudgetEnded {
        /// Items that were not sent to the model.
        unasked: u64,
        /// Items so far.
        items: u64,
    },
    /// A model was used, and what it missed is not known.
    ModelUsed {
        /// The host.
        host: String,
        /// The model.
        model: String,
        /// Requests sent.
        requests: u64,
        /// Bytes sent.
        bytes: u64,
        /// Whether it answered at all.
        answered: bool,
    },
    /// Items of a prompt without a usable answer.
    AnswersFailed {
        /// The prompt.
        prompt: String,
        /// Failures by kind.
        failures: BTreeMap<String, u64>,
        /// All items of the prompt.
        items: u64,
        /// Whether the built-in method was used for them.
        replaced: bool,
    },
    /// Items that were longer than the model's limit.
    TextsShortened {
        /// The prompt.
        prompt: String,
        /// How many.
        shortened: u64,
        /// All items of the prompt.
        items: u64,
    },
    /// Answers cut off at the output limit.
    AnswersCutOff {
        /// The prompt.
        prompt: String,
        /// How many.
        cut_off: u64,
        /// All items of the prompt.
        items: u64,
    },
    /// Items that the model left out of its answers, even when it was asked for them again.
    ItemsLeftOut {
        /// The prompt.
        prompt: String,
        /// How many.
        left_out: u64,
    },
    /// The model gave no usable core task.
    CoreTaskByRules,
    /// Papers that were not sent to the model, because they share too little with the claims.
    PapersNotSent {
        /// How many.
        unsent: usize,
        /// Papers compared.
        papers: usize,
    },
    /// Papers too long to send whole.
    PapersSentInPart {
        /// How many.
        papers: usize,
        /// What was sent of each, in kilobytes.
        kilobytes: usize,
    },
    /// The paper was too long to send whole.
    PaperSentInPart {
        /// What was sent, in kilobytes.
        kilobytes: usize,
    },
    /// Citations that were not judged against their source.
    CitationsNotJudged {
        /// How many.
        unjudged: usize,
        /// Distinct citations.
        citations: usize,
    },
    /// The model's summary contradicted its own items and is not shown.
    SummaryContradictsItems,
    /// Passages that the model quoted and that are not in the paper it names.
    PassagesNotFound {
        /// How many.
        passages: usize,
    },
    /// Windows of the ranking by a model without a usable answer, and faults of the other answers.
    RankingIncomplete {
        /// The counts.
        counts: ListwiseRecord,
    },
    /// Records without a relevance judgement.
    RelevanceNotJudged {
        /// How many.
        records: usize,
    },
    /// An embedding model or reranker failed, and the ranking without it was used.
    RankingModelFailed {
        /// Name of the model.
        model: String,
        /// The reason.
        failure: String,
    },
}

/// A paper whose record is in doubt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DoubtfulPaper {
    /// The name of the paper in the report, with its number.
    pub name: String,
    /// The doubt.
    pub doubt: Doubt,
}

/// Why a full text is missing, in the order used in reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoTextReason {
    /// The record has no archive identifier and no DOI that may be followed.
    NoIdentifier,
    /// The archive or publisher does not provide it.
    NotOpen,
    /// The file cannot be read, or is too short for a paper.
    Unreadable,
    /// The file is the text of another work.
    AnotherWork,
    /// No answer in time.
    NoAnswer,
}

/// A unit of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TextUnit {
    /// Paragraphs.
    Paragraph,
    /// Sentences.
    Sentence,
}

impl Gap {
    /// The kind of gap.
    #[must_use]
    pub fn kind(&self) -> NotSearchedKind {
        use NotSearchedKind as Kind;
        match self {
            Self::OtherSources { .. }
            | Self::GivenPapersOnly { .. }
            | Self::KindsNotSearched { .. }
            | Self::NoCitationData
            | Self::SecondOrderNotIncluded => Kind::SourceNotAsked,
            Self::PartOfPaper { .. } => Kind::PaperPart,
            Self::SourceFailed { .. } | Self::RankingModelFailed { .. } => Kind::SourceFailed,
            Self::SeedNotFound { .. }
            | Self::Retracted { .. }
            | Self::IdentifiersDisputed { .. }
            | Self::DatesDisputed { .. } => Kind::SourcePart,
            Self::ReferencesNotMatched { .. } | Self::ReferencesNotInSources { .. } => Kind::ReferencesNotFollowed,
            Self::FieldNotCovered { .. } | Self::ClosestNotSimilar { .. } => Kind::FieldNotCovered,
            Self::NoFullText { .. } | Self::KnownInPart { .. } | Self::TextsNotFetched { .. } => Kind::AbstractOnly,
            Self::NoDate { .. } | Self::MayNotBeEarlier { .. } | Self::DocumentsMayNotBeEarlier { .. } => Kind::Undated,
            Self::PaperUndated { .. } | Self::DateOfFile { .. } | Self::YearOnly { .. } | Self::IdeaUndated => {
                Kind::TargetUndated
            }
            Self::OverLimit { .. }
            | Self::BeyondMostSimilar { .. }
            | Self::BeyondMostRelevant { .. }
            | Self::WithoutText { .. }
            | Self::WithoutTitle { .. }
            | Self::BaseFull { .. }
            | Self::SharedTextPart { .. } => Kind::CutOff,
            Self::NoReferenceList | Self::NoStatements | Self::PartsMissing { .. } => Kind::PaperPart,
            Self::ModelIncomplete { .. } => Kind::ModelIncomplete,
            Self::BudgetEnded { .. } => Kind::Budget,
            Self::TakenForThePaper { .. }
            | Self::NoCoreTask
            | Self::NoClaims
            | Self::OtherWords
            | Self::NoModel
            | Self::ModelUsed { .. }
            | Self::AnswersFailed { .. }
            | Self::TextsShortened { .. }
            | Self::AnswersCutOff { .. }
            | Self::ItemsLeftOut { .. }
            | Self::CoreTaskByRules
            | Self::PapersNotSent { .. }
            | Self::PapersSentInPart { .. }
            | Self::PaperSentInPart { .. }
            | Self::CitationsNotJudged { .. }
            | Self::SummaryContradictsItems
            | Self::PassagesNotFound { .. }
            | Self::RankingIncomplete { .. }
            | Self::RelevanceNotJudged { .. } => Kind::NotJudged,
        }
    }

    /// Text that another program wrote: the reason of a failure.
    pub fn failure_mut(&mut self) -> Option<&mut String> {
        match self {
            Self::SourceFailed { failure, .. } | Self::RankingModelFailed { failure, .. } => Some(failure),
            Self::PartOfPaper { problem } => problem.external_text_mut(),
            _ => None,
        }
    }
}
