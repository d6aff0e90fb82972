use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::records::unpack;
use super::{BadRecord, ImportFormat, Records, records};
use crate::{Addition, CorpusError, CorpusWriter};

/// Maximum number of listed bad records; all are counted.
const BAD_SHOWN: usize = 100;
/// Bytes read to detect a format.
const HEAD_BYTES: u64 = 64 * 1024;

/// The result of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportReport {
    /// New works.
    pub added: u64,
    /// Works that replaced or completed earlier records.
    pub updated: u64,
    /// Records that could not be imported.
    pub bad: u64,
    /// The first hundred bad records.
    pub bad_records: Vec<BadRecord>,
}

impl ImportReport {
    /// Records read so far, good and bad.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.added + self.updated + self.bad
    }
}

/// The records of the file at `path`. Its format is detected from its first bytes and its name.
///
/// # Errors
/// If the file cannot be read or its format is unknown.
pub fn open(path: &Path) -> Result<Records<'static>, CorpusError> {
    let format = detect(path)?.ok_or_else(|| CorpusError::UnknownFormat { path: path.to_owned() })?;
    Ok(records(File::open(path).map_err(CorpusError::reading(path))?, format))
}

/// Detects the format of the file at `path` from its first decompressed bytes and its name; `None` if it is not supported.
///
/// # Errors
/// If the file cannot be read.
pub fn detect(path: &Path) -> Result<Option<ImportFormat>, CorpusError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let file = File::open(path).map_err(CorpusError::reading(path))?;
    let mut head = Vec::new();
    if let Ok(unpacked) = unpack(file) {
        // An error here is reported again, with its position, when the records are read.
        let _ = unpacked.take(HEAD_BYTES).read_to_end(&mut head);
    }
    Ok(ImportFormat::detect(&name, &head))
}

impl CorpusWriter {
    /// Adds every good record, commits after every `commit_every` records, and counts the bad ones. `progress` gets the report after every record.
    /// The last records are not committed: call [`CorpusWriter::commit`] or [`CorpusWriter::finish`].
    ///
    /// # Errors
    /// If the index cannot be written. A bad record is not an error.
    pub fn import(
        &mut self,
        records: impl Iterator<Item = Result<crate::Record, BadRecord>>,
        commit_every: u64,
        mut progress: impl FnMut(&ImportReport),
    ) -> Result<ImportReport, CorpusError> {
        let mut report = ImportReport::default();
        for record in records {
            match record {
                Ok(record) => {
                    match self.add(record)? {
                        Addition::Added => report.added += 1,
                        Addition::Updated | Addition::Unchanged => report.updated += 1,
                        Addition::Orphan => report.bad += 1,
                    }
                    if (report.added + report.updated).is_multiple_of(commit_every.max(1)) {
                        self.commit()?;
                    }
                }
                Err(bad) => {
                    report.bad += 1;
                    if report.bad_records.len() < BAD_SHOWN {
                        report.bad_records.push(bad);
                    }
                }
            }
            progress(&report);
        }
        Ok(report)
    }
}
