//! What a run dropped, limited or replaced, and why a verdict holds. The wording is in the report.
//!
//! Long because every note is a variant of one type.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{EvidenceKind, Facet, FieldCoverage, LoweringFault, ReviewDecision, SuggestionGroup};

/// Something that was dropped, limited or replaced when a text was read or judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Note {
    /// A claim was dropped, because its words are not in the paper.
    ClaimNotInPaper {
        /// The claim's name.
        name: String,
    },
    /// The model gave no usable list, so the built-in method's was used.
    NoList {
        /// What was to be listed.
        of: ListedKind,
    },
    /// The model's list had no entry that is in the text, so the built-in method's was used.
    NothingListedInText {
        /// What was to be listed.
        of: ListedKind,
    },
    /// Entries of the model's list that were dropped.
    ListedDropped {
        /// What was listed.
        of: ListedKind,
        /// How many were dropped.
        dropped: usize,
        /// How many the model listed.
        listed: usize,
        /// Maximum number of words of an entry, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        most_words: Option<usize>,
    },
    /// A sentence of the model's summary was removed.
    SummarySentenceRemoved {
        /// The failed check, as it was reported to the model. Missing if the report prints no sentences by a model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// A point appears nearly word for word in an earlier paper.
    PointKnown {
        /// The point's number.
        point: u32,
        /// Title of the earlier paper.
        title: String,
    },
    /// No score, because the points that the model called new appear nearly word for word in earlier papers.
    NotScored,
    /// No score, because checking the model's sentences against their sources left no similarity and no difference.
    NoComparisonSurvived,
    /// The model listed more than the limit, and the first ones were kept.
    ListedBeyondLimit {
        /// What was listed.
        of: ListedKind,
        /// How many were kept at most.
        limit: usize,
        /// How many the model listed.
        listed: usize,
    },
    /// Entries of the model's list that state the same as one before them.
    ListedTwice {
        /// What was listed.
        of: ListedKind,
        /// How many were dropped.
        dropped: usize,
    },
    /// A document has nearly the text of the idea, or its title, so it was not compared with it.
    NearlyTheIdea {
        /// Name of the document in the report.
        name: String,
        /// Its number.
        number: u32,
        /// The kind of document.
        kind: EvidenceKind,
    },
    /// Statements of the idea beyond the limit of their part.
    StatementsLeftOut {
        /// How many.
        statements: usize,
    },
    /// Quotes that the model gave as evidence and that are in no passage shown to it.
    EvidenceNotFound {
        /// How many.
        quotes: usize,
    },
    /// Pairs of a part and a document for which the model gave no usable answer.
    EvidenceByRules {
        /// How many.
        unanswered: usize,
        /// All pairs sent to the model.
        pairs: usize,
    },
    /// Analyses by the model that could not be printed.
    AnalysesLeftOut {
        /// How many.
        analyses: usize,
    },
    /// Fields of reports on documents that were dropped, because no quote of theirs is in the document or their text cannot be printed.
    ReportFieldsDropped {
        /// How many.
        fields: usize,
    },
    /// Documents for which the model gave no usable report.
    ReportsMissing {
        /// How many.
        unanswered: usize,
        /// All documents sent to the model.
        documents: usize,
    },
    /// Documents beyond the limit, on which the model made no report.
    ReportsBeyondLimit {
        /// How many.
        documents: usize,
        /// The limit.
        limit: usize,
    },
    /// Pairs of a part and a document beyond the limit.
    PairsBeyondLimit {
        /// How many.
        pairs: usize,
        /// The limit.
        limit: usize,
    },
    /// A note on the opinion of one reader on one dimension.
    OfOpinion {
        /// Name of the reader.
        reader: String,
        /// Name of the dimension.
        dimension: String,
        /// The note.
        note: Box<Note>,
    },
    /// A note on the chair's summary.
    OfChairSummary {
        /// The note.
        note: Box<Note>,
    },
    /// A note on the chair's reason for a change.
    OfChairReason {
        /// The note.
        note: Box<Note>,
    },
    /// Sentences of an answer that were left out.
    SentencesLeftOut {
        /// How many.
        sentences: usize,
        /// Why the first one was.
        first: SentenceFault,
    },
    /// The working that the dimension asks for is missing or cannot be printed.
    WorkingLeftOut,
    /// An opinion is missing and not counted.
    OpinionMissing {
        /// Why.
        why: OpinionFault,
    },
    /// No request to the board got a usable answer.
    BoardSilent {
        /// How many requests.
        requests: usize,
    },
    /// No reader gave a usable opinion.
    NoOpinion,
    /// The chair gave no usable answer.
    ChairFailed,
    /// The chair named a decision that does not follow from the score.
    DecisionReplaced {
        /// The decision named.
        named: ReviewDecision,
        /// The score, cut to two decimals.
        score: f64,
        /// The decision that follows from it.
        due: ReviewDecision,
    },
    /// The chair named a decision that does not exist.
    DecisionUnknown,
    /// Key evidence that cannot support a decision.
    KeyEvidenceLeftOut {
        /// Number of the document.
        number: u32,
    },
    /// The chair wanted to change the average without evidence that can support a decision.
    ChangeWithoutEvidence {
        /// The change.
        delta: f64,
    },
    /// The chair wanted to change the average by more than the limit.
    ChangeLimited {
        /// The change.
        delta: f64,
        /// The limit.
        limit: f64,
    },
    /// Lowerings by the chair that were dropped.
    LoweringsDropped {
        /// Why.
        why: LoweringFault,
        /// How many.
        dropped: usize,
    },
    /// The chair wanted to take more off a dimension than the limit.
    LoweringLimited {
        /// The dimension's id.
        dimension: String,
        /// The points.
        by: f64,
        /// The limit.
        limit: f64,
    },
    /// Only the top later documents were used for suggestions.
    SuggestionsLimited {
        /// Documents used.
        used: usize,
        /// Later documents.
        documents: usize,
    },
    /// No suggestions were requested, because the report prints no sentences by a model.
    SuggestionsNotRequested,
    /// The model gave no usable answer on later documents.
    NoSuggestions,
    /// A suggestion was left out.
    SuggestionLeftOut {
        /// Its group.
        group: SuggestionGroup,
        /// Why.
        why: SuggestionFault,
    },
    /// Suggestions that rest on other documents than the later ones, or that cannot be printed.
    SuggestionsUnfounded {
        /// How many.
        suggestions: usize,
    },
    /// In words: a note in the ledger of an earlier version.
    #[serde(untagged)]
    InWords(String),
}

