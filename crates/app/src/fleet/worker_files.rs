//! The folder of a worker.

use std::fs;
use std::path::{Path, PathBuf};

use crate::runs::RunFolder;

use super::store::Store;
use super::tree;
use crate::AppError;

/// Folders in that of a worker: runs in progress, and corpora by hash.
pub(crate) const RUNS: &str = "runs";
pub(crate) const CORPORA: &str = "corpora";

/// Deletes what workers that were killed left.
pub(crate) fn sweep(runs: &Path) {
    for entry in fs::read_dir(runs).into_iter().flatten().flatten() {
        if let Ok(unused) = RunFolder::create(&entry.path()) {
            drop(unused);
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Whether a file of a run is put into the store: not its lock, files being written, and indexes that can be made again.
pub(crate) fn is_kept(path: &str) -> bool {
    !path.starts_with('.') && !path.starts_with("index/") && path != "ledger.sqlite-shm"
}

/// Fetches a file or folder into the folder of its hash in `all`, for the worker `name`. Returns where it is.
pub(crate) async fn fetch_into(store: &Store, all: &Path, name: &str, hash: &str) -> Result<PathBuf, AppError> {
    let place = all.join(hash);
    let found = tree::tree(store, hash).await?;
    if !found.is_in(&place) {
        let half = all.join(format!(".{hash}.{name}"));
        let failed = |error| crate::cannot_write(&place, &error);
        let _ = fs::remove_dir_all(&half);
        found.pull(store, &half).await.inspect_err(|_| {
            let _ = fs::remove_dir_all(&half);
        })?;
        // Another process may have put it there meanwhile, or a disk lost a part of it.
        if fs::rename(&half, &place).is_err() && !found.is_in(&place) {
            fs::remove_dir_all(&place).map_err(failed)?;
            fs::rename(&half, &place).map_err(failed)?;
        }
        let _ = fs::remove_dir_all(&half);
    }
    Ok(found.root(&place))
}
