use std::fs;
use std::io;
use std::path::Path;

use precedent_engine::corpus::Corpus;
use serde::{Deserialize, Serialize};

use super::store::{Store, is_hash};
use super::store_and_queue::open_store;
use super::tree::{self, Tree, is_safe_name};
use crate::runtime::runtime_here;
use crate::{AppError, CorpusSnapshot, ErrorKind, Settings};

/// Folders of a corpus with files that are not of one state: they can be made again, or belong to no state.
const DERIVED: [&str; 2] = ["index", "vectors"];

/// What the store has under `corpora/NAME/NUMBER`, which is written once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// The tree of the corpus.
    tree: String,
    /// Papers in it.
    papers: u64,
}

/// Writes the corpus in `dir` to the store at `place`, as the newest snapshot with a name.
pub(crate) fn push_corpus(
    dir: &Path,
    name: Option<&str>,
    place: &str,
    settings: &Settings,
) -> Result<CorpusSnapshot, AppError> {
    let corpus = open(dir)?;
    // The tree has the name of the folder, which `.` does not say.
    let dir = fs::canonicalize(dir).map_err(|error| crate::input::cannot_read(dir, error))?;
    let of_folder = || dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let name = name.map_or_else(of_folder, str::to_owned);
    check_name(&name)?;
    let store = open_store(place, settings.local_only, settings.private_hosts.clone())?;
    if store.host().is_none() && fs::canonicalize(place).is_ok_and(|place| place.starts_with(&dir)) {
        let message = "the store is in the folder of the corpus";
        return Err(AppError::with_message(ErrorKind::Usage, message).hint("choose another folder with --store"));
    }
    let (before, papers) = (corpus.revision(), corpus.len());
    runtime_here()?.block_on(async {
        let tree = tree::push(&store, &dir, |inside| !is_own(inside)).await?;
        corpus
            .reload()
            .map_err(|error| AppError::new(ErrorKind::Input, error))?;
        if corpus.revision() != before {
            let message = "the corpus was changed while it was read";
            return Err(
                AppError::with_message(ErrorKind::Input, message).hint("repeat the command when it is complete")
            );
        }
        let number = record(
            &store,
            &name,
            &Entry {
                tree: tree.clone(),
                papers,
            },
        )
        .await?;
        Ok(CorpusSnapshot {
            name: Some(name.clone()),
            number: Some(number),
            hash: tree,
            papers,
        })
    })
}

/// Records a snapshot under the next number of its name, unless it is the newest already. Returns its number.
async fn record(store: &Store, name: &str, entry: &Entry) -> Result<u64, AppError> {
    let bytes = serde_json::to_vec(entry).map_err(|error| AppError::with_message(ErrorKind::Bug, error))?;
    loop {
        let newest = store
            .numbers(&folder_of(name))
            .await?
            .last()
            .copied()
            .unwrap_or_default();
        if newest > 0 && entry_of(store, name, newest).await? == *entry {
            return Ok(newest);
        }
        // Another process may take the number first.
        if store.name(&object_of(name, newest + 1), &bytes).await? {
            return Ok(newest + 1);
        }
    }
}

/// Writes a snapshot to the folder `dir`: that with the hash `wanted`, or else the newest with this name.
pub(crate) fn pull_corpus(
    wanted: &str,
    dir: &Path,
    place: &str,
    settings: &Settings,
) -> Result<CorpusSnapshot, AppError> {
    if !place.contains("://") && !Path::new(place).is_dir() {
        let place = crate::text::plain(place);
        let message = format!("there is no store in the folder {place}");
        return Err(AppError::with_message(ErrorKind::Input, message).hint("check --store"));
    }
    let store = open_store(place, settings.local_only, settings.private_hosts.clone())?;
    // It is replaced by a rename, for which it needs a name and must be no link.
    let dir = &fs::canonicalize(dir)
        .or_else(|_| std::path::absolute(dir))
        .map_err(|error| crate::cannot_write(dir, &error))?;
    runtime_here()?.block_on(async {
        let (name, numbers) = match is_hash(wanted) {
            true => (None, Vec::new()),
            false => {
                check_name(wanted)?;
                let numbers = store.numbers(&folder_of(wanted)).await?;
                (Some(wanted.to_owned()), numbers)
            }
        };
        let number = numbers.last().copied();
        let hash = match (&name, number) {
            (None, _) => wanted.to_owned(),
            (Some(name), Some(number)) => entry_of(&store, name, number).await?.tree,
            (Some(name), None) => {
                let message = format!("the store has no corpus with the name {}", crate::text::plain(name));
                return Err(AppError::with_message(ErrorKind::Input, message)
                    .hint("write it there with `precedent corpus push`"));
            }
        };
        let found = tree::tree(&store, &hash).await?;
        let is_empty = fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_none());
        let current = match is_empty || fs::symlink_metadata(dir).is_err() {
            true => None,
            false => Some(current_snapshot(&store, &found, wanted, &numbers, dir).await?),
        };
        let papers = replace(&store, &found, dir, current.as_ref()).await?;
        Ok(CorpusSnapshot {
            name,
            number,
            hash,
            papers,
        })
    })
}