/// What a model lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ListedKind {
    /// The claims of a paper.
    Claims,
    /// The points of a paper.
    Points,
    /// The statements of an idea.
    Statements,
}

/// Why a sentence of an answer was left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum SentenceFault {
    /// It is beyond the length of any answer.
    BeyondAnyLimit,
    /// It is a heading or a block quote.
    NoSentence,
    /// It is beyond the number of sentences requested.
    BeyondLimit,
    /// It failed a check.
    Refused {
        /// The failed check, as it was reported to the model.
        why: String,
    },
}

/// Why an opinion does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum OpinionFault {
    /// There was no usable answer.
    NoAnswer,
    /// Everything it cites has an uncertain date.
    UncertainDates,
    /// Its score is not on the scale.
    ScoreOffScale,
    /// It cites a document that the reader was not shown.
    CitesUnshown {
        /// Number of the document.
        number: u32,
    },
}

/// Why a suggestion was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SuggestionFault {
    /// It is not based on later documents alone.
    NotOnLaterDocuments,
    /// It repeats an earlier suggestion.
    Repeated,
    /// Its group is full.
    GroupFull,
}

/// Why the verdict on an idea holds, or why there is none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum VerdictGrounds {
    /// One paper has the idea nearly word for word.
    WordForWord {
        /// The paper.
        paper: NamedPaper,
    },
    /// No paper has the idea nearly word for word.
    NotWordForWord,
    /// No paper was found.
    NothingFound,
    /// Sources disagree about the matching paper.
    PaperDisputed,
    /// According to the model, no paper shown contains the whole idea.
    NoPaperHasIt {
        /// Papers shown.
        papers: usize,
    },
    /// The model could not decide.
    ModelUndecided,
    /// The model gave no usable answer.
    NoAnswer,
    /// The model's answers disagree without a majority.
    NoMajority,
    /// The model's answer contradicts itself, and so does its second one.
    Contradicted {
        /// The contradiction, as it was reported to the model.
        what: String,
    },
    /// The papers share purpose and mechanism of the idea.
    Shared {
        /// The papers.
        papers: Vec<NamedPaper>,
    },
    /// The model says not novel, but the idea states no purpose or no mechanism.
    FacetsNotStated {
        /// The facets that it does not state.
        facets: Vec<Facet>,
    },
    /// The model says not novel, but the papers with both are not certainly earlier.
    NotCertainlyEarlier,
    /// The model says not novel, but no single paper has passages for both.
    NoPaperHasBoth,
    /// The model says not novel, but no paper has passages with enough of the words of both facets.
    PassagesTooDifferent {
        /// Minimum share of a facet's words, 0 to 1.
        least: f64,
    },
    /// The idea has too few words.
    TooShort {
        /// Its content words.
        words: usize,
        /// How many a verdict needs.
        least: usize,
    },
    /// The idea has too few words that papers of every field do not share.
    TooGeneral {
        /// How many it has.
        words: usize,
        /// How many a verdict needs.
        least: usize,
    },
    /// The model says novel, but one paper has purpose and mechanism nearly word for word.
    BothFound {
        /// The paper.
        paper: NamedPaper,
    },
    /// The model says novel, but the program could not compare the papers with the idea's purpose and mechanism.
    FacetsNotCompared {
        /// The facets that the idea does not state. Empty if it states both.
        facets: Vec<Facet>,
    },
    /// The model says novel, but one paper is close to both purpose and mechanism.
    BothSimilar {
        /// The paper.
        paper: NamedPaper,
    },
    /// The model says novel, but too few papers were compared.
    FewPapers {
        /// How many were.
        papers: usize,
        /// How many a verdict needs.
        least: usize,
    },
    /// The model says novel, but its reasoning passes over some of the closest papers.
    ClosestNotCited {
        /// Those papers.
        papers: Vec<NamedPaper>,
    },
    /// The sources hardly cover the idea's field.
    FieldNotCovered {
        /// How close the papers found are.
        coverage: FieldCoverage,
    },
}

/// A paper by its name and number in the report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NamedPaper {
    /// Its name.
    pub name: String,
    /// Its number.
    pub number: u32,
}
