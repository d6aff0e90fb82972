use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use precedent_engine::domain::{Facet, Identifiers, ModelUse, PartialDate, RunId};
use precedent_engine::model::{Depth, Policy};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::RunError;

/// The latest [`Manifest`] version that this program writes and reads.
pub const MANIFEST_VERSION: u32 = 1;

/// A run's request, its times and its result. Stays on the user's machine: unlike reports, it contains local paths and times.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Manifest {
    /// [`MANIFEST_VERSION`] of the program that wrote it.
    pub manifest_version: u32,
    /// Id of the run.
    pub run: RunId,
    /// Version of the program.
    pub program_version: String,
    /// The request, complete enough to repeat the run.
    pub request: RunRequest,
    /// SHA-256 of the input, in hex; `None` until it has been read.
    pub input_sha256: Option<String>,
    /// Title of the paper, once known.
    pub title: Option<String>,
    /// Start time in seconds since 1970-01-01 UTC.
    pub started: u64,
    /// End time.
    pub ended: Option<u64>,
    /// Current status.
    pub status: RunStatus,
    /// The files written, by name.
    pub files: Vec<RunFile>,
    /// Use of models by prompt, with tokens and cost.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<ModelUse>,
    /// Everything sent from this machine, including failed attempts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sent: Vec<SentTotal>,
}

/// What was sent to one host.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SentTotal {
    /// The part of the program that sent the requests.
    pub who: String,
    /// The host.
    pub host: String,
    /// Number of attempts.
    pub requests: u64,
    /// Bytes of URLs and bodies sent.
    pub bytes_out: u64,
    /// Bytes of bodies received.
    pub bytes_in: u64,
    /// Results of the attempts: a status or an error.
    pub outcomes: BTreeMap<String, u64>,
}

/// The request of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunRequest {
    /// The input, as an absolute path.
    pub input: PathBuf,
    /// Identifiers of the paper, if it was named and fetched.
    #[serde(default, skip_serializing_if = "Identifiers::is_empty")]
    pub named: Identifiers,
    /// Corpora to search, as absolute paths.
    pub corpora: Vec<PathBuf>,
    /// Services to search, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<String>,
    /// Ignore answers of services that other runs recorded on this machine. Not recorded, because a run has its own record.
    #[serde(skip)]
    pub refresh: bool,
    /// Settings file given on the command line, if services are searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settings: Option<PathBuf>,
    /// Maximum number of full texts to fetch from services; `None` for the default.
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
    /// Options of a run for one or many ideas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idea: Option<IdeaRequest>,
    /// Options of a points run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<PointsRequest>,
    /// Options of an idea review, or of the reviews of the ideas of a ranking.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<ReviewRequest>,
    /// Set for a ranking of ideas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<RankRequest>,
    /// Set for an audit of a report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<AuditRequest>,
}

/// Options of a ranking, in addition to those of every run. The input is the first idea.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RankRequest {
    /// The other ideas, as absolute paths.
    pub others: Vec<PathBuf>,
    /// A folder of dimensions, as an absolute path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dimensions: Option<PathBuf>,
    /// Number of random orders, if not the default for the number of ideas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draws: Option<usize>,
}

/// Options of an audit, in addition to those of every run. The input is the report.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditRequest {
    /// The paper that the report is about, as an absolute path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paper: Option<PathBuf>,
}

/// Options of an idea review, in addition to those of every run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewRequest {
    /// The idea itself, if it was not given as a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Whether the input has one idea per line.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub batch: bool,
    /// A folder of dimensions, as an absolute path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dimensions: Option<PathBuf>,
    /// A folder of personas, as an absolute path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub personas: Option<PathBuf>,
    /// Ids of the personas that always sit on the board, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub required_personas: Vec<String>,
    /// Number of personas on the board.
    pub board: usize,
    /// Maximum number of search rounds.
    pub rounds: usize,
    /// Pieces of evidence kept per kind.
    pub keep: usize,
    /// Multiple of that number to judge.
    pub oversample: usize,
    /// Weight of similarity compared with the model's judgement, in percent.
    pub alpha_percent: u8,
    /// Whether the model that judges relevance sees citations, venue and stars.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub as_published: bool,
    /// Embedding model: its name, or its folder as an absolute path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedder: Option<String>,
    /// Reranking model. Its `embedder` is not set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reranker: Option<EncoderRequest>,
}

