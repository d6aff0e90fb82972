use std::fs;
use std::path::{Path, PathBuf};

use crate::runs::RunFolder;

/// A folder where the runs of a process index corpora that are given as files, so that each is read once. It is deleted with this.
pub(crate) struct SharedIndex {
    folder: PathBuf,
    lock: Option<RunFolder>,
}

impl SharedIndex {
    /// That of a batch, in its folder.
    pub(crate) fn of_batch(dir: &Path) -> Option<Self> {
        Self::create(&dir.join(".corpora"))
    }

    /// Creates the folder, or takes over what a killed process left. `None` if another process uses it: then each run indexes the files for itself.
    pub(crate) fn create(folder: &Path) -> Option<Self> {
        let lock = RunFolder::create(folder).ok()?;
        Some(Self {
            folder: folder.to_owned(),
            lock: Some(lock),
        })
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.join("index")
    }
}

impl Drop for SharedIndex {
    fn drop(&mut self) {
        // What cannot be deleted is taken over by the next process.
        let _ = fs::remove_dir_all(self.path());
        drop(self.lock.take());
        let _ = fs::remove_dir_all(&self.folder);
    }
}
