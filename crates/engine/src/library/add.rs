use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use precedent_corpus::Corpus;
use precedent_corpus::import::{BadRecord, Import, ImportFormat, ImportSource, ImportStart, detect, records};
use precedent_read::{open_file, read};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{LeftOut, LibraryError, paper_record};

/// A bad input is listed in full up to this many; the rest is counted.
const LISTED: usize = 1_000;
/// Records between two commits: what a crash can cost.
pub const COMMIT_EVERY: u64 = 50_000;
/// Papers read at a time, so that memory stays bounded. Reading one takes far longer than a record, so commits are more frequent.
const PAPERS_AT_ONCE: usize = 16;
const PAPERS_BETWEEN_COMMITS: u64 = 256;
/// Folders below the one that was named.
const DEPTH: usize = 16;

/// What came of adding files to a corpus, what an import that was broken off and is finished now had done included.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AddReport {
    /// Works that were not there before.
    pub added: u64,
    /// Works that took the place of an earlier record of the same id.
    pub updated: u64,
    /// Works that were there already as they are.
    pub unchanged: u64,
    /// Inputs that could not be used, in all.
    pub bad_count: u64,
    /// The first thousand of them that were met this time.
    pub bad: Vec<BadInput>,
    /// Files that are neither records nor papers, by name.
    pub passed_over: Vec<String>,
    /// Files whose import had been broken off and was gone on with, by name.
    pub resumed: Vec<String>,
    /// Lists of all that could not be used, one JSON object a line, in the folder of the corpus: a list for each file that has any.
    pub reject_files: Vec<PathBuf>,
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

/// How far adding has come.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AddProgress {
    /// Records and papers so far, good and bad.
    pub items: u64,
    /// Bytes of the files read so far, packed as they are.
    pub bytes: u64,
    /// Bytes of all files.
    pub all_bytes: u64,
    /// Whether a commit was just made: up to here nothing can be lost.
    pub committed: bool,
}

/// Adds the records and papers at `inputs` (files, or folders searched through) to `corpus`, commits after every `commit_every` records, and
/// tells `heard` how far it has come. What an earlier call with the same inputs had committed before it was broken off is not done again. What could
/// not be used is kept beside the corpus, see [`LeftOut`].
///
/// # Errors
/// When an input is not there, or the corpus cannot be written; what was committed before stays.
pub fn add(
    corpus: &Corpus,
    inputs: &[PathBuf],
    commit_every: u64,
    heard: &dyn Fn(&AddProgress),
) -> Result<AddReport, LibraryError> {
    let mut report = AddReport::default();
    let mut left_out = LeftOut::of(corpus);
    let (mut papers, mut lists) = (Vec::new(), Vec::new());
    for file in files_of(inputs)? {
        left_out.forget(&file);
        match kind(&file)? {
            FileKind::Records(format) => lists.push((file, format)),
            FileKind::Paper => papers.push(file),
            FileKind::Neither => {
                let name = name(&file);
                left_out.pass_over(&file, &name);
                report.passed_over.push(name);
            }
        }
    }
    // What only adds to other records comes after them.
    lists.sort_by_key(|(_, format)| format.adds_to_others());
    let mut sources = Vec::new();
    for (file, format) in &lists {
        sources.push(ImportSource::file(file, format.name())?);
    }
    if !papers.is_empty() {
        let named: Vec<(String, u64)> = papers.iter().map(|paper| (name(paper), size(paper))).collect();
        sources.push(ImportSource::papers(format!("{} papers", papers.len()), &named));
    }
    let all = lists.iter().map(|(file, _)| file).chain(&papers);
    let progress = AddProgress {
        all_bytes: all.map(|file| size(file)).sum(),
        ..AddProgress::default()
    };
    let mut adding = Adding {
        import: Import::begin(corpus.writer()?, &sources, commit_every),
        left_out,
        report,
        progress,
        heard,
    };
    let mut sources = sources.into_iter();
    for ((file, format), source) in lists.iter().zip(sources.by_ref()) {
        adding.records(file, *format, &source)?;
    }
    if let Some(source) = sources.next() {
        adding.papers(&papers, &source)?;
    }
    adding.import.finish()?;
    corpus.reload()?;
    adding.left_out.keep(corpus).map_err(|source| LibraryError::Io {
        path: corpus.dir().to_owned(),
        source,
    })?;
    adding.report.reject_files = corpus
        .stats()?
        .imports
        .iter()
        .filter(|import| import.rejected > 0)
        .map(|import| corpus.rejects_file(import))
        .collect();
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
    import: Import,
    left_out: LeftOut,
    report: AddReport,
    progress: AddProgress,
    heard: &'a dyn Fn(&AddProgress),
}

