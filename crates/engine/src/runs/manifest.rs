use std::path::PathBuf;

use precedent_domain::{PartialDate, RunId};
use serde::{Deserialize, Serialize};

use super::RunError;

/// The newest shape of [`Manifest`] this program writes and reads.
pub const MANIFEST_VERSION: u32 = 1;

/// What was asked of a run, when, and how it ended. Kept on the user's own machine: unlike the reports it names local paths and times.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
}

/// What was asked of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRequest {
    /// The input, as an absolute path.
    pub input: PathBuf,
    /// Corpora to search, as absolute paths.
    pub corpora: Vec<PathBuf>,
    /// The date given with `--as-of`.
    pub as_of: Option<PartialDate>,
    /// The formats to write.
    pub formats: Vec<String>,
    /// The seed.
    pub seed: u64,
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
        let asked = serde_json::to_vec(self).unwrap_or_else(|_| self.input.as_os_str().as_encoded_bytes().to_vec());
        super::folder::run_id(&name, &asked)
    }
}

/// How a run stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
#[non_exhaustive]
pub enum RunStatus {
    /// Under way. Where the process that said so is gone, [`RunFolder::standing`](super::RunFolder::standing) says `Interrupted`.
    Running,
    /// Done.
    Complete,
    /// Done, but nothing could be searched: the report shows the paper alone.
    NothingSearched,
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
            Self::Interrupted => "interrupted",
            Self::Failed { .. } => "failed",
        }
    }
}

/// A file of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunFile {
    /// Its name inside the folder.
    pub name: String,
    /// SHA-256 of its bytes, in hex.
    pub sha256: String,
}
