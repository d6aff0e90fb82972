use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use precedent_corpus::{Corpus, CorpusError};
use precedent_read::open_file;
use sha2::{Digest, Sha256};

use super::add::files_of;
use super::{COMMIT_EVERY, LeftOut, LibraryError, add, read_paper};

/// The places of corpora that runs of this process build. Each is locked while one is built there.
static BUILDING: Mutex<BTreeMap<PathBuf, Arc<Mutex<()>>>> = Mutex::new(BTreeMap::new());

/// Opens the corpus at `path`, with its list of unusable inputs. `path` is a corpus made by `corpus add`, or a file or folder of records and papers.
/// Those are imported into a corpus under `scratch`, which is reused while the files do not change.
///
/// # Errors
/// If `path` does not exist or contains no papers.
pub fn open(path: &Path, scratch: &Path) -> Result<(Corpus, LeftOut), LibraryError> {
    let corpus = corpus(path, scratch)?;
    let left_out = LeftOut::of(&corpus);
    Ok((corpus, left_out))
}

fn corpus(path: &Path, scratch: &Path) -> Result<Corpus, LibraryError> {
    if !path.exists() {
        return Err(LibraryError::NotFound { path: path.to_owned() });
    }
    if path.is_dir() {
        match Corpus::open(path) {
            Ok(corpus) => return Ok(corpus),
            Err(CorpusError::Missing { .. }) => {}
            Err(other) => return Err(other.into()),
        }
    }
    let digest = digest(path)?;
    let kept = scratch.join(&digest);
    // Other runs of this process may use the same folder. One of them builds the corpus.
    let place = {
        let mut places = BUILDING.lock().unwrap_or_else(PoisonError::into_inner);
        places.retain(|_, place| Arc::strong_count(place) > 1);
        Arc::clone(places.entry(kept.clone()).or_default())
    };
    let _building = place.lock().unwrap_or_else(PoisonError::into_inner);
    match Corpus::open(&kept) {
        Ok(corpus) => return Ok(corpus),
        Err(CorpusError::Missing { .. }) => {}
        // Rebuilt from the files, which still exist.
        Err(CorpusError::Damaged { .. } | CorpusError::Format { .. } | CorpusError::Index { .. }) => {
            std::fs::remove_dir_all(&kept).map_err(io(&kept))?;
        }
        Err(other) => return Err(other.into()),
    }
    // Built in a temporary folder and then renamed, so the final folder is always complete.
    let half = scratch.join(format!("{digest}.half"));
    if half.exists() {
        std::fs::remove_dir_all(&half).map_err(io(&half))?;
    }
    let corpus = Corpus::create_or_open(&half)?;
    let report = add(&corpus, &[PathBuf::from(path)], COMMIT_EVERY, &|_| {}, &read_paper)?;
    if corpus.is_empty() {
        let reason = match report.bad.first() {
            Some(bad) => format!("{}: {}", bad.file, bad.reason),
            None => "it contains no corpus, no records and no papers".to_owned(),
        };
        drop(corpus);
        // Failing to remove the empty folder matters less than the error below.
        let _ = std::fs::remove_dir_all(&half);
        return Err(LibraryError::NoWorks {
            path: path.to_owned(),
            reason,
        });
    }
    drop(corpus);
    std::fs::rename(&half, &kept).map_err(io(&half))?;
    Ok(Corpus::open(&kept)?)
}

/// A hash of the names and contents of the files at `path`.
fn digest(path: &Path) -> Result<String, LibraryError> {
    let mut digest = Sha256::new();
    for file in files_of(&[PathBuf::from(path)])? {
        let name = file.strip_prefix(path).unwrap_or(&file);
        digest.update(name.as_os_str().as_encoded_bytes());
        digest.update([0]);
        let mut opened = open_file(&file).map_err(io(&file))?;
        let length = std::io::copy(&mut opened, &mut digest).map_err(io(&file))?;
        digest.update(length.to_le_bytes());
    }
    Ok(digest
        .finalize()
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect())
}

fn io(path: &Path) -> impl FnOnce(std::io::Error) -> LibraryError {
    let path = path.to_owned();
    move |source| LibraryError::Io { path, source }
}
