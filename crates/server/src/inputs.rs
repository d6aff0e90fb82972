use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use axum::http::StatusCode;
use futures_util::{Stream, StreamExt};
use precedent_app::Download;
use precedent_app::runs::write_whole;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use crate::error::Problem;
use crate::users::hex;

/// Maximum size of an upload. The largest papers with figures have 40 MB.
pub(crate) const MOST_BYTES: u64 = 50_000_000;
/// Longer names are cut.
const LONGEST_NAME: usize = 100;
/// Time for a whole upload: 50 MB at less than 1 Mbit/s.
pub(crate) const WHOLE_UPLOAD: Duration = Duration::from_secs(600);
/// Inputs that no run names are deleted when the server starts, after this time: as long as a draft.
const UNUSED: Duration = Duration::from_secs(24 * 60 * 60);
/// The file with the name and the size of an input.
const FACTS: &str = "input.json";

/// An uploaded file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct InputFacts {
    /// SHA-256 of its bytes, in hex. Requests name it by this.
    pub(crate) sha256: String,
    /// Its name, from which the format is detected.
    pub(crate) name: String,
    /// Its size.
    pub(crate) bytes: u64,
    /// The identifier, address or title that it was downloaded by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) paper: Option<String>,
}

/// The uploaded files: a folder for each, named by the hash of the bytes.
#[derive(Debug, Clone)]
pub(crate) struct Inputs {
    folder: PathBuf,
    /// Time that a client may pause.
    pause: Duration,
    /// Maximum size of all of them together.
    most: Option<u64>,
    /// Locked while an upload is added, so that two do not pass the limit together.
    adding: Arc<Mutex<()>>,
}

/// Deletes the file of an upload when dropped. After a success it has been renamed.
struct Leftover<'p>(&'p Path);

impl Drop for Leftover<'_> {
    fn drop(&mut self) {
        let _ = fs::remove_file(self.0);
    }
}

impl Inputs {
    pub(crate) fn open(data: &Path, pause: Duration, most: Option<u64>) -> std::io::Result<Self> {
        let folder = data.join("inputs");
        fs::create_dir_all(&folder)?;
        // Uploads that a killed server left.
        for entry in fs::read_dir(&folder)?.flatten() {
            if entry.file_name().to_string_lossy().starts_with('.') {
                let _ = fs::remove_file(entry.path());
            }
        }
        Ok(Self {
            folder,
            pause,
            most,
            adding: Arc::default(),
        })
    }

    /// Stores what a client sends. Nothing is kept if it is too large, too slow or incomplete.
    pub(crate) async fn store<E: std::fmt::Display>(
        &self,
        name: &str,
        body: impl Stream<Item = Result<Bytes, E>> + Send,
    ) -> Result<InputFacts, Problem> {
        let name = safe_name(name);
        let (partial, file) = self.partial()?;
        // Also if the client is gone and nothing polls this any more.
        let _leftover = Leftover(&partial);
        let received = tokio::time::timeout(WHOLE_UPLOAD, self.receive(file, body)).await;
        let received = received.unwrap_or_else(|_| Err(too_slow()));
        let (sha256, bytes) = received?;
        let facts = InputFacts {
            sha256,
            name,
            bytes,
            paper: None,
        };
        let (inputs, from) = (self.clone(), partial.clone());
        in_background(move || inputs.keep(facts, |to| fs::rename(&from, to))).await
    }

    /// Stores a paper that was downloaded by this name.
    pub(crate) fn store_download(&self, download: &Download, paper: &str) -> Result<InputFacts, Problem> {
        let failed = |error: std::io::Error| Problem::io("store the file", &error);
        let bytes = fs::metadata(&download.path).map_err(failed)?.len();
        if bytes > MOST_BYTES {
            return Err(too_large());
        }
        let content = fs::read(&download.path).map_err(failed)?;
        let facts = InputFacts {
            sha256: hex(Sha256::digest(&content).as_slice()),
            name: safe_name(&download.path.file_name().unwrap_or_default().to_string_lossy()),
            bytes,
            paper: Some(paper.to_owned()),
        };
        self.keep(facts, |to| download.move_to(to))
    }

    fn partial(&self) -> Result<(PathBuf, fs::File), Problem> {
        use std::sync::atomic::{AtomicU64, Ordering};
        static UPLOADS: AtomicU64 = AtomicU64::new(0);
        let number = UPLOADS.fetch_add(1, Ordering::Relaxed);
        let path = self.folder.join(format!(".{}-{number}", std::process::id()));
        let file = fs::File::create(&path).map_err(|error| Problem::io("store the file", &error))?;
        Ok((path, file))
    }

