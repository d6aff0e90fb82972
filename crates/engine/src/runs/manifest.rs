use std::collections::BTreeMap;
use std::path::PathBuf;

use precedent_domain::{Identifiers, ModelUse, PartialDate, RunId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::RunError;
use crate::model::{Depth, Policy};

/// The newest shape of [`Manifest`] this program writes and reads.
pub const MANIFEST_VERSION: u32 = 1;

/// What was asked of a run, when, and how it ended. Kept on the user's own machine: unlike the reports it names local paths and times.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Manifest {
    /// [`MANIFEST_VERSION`] of the program that wrote it.
    pub manifest_version: u32,
    /// The run.
    pub run: RunId,
    /// Version of the program.
    pub program_version: String,
    /// What was asked: enough to do it again.
    pub request: RunRequest,
    /// SHA-256 of the input, in hex; `None` until it has been read.
    pub input_sha256: Option<String>,
    /// Title of the paper, once read.
    pub title: Option<String>,
    /// When the run began: seconds since 1970-01-01 UTC.
    pub started: u64,
    /// When it ended.
    pub ended: Option<u64>,
    /// How it stands.
    pub status: RunStatus,
    /// The files written, by name.
    pub files: Vec<RunFile>,
    /// What was asked of models, by prompt, with tokens and money.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<ModelUse>,
    /// What left the machine, every try counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sent: Vec<SentTotal>,
}

/// What was sent to one host.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SentTotal {
    /// Which part of the program asked.
    pub who: String,
    /// The host.
    pub host: String,
    /// Tries.
    pub requests: u64,
    /// Bytes of addresses and bodies that went out.
    pub bytes_out: u64,
    /// Bytes of bodies that came back.
    pub bytes_in: u64,
    /// How the tries ended: a status, or what went wrong.
    pub outcomes: BTreeMap<String, u64>,
}

/// What was asked of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunRequest {
    /// The input, as an absolute path.
    pub input: PathBuf,
    /// What the paper's name told, where it was named and fetched.
    #[serde(default, skip_serializing_if = "Identifiers::is_empty")]
    pub named: Identifiers,
    /// Corpora to search, as absolute paths.
    pub corpora: Vec<PathBuf>,
    /// Services to ask, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<String>,
    /// The settings file that was named, where services are asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settings: Option<PathBuf>,
    /// Most works whose full text is fetched where services are asked; `None` for the usual number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full_texts: Option<usize>,
    /// The date given with `--as-of`.
    pub as_of: Option<PartialDate>,
    /// The formats to write.
    pub formats: Vec<String>,
    /// The seed.
    pub seed: u64,
    /// The model that judges; `None` for the offline analyst.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelRequest>,
    /// What is asked of an idea, where the run is about one or many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idea: Option<IdeaRequest>,
    /// What is asked of a paper's points, where the run is about them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<PointsRequest>,
    /// What is asked of the review of an idea, where the run is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<ReviewRequest>,
}

/// What is asked of the review of an idea, besides what is asked of every run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewRequest {
    /// The idea itself, where it did not come as a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// A folder of dimensions, as an absolute path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dimensions: Option<PathBuf>,
    /// A folder of readers, as an absolute path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub personas: Option<PathBuf>,
    /// Readers on the board.
    pub board: usize,
    /// Most rounds of the search.
    pub rounds: usize,
    /// Pieces kept of each kind.
    pub keep: usize,
    /// How many times as many are judged.
    pub oversample: usize,
    /// Weight of nearness beside a model's judgement, in percent.
    pub alpha_percent: u8,
    /// The model of vectors: its name, or its folder as an absolute path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedder: Option<String>,
}

/// What is asked of a paper's points, besides what is asked of every run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PointsRequest {
    /// Most works of the base, the paper counted.
    pub capacity: usize,
    /// Models that order passages, in place of the program's own ways.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoders: Option<EncoderRequest>,
}

