use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::BadRecord;
use crate::store::ImportEntry;
use crate::writer::is_no_room;
use crate::{Addition, CorpusError, CorpusWriter, Record};

/// Bytes at the start and at the end of a file that distinguish it from others with the same name and size.
const TELLING_BYTES: u64 = 64 * 1024;

/// Something that is imported as a unit: a file of records, or a list of papers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportSource {
    /// Its name without the folder.
    pub name: String,
    /// Its format: `bibtex`.
    pub format: String,
    /// A fingerprint of its content.
    pub fingerprint: String,
}

impl ImportSource {
    /// The file at `path` as a source of this format.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn file(path: &Path, format: &str) -> Result<Self, CorpusError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut file = File::open(path).map_err(CorpusError::reading(path))?;
        let size = file.metadata().map_err(CorpusError::reading(path))?.len();
        let mut telling = Vec::new();
        let mut read = |file: &mut File| file.take(TELLING_BYTES).read_to_end(&mut telling);
        read(&mut file).map_err(CorpusError::reading(path))?;
        file.seek(SeekFrom::Start(size.saturating_sub(TELLING_BYTES)))
            .and_then(|_| read(&mut file))
            .map_err(CorpusError::reading(path))?;
        let fingerprint = fingerprint([name.as_bytes(), &size.to_le_bytes(), &telling]);
        Ok(Self {
            name,
            format: format.to_owned(),
            fingerprint,
        })
    }

    /// A list of papers, identified by their names and sizes.
    #[must_use]
    pub fn papers(name: String, papers: &[(String, u64)]) -> Self {
        let parts: Vec<String> = papers.iter().map(|(name, size)| format!("{name}\0{size}")).collect();
        Self {
            name,
            format: "papers".to_owned(),
            fingerprint: fingerprint(parts.iter().map(String::as_bytes)),
        }
    }
}

/// Where the import of a source starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportStart {
    /// The same session completed it before it was interrupted.
    Done(ImportEntry),
    /// After this many items, which an interrupted import already committed; 0 for a new one.
    After(u64),
}

/// The import of some sources, in order, into one corpus. Progress is committed with the records, so the same session, started again after a crash,
/// resumes at the last commit and adds nothing twice.
pub struct Import {
    writer: CorpusWriter,
    session: String,
    resumed: bool,
    commit_every: u64,
    since_commit: u64,
    rejects: Option<BufWriter<File>>,
    outdated: Vec<u64>,
    /// Number and committed bytes of the rejects file of the current source.
    before: Option<(u64, u64)>,
}

impl Import {
    /// Starts or resumes the import of these sources. Commits after every `commit_every` items.
    #[must_use]
    pub fn begin(mut writer: CorpusWriter, sources: &[ImportSource], commit_every: u64) -> Self {
        let session = fingerprint(sources.iter().map(|source| source.fingerprint.as_bytes()));
        let resumed = writer.log.session.as_deref() == Some(&session);
        writer.log.session = Some(session.clone());
        Self {
            writer,
            session,
            resumed,
            commit_every: commit_every.max(1),
            since_commit: 0,
            rejects: None,
            outdated: Vec::new(),
            before: None,
        }
    }

    /// Starts a source. A source reported as done needs no more work.
    ///
    /// # Errors
    /// If its rejects file cannot be written.
    pub fn start(&mut self, source: &ImportSource) -> Result<ImportStart, CorpusError> {
        let imports = &mut self.writer.log.imports;
        let known = imports.iter().position(|entry| entry.fingerprint == source.fingerprint);
        let mut entry = ImportEntry {
            number: imports.iter().map(|entry| entry.number).max().unwrap_or(0) + 1,
            source: source.name.clone(),
            format: source.format.clone(),
            fingerprint: source.fingerprint.clone(),
            ..ImportEntry::default()
        };
        if let Some(at) = known {
            let earlier = imports.remove(at);
            if earlier.complete && self.resumed && earlier.session == self.session {
                self.before = Some((earlier.number, earlier.rejects_bytes));
                imports.insert(at, earlier.clone());
                return Ok(ImportStart::Done(earlier));
            }
            if earlier.complete {
                self.outdated.push(earlier.number);
            } else {
                entry = earlier;
            }
        }
        entry.session.clone_from(&self.session);
        self.rejects = Some(self.open_rejects(&entry)?);
        self.before = Some((entry.number, entry.rejects_bytes));
        let after = entry.items;
        // The current source is the last one.
        self.writer.log.imports.push(entry);
        Ok(ImportStart::After(after))
    }

    /// Adds the next item of the current source, and commits when due.
    ///
    /// # Errors
    /// If the corpus cannot be written. A bad record is not an error.
    pub fn take(&mut self, item: Result<Record, BadRecord>) -> Result<Option<BadRecord>, CorpusError> {
        let outcome = match item {
            Ok(record) => {
                let (id, untitled) = (record.work.id.clone(), record.untitled);
                match self.writer.add(record)? {
                    Addition::Orphan => {
                        let reason = "there is no work with this id to complete; import the works first";
                        let items = self.writer.log.imports.last().map_or(0, |entry| entry.items);
                        Err(BadRecord::new(items + 1, Some(id.as_str()), reason))
                    }
                    done => Ok((done, untitled)),
                }
            }
            Err(bad) => Err(bad),
        };
        let bad = match outcome {
            Ok((done, untitled)) => {
                if let Some(entry) = self.writer.log.imports.last_mut() {
                    entry.untitled += u64::from(untitled);
                    match done {
                        Addition::Added => entry.added += 1,
                        Addition::Updated => entry.updated += 1,
                        Addition::Unchanged | Addition::Orphan => entry.unchanged += 1,
                    }
                }
                None
            }
            Err(bad) => {
                self.reject(&bad)?;
                Some(bad)
            }
        };
        if let Some(entry) = self.writer.log.imports.last_mut() {
            entry.items += 1;
        }
        self.since_commit += 1;
        if self.since_commit >= self.commit_every {
            self.commit()?;
        }
        Ok(bad)
    }

