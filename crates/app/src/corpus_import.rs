//! Adds files to a copy of a corpus, so that an import that is interrupted changes nothing.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use precedent_engine::corpus::Corpus;
use precedent_engine::domain::Paper;
use precedent_engine::library::{self, AddProgress, BadInput};
use serde::{Deserialize, Serialize};

use crate::{App, AppError, ErrorKind, reader};

/// Files to add to a corpus.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CorpusImport {
    /// The corpus as it is; `None` for a new one. It is only read.
    pub from: Option<PathBuf>,
    /// The folder of the new state. There must be nothing.
    pub to: PathBuf,
    /// Files of records, and papers.
    pub files: Vec<PathBuf>,
}

/// What an import did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorpusAddition {
    /// Papers in the corpus now.
    pub papers: u64,
    /// New papers.
    pub added: u64,
    /// Papers that replaced an earlier record with the same id.
    pub updated: u64,
    /// Papers that were there already.
    pub unchanged: u64,
    /// All records and papers that could not be used.
    pub left_out_count: u64,
    /// The first of them, with the reasons.
    pub left_out: Vec<BadInput>,
    /// Names of files that are neither records nor papers.
    pub skipped: Vec<String>,
}

impl App {
    /// Copies a corpus and adds files to the copy. A file that cannot be used is left out. If nothing can be used, there is no corpus at `to`
    /// unless there was one before.
    ///
    /// # Errors
    /// If the corpus cannot be read or the copy cannot be written. What is at `to` is then not complete.
    pub fn import_into_corpus(
        &self,
        import: &CorpusImport,
        on_progress: &dyn Fn(&AddProgress),
    ) -> Result<CorpusAddition, AppError> {
        if let Some(from) = &import.from {
            copy(from, &import.to).map_err(|error| cannot("copy the corpus", &error))?;
        }
        let (corpus, report) = library::fill(&import.to, &import.files, library::COMMIT_EVERY, on_progress, &read)
            .map_err(|error| without_path(error.into(), &import.to))?;
        Ok(CorpusAddition {
            papers: corpus.as_ref().map_or(0, Corpus::len),
            added: report.added,
            updated: report.updated,
            unchanged: report.unchanged,
            left_out_count: report.bad_count,
            left_out: report.bad,
            skipped: report.passed_over,
        })
    }
}

/// Reads a paper, in a process of its own if this process may not read it itself.
fn read(file: &Path) -> Result<Paper, String> {
    match reader::elsewhere(file) {
        Some(read) => read.map_err(|error| {
            let message = format!("{:#}", error.error);
            message.strip_prefix("failed to ").unwrap_or(&message).to_owned()
        }),
        None => library::read_paper(file),
    }
}

fn cannot(what: &str, error: &io::Error) -> AppError {
    AppError::with_message(ErrorKind::Bug, format!("failed to {what}: {}", error.kind()))
}

/// The same error without the folder, which the owner of the corpus has no use for.
fn without_path(error: AppError, folder: &Path) -> AppError {
    let message = format!("{:#}", error.error).replace(&folder.display().to_string(), "the corpus");
    AppError::with_message(error.kind, message)
}

/// Copies a folder of files and folders. Links are left out.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let target = to.join(entry.file_name());
        if kind.is_dir() {
            copy(&entry.path(), &target)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corpus_stays_as_it_is_and_the_copy_has_more() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let records = |id: &str| {
            format!("{{\"id\": \"{id}\", \"title\": \"Growth of kelp {id}\", \"abstract\": \"Kelp grows.\"}}\n")
        };
        fs::write(at("one.jsonl"), records("a")).unwrap();
        fs::write(at("two.jsonl"), format!("{}no record\n", records("b"))).unwrap();
        fs::write(at("notes.xlsx"), "PK").unwrap();
        let import = |from: Option<&str>, to: &str, files: &[&str]| {
            let import = CorpusImport {
                from: from.map(at),
                to: at(to),
                files: files.iter().map(|name| at(name)).collect(),
            };
            App::default().import_into_corpus(&import, &|_| {}).unwrap()
        };
        let first = import(None, "first", &["one.jsonl"]);
        assert_eq!((first.papers, first.added), (1, 1));
        let revision = |name: &str| Corpus::open(at(name)).unwrap().revision();
        let before = revision("first");
        let second = import(Some("first"), "second", &["two.jsonl", "notes.xlsx"]);
        assert_eq!((second.papers, second.added, second.left_out_count), (2, 1, 1));
        assert!(
            second.left_out[0].file == "two.jsonl" && second.skipped == ["notes.xlsx"],
            "{second:?}"
        );
        assert_eq!(revision("first"), before);
        // Without anything to add, there is no corpus.
        assert_eq!(import(None, "third", &["notes.xlsx"]).papers, 0);
        assert!(!at("third").exists());
    }
}
