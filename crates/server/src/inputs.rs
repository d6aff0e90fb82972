use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use axum::http::StatusCode;
use futures_util::Stream;
use precedent_app::Download;
use precedent_app::runs::write_whole;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use crate::error::Problem;
use crate::uploads::{self, Received, SizeLimit, UploadLimits, in_background, safe_name, too_large};
use crate::users::hex;

/// Maximum size of an upload. The largest papers with figures have 40 MB.
pub(crate) const MOST_BYTES: u64 = 50_000_000;
/// Inputs that no run names are deleted when the server starts, after this time: as long as a draft.
const UNUSED: Duration = Duration::from_secs(24 * 60 * 60);
/// The first bytes of a PDF (ISO 32000-2, 7.5.2).
const PDF: [u8; 5] = *b"%PDF-";
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

impl Inputs {
    pub(crate) fn open(data: &Path, pause: Duration, most: Option<u64>) -> std::io::Result<Self> {
        let folder = data.join("inputs");
        fs::create_dir_all(&folder)?;
        uploads::sweep(&folder)?;
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
        self.store_up_to(name, body, SizeLimit::of_file(MOST_BYTES)).await
    }

    /// Stores a file of a form, of which `most` is left.
    pub(crate) async fn store_up_to<E: std::fmt::Display>(
        &self,
        name: &str,
        body: impl Stream<Item = Result<Bytes, E>> + Send,
        most: SizeLimit,
    ) -> Result<InputFacts, Problem> {
        let limits = UploadLimits {
            pause: self.pause,
            most: SizeLimit::of_file(MOST_BYTES).and(most),
        };
        let received = Received::store(&self.folder, limits, body).await?;
        let facts = InputFacts {
            sha256: received.sha256.clone(),
            name: safe_name(name),
            bytes: received.bytes,
            paper: None,
        };
        let inputs = self.clone();
        in_background(move || inputs.keep(facts, |to| received.move_to(to))).await
    }

    /// Stores a paper that was downloaded by this name.
    pub(crate) fn store_download(&self, download: &Download, paper: &str) -> Result<InputFacts, Problem> {
        let failed = |error: std::io::Error| Problem::io("store the file", &error);
        let bytes = fs::metadata(&download.path).map_err(failed)?.len();
        if bytes > MOST_BYTES {
            return Err(too_large(MOST_BYTES));
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

    /// Adds an input whose file `put` moves to a path.
    fn keep(&self, facts: InputFacts, put: impl FnOnce(&Path) -> std::io::Result<()>) -> Result<InputFacts, Problem> {
        if let Ok(known) = self.facts(&facts.sha256) {
            // Its file keeps its name.
            let name = facts.name;
            return Ok(InputFacts { name, ..known });
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

    /// The file of an input that is a PDF by its first bytes, whatever its name says.
    pub(crate) fn pdf(&self, sha256: &str) -> Result<(InputFacts, fs::File), Problem> {
        let facts = self.facts(sha256)?;
        let failed = |error: std::io::Error| Problem::io("read the file", &error);
        let mut file = fs::File::open(self.path(sha256)?).map_err(failed)?;
        let mut first = [0; PDF.len()];
        match file.read_exact(&mut first) {
            Ok(()) if first == PDF => {}
            Err(error) if error.kind() != std::io::ErrorKind::UnexpectedEof => return Err(failed(error)),
            _ => return Err(Problem::not_found("PDF")),
        }
        file.rewind().map_err(failed)?;
        Ok((facts, file))
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

#[cfg(test)]
mod tests {
    use futures_util::{StreamExt, stream};

    use super::*;

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
        // The same bytes under another name are the same input, which keeps its first name.
        let again = block_on(inputs.store("other.txt", body())).unwrap();
        assert_eq!((&again.sha256, again.name.as_str()), (&stored.sha256, "other.txt"));
        assert_eq!(inputs.facts(&stored.sha256).unwrap(), stored);
        assert_eq!(fs::read(inputs.path(&again.sha256).unwrap()).unwrap(), b"abc");
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
