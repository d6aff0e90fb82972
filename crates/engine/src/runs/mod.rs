//! Runs as folders.
//!
//! In: what was asked, and the files a front end rendered. Out: one folder a run, with the reports, the record of finished stages
//! and a manifest that says what was asked, when, and how it ended. Deliberately not here: stages and rendering.

mod error;
mod folder;
mod lock;
mod manifest;

pub use error::RunError;
pub use folder::{FoundRun, RunFolder, list_runs};
pub use manifest::{
    EncoderRequest, IdeaRequest, MANIFEST_VERSION, Manifest, ModelRequest, PointsRequest, ReviewRequest, RunFile,
    RunRequest, RunStatus, SentTotal,
};
