//! The pace of a host for all processes of a machine.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

/// A turn further ahead than this is a mistake, such as a clock that was set back.
const FURTHEST: Duration = Duration::from_secs(600);
/// Maximum length of a pause that other processes also keep.
const LONGEST_HOLD: Duration = Duration::from_secs(60);

/// The queue of all processes of a machine for one host: a file with the time of the next free turn, in milliseconds since 1970. It is locked while it
/// is read and written. If that fails, the process keeps its own pace only.
#[derive(Debug)]
pub(crate) struct MachineTurns {
    path: PathBuf,
}

impl MachineTurns {
    /// The queue of the host `name` (with its port) in `folder`.
    pub(crate) fn new(folder: &Path, name: &str) -> Self {
        let safe = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '_' };
        let file: String = name.chars().take(120).map(safe).collect();
        Self {
            path: folder.join(format!("pace-{file}")),
        }
    }

    /// Takes the first free turn after `wait`, and the time `between` after it. Returns the time until then, or `None`, and takes nothing, if the turn
    /// is later than `latest`.
    pub(crate) fn take(&self, wait: Duration, between: Duration, latest: Option<Duration>) -> Option<Duration> {
        let now = since_1970();
        let Ok(mut queue) = self.locked() else {
            return Some(wait);
        };
        let turn = next(&mut queue, now).max(now + wait);
        if latest.is_some_and(|latest| turn > now + latest) {
            return None;
        }
        write(&mut queue, turn + between);
        Some(turn.saturating_sub(now))
    }

    /// No process has a turn for `wait` from now.
    pub(crate) fn hold(&self, wait: Duration) {
        let now = since_1970();
        if wait <= LONGEST_HOLD
            && let Ok(mut queue) = self.locked()
        {
            let turn = next(&mut queue, now).max(now + wait);
            write(&mut queue, turn);
        }
    }

    /// The file, locked until it is dropped.
    fn locked(&self) -> std::io::Result<File> {
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&self.path)?;
        file.lock()?;
        Ok(file)
    }
}

fn next(queue: &mut File, now: Duration) -> Duration {
    let mut text = String::new();
    let read = queue.take(40).read_to_string(&mut text);
    let next = read.ok().and_then(|_| text.trim().parse().ok());
    let next = Duration::from_millis(next.unwrap_or_default());
    if next > now + FURTHEST { now } else { next }
}

fn write(queue: &mut File, turn: Duration) {
    let text = turn.as_millis().to_string();
    let written = queue
        .seek(SeekFrom::Start(0))
        .and_then(|_| queue.set_len(0))
        .and_then(|()| queue.write_all(text.as_bytes()));
    // Without it, the next process keeps only its own pace.
    drop(written);
}

#[expect(
    clippy::disallowed_methods,
    reason = "processes have no other clock in common, and no result depends on it"
)]
fn since_1970() -> Duration {
    std::time::SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_share_one_queue_and_take_no_turn_that_is_too_late() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (
            MachineTurns::new(folder.path(), "export.arxiv.org:443"),
            MachineTurns::new(folder.path(), "export.arxiv.org:443"),
        );
        let between = Duration::from_secs(30);
        assert_eq!(one.take(Duration::ZERO, between, None), Some(Duration::ZERO));
        let second = other.take(Duration::ZERO, between, None).unwrap();
        assert!(second > Duration::from_secs(25) && second <= between, "{second:?}");
        assert_eq!(one.take(Duration::ZERO, between, Some(Duration::from_secs(40))), None);
        let third = one
            .take(Duration::ZERO, between, Some(Duration::from_secs(90)))
            .unwrap();
        assert!(
            third > Duration::from_secs(55) && third <= 2 * between,
            "a refused turn is free: {third:?}"
        );
        let elsewhere = MachineTurns::new(folder.path(), "api.crossref.org:443");
        assert_eq!(elsewhere.take(Duration::ZERO, between, None), Some(Duration::ZERO));
    }

    #[test]
    fn a_pause_holds_all_processes_and_a_damaged_file_holds_none() {
        let folder = tempfile::tempdir().unwrap();
        let turns = MachineTurns::new(folder.path(), "h:1");
        turns.hold(Duration::from_secs(20));
        assert!(turns.take(Duration::ZERO, Duration::ZERO, None).unwrap() > Duration::from_secs(15));
        turns.hold(Duration::from_secs(4_000));
        assert!(turns.take(Duration::ZERO, Duration::ZERO, None).unwrap() < Duration::from_secs(21));
        for text in ["", "nonsense", "99999999999999999"] {
            std::fs::write(&turns.path, text).unwrap();
            assert_eq!(
                turns.take(Duration::ZERO, Duration::ZERO, None),
                Some(Duration::ZERO),
                "{text}"
            );
        }
        let nowhere = MachineTurns::new(Path::new("/dev/null/x"), "h:1");
        assert_eq!(
            nowhere.take(Duration::from_secs(1), Duration::ZERO, None),
            Some(Duration::from_secs(1))
        );
    }
}