/// The snapshot that the folder `dir` is a copy of: `found`, or an earlier one with the same name.
async fn current_snapshot(
    store: &Store,
    found: &Tree,
    wanted: &str,
    numbers: &[u64],
    dir: &Path,
) -> Result<Tree, AppError> {
    if found.is_copied_to(dir, &DERIVED) {
        return Ok(found.clone());
    }
    for number in numbers.iter().rev().skip(1) {
        // A snapshot that cannot be read says nothing about the folder.
        let Ok(earlier) = entry_of(store, wanted, *number).await else {
            continue;
        };
        if let Ok(earlier) = tree::tree(store, &earlier.tree).await
            && earlier.is_copied_to(dir, &DERIVED)
        {
            return Ok(earlier);
        }
    }
    let (message, hint) = match numbers.is_empty() {
        true => ("is not this snapshot", "choose a new folder"),
        false => (
            "differs from all snapshots of this corpus in the store",
            "choose another folder, or save its corpus with `precedent corpus push`",
        ),
    };
    let message = format!("the folder {} {message}", dir.display());
    Err(AppError::with_message(ErrorKind::Input, message).hint(hint))
}

/// Puts the corpus `found` in the place of the folder `dir`, which is new, empty or a copy of `current`. Returns its number of papers.
async fn replace(store: &Store, found: &Tree, dir: &Path, current: Option<&Tree>) -> Result<u64, AppError> {
    let failed = |error: io::Error| crate::cannot_write(dir, &error);
    let parent = dir.parent().unwrap_or(dir);
    fs::create_dir_all(parent).map_err(failed)?;
    // Beside the folder, so that a rename moves it there.
    let beside = tempfile::Builder::new()
        .prefix(".pull-")
        .tempdir_in(parent)
        .map_err(failed)?;
    let pulled = found.pull_beside(store, beside.path(), current.map(|_| dir)).await?;
    if !found.is_copied_to(&pulled, &[]) {
        let message = "the files that were pulled were changed by another process";
        return Err(AppError::with_message(ErrorKind::Input, message).hint("repeat the command"));
    }
    let papers = open(&pulled)?.len();
    let Some(current) = current else {
        // An empty folder is replaced too.
        let _ = fs::remove_dir(dir);
        fs::rename(&pulled, dir).map_err(failed)?;
        return Ok(papers);
    };
    // No import can begin or end from here on.
    let writer = open(dir)?.writer();
    let writer = writer.map_err(|error| AppError::new(ErrorKind::Input, error))?;
    if !current.is_copied_to(dir, &DERIVED) {
        let message = format!("the folder {} was changed while the corpus was pulled", dir.display());
        return Err(AppError::with_message(ErrorKind::Input, message)
            .hint("choose another folder, or save its corpus with `precedent corpus push`"));
    }
    let permissions = fs::metadata(dir).map_err(failed)?.permissions();
    fs::set_permissions(&pulled, permissions).map_err(failed)?;
    let old = beside.path().join("old.replaced");
    fs::rename(dir, &old).map_err(failed)?;
    if let Err(error) = fs::rename(&pulled, dir) {
        if fs::rename(&old, dir).is_err() {
            // The old corpus stays there.
            let _ = beside.keep();
        }
        return Err(failed(error));
    }
    keep_own_files(&old, dir);
    drop(writer);
    Ok(papers)
}

/// Whether a file of a corpus is of this machine: the vectors of an embedder, which are made when they are needed.
fn is_own(inside: &str) -> bool {
    inside.starts_with("vectors/") && inside.ends_with(".kept")
}

/// Moves the files of this machine from the old folder of a corpus to its new one. What cannot be moved is made again.
fn keep_own_files(old: &Path, new: &Path) {
    for entry in fs::read_dir(old.join("vectors")).into_iter().flatten().flatten() {
        let inside = format!("vectors/{}", entry.file_name().to_string_lossy());
        if is_own(&inside) {
            let _ = fs::create_dir_all(new.join("vectors"));
            let _ = fs::rename(entry.path(), new.join(inside));
        }
    }
}

fn open(dir: &Path) -> Result<Corpus, AppError> {
    Corpus::open(dir).map_err(|error| AppError::new(ErrorKind::Input, error))
}

fn folder_of(name: &str) -> String {
    format!("corpora/{name}")
}

fn object_of(name: &str, number: u64) -> String {
    format!("{}/{number}", folder_of(name))
}

async fn entry_of(store: &Store, name: &str, number: u64) -> Result<Entry, AppError> {
    let object = object_of(name, number);
    let bytes = store.named(&object).await?.ok_or_else(|| store.missing(&object))?;
    serde_json::from_slice(&bytes).map_err(|_| store.damaged(&object).into())
}

/// Refuses names that are a hash or that would leave their folder in the store.
fn check_name(name: &str) -> Result<(), AppError> {
    match is_safe_name(name) && !is_hash(name) {
        true => Ok(()),
        false => Err(AppError::with_message(
            ErrorKind::Usage,
            format!(
                "a corpus in a store cannot have the name {:?}",
                crate::text::plain(name)
            ),
        )
        .hint("choose one without `/`, `\\`, `:` and control characters that is not a hash")),
    }
}
