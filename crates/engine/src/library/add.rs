use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use precedent_corpus::Corpus;
use precedent_corpus::import::{BadRecord, Import, ImportFormat, ImportSource, ImportStart, detect, records};
use precedent_domain::Paper;
use precedent_read::open_file;
use rayon::prelude::*;
use serde::Serialize;

use super::{BadInput, LeftOut, LibraryError, paper_record};

/// Maximum number of bad inputs listed in the report. The rest are only counted.
const LISTED: usize = 1_000;
/// Records between two commits, the most that a crash can lose.
pub const COMMIT_EVERY: u64 = 50_000;
/// Papers read at a time, to bound memory. Reading a paper takes far longer than reading a record, so papers are committed more often.
const PAPERS_AT_ONCE: usize = 16;
const PAPERS_BETWEEN_COMMITS: u64 = 256;
/// Maximum depth of subfolders.
const DEPTH: usize = 16;

/// Result of adding files to a corpus, including what a resumed import had already done.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AddReport {
    /// New works.
    pub added: u64,
    /// Works that replaced an earlier record with the same id.
    pub updated: u64,
    /// Records without a title, whose title is the beginning of their text.
    pub untitled: u64,
    /// Works already present and unchanged.
    pub unchanged: u64,
    /// Total number of unusable inputs.
    pub bad_count: u64,
    /// The first thousand unusable inputs of this call.
    pub bad: Vec<BadInput>,
    /// Names of files that are neither records nor papers.
    pub passed_over: Vec<String>,
    /// Names of files whose interrupted import was resumed.
    pub resumed: Vec<String>,
    /// Files in the corpus folder that list all unusable records as JSON lines, one for each input file that has any.
    pub reject_files: Vec<PathBuf>,
}

/// Progress of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AddProgress {
    /// Records and papers processed so far, good and bad.
    pub items: u64,
    /// Bytes of the input files read so far, before decompression.
    pub bytes: u64,
    /// Total size of the input files in bytes.
    pub all_bytes: u64,
    /// Whether everything so far was just committed and cannot be lost.
    pub committed: bool,
}

/// Reads the paper in a file. An error says why it cannot, as text that follows "failed to".
pub type ReadPaper = dyn Fn(&Path) -> Result<Paper, String> + Sync;

/// Reads a paper in this process.
pub fn read_paper(file: &Path) -> Result<Paper, String> {
    precedent_read::read(file).map_err(|error| error.to_string())
}

/// Adds the records and papers at `inputs` (files, or folders to search) to `corpus`. Commits after every `commit_every` records and reports progress
/// to `on_progress`. Skips what an interrupted call with the same inputs had committed. Unusable inputs are recorded next to the corpus; see [`LeftOut`].
///
/// # Errors
/// If an input does not exist, or if the corpus cannot be written. Earlier commits remain.
pub fn add(
    corpus: &Corpus,
    inputs: &[PathBuf],
    commit_every: u64,
    on_progress: &dyn Fn(&AddProgress),
    read: &ReadPaper,
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
    // Files that only add to other records come last.
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
        on_progress,
        read,
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

/// All files at `inputs`, including those in folders, in order.
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
    on_progress: &'a dyn Fn(&AddProgress),
    read: &'a ReadPaper,
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
            let read: Vec<_> = some.par_iter().map(|file| (self.read)(file)).collect();
            for (file, outcome) in some.iter().zip(read) {
                self.progress.bytes += size(file);
                let name = name(file);
                let unread = |reason: String| BadRecord::unread(&name, format!("failed to {reason}"));
                let item = match outcome.map(paper_record) {
                    Ok(Ok(record)) => Ok(record),
                    Ok(Err(error)) => Err(unread(error.to_string())),
                    // The reason goes into reports, and reports must not contain local folder names.
                    Err(reason) => Err(unread(reason.replace(&file.display().to_string(), &name))),
                };
                self.take(file, item)?;
            }
            if self.import.since_commit() >= PAPERS_BETWEEN_COMMITS {
                self.import.commit()?;
            }
            if !self.progress.committed {
                (self.on_progress)(&self.progress);
            }
        }
        self.end()
    }

    /// Starts a source. Returns the number of items already done, or `None` if all are.
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
        self.report.untitled += entry.untitled;
        self.report.bad_count += entry.rejected;
    }

    fn take(&mut self, file: &Path, item: Result<precedent_corpus::Record, BadRecord>) -> Result<(), LibraryError> {
        if let Some(bad) = self.import.take(item)? {
            self.bad(file, bad);
        }
        self.progress.items += 1;
        self.progress.committed = self.import.since_commit() == 0;
        if self.progress.committed || self.progress.items.is_multiple_of(500) {
            (self.on_progress)(&self.progress);
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

    /// Reports the unusable records of a file from before its import was interrupted.
    fn bad_before(&mut self, file: &Path) -> Result<(), LibraryError> {
        for bad in self.import.rejected_before()? {
            self.bad(file, bad);
        }
        Ok(())
    }
}

/// A file that counts the bytes read from it.
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

/// The kind of a file, by its first bytes and its name.
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
        "pdf", "docx", "odt", "epub", "tex", "gz", "tgz", "tar", "html", "htm", "xhtml", "xml", "nxml", "md",
        "markdown", "txt", "text",
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

/// The files under `path`, sorted. Skips hidden files, links and special files inside a folder.
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
        // The error names the kind: a device, a named pipe or a socket.
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