/// Options of a points run, in addition to those of every run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PointsRequest {
    /// Maximum number of works in the base, including the paper.
    pub capacity: usize,
    /// Models that rank passages instead of the built-in method.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoders: Option<EncoderRequest>,
}

/// Embedding and reranking models. Contains no API keys.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EncoderRequest {
    /// The embedder: its name or its folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedder: Option<String>,
    /// URL of the embedder; runs on this machine if not set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedder_url: Option<String>,
    /// The reranker: its name or its folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reranker: Option<String>,
    /// URL of the reranker; runs on this machine if not set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reranker_url: Option<String>,
    /// Whether only this machine and the private hosts may be contacted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub local_only: bool,
    /// Hosts of the user's own network that `local_only` allows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub private_hosts: Vec<String>,
}

impl EncoderRequest {
    /// The request without the places of its models, and without which hosts may be contacted. A name on a server is no place.
    fn clear_places(&mut self) {
        (self.local_only, self.private_hosts) = (false, Vec::new());
        if self.embedder_url.is_none() {
            clear_place(&mut self.embedder);
        }
        if self.reranker_url.is_none() {
            clear_place(&mut self.reranker);
        }
    }
}

/// Options of an idea run, in addition to those of every run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IdeaRequest {
    /// The idea itself, if it was not given as a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Whether the input has one idea per line.
    #[serde(default)]
    pub batch: bool,
    /// A file of labelled examples, as an absolute path; `None` for the built-in ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub examples: Option<PathBuf>,
    /// Papers the idea is based on: absolute paths, names such as `arXiv:2509.08755`, or titles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seeds: Vec<String>,
    /// Services named individually, which may therefore receive the whole idea.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub whole_to: Vec<String>,
    /// What the user says that the idea states on a facet.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub facets: BTreeMap<Facet, String>,
    /// The idea's own paper.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own: Option<PathBuf>,
    /// Number of verdict requests to the model.
    pub samples: usize,
    /// Whether each line of a batch contains the full report.
    #[serde(default)]
    pub full: bool,
    /// Number of batch ideas processed in parallel.
    #[serde(default)]
    pub workers: usize,
    /// Embedding model: its name, or its folder as an absolute path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedder: Option<String>,
}

/// The model and its limits. Contains no API keys.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelRequest {
    /// `provider:name`.
    pub model: String,
    /// URL if not the provider's own.
    pub url: Option<String>,
    /// Models for individual stages.
    pub stages: BTreeMap<String, String>,
    /// How much of a paper is read.
    pub depth: Depth,
    /// How much of a model's text is printed.
    pub policy: Policy,
    /// Maximum number of concurrent requests. The default depends on how many papers run at the same time.
    #[serde(default)]
    pub at_once: Option<usize>,
    /// Whether only this machine and the private hosts may be contacted.
    pub local_only: bool,
    /// Hosts of the user's own network.
    pub private_hosts: Vec<String>,
    /// Spending limit in US dollars.
    pub budget: Option<f64>,
    /// Spending limit in tokens of input and output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_tokens: Option<u64>,
    /// Whether requests go to the provider's batch endpoint.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub provider_batch: bool,
    /// Settings file given on the command line.
    pub settings: Option<PathBuf>,
}

impl RunRequest {
    /// The id of this request's run. The same options over the same contents have the same id, wherever the files are. `contents` are digests of the
    /// files, folders and corpora that the request names, in an order that depends on the request alone.
    ///
    /// # Errors
    /// If no valid id can be derived from it.
    pub fn run_id(&self, contents: &[String]) -> Result<RunId, RunError> {
        let name = self.input.file_name().unwrap_or_default().to_string_lossy();
        // If serializing the request failed, the contents would still distinguish it.
        let asked = serde_json::to_vec(&(self.lasting(), contents)).unwrap_or_else(|_| contents.concat().into_bytes());
        run_id(&name, &asked)
    }

    /// The job that it asks for.
    #[must_use]
    pub fn job(&self) -> JobKind {
        match self {
            Self { idea: Some(idea), .. } if idea.batch => JobKind::Ideas,
            Self { idea: Some(_), .. } => JobKind::Idea,
            Self { points: Some(_), .. } => JobKind::Points,
            // A ranking may have options for the reviews of its ideas.
            Self { rank: Some(_), .. } => JobKind::Rank,
            Self {
                review: Some(review), ..
            } if review.batch => JobKind::Reviews,
            Self { review: Some(_), .. } => JobKind::Review,
            Self { audit: Some(_), .. } => JobKind::Audit,
            _ => JobKind::Assess,
        }
    }

