//! The files of a corpus: its states, and the uploads that wait.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::uploads::Received;
use crate::users::hash_of;

/// The path of a state. Its last part is the name, which reports show.
pub(super) fn state_path(folder: &Path, state: u64, name: &str) -> PathBuf {
    folder.join("states").join(state.to_string()).join(name)
}

/// The numbers of the states on disk.
fn states(folder: &Path) -> Vec<u64> {
    let entries = fs::read_dir(folder.join("states")).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect()
}

/// The number of a new state after `current`. No state of this process had it, so that whoever deletes an old state later deletes no other, even if its
/// corpus was deleted and made again.
pub(super) fn new_number(folder: &Path, current: u64) -> u64 {
    static LATEST: Mutex<u64> = Mutex::new(0);
    let known = states(folder).into_iter().max().unwrap_or_default().max(current);
    let mut latest = LATEST.lock().unwrap_or_else(PoisonError::into_inner);
    *latest = known.max(*latest) + 1;
    *latest
}

/// Deletes all states but one: those of interrupted imports, and those that were replaced.
pub(super) fn sweep_states(folder: &Path, keep: u64) {
    for state in states(folder).into_iter().filter(|state| *state != keep) {
        if let Err(error) = fs::remove_dir_all(folder.join("states").join(state.to_string())) {
            tracing::warn!("failed to delete an old state of a corpus: {error}");
        }
    }
}

/// The files that wait, each in a folder with a number, in order.
pub(super) fn waiting(folder: &Path) -> Vec<PathBuf> {
    let list = |folder: &Path| {
        fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
    };
    let mut files: Vec<PathBuf> = list(&folder.join("waiting"))
        .flat_map(|numbered| list(&numbered))
        .collect();
    files.sort();
    files
}

/// Moves a file to those that wait. Usually a name has the same path each time, so that what is known about the file of an earlier upload is replaced.
pub(super) fn put(folder: &Path, name: &str, file: &Received) -> std::io::Result<()> {
    let taken: BTreeSet<PathBuf> = waiting(folder)
        .into_iter()
        .filter_map(|file| Some(file.parent()?.to_owned()))
        .collect();
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
    file.move_to(&free.join(name))
}

/// Deletes files that waited, with their folders.
pub(super) fn delete(files: &[PathBuf]) {
    for file in files {
        let _ = fs::remove_dir_all(file.parent().unwrap_or(file));
    }
}

/// The names of files, in order.
pub(super) fn names(files: &[PathBuf]) -> Vec<String> {
    let name = |file: &PathBuf| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut names: Vec<String> = files.iter().map(name).collect();
    names.sort();
    names
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
