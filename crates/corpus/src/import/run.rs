use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use serde::{Deserialize, Serialize};

use super::{BadRecord, ImportFormat, Records, records};
use crate::{Addition, CorpusError, CorpusWriter};

/// Bad records that are kept to be shown; all are counted.
const BAD_SHOWN: usize = 100;
/// Bytes looked at to tell a format.
const HEAD_BYTES: u64 = 4096;

/// What an import did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportReport {
    /// New works.
    pub added: u64,
    /// Works that took the place of earlier records.
    pub updated: u64,
    /// Records that could not be used.
    pub bad: u64,
    /// The first hundred of them.
    pub bad_records: Vec<BadRecord>,
}

impl ImportReport {
    /// Records read so far, good and bad.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.added + self.updated + self.bad
    }
}

/// The records of the file at `path`; its format is told from its name and first bytes.
///
/// # Errors
/// When the file cannot be read or its format cannot be told.
pub fn open(path: &Path) -> Result<Records<'static>, CorpusError> {
    let io = |source| CorpusError::Io {
        action: "read",
        path: path.to_owned(),
        source,
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let head = head(path).map_err(io)?;
    let format =
        ImportFormat::detect(&name, &head).ok_or_else(|| CorpusError::UnknownFormat { path: path.to_owned() })?;
    Ok(records(File::open(path).map_err(io)?, format))
}

/// The first bytes of a file, unpacked.
fn head(path: &Path) -> io::Result<Vec<u8>> {
    let read = |input: &mut dyn Read| {
        let mut head = Vec::new();
        // What breaks off here is told again, with its place, when the records are read.
        let _ = input.take(HEAD_BYTES).read_to_end(&mut head);
        head
    };
    let mut magic = [0; 4];
    let got = File::open(path)?.read(&mut magic)?;
    let file = BufReader::new(File::open(path)?);
    Ok(match magic.get(..got).unwrap_or_default() {
        [0x1f, 0x8b, ..] => read(&mut MultiGzDecoder::new(file)),
        [0x28, 0xb5, 0x2f, 0xfd] => read(&mut zstd::stream::read::Decoder::with_buffer(file)?),
        _ => read(&mut { file }),
    })
}

impl CorpusWriter {
    /// Adds every good record, commits every `commit_every` records, and counts the bad ones. `progress` sees the report after every record.
    /// The last records are not yet committed: call [`CorpusWriter::commit`] or [`CorpusWriter::finish`].
    ///
    /// # Errors
    /// When the index cannot be written to. A bad record is no error.
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
                        Addition::Updated => report.updated += 1,
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