    /// The request without the places of its files, and without what may change while a run continues: the budget, how much is done at once, and the
    /// settings file.
    fn lasting(&self) -> Self {
        let mut lasting = self.clone();
        lasting.input = PathBuf::new();
        lasting.corpora.clear();
        lasting.settings = None;
        for name in &mut lasting.sources {
            // A local source is `kind:place`.
            name.truncate(name.find(':').unwrap_or(name.len()));
        }
        if let Some(idea) = &mut lasting.idea {
            (idea.examples, idea.own, idea.workers) = (None, None, 0);
            idea.seeds.retain(|seed| !Path::new(seed).is_absolute());
            clear_place(&mut idea.embedder);
        }
        if let Some(points) = &mut lasting.points
            && let Some(encoders) = &mut points.encoders
        {
            encoders.clear_places();
        }
        if let Some(review) = &mut lasting.review {
            (review.dimensions, review.personas) = (None, None);
            clear_place(&mut review.embedder);
            if let Some(encoders) = &mut review.reranker {
                encoders.clear_places();
            }
        }
        if let Some(rank) = &mut lasting.rank {
            rank.others.clear();
            rank.dimensions = None;
        }
        if let Some(audit) = &mut lasting.audit {
            audit.paper = None;
        }
        if let Some(model) = &mut lasting.model {
            (model.budget, model.budget_tokens, model.at_once, model.settings) = (None, None, Some(0), None);
        }
        lasting
    }
}

/// A job that has runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobKind {
    /// Checks the claims of a paper.
    Assess,
    /// Compares a paper point by point.
    Points,
    /// Checks one idea.
    Idea,
    /// Checks a batch of ideas.
    Ideas,
    /// Reviews an idea or a paper.
    Review,
    /// Reviews ideas, one per line.
    Reviews,
    /// Ranks ideas.
    Rank,
    /// Audits a report.
    Audit,
}

impl JobKind {
    /// The command of the job.
    #[must_use]
    pub fn command(self) -> &'static str {
        match self {
            Self::Assess => "assess",
            Self::Points => "points",
            Self::Idea | Self::Ideas => "idea",
            Self::Review | Self::Reviews => "review",
            Self::Rank => "rank",
            Self::Audit => "audit",
        }
    }
}

/// Keeps only the name of a folder, for models whose folder is named.
fn clear_place(model: &mut Option<String>) {
    if let Some(place) = model
        && Path::new(place.as_str()).is_absolute()
    {
        let name = Path::new(place.as_str()).file_name().unwrap_or_default();
        *place = name.to_string_lossy().into_owned();
    }
}

/// Status of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "state", rename_all = "snake_case")]
#[non_exhaustive]
pub enum RunStatus {
    /// Running. If the process is gone, [`RunFolder::current_manifest`](super::RunFolder::current_manifest) reports `Interrupted`.
    Running,
    /// Finished.
    Complete,
    /// Finished, but every search failed. The report covers the paper alone.
    NothingSearched,
    /// Finished, but model calls failed. Running the same command again retries them.
    Incomplete,
    /// Stopped by the budget. The report is labelled as partial, and a larger budget continues the run.
    OverBudget,
    /// Stopped by the user or killed; can be resumed.
    Interrupted,
    /// Failed with an error.
    Failed {
        /// The error message.
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

/// The id of a run: words of `name` (a file name) and 64 bits of the request's hash in hex, so that the same request uses the same folder.
pub(super) fn run_id(name: &str, asked: &[u8]) -> Result<RunId, RunError> {
    let mut words = String::new();
    for c in name.chars().flat_map(char::to_lowercase) {
        if c.is_ascii_alphanumeric() {
            words.push(c);
        } else if !words.is_empty() && !words.ends_with('-') {
            words.push('-');
        }
    }
    words.truncate(40);
    let words = words.trim_end_matches('-');
    let hash: String = Sha256::digest(asked)
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let id = if words.is_empty() {
        format!("run-{hash}")
    } else {
        format!("{words}-{hash}")
    };
    Ok(id.parse()?)
}