    /// Ends the current source after its last item.
    ///
    /// # Errors
    /// If the corpus cannot be written.
    pub fn end(&mut self) -> Result<ImportEntry, CorpusError> {
        let entry = self.writer.log.imports.last_mut().map(|entry| {
            entry.complete = true;
            entry.clone()
        });
        if self.since_commit > 0 {
            self.flush_rejects()?;
        }
        self.close_rejects()?;
        Ok(entry.unwrap_or_default())
    }

    /// Commits everything so far. After a crash the import resumes here.
    ///
    /// # Errors
    /// If the corpus cannot be written.
    pub fn commit(&mut self) -> Result<(), CorpusError> {
        self.flush_rejects()?;
        self.writer.commit()?;
        self.since_commit = 0;
        for number in self.outdated.drain(..) {
            // Nothing refers to the file any more, so a failure to delete it is harmless.
            let _ = fs::remove_file(rejects_file(self.writer.corpus().dir(), number));
        }
        Ok(())
    }

    /// Commits, and waits until the index has merged its segments.
    ///
    /// # Errors
    /// If the corpus cannot be written.
    pub fn finish(mut self) -> Result<(), CorpusError> {
        self.writer.log.session = None;
        self.commit()?;
        self.writer.finish()
    }

    /// Like [`Import::finish`], without the vectors.
    ///
    /// # Errors
    /// As for [`Import::finish`].
    pub fn finish_words(mut self) -> Result<(), CorpusError> {
        self.writer.log.session = None;
        self.commit()?;
        self.writer.finish_words()
    }

    /// The items of the current source that were rejected and committed by an earlier process.
    ///
    /// # Errors
    /// If the list cannot be read.
    pub fn rejected_before(&self) -> Result<Vec<BadRecord>, CorpusError> {
        let Some((number, bytes)) = self.before else {
            return Ok(Vec::new());
        };
        let path = rejects_file(self.writer.corpus().dir(), number);
        let mut text = String::new();
        let file = File::open(&path).map_err(CorpusError::reading(&path))?;
        file.take(bytes)
            .read_to_string(&mut text)
            .map_err(CorpusError::reading(&path))?;
        Ok(text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect())
    }

    /// Items since the last commit.
    #[must_use]
    pub fn since_commit(&self) -> u64 {
        self.since_commit
    }

    fn reject(&mut self, bad: &BadRecord) -> Result<(), CorpusError> {
        let mut line = serde_json::to_vec(bad).unwrap_or_default();
        line.push(b'\n');
        if let (Some(rejects), Some(entry)) = (&mut self.rejects, self.writer.log.imports.last_mut()) {
            entry.rejected += 1;
            entry.rejects_bytes += line.len() as u64;
            let number = entry.number;
            if let Err(error) = rejects.write_all(&line) {
                return Err(self.unwritten(number, error));
            }
        }
        Ok(())
    }

    fn flush_rejects(&mut self) -> Result<(), CorpusError> {
        let number = self.writer.log.imports.last().map_or(0, |entry| entry.number);
        if let Some(rejects) = &mut self.rejects
            && let Err(error) = rejects.flush().and_then(|()| rejects.get_ref().sync_data())
        {
            return Err(self.unwritten(number, error));
        }
        Ok(())
    }

    fn close_rejects(&mut self) -> Result<(), CorpusError> {
        self.flush_rejects()?;
        self.rejects = None;
        Ok(())
    }

    /// Opens the rejects file of an import, truncated to its committed length, because a crash may have left more.
    fn open_rejects(&self, entry: &ImportEntry) -> Result<BufWriter<File>, CorpusError> {
        let path = rejects_file(self.writer.corpus().dir(), entry.number);
        let open = || -> std::io::Result<File> {
            fs::create_dir_all(path.parent().unwrap_or(&path))?;
            let mut file = OpenOptions::new()
                .create(true)
                .truncate(false)
                .write(true)
                .open(&path)?;
            file.set_len(entry.rejects_bytes)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        open()
            .map(BufWriter::new)
            .map_err(|error| self.unwritten(entry.number, error))
    }

    fn unwritten(&self, number: u64, source: std::io::Error) -> CorpusError {
        let dir = self.writer.corpus().dir();
        if is_no_room(source.kind()) {
            return CorpusError::NoRoom {
                path: dir.to_owned(),
                source,
            };
        }
        CorpusError::io("write", &rejects_file(dir, number))(source)
    }
}

/// Path of the rejects file of an import.
pub(crate) fn rejects_file(dir: &Path, number: u64) -> PathBuf {
    dir.join("rejects").join(format!("{number:04}.jsonl"))
}

fn fingerprint<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize()
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
