use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::RunError;

const FILE: &str = ".lock";
const BATCHES: &str = ".provider-batches.lock";
/// A process that only checks the lock holds it for an instant, so a busy lock is retried.
const TRIES: u32 = 5;
const BETWEEN: Duration = Duration::from_millis(20);

/// Marks a run's folder, or the record of its batches at a provider, as in use by a process. The system releases the lock when the process ends for any
/// reason, so none is left after a crash. On file systems without locks, no lock is held.
#[derive(Debug)]
pub struct FolderLock {
    _held: Option<File>,
}

impl FolderLock {
    /// Takes the lock of `dir`.
    ///
    /// # Errors
    /// [`RunError::InUse`] if another process has it.
    pub(super) fn take(dir: &Path) -> Result<Self, RunError> {
        Self::take_file(dir, FILE)
    }

    /// Takes the lock of the batches at a provider whose record is in `dir`.
    ///
    /// # Errors
    /// [`RunError::InUse`] if another process has it.
    pub fn of_batches(dir: &Path) -> Result<Self, RunError> {
        Self::take_file(dir, BATCHES)
    }

    fn take_file(dir: &Path, name: &str) -> Result<Self, RunError> {
        let path = dir.join(name);
        let opened = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path);
        let mut file = opened.map_err(|source| RunError::Io {
            doing: "write",
            path: path.clone(),
            source,
        })?;
        for _ in 0..TRIES {
            match file.try_lock() {
                Ok(()) => {
                    // Informative only: for people who look into the folder, and for the error message of a second process.
                    let _ = file.set_len(0);
                    let _ = write!(file, "{}", std::process::id());
                    return Ok(Self { _held: Some(file) });
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(BETWEEN),
                Err(TryLockError::Error(_)) => return Ok(Self { _held: None }),
            }
        }
        let mut process = String::new();
        let _ = file.read_to_string(&mut process);
        Err(RunError::InUse {
            path: dir.to_owned(),
            process: process.parse().ok(),
        })
    }

    /// Whether a process is using `dir`; false if that cannot be determined.
    pub(super) fn is_taken(dir: &Path) -> bool {
        File::open(dir.join(FILE)).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// The files of the locks of a folder, needed to delete it.
    pub(super) fn paths(dir: &Path) -> [PathBuf; 2] {
        [FILE, BATCHES].map(|name| dir.join(name))
    }
}
