//! The arguments of tools. The comments of fields are their descriptions in the schemas that agents read.

use std::collections::BTreeMap;

use precedent_app::domain::{Facet, PartialDate, WorkId};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::answer::Arguments;
use crate::error::Failure;

/// Parses the arguments of a tool.
pub(crate) fn parsed<T: DeserializeOwned>(arguments: &Arguments) -> Result<T, Failure> {
    serde_json::from_value(Value::Object(arguments.clone()))
        .map_err(|error| Failure::usage(format!("invalid arguments: {error}"), "see the tool's input schema"))
}

/// Of `match_claim`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MatchArguments {
    /// The claim, usually one sentence, worded as a paper would word it
    pub(crate) claim: String,
    /// Corpora to search: names from list_corpora, or paths of files of records or folders of papers below the root. All of list_corpora if left out
    pub(crate) corpora: Option<Vec<String>>,
    /// Literature services to search, of those in list_corpora. All of them if left out; [] searches none
    pub(crate) sources: Option<Vec<String>>,
    /// Leave out papers that are certainly later than this date: 2024, 2024-05 or 2024-05-17
    pub(crate) as_of: Option<PartialDate>,
    /// Ids of papers to leave out, such as the one that makes the claim
    #[serde(default)]
    pub(crate) exclude: Vec<WorkId>,
    /// Maximum number of papers, 1 to 50; 5 if left out
    pub(crate) limit: Option<usize>,
}

/// Of `search_prior_work`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchArguments {
    /// What to look for: key words or a whole abstract. Operators are not supported
    pub(crate) query: String,
    /// Corpora to search: names from list_corpora, or paths of files of records or folders of papers below the root. All of list_corpora if left out
    pub(crate) corpora: Option<Vec<String>>,
    /// Leave out papers that are certainly later than this date: 2024, 2024-05 or 2024-05-17
    pub(crate) as_of: Option<PartialDate>,
    /// Ids of papers to leave out
    #[serde(default)]
    pub(crate) exclude: Vec<WorkId>,
    /// Only papers whose venue contains this text, ignoring case
    pub(crate) venue: Option<String>,
    /// Only papers with a field of study that contains this text, ignoring case
    pub(crate) field: Option<String>,
    /// Maximum number of papers, 1 to 200; 10 if left out
    pub(crate) limit: Option<usize>,
}

/// Of `verify_quote`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct VerifyArguments {
    /// The quotes to check, each of 5 words or more, without quotation marks around it
    pub(crate) quotes: Vec<String>,
    /// The source: path of a paper or text file below the root. Give one of `source`, `text` and `id`
    pub(crate) source: Option<String>,
    /// The source as a text
    pub(crate) text: Option<String>,
    /// The source as the id of a paper in a corpus, as match_claim and search_prior_work return it
    pub(crate) id: Option<WorkId>,
    /// Where to look for ids: names from list_corpora, or paths of files of records or folders of papers below the root. All of list_corpora if left out
    pub(crate) corpora: Option<Vec<String>>,
}

/// Of `overlap`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OverlapArguments {
    /// The text to check: path of a paper or text file below the root. Give either this or `target_text`
    pub(crate) target: Option<String>,
    /// The text to check as a text
    pub(crate) target_text: Option<String>,
    /// Paths of the papers or text files to compare it with
    #[serde(default)]
    pub(crate) others: Vec<String>,
    /// Ids of papers in a corpus to compare it with
    #[serde(default)]
    pub(crate) other_ids: Vec<WorkId>,
    /// Where to look for ids: names from list_corpora, or paths of files of records or folders of papers below the root. All of list_corpora if left out
    pub(crate) corpora: Option<Vec<String>>,
    /// Texts to compare it with. Answers name them `text 1`, `text 2` and so on
    #[serde(default)]
    pub(crate) other_texts: Vec<String>,
    /// Minimum length of a shared passage in words, at least 5; 30 if left out
    pub(crate) min_words: Option<usize>,
}

