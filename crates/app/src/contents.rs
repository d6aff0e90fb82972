//! Digests of the files, folders and corpora that a request names. A run's id depends on them and not on where they are.

use std::fs;
use std::path::{Path, PathBuf};

use precedent_engine::corpus::Corpus;
use precedent_engine::domain::RunId;
use precedent_engine::ledger::InputHash;
use precedent_engine::runs::RunRequest;

use crate::{AppError, ErrorKind, input};

/// Longer files and files of corpora are identified by name and length. An id only finds a run's folder again: the stages of the run compare what
/// they read.
const WHOLE: u64 = 64 << 20;
/// Maximum files of a folder that count.
const FILES: usize = 10_000;
/// Maximum depth of folders in a folder.
const DEPTH: usize = 6;

/// The id of a request's run.
pub(crate) fn run_id(request: &RunRequest) -> Result<RunId, AppError> {
    let digests: Vec<String> = places(request).map(|path| digest(&path)).collect();
    request
        .run_id(&digests)
        .map_err(|error| AppError::new(ErrorKind::Bug, error))
}

/// The files and folders that a request names, in a fixed order.
fn places(request: &RunRequest) -> impl Iterator<Item = PathBuf> {
    let has_text = request.idea.as_ref().is_some_and(|idea| idea.text.is_some())
        || request.review.as_ref().is_some_and(|review| review.text.is_some());
    let mut places = Vec::new();
    places.extend(Some(request.input.clone()).filter(|_| !has_text));
    if let Some(idea) = &request.idea {
        places.extend(idea.examples.clone());
        places.extend(idea.own.clone());
        places.extend(idea.seeds.iter().map(PathBuf::from).filter(|seed| seed.is_absolute()));
    }
    if let Some(review) = &request.review {
        places.extend(review.dimensions.clone());
        places.extend(review.personas.clone());
    }
    if let Some(rank) = &request.rank {
        places.extend(rank.others.clone());
        places.extend(rank.dimensions.clone());
    }
    places.extend(request.audit.as_ref().and_then(|audit| audit.paper.clone()));
    places.extend(request.corpora.iter().cloned());
    let local = request.sources.iter().filter_map(|name| name.split_once(':'));
    places.extend(local.map(|(_, place)| PathBuf::from(place)));
    places.into_iter()
}

/// A digest of a corpus, a folder or a file. What cannot be read counts as missing: the run itself reports it.
fn digest(path: &Path) -> String {
    if path.is_dir() {
        if let Ok(corpus) = Corpus::open(path) {
            return corpus.revision();
        }
        let mut files = Vec::new();
        list(path, "", DEPTH, &mut files);
        return hash(files.iter().map(|(name, path)| format!("{name} {}", of_file(path))));
    }
    of_file(path)
}

fn of_file(path: &Path) -> String {
    let length = fs::metadata(path).map(|found| found.len());
    match length {
        Ok(length) if length <= WHOLE => match input::bytes(path) {
            Ok(bytes) => InputHash::of([bytes.as_slice()]).as_str().to_owned(),
            Err(_) => "unreadable".to_owned(),
        },
        Ok(length) => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            format!("{name} {length}")
        }
        Err(_) => "missing".to_owned(),
    }
}

fn hash(parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.collect();
    InputHash::of(parts.iter().map(String::as_bytes)).as_str().to_owned()
}

/// Files below a folder with their names relative to it, in order of name.
fn list(folder: &Path, prefix: &str, depth: usize, files: &mut Vec<(String, PathBuf)>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut entries: Vec<(String, PathBuf)> = entries
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()))
        .collect();
    entries.sort();
    for (name, path) in entries {
        let Ok(found) = fs::symlink_metadata(&path) else {
            continue;
        };
        let name = format!("{prefix}{name}");
        if found.is_dir() && depth > 0 {
            list(&path, &format!("{name}/"), depth - 1, files);
        } else if found.is_file() && files.len() < FILES {
            files.push((name, path));
        }
    }
}