/// Models of vectors and of order. No key stands here.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EncoderRequest {
    /// The embedder: its name, or its folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedder: Option<String>,
    /// Where it is served; on this machine where none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedder_url: Option<String>,
    /// The reranker: its name, or its folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reranker: Option<String>,
    /// Where it is served; on this machine where none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reranker_url: Option<String>,
}

/// What is asked of an idea, besides what is asked of every run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IdeaRequest {
    /// The idea itself, where it did not come as a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Whether the input holds an idea a line.
    #[serde(default)]
    pub batch: bool,
    /// A file of labelled examples, as an absolute path; the built-in ones otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub examples: Option<PathBuf>,
    /// Papers that the idea was made from: absolute paths, names such as `arXiv:2509.08755`, or titles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seeds: Vec<String>,
    /// Services that were named one by one, and so may be asked with the whole idea.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub whole_to: Vec<String>,
    /// The idea's own paper.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own: Option<PathBuf>,
    /// How often a model is asked for the verdict.
    pub samples: usize,
    /// Whether a line of a batch holds the whole report.
    #[serde(default)]
    pub full: bool,
    /// Ideas of a batch that are worked on at the same time.
    #[serde(default)]
    pub workers: usize,
    /// The model of vectors: its name, or its folder as an absolute path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedder: Option<String>,
}

/// Which model is asked, and how far the program may go for it. No key stands here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelRequest {
    /// `provider:name`.
    pub model: String,
    /// Where it is served, if not at its provider's own address.
    pub url: Option<String>,
    /// Other models for single stages.
    pub stages: BTreeMap<String, String>,
    /// How much of a work is read.
    pub depth: Depth,
    /// What of a model's words is printed.
    pub policy: Policy,
    /// Most questions at the same time.
    pub at_once: usize,
    /// Whether every host but this machine and the private hosts is refused.
    pub local_only: bool,
    /// Hosts of one's own network.
    pub private_hosts: Vec<String>,
    /// Most that may be spent, in US dollars.
    pub budget: Option<f64>,
    /// The settings file that was named.
    pub settings: Option<PathBuf>,
}

impl RunRequest {
    /// The id of the run that this request makes: the same request always has the same.
    ///
    /// # Errors
    /// When no id can be made of it.
    pub fn run_id(&self) -> Result<RunId, RunError> {
        let name = self
            .input
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        // A request is paths, names and numbers; one that could not be written down would still be told apart by its input.
        let mut lasting = self.clone();
        lasting.settings = None;
        if let Some(idea) = &mut lasting.idea {
            idea.workers = 0;
        }
        if let Some(model) = &mut lasting.model {
            // With more money, or faster, the same run goes on.
            (model.budget, model.at_once, model.settings) = (None, 0, None);
        }
        let asked = serde_json::to_vec(&lasting).unwrap_or_else(|_| self.input.as_os_str().as_encoded_bytes().to_vec());
        super::folder::run_id(&name, &asked)
    }
}

/// How a run stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "state", rename_all = "snake_case")]
#[non_exhaustive]
pub enum RunStatus {
    /// Under way. Where the process that said so is gone, [`RunFolder::standing`](super::RunFolder::standing) says `Interrupted`.
    Running,
    /// Done.
    Complete,
    /// Done, but nothing could be searched: the report shows the paper alone.
    NothingSearched,
    /// Done, but calls to the model failed: the same command again retries them.
    Incomplete,
    /// Done as far as the budget went: the report is labelled as partial. With a larger budget the run goes on.
    OverBudget,
    /// Stopped by the user, or killed: it can be resumed.
    Interrupted,
    /// Ended by an error.
    Failed {
        /// The error in words.
        reason: String,
    },
}

impl RunStatus {
    /// One word for lists and `--json`.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Complete => "complete",
            Self::NothingSearched => "nothing_searched",
            Self::Incomplete => "incomplete",
            Self::OverBudget => "over_budget",
            Self::Interrupted => "interrupted",
            Self::Failed { .. } => "failed",
        }
    }
}

/// A file of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunFile {
    /// Its name inside the folder.
    pub name: String,
    /// SHA-256 of its bytes, in hex.
    pub sha256: String,
}
