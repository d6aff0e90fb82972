//! The files of a corpus: its states, and the uploads that wait.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::uploads::Received;
use crate::users::hash_of;

/// The highest number of a state that this process knows.
static LATEST: AtomicU64 = AtomicU64::new(0);

/// The state of a corpus that is searched. Whoever searches it holds it: one that was replaced is deleted when nobody does any more.
#[derive(Debug)]
pub(crate) struct StateFolder {
    folder: PathBuf,
    /// The corpus. Its last part is the name, which reports show.
    pub(super) path: PathBuf,
    replaced: AtomicBool,
}

impl StateFolder {
    /// The state of a record. `None` if the corpus has no papers yet.
    pub(super) fn new(folder: &Path, state: u64, name: &str) -> Option<Arc<Self>> {
        let folder = state_folder(folder, state);
        let state_folder = Self {
            path: folder.join(name),
            folder,
            replaced: AtomicBool::new(false),
        };
        (state > 0).then(|| Arc::new(state_folder))
    }

    /// Says that no new search gets it. The caller drops it where no lock is held.
    pub(super) fn replace(&self) {
        self.replaced.store(true, Ordering::Relaxed);
    }
}

impl Drop for StateFolder {
    fn drop(&mut self) {
        if self.replaced.load(Ordering::Relaxed) {
            // It may be gone, with its corpus.
            delete_state(&self.folder);
        }
    }
}

pub(super) fn state_folder(folder: &Path, state: u64) -> PathBuf {
    folder.join("states").join(state.to_string())
}

/// Deletes the folder of a state. The next server tries it again.
pub(super) fn delete_state(folder: &Path) {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            tracing::warn!("failed to delete an old state of a corpus: {error}");
        }
        _ => {}
    }
}

/// The number of a new state after `current`. No state of this process had it, so that whoever deletes an old state later deletes no other, even if its
/// corpus was deleted and made again.
pub(super) fn new_number(current: u64) -> u64 {
    LATEST.fetch_max(current, Ordering::Relaxed);
    LATEST.fetch_add(1, Ordering::Relaxed) + 1
}

/// Deletes what a server that was killed left in the folder of a corpus: folders without a waiting file, and all states but one, which are those of
/// interrupted imports and those that were replaced.
pub(super) fn sweep(folder: &Path, keep: u64) {
    for numbered in list(&folder.join("waiting")) {
        // Fails if it has a file.
        let _ = fs::remove_dir(numbered);
    }
    let states: Vec<u64> = list(&folder.join("states"))
        .filter_map(|state| state.file_name()?.to_str()?.parse().ok())
        .collect();
    LATEST.fetch_max(states.iter().copied().max().unwrap_or_default(), Ordering::Relaxed);
    if keep > 0 && !state_folder(folder, keep).exists() {
        return;
    }
    for state in states.into_iter().filter(|state| *state != keep) {
        delete_state(&state_folder(folder, state));
    }
}

/// What is in a folder; nothing if it cannot be read.
fn list(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path())
}

/// A file that waits for an import, in a folder with a number.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct WaitingFile {
    pub(super) path: PathBuf,
    pub(super) bytes: u64,
}

/// The files that wait, as the last server left them.
pub(super) fn waiting(folder: &Path) -> Vec<WaitingFile> {
    let files = list(&folder.join("waiting")).flat_map(|numbered| list(&numbered));
    files
        .map(|path| WaitingFile {
            bytes: fs::metadata(&path).map_or(0, |facts| facts.len()),
            path,
        })
        .collect()
}

/// Moves a file to those that wait, whose folders are `taken`. Usually a name has the same path each time, so that what is known about the file of an
/// earlier upload is replaced.
pub(super) fn put(
    folder: &Path,
    taken: &mut BTreeSet<PathBuf>,
    name: &str,
    file: &Received,
) -> io::Result<WaitingFile> {
    let hash = hash_of(name);
    let place = |number: u64| {
        folder
            .join("waiting")
            .join(format!("{}-{number}", hash.get(..16).unwrap_or_default()))
    };
    let free = (1..)
        .map(place)
        .find(|path| !taken.contains(path))
        .unwrap_or_else(|| place(0));
    fs::create_dir_all(&free)?;
    let path = free.join(name);
    file.move_to(&path).inspect_err(|_| drop(fs::remove_dir(&free)))?;
    taken.insert(free);
    Ok(WaitingFile {
        path,
        bytes: file.bytes,
    })
}

/// Moves a file from those that wait back to where it was received, where it is deleted.
pub(super) fn take_back(waiting: &WaitingFile, file: &Received) {
    if file.move_back(&waiting.path).is_ok() {
        let _ = fs::remove_dir(waiting.path.parent().unwrap_or(&waiting.path));
    }
}

/// Deletes files that waited, with their folders.
pub(super) fn delete(files: &[PathBuf]) {
    for file in files {
        let _ = fs::remove_dir_all(file.parent().unwrap_or(file));
    }
}

/// The names of files, in order.
pub(super) fn names<'f>(files: impl IntoIterator<Item = &'f PathBuf>) -> Vec<String> {
    let name = |file: &PathBuf| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut names: Vec<String> = files.into_iter().map(name).collect();
    names.sort();
    names
}

/// Makes the names of what is in a folder durable, so that a file that was moved there is found after a power failure.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    // Other systems do not open a folder as a file.
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// Makes everything in a folder durable.
pub(super) fn sync_all(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type()? {
            kind if kind.is_dir() => sync_all(&entry.path())?,
            // Windows wants to write to what it makes durable.
            kind if kind.is_file() => File::options()
                .read(true)
                .write(cfg!(windows))
                .open(entry.path())?
                .sync_all()?,
            _ => {}
        }
    }
    sync_folder(folder)
}

/// The size of all files in a folder.
pub(super) fn size_of(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let size = |entry: fs::DirEntry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => size_of(&entry.path()),
        Ok(kind) if kind.is_file() => entry.metadata().map_or(0, |facts| facts.len()),
        _ => 0,
    };
    entries.map(size).sum()
}
