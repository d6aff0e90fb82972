use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use precedent_engine::corpus::Corpus;
use serde::{Deserialize, Serialize};

use super::store::{Store, is_hash};
use super::store_and_queue::open_store;
use super::tree::{self, is_safe_name};
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
    let (before, papers) = (corpus.revision(), corpus.len());
    runtime_here()?.block_on(async {
        let tree = tree::push(&store, &dir, |_| true).await?;
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
    let store = open_store(place, settings.local_only, settings.private_hosts.clone())?;
    // It is replaced by a rename, for which it needs a name.
    let dir = &std::path::absolute(dir).map_err(|error| crate::cannot_write(dir, &error))?;
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
        let is_new = is_empty || fs::symlink_metadata(dir).is_err();
        let earlier = numbers.split_last().map_or(&[][..], |(_, earlier)| earlier);
        let may_replace =
            is_new || found.is_copied_to(dir, &DERIVED) || has_earlier(dir, &store, wanted, earlier).await?;
        if !may_replace {
            let message = format!(
                "the folder {} differs from all snapshots of this corpus in the store",
                dir.display()
            );
            return Err(AppError::with_message(ErrorKind::Input, message)
                .hint("choose another folder, or save its corpus with `precedent corpus push`"));
        }
        let papers = replace(&store, &found, dir, is_new).await?;
        Ok(CorpusSnapshot {
            name,
            number,
            hash,
            papers,
        })
    })
}

/// Whether the folder is one of the snapshots `numbers` of a corpus.
async fn has_earlier(dir: &Path, store: &Store, name: &str, numbers: &[u64]) -> Result<bool, AppError> {
    for number in numbers.iter().rev() {
        let entry = entry_of(store, name, *number).await;
        let found = match entry {
            Ok(entry) => tree::tree(store, &entry.tree).await,
            Err(error) => Err(error),
        };
        match found {
            Ok(found) if found.is_copied_to(dir, &DERIVED) => return Ok(true),
            Err(error) if error.is_outage() => return Err(error),
            // A snapshot that was deleted from the store cannot be the reason to replace a folder.
            _ => {}
        }
    }
    Ok(false)
}

/// Puts the corpus `found` in the place of the folder `dir`. Returns its number of papers.
async fn replace(store: &Store, found: &tree::Tree, dir: &Path, is_new: bool) -> Result<u64, AppError> {
    let (half, old) = (beside(dir, "half"), beside(dir, "old"));
    let failed = |error: io::Error| crate::cannot_write(dir, &error);
    for left in [&half, &old] {
        // What a killed process left.
        let _ = fs::remove_dir_all(left);
    }
    let pulled = found.pull_beside(store, &half, (!is_new).then_some(dir)).await;
    let pulled = pulled.and_then(|pulled| Ok((open(&pulled)?.len(), pulled)));
    let (papers, pulled) = pulled.inspect_err(|_| {
        let _ = fs::remove_dir_all(&half);
    })?;
    if !is_new {
        // An import that is running must not go on in a folder that was replaced.
        let writer = open(dir).and_then(|corpus| {
            let writer = corpus.writer();
            writer.map(drop).map_err(|error| AppError::new(ErrorKind::Input, error))
        });
        writer.inspect_err(|_| {
            let _ = fs::remove_dir_all(&half);
        })?;
        fs::rename(dir, &old).map_err(failed)?;
    }
    // An empty folder is replaced too.
    let _ = fs::remove_dir(dir);
    if let Err(error) = fs::rename(&pulled, dir) {
        let _ = fs::rename(&old, dir);
        return Err(failed(error));
    }
    let _ = fs::remove_dir_all(&half);
    let _ = fs::remove_dir_all(&old);
    Ok(papers)
}

/// A hidden folder beside `dir`, so that a rename moves it there.
fn beside(dir: &Path, use_of_it: &str) -> PathBuf {
    let name = dir.file_name().unwrap_or_default().to_string_lossy();
    dir.with_file_name(format!(".{name}.{use_of_it}"))
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
