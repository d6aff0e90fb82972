//! Runs as folders.
//!
//! Input: a request, and the files rendered by a front end. Output: one folder per run with the reports, the record of finished stages, and a
//! manifest with the request, its times and its result. Out of scope: stages and rendering.

mod error;
mod folder;
mod lock;
mod manifest;

pub use error::RunError;
pub use folder::{FoundRun, RunFolder, list_runs, shared_batches, write_whole};
pub use lock::FolderLock;
pub use manifest::{
    AuditRequest, EncoderRequest, IdeaRequest, JobKind, MANIFEST_VERSION, Manifest, ModelRequest, PointsRequest,
    RankRequest, ReviewRequest, RunFile, RunRequest, RunStatus, SentTotal,
};
