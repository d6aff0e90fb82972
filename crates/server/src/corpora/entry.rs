//! A corpus of a user in memory, and an import into it.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use precedent_app::CorpusImport;

use super::files::{StateFolder, WaitingFile, waiting};
use super::record::{CorpusRecord, ImportProgress};

/// Requests of all users wait for the lock of the corpora, so no folder is listed and no file is deleted under it.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) record: CorpusRecord,
    /// The state of the record.
    pub(super) state: Option<Arc<StateFolder>>,
    /// The files that wait or are being imported.
    pub(super) waiting: Vec<WaitingFile>,
    /// Place of the next import in the order of the queue. `None` if no file waits.
    pub(super) number: Option<u64>,
    pub(super) active: Option<Active>,
    /// Whether it is being deleted, so that nothing is started.
    pub(super) deleting: bool,
}

/// An import with a process.
#[derive(Debug)]
pub(super) struct Active {
    pub(super) progress: Arc<Mutex<ImportProgress>>,
    pub(super) stop: Arc<AtomicBool>,
}

/// An import that has begun.
#[derive(Debug, Clone)]
pub(crate) struct ImportTask {
    pub(crate) corpus: String,
    pub(crate) import: CorpusImport,
    /// The folder of the new state. The temporary files of the import are there too.
    pub(crate) state: PathBuf,
    pub(super) number: u64,
    pub(crate) progress: Arc<Mutex<ImportProgress>>,
    /// Set when the import must end.
    pub(crate) stop: Arc<AtomicBool>,
    /// Maximum size of the new state, in bytes.
    pub(crate) most_bytes: u64,
}

impl Entry {
    /// Takes a record over from the folder of the corpus. `number` gives the place of an import in the queue.
    pub(super) fn open(folder: &Path, record: CorpusRecord, number: impl Fn() -> u64) -> Self {
        let waiting = waiting(folder);
        Self {
            number: (!waiting.is_empty()).then(number),
            state: StateFolder::new(folder, record.state, &record.name),
            active: None,
            deleting: false,
            waiting,
            record,
        }
    }

    /// Changes the record on the disk, then in memory. Returns the state that was replaced, which the caller drops where no lock is held.
    pub(super) fn set_record(&mut self, folder: &Path, record: CorpusRecord) -> io::Result<Option<Arc<StateFolder>>> {
        record.write(folder)?;
        let is_new = record.state != self.record.state;
        self.record = record;
        if !is_new {
            return Ok(None);
        }
        let state = StateFolder::new(folder, self.record.state, &self.record.name);
        let old = std::mem::replace(&mut self.state, state);
        old.iter().for_each(|old| old.replace());
        Ok(old)
    }

    fn waiting_bytes(&self) -> u64 {
        self.waiting.iter().map(|file| file.bytes).sum()
    }
}

/// The size of all corpora, with the files that wait.
pub(super) fn stored(corpora: &BTreeMap<String, Entry>) -> u64 {
    corpora.values().map(|one| one.record.bytes + one.waiting_bytes()).sum()
}