    async fn receive<E: std::fmt::Display>(
        &self,
        mut file: fs::File,
        body: impl Stream<Item = Result<Bytes, E>> + Send,
    ) -> Result<(String, u64), Problem> {
        let mut body = std::pin::pin!(body);
        let (mut hash, mut bytes) = (Sha256::new(), 0_u64);
        while let Some(chunk) = tokio::time::timeout(self.pause, body.next())
            .await
            .map_err(|_| too_slow())?
        {
            let chunk = chunk.map_err(|error| Problem::usage(format!("failed to receive the file: {error}")))?;
            bytes += chunk.len() as u64;
            if bytes > MOST_BYTES {
                return Err(too_large());
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

    /// Adds an input whose file `put` moves to a path.
    fn keep(&self, facts: InputFacts, put: impl FnOnce(&Path) -> std::io::Result<()>) -> Result<InputFacts, Problem> {
        if let Ok(known) = self.facts(&facts.sha256) {
            return Ok(known);
        }
        let _adding = self.adding.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(most) = self.most
            && self.stored() + facts.bytes > most
        {
            let detail = format!("your uploads together have more than {} GB", most / 1_000_000_000);
            return Err(Problem::too_large(detail).hint("delete runs that you no longer need"));
        }
        let folder = self.folder.join(&facts.sha256);
        let write = || {
            fs::create_dir_all(folder.join("file"))?;
            put(&folder.join("file").join(&facts.name))?;
            // Last, because it makes the input known.
            write_whole(&folder.join(FACTS), &serde_json::to_vec(&facts)?)
        };
        write().map_err(|error: std::io::Error| {
            if self.facts(&facts.sha256).is_err() {
                // What is there of it takes space that the disk may not have.
                let _ = fs::remove_dir_all(&folder);
            }
            Problem::io("store the file", &error)
        })?;
        Ok(facts)
    }

    /// The size of all inputs together.
    fn stored(&self) -> u64 {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let facts = entries.filter_map(|entry| self.facts(&entry.file_name().to_string_lossy()).ok());
        facts.map(|facts| facts.bytes).sum()
    }

    /// The name and the size of an input.
    pub(crate) fn facts(&self, sha256: &str) -> Result<InputFacts, Problem> {
        let unknown = || {
            Problem::new(StatusCode::NOT_FOUND, "not_found", "there is no input with this hash")
                .hint("upload the file first, with POST /api/v1/inputs")
        };
        // Whatever is not a hash is no name of a folder.
        if sha256.len() != 64 || !sha256.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(unknown());
        }
        let bytes = fs::read(self.folder.join(sha256).join(FACTS)).map_err(|_| unknown())?;
        serde_json::from_slice(&bytes).map_err(|_| unknown())
    }

    /// The file of an input.
    pub(crate) fn path(&self, sha256: &str) -> Result<PathBuf, Problem> {
        let facts = self.facts(sha256)?;
        Ok(self.folder.join(facts.sha256).join("file").join(facts.name))
    }

    /// Deletes the inputs that are not `named`, if they are older than [`UNUSED`].
    pub(crate) fn sweep(&self, named: &BTreeSet<String>) {
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return;
        };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let age = || fs::metadata(entry.path()).ok()?.modified().ok()?.elapsed().ok();
            if !named.contains(&name)
                && age().is_some_and(|age| age > UNUSED)
                && let Err(error) = fs::remove_dir_all(entry.path())
            {
                tracing::warn!("failed to delete an input that no run uses: {error}");
            }
        }
    }

    /// Deletes an input.
    pub(crate) fn delete(&self, sha256: &str) -> Result<(), Problem> {
        let facts = self.facts(sha256)?;
        let folder = self.folder.join(facts.sha256);
        fs::remove_dir_all(folder).map_err(|error| Problem::io("delete the file", &error))
    }
}

/// Work that waits for the disk, on a thread that answers no requests.
async fn in_background<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| Problem::bug("the file could not be stored"))?
}

fn too_slow() -> Problem {
    Problem::timeout("the file arrived too slowly").hint("try again on a better connection")
}

/// The problem of a file that is too large.
pub(crate) fn too_large() -> Problem {
    let most = MOST_BYTES / 1_000_000;
    Problem::too_large(format!("the file has more than {most} MB"))
        .hint("compress its figures, or run `precedent assess` on the command line")
}

