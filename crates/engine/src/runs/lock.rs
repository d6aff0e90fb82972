use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::RunError;

const FILE: &str = ".lock";
/// Who only looks whether a run is worked in holds the lock for an instant: it is waited for.
const TRIES: u32 = 5;
const BETWEEN: Duration = Duration::from_millis(20);

/// Says that a process works in a run's folder. The system lets go of it when the process ends, however it ends, so it never lies after a
/// crash. Where the file system knows no locks, none is held.
#[derive(Debug)]
pub(super) struct Lock {
    _held: Option<File>,
}

impl Lock {
    /// Takes the lock of `dir`.
    ///
    /// # Errors
    /// [`RunError::InUse`] when another process has it.
    pub(super) fn take(dir: &Path) -> Result<Self, RunError> {
        let path = dir.join(FILE);
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
                    // For people who look into the folder and for the message of whoever comes second; nothing rests on it.
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

    /// Whether a process works in `dir`. Where that cannot be told, the answer is no.
    pub(super) fn is_taken(dir: &Path) -> bool {
        File::open(dir.join(FILE)).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// The lock's file, for taking a folder away again.
    pub(super) fn path(dir: &Path) -> PathBuf {
        dir.join(FILE)
    }
}
