//! Digests of the files, folders and corpora that a request names. A run's id depends on them and not on where they are.

use std::fs;
use std::path::{Path, PathBuf};

use crate::runs::RunRequest;
use precedent_engine::corpus::Corpus;
use precedent_engine::domain::RunId;
use precedent_engine::ledger::InputHash;

use crate::{AppError, ErrorKind, input};

/// Longer files are identified by name and length, like the files of a folder of prior work. An id only finds a run's folder again: the stages of the
/// run compare what they read.
const WHOLE: u64 = 64 << 20;
/// Maximum files of a folder that count.
const FILES: usize = 10_000;
/// Maximum depth of folders in a folder.
const DEPTH: usize = 6;

/// The id of a request's run.
pub(crate) fn run_id(request: &RunRequest) -> Result<RunId, AppError> {
    // The same file for another option is another run, so each digest names its option.
    let files = files(request).into_iter();
    let files = files.map(|(option, path)| format!("{option} {}", digest(&path, of_bytes)));
    let corpora = corpora(request).map(|path| format!("corpus {}", of_corpus(&path)));
    let digests: Vec<String> = files.chain(corpora).collect();
    request
        .run_id(&digests)
        .map_err(|error| AppError::new(ErrorKind::Bug, error))
}

/// The files and folders that a request names, with the option that each is for.
fn files(request: &RunRequest) -> Vec<(&'static str, PathBuf)> {
    let mut files: Vec<(&'static str, Option<PathBuf>)> = Vec::new();
    // An encoder or a seed paper is a name, or an absolute path.
    let absolute = |name: &String| Some(PathBuf::from(name)).filter(|path| path.is_absolute());
    let has_text = request.idea.as_ref().is_some_and(|idea| idea.text.is_some())
        || request.review.as_ref().is_some_and(|review| review.text.is_some());
    files.push(("input", Some(request.input.clone()).filter(|_| !has_text)));
    if let Some(idea) = &request.idea {
        files.push(("examples", idea.examples.clone()));
        files.push(("own paper", idea.own.clone()));
        files.push(("embedder", idea.embedder.as_ref().and_then(absolute)));
        files.extend(idea.seeds.iter().map(|seed| ("seed", absolute(seed))));
    }
    if let Some(encoders) = request.points.as_ref().and_then(|points| points.encoders.as_ref()) {
        files.push(("embedder", encoders.embedder.as_ref().and_then(absolute)));
        files.push(("reranker", encoders.reranker.as_ref().and_then(absolute)));
    }
    if let Some(review) = &request.review {
        files.push(("dimensions", review.dimensions.clone()));
        files.push(("personas", review.personas.clone()));
        files.push(("embedder", review.embedder.as_ref().and_then(absolute)));
        let reranker = review.reranker.as_ref().and_then(|one| one.reranker.as_ref());
        files.push(("reranker", reranker.and_then(absolute)));
    }
    if let Some(rank) = &request.rank {
        files.push(("dimensions", rank.dimensions.clone()));
        files.extend(rank.others.iter().map(|other| ("other", Some(other.clone()))));
    }
    if let Some(audit) = &request.audit {
        files.push(("paper", audit.paper.clone()));
    }
    let named = files.into_iter();
    named.filter_map(|(option, path)| Some((option, path?))).collect()
}

/// The places of prior work on this machine.
fn corpora(request: &RunRequest) -> impl Iterator<Item = PathBuf> {
    let local = request.sources.iter().filter_map(|name| name.split_once(':'));
    let local = local.map(|(_, place)| PathBuf::from(place));
    request.corpora.iter().cloned().chain(local)
}

/// The revision of a corpus. Other prior work may be thousands of papers, so its files count with name and length.
fn of_corpus(path: &Path) -> String {
    match Corpus::open(path) {
        Ok(corpus) => corpus.revision(),
        Err(_) => digest(path, of_length),
    }
}

/// A digest of a file, or of the files in a folder. What cannot be read counts as missing: the run itself reports it.
fn digest(path: &Path, of_file: fn(&Path) -> String) -> String {
    if !path.is_dir() {
        return of_file(path);
    }
    let mut files = Vec::new();
    list(path, "", DEPTH, &mut files);
    let lines = files.iter().map(|(name, path)| format!("{name} {}\n", of_file(path)));
    InputHash::of([lines.collect::<String>().as_bytes()])
        .as_str()
        .to_owned()
}

fn of_bytes(path: &Path) -> String {
    let is_short = fs::metadata(path).is_ok_and(|found| found.len() <= WHOLE);
    match is_short.then(|| input::bytes(path)) {
        Some(Ok(bytes)) => InputHash::of([bytes.as_slice()]).as_str().to_owned(),
        _ => of_length(path),
    }
}

fn of_length(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match fs::metadata(path) {
        Ok(found) => format!("{name} {}", found.len()),
        Err(_) => format!("{name} missing"),
    }
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