/// A file name without anything that has a meaning to a file system: letters, digits, `.`, `-`, `_` and spaces.
fn safe_name(name: &str) -> String {
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
    use futures_util::stream;

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

    fn inputs(name: &str) -> (Inputs, PathBuf) {
        let folder = std::env::temp_dir().join(format!("precedent-inputs-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        (
            Inputs::open(&folder, Duration::from_millis(100), Some(100)).unwrap(),
            folder,
        )
    }

    fn block_on<T>(work: impl Future<Output = T>) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(work)
    }

    #[test]
    fn all_uploads_together_have_a_limit() {
        let (inputs, folder) = inputs("together");
        let body = |bytes: &'static [u8]| stream::iter([Chunk::Ok(Bytes::from_static(bytes))]);
        block_on(async {
            inputs.store("a.txt", body(&[b'a'; 60])).await.unwrap();
            assert_eq!(inputs.store("b.txt", body(&[b'b'; 60])).await.unwrap_err().status, 413);
            // It is there already.
            inputs.store("a.txt", body(&[b'a'; 60])).await.unwrap();
        });
        fs::remove_dir_all(folder).unwrap();
    }

    type Chunk = Result<Bytes, std::io::Error>;

    #[test]
    fn what_is_too_large_or_too_slow_leaves_nothing() {
        let (inputs, folder) = inputs("limits");
        let chunk = Bytes::from(vec![0_u8; 1_000_000]);
        let large = stream::iter((0..51).map(|_| Chunk::Ok(chunk.clone())));
        let slow = stream::iter([Chunk::Ok(Bytes::from_static(b"%PDF-"))]).chain(stream::pending());
        let cut = stream::iter([
            Chunk::Ok(Bytes::from_static(b"x")),
            Err(std::io::ErrorKind::UnexpectedEof.into()),
        ]);
        block_on(async {
            assert_eq!(inputs.store("a.pdf", large).await.unwrap_err().status, 413);
            assert_eq!(inputs.store("a.pdf", slow).await.unwrap_err().status, 408);
            assert_eq!(inputs.store("a.pdf", cut).await.unwrap_err().status, 400);
            assert_eq!(
                inputs
                    .store("a.pdf", stream::iter([] as [Chunk; 0]))
                    .await
                    .unwrap_err()
                    .status,
                400
            );
        });
        assert_eq!(fs::read_dir(folder.join("inputs")).unwrap().count(), 0);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn an_input_is_found_by_its_hash_only() {
        let (inputs, folder) = inputs("hash");
        let body = || stream::iter([Chunk::Ok(Bytes::from_static(b"abc"))]);
        let stored = block_on(inputs.store("../note.txt", body())).unwrap();
        assert_eq!(
            stored.sha256,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(fs::read(inputs.path(&stored.sha256).unwrap()).unwrap(), b"abc");
        // The same bytes under another name are the same input.
        assert_eq!(block_on(inputs.store("other.txt", body())).unwrap(), stored);
        for wrong in [
            "",
            "..",
            "../inputs",
            &"a".repeat(64),
            &stored.sha256.to_uppercase(),
            &format!("{}/x", stored.sha256),
        ] {
            assert_eq!(inputs.path(wrong).unwrap_err().status, 404, "{wrong}");
        }
        inputs.delete(&stored.sha256).unwrap();
        assert!(inputs.facts(&stored.sha256).is_err());
        fs::remove_dir_all(folder).unwrap();
    }

    // Elsewhere the time of a folder cannot be set.
    #[cfg(unix)]
    #[test]
    fn old_inputs_that_no_run_names_are_deleted() {
        let (inputs, folder) = inputs("sweep");
        let body = stream::iter([Chunk::Ok(Bytes::from_static(b"abc"))]);
        let stored = block_on(inputs.store("note.txt", body)).unwrap();
        // One that was just uploaded is kept.
        inputs.sweep(&BTreeSet::new());
        assert!(inputs.facts(&stored.sha256).is_ok());
        let old = fs::File::open(folder.join("inputs").join(&stored.sha256)).unwrap();
        let stored_at = old.metadata().unwrap().modified().unwrap();
        old.set_modified(stored_at - 2 * UNUSED).unwrap();
        inputs.sweep(&BTreeSet::from([stored.sha256.clone()]));
        assert!(inputs.facts(&stored.sha256).is_ok());
        inputs.sweep(&BTreeSet::new());
        assert!(inputs.facts(&stored.sha256).is_err());
        fs::remove_dir_all(folder).unwrap();
    }
}
