use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use precedent_corpus::Corpus;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The file next to the index. Searching works without it.
const FILE: &str = "left-out.json";
/// Maximum number of reasons stored per file, and of files named in a sentence.
const REASONS: usize = 3;
const NAMED: usize = 3;

/// Inputs that could not be added to a corpus. Stored next to the corpus, so that every report based on it can say what was not searched.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// By a hash of the file's path, which keeps the path private. Adding a file again replaces its entry.
    files: BTreeMap<String, OneFile>,
    /// Whether there is a list that could not be read, so that what was left out is not known.
    #[serde(skip)]
    damaged: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct OneFile {
    /// The file's name without its folder.
    name: String,
    /// Unusable records; 1 for a paper.
    bad: u64,
    first: Vec<BadInput>,
    /// Whether the file was neither records nor a paper.
    passed_over: bool,
}

impl LeftOut {
    /// The stored list for `corpus`; empty if there is none.
    #[must_use]
    pub fn of(corpus: &Corpus) -> Self {
        Self::at(&corpus.dir().join(FILE))
    }

    fn at(path: &Path) -> Self {
        let kept = match fs::read(path) {
            Ok(bytes) => serde_json::from_slice(&bytes).ok(),
            Err(error) => (error.kind() == ErrorKind::NotFound).then(Self::default),
        };
        kept.unwrap_or_else(|| Self {
            damaged: true,
            ..Self::default()
        })
    }

    /// Writes the list next to `corpus` atomically.
    pub(super) fn keep(&self, corpus: &Corpus) -> std::io::Result<()> {
        let path = corpus.dir().join(FILE);
        if self.files.is_empty() && !path.exists() {
            return Ok(());
        }
        let half = corpus.dir().join(format!(".{FILE}.new"));
        fs::write(&half, serde_json::to_vec_pretty(self)?)?;
        fs::rename(half, path)
    }

    /// Drops the entry of `file` before it is read again.
    pub(super) fn forget(&mut self, file: &Path) {
        self.files.remove(&key(file));
    }

    /// Adds an unusable record of `file`.
    pub(super) fn note(&mut self, file: &Path, bad: &BadInput) {
        let one = self.one(file, &bad.file);
        one.bad += 1;
        if one.first.len() < REASONS {
            one.first.push(bad.clone());
        }
    }

    /// Adds a file that is neither records nor a paper.
    pub(super) fn pass_over(&mut self, file: &Path, name: &str) {
        self.one(file, name).passed_over = true;
    }

    fn one(&mut self, file: &Path, name: &str) -> &mut OneFile {
        self.files.entry(key(file)).or_insert_with(|| OneFile {
            name: name.to_owned(),
            bad: 0,
            first: Vec::new(),
            passed_over: false,
        })
    }

    /// Total number of unusable records and papers.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.files.values().map(|one| one.bad).sum()
    }

    /// Sentences about what was not searched in the source `name`: counts and the first reasons.
    #[must_use]
    pub fn in_words(&self, name: &str) -> Vec<String> {
        let mut lines = Vec::new();
        if self.damaged {
            lines.push(format!(
                "The list of what was added to {name} and could not be used is damaged, so this report cannot name what was not searched there. Add the files again with `corpus add`."
            ));
        }
        let count = self.count();
        if count > 0 {
            let reasons: Vec<String> = self.in_order().flat_map(|one| &one.first).map(reason).collect();
            let (what, verb) = if count == 1 {
                ("1 record or paper".to_owned(), "was")
            } else {
                (format!("{count} records or papers"), "were")
            };
            let rest = count.saturating_sub(reasons.len().min(NAMED) as u64);
            lines.push(format!(
                "{what} added to {name} could not be used and {verb} not searched: {}.",
                listed(&reasons, rest)
            ));
        }
        let passed: Vec<String> = self
            .in_order()
            .filter(|one| one.passed_over)
            .map(|one| one.name.clone())
            .collect();
        if !passed.is_empty() {
            let (what, verb) = if passed.len() == 1 {
                ("1 file".to_owned(), "was")
            } else {
                (format!("{} files", passed.len()), "were")
            };
            let rest = passed.len().saturating_sub(NAMED) as u64;
            lines.push(format!(
                "{what} added to {name} {verb} skipped, because the content is neither records nor papers: {}.",
                listed(&passed, rest)
            ));
        }
        lines
    }

    /// Sorted by name, because the keys are hashes.
    fn in_order(&self) -> impl Iterator<Item = &OneFile> {
        let mut files: Vec<(&String, &OneFile)> = self.files.iter().collect();
        files.sort_by_key(|(key, one)| (&one.name, *key));
        files.into_iter().map(|(_, one)| one)
    }
}

fn reason(bad: &BadInput) -> String {
    let position = bad
        .position
        .map(|position| format!(", record {position}"))
        .unwrap_or_default();
    format!("{}{position}: {}", bad.file, bad.reason.trim_end_matches('.'))
}

fn listed(items: &[String], rest: u64) -> String {
    let mut text = items.iter().take(NAMED).cloned().collect::<Vec<_>>().join("; ");
    if rest > 0 {
        text.push_str(&format!("; and {rest} more"));
    }
    text
}

/// A hash of the file's path.
fn key(file: &Path) -> String {
    let place = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    Sha256::digest(place.as_os_str().as_encoded_bytes())
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// A record or a paper that could not be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BadInput {
    /// The file.
    pub file: String,
    /// Line or item in the file, if it contains several records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<u64>,
    /// Why, as text.
    pub reason: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_list_is_reported_and_a_missing_one_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(FILE);
        assert_eq!(LeftOut::at(&path), LeftOut::default());
        fs::write(&path, "{\"files\": {").unwrap();
        let words = LeftOut::at(&path).in_words("corpus:kelp");
        assert!(
            words.len() == 1 && words[0].contains("corpus:kelp") && words[0].contains("is damaged"),
            "{words:?}"
        );
        let mut list = LeftOut::default();
        list.pass_over(Path::new("a.bin"), "a.bin");
        fs::write(&path, serde_json::to_vec(&list).unwrap()).unwrap();
        assert_eq!(LeftOut::at(&path), list);
    }
}