/// Of `read_paper`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadArguments {
    /// Path of the paper below the root: PDF, Word (.docx), ODT, EPUB, LaTeX (file, folder, .zip or .tar.gz), HTML, JATS, TEI, Markdown or plain text. Give either this or `id`
    pub(crate) paper: Option<String>,
    /// Id of a paper in a corpus, as match_claim and search_prior_work return it
    pub(crate) id: Option<WorkId>,
    /// Where to look for ids: names from list_corpora, or paths of files of records or folders of papers below the root. All of list_corpora if left out
    pub(crate) corpora: Option<Vec<String>>,
    /// Read from this byte of the text on, such as the `start` of a section in the outline
    pub(crate) start: Option<usize>,
}

/// Of `assess`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AssessArguments {
    /// Path of the paper below the root: PDF, Word (.docx), ODT, EPUB, LaTeX (file, folder, .zip or .tar.gz), HTML, JATS, TEI, Markdown or plain text
    pub(crate) paper: String,
    /// Corpora to search: names from list_corpora, or paths of files of records or folders of papers below the root. All of list_corpora if left out
    pub(crate) corpora: Option<Vec<String>>,
    /// Literature services to search, of those in list_corpora. All of them if left out; [] searches none
    pub(crate) sources: Option<Vec<String>>,
    /// Cutoff date: later papers are not counted as prior work. The date found in the paper if left out
    pub(crate) as_of: Option<PartialDate>,
    /// Whether to use the server's model, if it has one; true if left out. Without a model the analysis is free and offline
    pub(crate) use_model: Option<bool>,
}

/// Of `check_idea`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct IdeaArguments {
    /// The idea in a few sentences: the problem, the method, and how it would be shown to work. Give either this or `file`
    pub(crate) idea: Option<String>,
    /// Path of a file with the idea, or of a paper, below the root
    pub(crate) file: Option<String>,
    /// What the idea states on a facet, if the facets of an earlier answer are wrong: purpose, mechanism, evaluation, application_domain
    pub(crate) facets: Option<BTreeMap<Facet, String>>,
    /// Corpora to search: names from list_corpora, or paths of files of records or folders of papers below the root. All of list_corpora if left out
    pub(crate) corpora: Option<Vec<String>>,
    /// Literature services to search, of those in list_corpora. All of them if left out; [] searches none
    pub(crate) sources: Option<Vec<String>>,
    /// Cutoff date: later papers are not counted as prior work. None if left out
    pub(crate) as_of: Option<PartialDate>,
    /// Whether to use the server's model, if it has one; true if left out. Without a model the analysis is free and offline
    pub(crate) use_model: Option<bool>,
}

/// Of `estimate`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EstimateArguments {
    /// Path of a paper below the root, for `assess`. Give one of `paper`, `idea` and `file`
    pub(crate) paper: Option<String>,
    /// An idea in a few sentences, for `check_idea`
    pub(crate) idea: Option<String>,
    /// Path of a file with an idea below the root, for `check_idea`
    pub(crate) file: Option<String>,
    /// Corpora to search: names from list_corpora, or paths of files of records or folders of papers below the root. All of list_corpora if left out
    pub(crate) corpora: Option<Vec<String>>,
    /// Literature services to search, of those in list_corpora. All of them if left out; [] searches none
    pub(crate) sources: Option<Vec<String>>,
    /// Cutoff date: later papers are not counted as prior work. For a paper, the date found in it if left out
    pub(crate) as_of: Option<PartialDate>,
    /// Whether to use the server's model, if it has one; true if left out. Without a model the analysis is free and offline
    pub(crate) use_model: Option<bool>,
}

/// Of `get_run`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RunArguments {
    /// Id of the run
    pub(crate) run: String,
    /// If the run has not ended: how many seconds to wait for its end, 0 to 45; 20 if left out
    pub(crate) wait_seconds: Option<u64>,
    /// Whether to return the Markdown report in pages; false if left out
    pub(crate) report: Option<bool>,
}

/// Of `cancel_run`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CancelArguments {
    /// Id of the run
    pub(crate) run: String,
}

/// Of `get_evidence`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EvidenceArguments {
    /// Id of a run of assess or check_idea that has ended
    pub(crate) run: String,
    /// Number of the claim in the report. All claims if left out. An idea has no claims
    pub(crate) claim: Option<u32>,
    /// Number of the paper in the report. All papers if left out
    pub(crate) paper: Option<u32>,
}

/// Of `list_corpora`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoArguments {}
