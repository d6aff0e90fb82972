use std::fs;
use std::path::Path;

use precedent_app::CorpusAddition;
use precedent_app::runs::write_whole;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::files::sync_folder;
use crate::error::Problem;

/// The file with the record of a corpus.
const FILE: &str = "corpus.json";
/// Imports that a record keeps; chosen by hand.
const MOST_IMPORTS: usize = 20;
/// Records and papers that the record of an import names. All are counted. Chosen by hand: a page has room for them.
const MOST_LEFT_OUT: usize = 100;

/// A corpus that a user made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct CorpusRecord {
    /// Its name, which is also the name of its folder.
    pub(super) name: String,
    /// Seconds since 1970-01-01, UTC.
    pub(super) created: u64,
    /// The number of the state that is searched; 0 if there is none.
    pub(super) state: u64,
    /// Papers in that state.
    pub(super) papers: u64,
    /// Its size.
    pub(super) bytes: u64,
    /// The latest imports, newest first.
    pub(super) imports: Vec<ImportRecord>,
}

impl CorpusRecord {
    pub(super) fn read(folder: &Path) -> Option<Self> {
        let text = fs::read(folder.join(FILE)).ok()?;
        serde_json::from_slice(&text)
            .inspect_err(|error| tracing::warn!("{} is not a corpus: {error}", folder.display()))
            .ok()
    }

    /// Whether a folder has a record, readable or not.
    pub(super) fn is_in(folder: &Path) -> bool {
        folder.join(FILE).exists()
    }

    pub(super) fn write(&self, folder: &Path) -> std::io::Result<()> {
        write_whole(&folder.join(FILE), &serde_json::to_vec_pretty(self)?)?;
        // What it no longer names may be deleted from now on.
        sync_folder(folder)
    }

    pub(super) fn add_import(&mut self, import: ImportRecord) {
        self.imports.insert(0, import);
        self.imports.truncate(MOST_IMPORTS);
    }
}

/// An import that has ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct ImportRecord {
    /// Seconds since 1970-01-01, UTC.
    pub(crate) ended: u64,
    /// Names of the uploaded files.
    pub(crate) files: Vec<String>,
    /// Why it failed. Then the corpus is as it was before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) problem: Option<Problem>,
    /// New papers.
    pub(crate) added: u64,
    /// Papers that replaced an earlier record with the same id.
    pub(crate) updated: u64,
    /// Papers that were there already.
    pub(crate) unchanged: u64,
    /// Records and papers that could not be used.
    pub(crate) left_out_count: u64,
    /// The first hundred of them.
    pub(crate) left_out: Vec<LeftOut>,
    /// Names of files that are neither records nor papers.
    pub(crate) skipped: Vec<String>,
}

/// A record or a paper that could not be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct LeftOut {
    /// The file.
    pub(crate) file: String,
    /// Line or item in the file, if it has several records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) position: Option<u64>,
    /// Why.
    pub(crate) reason: String,
}

impl ImportRecord {
    pub(super) fn new(files: Vec<String>, ended: u64, outcome: Result<&CorpusAddition, Problem>) -> Self {
        let nothing = CorpusAddition::default();
        let (done, problem) = match outcome {
            Ok(done) => (done, None),
            Err(problem) => (&nothing, Some(problem)),
        };
        let left_out = done.left_out.iter().take(MOST_LEFT_OUT).map(|one| LeftOut {
            file: one.file.clone(),
            position: one.position,
            reason: one.reason.clone(),
        });
        Self {
            ended,
            files,
            problem,
            added: done.added,
            updated: done.updated,
            unchanged: done.unchanged,
            left_out_count: done.left_out_count,
            left_out: left_out.collect(),
            skipped: done.skipped.clone(),
        }
    }
}

/// What happens to the files that were uploaded to a corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ImportState {
    /// There are none.
    Ready,
    /// They wait for a free process, or until no run uses the corpus.
    Waiting,
    /// They are being imported.
    Importing,
}

impl ImportState {
    /// The label on pages.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Ready => "Ready",
            Self::Waiting => "Waiting",
            Self::Importing => "Importing",
        }
    }

    /// The style of the label: that of the states of runs.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Self::Ready => "finished",
            Self::Waiting => "queued",
            Self::Importing => "running",
        }
    }

    pub(crate) fn is_active(self) -> bool {
        self != Self::Ready
    }
}

/// How far an import is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct ImportProgress {
    /// Records and papers so far, with those that cannot be used.
    pub(crate) papers: u64,
    /// Bytes of the files so far.
    pub(crate) bytes: u64,
    /// Bytes of all files.
    pub(crate) all_bytes: u64,
}

impl ImportProgress {
    /// Percent of the bytes.
    pub(crate) fn percent(&self) -> u64 {
        self.bytes.saturating_mul(100) / self.all_bytes.max(1)
    }
}

/// A corpus of a user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct CorpusView {
    /// Its name.
    pub(crate) name: String,
    /// Seconds since 1970-01-01, UTC.
    pub(crate) created: u64,
    /// Papers that requests can search.
    pub(crate) papers: u64,
    /// Its size on the server, in bytes.
    pub(crate) bytes: u64,
    /// What happens to uploaded files.
    pub(crate) state: ImportState,
    /// Its place in the queue, if an import waits.
    pub(crate) position: Option<usize>,
    /// Names of the files that wait or are being imported.
    pub(crate) files: Vec<String>,
    /// How far the import is.
    pub(crate) progress: Option<ImportProgress>,
    /// The latest imports, newest first.
    pub(crate) imports: Vec<ImportRecord>,
    /// Whether the server has a corpus of the same name, which requests get instead of this one.
    pub(crate) hidden: bool,
}
