use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use precedent_corpus::import::{ImportFormat, records};
use precedent_corpus::{Addition, Corpus, CorpusWriter};
use precedent_read::read;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{LeftOut, LibraryError, paper_record};

/// A bad input is listed in full up to this many; the rest is counted.
const LISTED: usize = 1_000;
/// Records between two commits: what a crash can cost.
const COMMIT_EVERY: u64 = 50_000;
/// Papers read at a time, so that memory stays bounded.
const PAPERS_AT_ONCE: usize = 16;
/// Folders below the one that was named.
const DEPTH: usize = 16;

/// What came of adding files to a corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AddReport {
    /// Works that were not there before.
    pub added: u64,
    /// Works that took the place of an earlier record of the same id.
    pub updated: u64,
    /// Inputs that could not be used, in all.
    pub bad_count: u64,
    /// The first thousand of them.
    pub bad: Vec<BadInput>,
    /// Files that are neither records nor papers, by name.
    pub passed_over: Vec<String>,
}

/// A record or a paper that could not be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BadInput {
    /// The file.
    pub file: String,
    /// The line or item in it, where it holds many records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<u64>,
    /// Why, in words.
    pub reason: String,
}

/// Adds the records and papers at `inputs` (files, or folders searched through) to `corpus`. `heard` is told the works so far. What could not be
/// used is kept beside the corpus, see [`LeftOut`].
///
/// # Errors
/// When an input is not there, or the corpus cannot be written; what was committed before stays.
pub fn add(corpus: &Corpus, inputs: &[PathBuf], heard: &dyn Fn(u64)) -> Result<AddReport, LibraryError> {
    let files = files_of(inputs)?;
    let mut adding = Adding {
        writer: corpus.writer()?,
        report: AddReport::default(),
        left_out: LeftOut::of(corpus),
        since_commit: 0,
        heard,
    };
    let (mut papers, mut lists) = (Vec::new(), Vec::new());
    for file in files {
        adding.left_out.forget(&file);
        match kind(&file)? {
            FileKind::Records(format) => lists.push((file, format)),
            FileKind::Paper => papers.push(file),
            FileKind::Neither => {
                let name = name(&file);
                adding.left_out.pass_over(&file, &name);
                adding.report.passed_over.push(name);
            }
        }
    }
    for (file, format) in lists {
        adding.records(&file, format)?;
    }
    adding.papers(&papers)?;
    adding.writer.finish()?;
    adding.left_out.keep(corpus).map_err(|source| LibraryError::Io {
        path: corpus.dir().to_owned(),
        source,
    })?;
    corpus.reload()?;
    Ok(adding.report)
}

/// The files that `inputs` mean, folders searched through, in order.
pub(super) fn files_of(inputs: &[PathBuf]) -> Result<Vec<PathBuf>, LibraryError> {
    let mut files = Vec::new();
    for input in inputs {
        collect(input, DEPTH, &mut files)?;
    }
    Ok(files)
}

struct Adding<'a> {
    writer: CorpusWriter,
    report: AddReport,
    left_out: LeftOut,
    since_commit: u64,
    heard: &'a dyn Fn(u64),
}

impl Adding<'_> {
    fn records(&mut self, file: &Path, format: ImportFormat) -> Result<(), LibraryError> {
        let opened = File::open(file).map_err(|source| LibraryError::Io {
            path: file.to_owned(),
            source,
        })?;
        for record in records(opened, format) {
            match record {
                Ok(record) => self.one(record)?,
                Err(bad) => {
                    let reason = match &bad.name {
                        Some(name) => format!("{name}: {}", bad.reason),
                        None => bad.reason,
                    };
                    self.bad(file, Some(bad.position), reason);
                }
            }
        }
        Ok(())
    }

    fn papers(&mut self, papers: &[PathBuf]) -> Result<(), LibraryError> {
        for some in papers.chunks(PAPERS_AT_ONCE) {
            let read: Vec<_> = some.par_iter().map(|file| read(file)).collect();
            for (file, outcome) in some.iter().zip(read) {
                match outcome.map(paper_record) {
                    Ok(Ok(record)) => self.one(record)?,
                    Ok(Err(error)) => self.bad(file, None, format!("failed to {error}")),
                    // The reason goes into reports, and no report holds a folder of the machine.
                    Err(error) => {
                        let reason = format!("failed to {error}").replace(&file.display().to_string(), &name(file));
                        self.bad(file, None, reason);
                    }
                }
            }
        }
        Ok(())
    }

    fn one(&mut self, record: precedent_corpus::Record) -> Result<(), LibraryError> {
        match self.writer.add(record)? {
            Addition::Added => self.report.added += 1,
            Addition::Updated => self.report.updated += 1,
        }
        self.since_commit += 1;
        if self.since_commit >= COMMIT_EVERY {
            self.writer.commit()?;
            self.since_commit = 0;
        }
        let so_far = self.report.added + self.report.updated;
        if so_far.is_multiple_of(1_000) {
            (self.heard)(so_far);
        }
        Ok(())
    }

    fn bad(&mut self, file: &Path, position: Option<u64>, reason: String) {
        let bad = BadInput {
            file: name(file),
            position,
            reason,
        };
        self.left_out.note(file, &bad);
        self.report.bad_count += 1;
        if self.report.bad.len() < LISTED {
            self.report.bad.push(bad);
        }
    }
}

enum FileKind {
    Records(ImportFormat),
    Paper,
    Neither,
}

/// What a file is, by its first bytes and its name.
fn kind(file: &Path) -> Result<FileKind, LibraryError> {
    let io = |source| LibraryError::Io {
        path: file.to_owned(),
        source,
    };
    let name = name(file);
    if file.is_dir() {
        return Ok(FileKind::Paper);
    }
    let mut head = Vec::new();
    File::open(file)
        .map_err(io)?
        .take(4096)
        .read_to_end(&mut head)
        .map_err(io)?;
    if let Some(format) = ImportFormat::detect(&name, &head) {
        return Ok(FileKind::Records(format));
    }
    let endings = [
        "pdf", "tex", "gz", "tgz", "tar", "html", "htm", "xhtml", "xml", "nxml", "md", "markdown", "txt", "text",
    ];
    let ending = file
        .extension()
        .and_then(|ending| ending.to_str())
        .unwrap_or_default()
        .to_lowercase();
    Ok(if endings.contains(&ending.as_str()) || head.starts_with(b"%PDF-") {
        FileKind::Paper
    } else {
        FileKind::Neither
    })
}

/// The files under `path`, sorted; hidden ones and links out of the way are left.
fn collect(path: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), LibraryError> {
    let io = |source| LibraryError::Io {
        path: path.to_owned(),
        source,
    };
    if !path.exists() {
        return Err(LibraryError::NotFound { path: path.to_owned() });
    }
    if path.is_file() {
        files.push(path.to_owned());
        return Ok(());
    }
    let mut entries = Vec::new();
    for entry in fs::read_dir(path).map_err(io)? {
        let entry = entry.map_err(io)?;
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        let linked = entry.file_type().map_err(io)?.is_symlink();
        if !hidden && !linked {
            entries.push(entry.path());
        }
    }
    entries.sort();
    for entry in entries {
        if entry.is_file() {
            files.push(entry);
        } else if depth > 0 {
            collect(&entry, depth - 1, files)?;
        }
    }
    Ok(())
}

fn name(file: &Path) -> String {
    file.file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}
