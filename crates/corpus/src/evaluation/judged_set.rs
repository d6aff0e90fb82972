use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use precedent_domain::WorkId;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::CorpusError;

/// Queries with relevance judgements in BEIR format: a folder with `queries.jsonl` (`_id`, `text`, optionally `title` and `metadata`) and `qrels.tsv`
/// (query, work, grade; one header line).
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedSet {
    /// Name of the folder.
    pub name: String,
    /// The queries with at least one relevant work, in the order of the file.
    pub queries: Vec<JudgedQuery>,
    /// The set's own works (`corpus.jsonl`, plain or compressed), if it includes them.
    pub works: Option<PathBuf>,
}

/// One query with its relevant works.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedQuery {
    /// Its id.
    pub id: String,
    /// Title, if any, and text.
    pub text: String,
    /// Ids of the relevant works: those judged above 0.
    pub relevant: BTreeSet<String>,
    /// Works that do not count as results: the query's own paper, and the ids in `metadata.exclude`.
    pub exclude: Vec<WorkId>,
}

/// Half of a set, assigned by a hash of the query's id. Parameters are chosen on one half and reported on the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Half {
    /// Used for choosing parameters.
    Tuning,
    /// Never used for choosing parameters.
    HeldOut,
}

impl JudgedQuery {
    /// The half of this query: the lowest bit of the first byte of the SHA-256 of its id.
    #[must_use]
    pub fn half(&self) -> Half {
        match Sha256::digest(self.id.as_bytes()).first() {
            Some(byte) if byte % 2 == 1 => Half::HeldOut,
            _ => Half::Tuning,
        }
    }
}

#[derive(Deserialize)]
struct JudgedLine {
    #[serde(alias = "_id")]
    id: String,
    #[serde(default)]
    title: Option<String>,
    text: String,
    #[serde(default)]
    metadata: LineMetadata,
}

#[derive(Default, Deserialize)]
struct LineMetadata {
    #[serde(default)]
    exclude: Vec<String>,
}

impl JudgedSet {
    /// Reads the set in `dir`.
    ///
    /// # Errors
    /// If a file is missing or a line cannot be parsed.
    pub fn read(dir: &Path) -> Result<Self, CorpusError> {
        let mut relevant = judgements(&dir.join("qrels.tsv"))?;
        let path = dir.join("queries.jsonl");
        let mut queries = Vec::new();
        for (number, line) in text(&path)?.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let line: JudgedLine = serde_json::from_str(line).map_err(|error| CorpusError::Damaged {
                path: path.clone(),
                reason: format!("line {}: {error}", number + 1),
            })?;
            let Some(relevant) = relevant.remove(&line.id) else {
                continue;
            };
            let own = line.id.parse().into_iter();
            let named = line.metadata.exclude.iter().filter_map(|id| id.parse().ok());
            queries.push(JudgedQuery {
                exclude: own.chain(named).collect(),
                text: format!("{} {}", line.title.unwrap_or_default(), line.text)
                    .trim()
                    .to_owned(),
                id: line.id,
                relevant,
            });
        }
        let works = ["corpus.jsonl", "corpus.jsonl.zst", "corpus.jsonl.gz"].map(|name| dir.join(name));
        Ok(Self {
            name: dir
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default(),
            queries,
            works: works.into_iter().find(|path| path.is_file()),
        })
    }
}

fn judgements(path: &Path) -> Result<BTreeMap<String, BTreeSet<String>>, CorpusError> {
    let mut relevant: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (number, line) in text(path)?.lines().enumerate().skip(1) {
        let mut fields = line.split('\t');
        let parsed = match (
            fields.next(),
            fields.next(),
            fields.next().map(|grade| grade.trim().parse()),
        ) {
            (Some(query), Some(work), Some(Ok(grade))) => (query, work, grade),
            _ if line.trim().is_empty() => continue,
            _ => {
                return Err(CorpusError::Damaged {
                    path: path.to_owned(),
                    reason: format!("line {} is not query, work and grade, separated by tabs", number + 1),
                });
            }
        };
        let (query, work, grade): (_, _, f64) = parsed;
        if grade > 0.0 {
            relevant.entry(query.to_owned()).or_default().insert(work.to_owned());
        }
    }
    Ok(relevant)
}

fn text(path: &Path) -> Result<String, CorpusError> {
    fs::read_to_string(path).map_err(|source: io::Error| CorpusError::Io {
        action: "read",
        path: path.to_owned(),
        source,
    })
}