impl Adding<'_> {
    fn records(&mut self, file: &Path, format: ImportFormat, source: &ImportSource) -> Result<(), LibraryError> {
        let before = self.progress.bytes;
        let start = self.start(source)?;
        self.bad_before(file)?;
        if let Some(after) = start {
            let opened = open_file(file).map_err(|source| LibraryError::Io {
                path: file.to_owned(),
                source,
            })?;
            let read = Arc::new(AtomicU64::new(0));
            let counted = Counted {
                inner: opened,
                read: read.clone(),
            };
            let mut records = records(counted, format);
            records.pass_over(after);
            for record in records {
                self.progress.bytes = before + read.load(Ordering::Relaxed);
                self.take(file, record)?;
            }
            self.end()?;
        }
        self.progress.bytes = before + size(file);
        Ok(())
    }

    fn papers(&mut self, papers: &[PathBuf], source: &ImportSource) -> Result<(), LibraryError> {
        let Some(after) = self.start(source)? else {
            return Ok(());
        };
        let (done, left) = papers.split_at(usize::try_from(after).unwrap_or(usize::MAX).min(papers.len()));
        self.progress.bytes += done.iter().map(|paper| size(paper)).sum::<u64>();
        for some in left.chunks(PAPERS_AT_ONCE) {
            let read: Vec<_> = some.par_iter().map(|file| read(file)).collect();
            for (file, outcome) in some.iter().zip(read) {
                self.progress.bytes += size(file);
                let name = name(file);
                let unread = |reason: String| BadRecord::unread(&name, format!("failed to {reason}"));
                let item = match outcome.map(paper_record) {
                    Ok(Ok(record)) => Ok(record),
                    Ok(Err(error)) => Err(unread(error.to_string())),
                    // The reason goes into reports, and no report holds a folder of the machine.
                    Err(error) => Err(unread(error.to_string().replace(&file.display().to_string(), &name))),
                };
                self.take(file, item)?;
            }
            if self.import.since_commit() >= PAPERS_BETWEEN_COMMITS {
                self.import.commit()?;
            }
        }
        self.end()
    }

    /// Begins with a source: the items that are done already; `None` when all are.
    fn start(&mut self, source: &ImportSource) -> Result<Option<u64>, LibraryError> {
        Ok(match self.import.start(source)? {
            ImportStart::Done(entry) => {
                self.report.resumed.push(source.name.clone());
                self.count(&entry);
                None
            }
            ImportStart::After(items) => {
                if items > 0 {
                    self.report.resumed.push(source.name.clone());
                }
                self.progress.items += items;
                Some(items)
            }
        })
    }

    fn end(&mut self) -> Result<(), LibraryError> {
        let entry = self.import.end()?;
        self.count(&entry);
        Ok(())
    }

    fn count(&mut self, entry: &precedent_corpus::ImportEntry) {
        self.report.added += entry.added;
        self.report.updated += entry.updated;
        self.report.unchanged += entry.unchanged;
        self.report.bad_count += entry.rejected;
    }

    fn take(&mut self, file: &Path, item: Result<precedent_corpus::Record, BadRecord>) -> Result<(), LibraryError> {
        if let Some(bad) = self.import.take(item)? {
            self.bad(file, bad);
        }
        self.progress.items += 1;
        self.progress.committed = self.import.since_commit() == 0;
        if self.progress.committed || self.progress.items.is_multiple_of(500) {
            (self.heard)(&self.progress);
        }
        Ok(())
    }
}

impl Adding<'_> {
    fn bad(&mut self, file: &Path, bad: BadRecord) {
        let bad = BadInput {
            file: name(file),
            position: Some(bad.position).filter(|&position| position > 0),
            reason: match bad.name.filter(|named| *named != name(file)) {
                Some(named) => format!("{named}: {}", bad.reason),
                None => bad.reason,
            },
        };
        self.left_out.note(file, &bad);
        if self.report.bad.len() < LISTED {
            self.report.bad.push(bad);
        }
    }

    /// What could not be used of a file before its import was broken off.
    fn bad_before(&mut self, file: &Path) -> Result<(), LibraryError> {
        for bad in self.import.rejected_before()? {
            self.bad(file, bad);
        }
        Ok(())
    }
}

/// A file that counts what is read of it.
struct Counted {
    inner: File,
    read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

enum FileKind {
    Records(ImportFormat),
    Paper,
    Neither,
}

/// What a file is, by its first bytes and its name.
fn kind(file: &Path) -> Result<FileKind, LibraryError> {
    if file.is_dir() {
        return Ok(FileKind::Paper);
    }
    if let Some(format) = detect(file)? {
        return Ok(FileKind::Records(format));
    }
    let mut head = Vec::new();
    open_file(file)
        .and_then(|opened| opened.take(8).read_to_end(&mut head))
        .map_err(|source| LibraryError::Io {
            path: file.to_owned(),
            source,
        })?;
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

fn size(file: &Path) -> u64 {
    fs::metadata(file).map_or(0, |metadata| metadata.len())
}

/// The files under `path`, sorted. Hidden ones, links and special files inside a folder are passed over.
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
    if !path.is_dir() {
        // The error says what it is: a device, a named pipe or a socket.
        return open_file(path).map(|_| ()).map_err(io);
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
        } else if depth > 0 && entry.is_dir() {
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
