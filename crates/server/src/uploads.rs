//! Files that clients send, until they are kept or refused.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::body::Bytes;
use futures_util::{Stream, StreamExt};
use sha2::{Digest, Sha256};

use crate::error::Problem;
use crate::users::hex;

/// Time for a whole upload: 50 MB at less than 1 Mbit/s, or 500 MB at 7 Mbit/s.
pub(crate) const WHOLE_UPLOAD: Duration = Duration::from_secs(600);
/// Longer names are cut.
const LONGEST_NAME: usize = 100;

/// Limits of an upload.
#[derive(Debug, Clone)]
pub(crate) struct UploadLimits {
    /// Time that a client may pause.
    pub(crate) pause: Duration,
    pub(crate) most: SizeLimit,
}

/// Maximum size of an upload.
#[derive(Debug, Clone)]
pub(crate) struct SizeLimit {
    bytes: u64,
    /// The problem of a larger one.
    problem: Problem,
}

impl SizeLimit {
    pub(crate) fn new(bytes: u64, problem: Problem) -> Self {
        Self { bytes, problem }
    }

    /// That of a file on its own.
    pub(crate) fn of_file(bytes: u64) -> Self {
        Self::new(bytes, too_large(bytes))
    }

    /// The smaller one; `self` if both are equal.
    pub(crate) fn and(self, other: Self) -> Self {
        if other.bytes < self.bytes { other } else { self }
    }
}

/// A file that a client has sent, with a temporary name that begins with a dot. It is deleted when dropped, unless it was moved.
#[derive(Debug)]
pub(crate) struct Received {
    path: PathBuf,
    /// SHA-256 of its bytes, in hex.
    pub(crate) sha256: String,
    /// Its size.
    pub(crate) bytes: u64,
}

impl Drop for Received {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

impl Received {
    /// Stores what a client sends in `folder`. Nothing is left if it is too large, too slow, incomplete or empty, or if the client is gone.
    pub(crate) async fn store<E: std::fmt::Display>(
        folder: &Path,
        limits: UploadLimits,
        body: impl Stream<Item = Result<Bytes, E>> + Send,
    ) -> Result<Self, Problem> {
        static UPLOADS: AtomicU64 = AtomicU64::new(0);
        let number = UPLOADS.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!(".{}-{number}", std::process::id()));
        let file = File::create(&path).map_err(|error| Problem::io("store the file", &error))?;
        let mut received = Self {
            path,
            sha256: String::new(),
            bytes: 0,
        };
        let read = tokio::time::timeout(WHOLE_UPLOAD, receive(file, limits, body)).await;
        (received.sha256, received.bytes) = read.unwrap_or_else(|_| Err(too_slow()))?;
        Ok(received)
    }

    /// Moves it to its place.
    pub(crate) fn move_to(&self, to: &Path) -> std::io::Result<()> {
        fs::rename(&self.path, to)
    }

    /// Moves it back, so that it is deleted when dropped.
    pub(crate) fn move_back(&self, from: &Path) -> std::io::Result<()> {
        fs::rename(from, &self.path)
    }
}

async fn receive<E: std::fmt::Display>(
    mut file: File,
    limits: UploadLimits,
    body: impl Stream<Item = Result<Bytes, E>> + Send,
) -> Result<(String, u64), Problem> {
    let mut body = std::pin::pin!(body);
    let (mut hash, mut bytes) = (Sha256::new(), 0_u64);
    while let Some(chunk) = tokio::time::timeout(limits.pause, body.next())
        .await
        .map_err(|_| too_slow())?
    {
        let chunk = chunk.map_err(|error| Problem::usage(format!("failed to receive the file: {error}")))?;
        bytes += chunk.len() as u64;
        if bytes > limits.most.bytes {
            return Err(limits.most.problem);
        }
        hash.update(&chunk);
        // A chunk has at most a few hundred kilobytes, so this is short.
        file.write_all(&chunk)
            .map_err(|error| Problem::io("store the file", &error))?;
    }
    if bytes == 0 {
        return Err(Problem::usage("the file is empty"));
    }
    in_background(move || file.sync_all().map_err(|error| Problem::io("store the file", &error))).await?;
    Ok((hex(hash.finalize().as_slice()), bytes))
}

/// Deletes the uploads that a killed server left in `folder`.
pub(crate) fn sweep(folder: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)?.flatten() {
        if entry.file_name().to_string_lossy().starts_with('.') && entry.path().is_file() {
            let _ = fs::remove_file(entry.path());
        }
    }
    Ok(())
}

fn too_slow() -> Problem {
    Problem::timeout("the file arrived too slowly").hint("try again on a better connection")
}

/// Work that waits for the disk, on a thread that answers no requests.
pub(crate) async fn in_background<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| Problem::bug("the file could not be stored"))?
}

/// The problem of a file that has more than `most` bytes.
pub(crate) fn too_large(most: u64) -> Problem {
    let megabytes = most / 1_000_000;
    Problem::too_large(format!("the file has more than {megabytes} MB"))
        .hint("compress its figures, split the file, or use the command line")
}

/// A file name without anything that has a meaning to a file system: letters, digits, `.`, `-`, `_` and spaces.
pub(crate) fn safe_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_' | ' ');
    let plain: String = last
        .chars()
        .map(|letter| if is_plain(letter) { letter } else { '_' })
        .collect();
    let plain = plain.trim_matches([' ', '.']);
    // The end has the format.
    let start = plain.len().saturating_sub(LONGEST_NAME);
    match plain
        .get(start..)
        .unwrap_or_default()
        .trim_start_matches([' ', '.', '-'])
    {
        "" => "input".to_owned(),
        name => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_leave_its_folder() {
        let cases = [
            ("paper.pdf", "paper.pdf"),
            ("../../etc/passwd", "passwd"),
            ("C:\\Users\\me\\My paper (2).pdf", "My paper _2_.pdf"),
            ("..", "input"),
            ("", "input"),
            (".bashrc", "bashrc"),
            ("--output=x.pdf", "output_x.pdf"),
            ("a\0b\n.pdf", "a_b_.pdf"),
            ("наука.pdf", "_____.pdf"),
        ];
        for (name, safe) in cases {
            assert_eq!(safe_name(name), safe, "{name:?}");
        }
        assert_eq!(safe_name(&format!("{}.pdf", "x".repeat(500))).len(), 100);
    }
}
