use std::path::{Path, PathBuf};

use precedent_corpus::{Corpus, CorpusError};
use precedent_read::open_file;
use sha2::{Digest, Sha256};

use super::add::files_of;
use super::{COMMIT_EVERY, LeftOut, LibraryError, add};

/// The corpus at `path`: one that `corpus add` made, or works themselves (a file of records, or a folder of records and papers), which are then
/// put into a corpus of their own under `scratch`, where it is found again while the files stay as they are. With what could not be used when it was
/// filled, whenever that was.
///
/// # Errors
/// When there is nothing at `path`, or no work in it.
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
    match Corpus::open(&kept) {
        Ok(corpus) => return Ok(corpus),
        Err(CorpusError::Missing { .. }) => {}
        // Damaged, or of another format: it is made anew from the files, which are still there.
        Err(_) => std::fs::remove_dir_all(&kept).map_err(io(&kept))?,
    }
    // Made beside its place and then moved there: what is in its place is whole.
    let half = scratch.join(format!("{digest}.half"));
    if half.exists() {
        std::fs::remove_dir_all(&half).map_err(io(&half))?;
    }
    let corpus = Corpus::create_or_open(&half)?;
    let report = add(&corpus, &[PathBuf::from(path)], COMMIT_EVERY, &|_| {})?;
    if corpus.is_empty() {
        let reason = match report.bad.first() {
            Some(bad) => format!("{}: {}", bad.file, bad.reason),
            None => "it holds no corpus, no file of records and no paper".to_owned(),
        };
        drop(corpus);
        // Of no use to anybody; that it may not go does not matter more than that there are no works.
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

/// A name for the files at `path` as they are now: their names below it and their bytes.
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
