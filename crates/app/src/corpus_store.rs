use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::{App, AppError, ErrorKind};
#[cfg(feature = "postgres")]
use crate::{Settings, fleet, runtime::outside_runtime};

/// A store with snapshots of corpora.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CorpusStore {
    /// A folder, or `s3://BUCKET/PREFIX`.
    pub place: String,
    /// Settings file, if not the default one.
    pub settings: Option<PathBuf>,
}

/// A snapshot of a corpus in a store. It never changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CorpusSnapshot {
    /// Its name in the store, if it was pushed or pulled by name.
    pub name: Option<String>,
    /// Its number among the snapshots with this name, from 1.
    pub number: Option<u64>,
    /// The hash of its files.
    pub hash: String,
    /// Papers in it.
    pub papers: u64,
}

/// Whether a name is a hash.
pub(crate) fn is_hash(name: &str) -> bool {
    name.len() == 64 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The folder of a corpus that is pulled without a folder.
///
/// # Errors
/// If it is given by a hash, which is no name for a folder.
pub fn pulled_folder(wanted: &str) -> Result<PathBuf, AppError> {
    match is_hash(wanted) {
        true => Err(
            AppError::with_message(ErrorKind::Usage, "a snapshot that is given by its hash needs a folder")
                .hint("add the folder after the hash"),
        ),
        false => Ok(PathBuf::from(wanted)),
    }
}

impl App {
    /// Writes the corpus in `dir` to a store as the newest snapshot with a name, by default that of its folder. Blocks the calling thread.
    ///
    /// # Errors
    /// If the folder has no corpus, the name cannot be used, another process changes the corpus, or the store cannot be used.
    pub fn push_corpus(&self, dir: &Path, name: Option<&str>, store: &CorpusStore) -> Result<CorpusSnapshot, AppError> {
        #[cfg(feature = "postgres")]
        return outside_runtime(|| {
            let settings = Settings::load(store.settings.as_deref())?;
            fleet::push_corpus(dir, name, &store.place, &settings)
        });
        #[cfg(not(feature = "postgres"))]
        {
            let _ = (dir, name, store);
            Err(no_stores())
        }
    }

    /// Writes a snapshot to the folder `dir`: that with the hash `wanted`, or else the newest with this name. Blocks the calling thread.
    ///
    /// # Errors
    /// If there is no such snapshot, a part of it is missing or damaged, or the folder has something that is not in the store.
    pub fn pull_corpus(&self, wanted: &str, dir: &Path, store: &CorpusStore) -> Result<CorpusSnapshot, AppError> {
        #[cfg(feature = "postgres")]
        return outside_runtime(|| {
            let settings = Settings::load(store.settings.as_deref())?;
            fleet::pull_corpus(wanted, dir, &store.place, &settings)
        });
        #[cfg(not(feature = "postgres"))]
        {
            let _ = (wanted, dir, store);
            Err(no_stores())
        }
    }
}

#[cfg(not(feature = "postgres"))]
fn no_stores() -> AppError {
    let message = "failed to use the store: this program was built without object stores";
    AppError::with_message(ErrorKind::Usage, message).hint("build it with `cargo build --release --features postgres`")
}
