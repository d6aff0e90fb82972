use std::path::{Path, PathBuf};

use precedent_corpus::{Corpus, CorpusError};

use super::{AddReport, LibraryError, add};

/// The corpus at `path`: one that `corpus add` made, or works themselves (a file of records, or a folder of records and papers), which are then
/// put into a corpus in `scratch` for this run. With what was added, in the second case.
///
/// # Errors
/// When there is nothing at `path`, or no work in it.
pub fn open(path: &Path, scratch: &Path) -> Result<(Corpus, Option<AddReport>), LibraryError> {
    if !path.exists() {
        return Err(LibraryError::NotFound { path: path.to_owned() });
    }
    if path.is_dir() {
        match Corpus::open(path) {
            Ok(corpus) => return Ok((corpus, None)),
            Err(CorpusError::Missing { .. }) => {}
            Err(other) => return Err(other.into()),
        }
    }
    // Made anew each time: the files may have changed, and a few dozen works take less time than telling whether they have.
    if scratch.exists() {
        std::fs::remove_dir_all(scratch).map_err(|source| LibraryError::Io {
            path: scratch.to_owned(),
            source,
        })?;
    }
    let corpus = Corpus::create_or_open(scratch)?;
    let report = add(&corpus, &[PathBuf::from(path)], &|_| {})?;
    if corpus.is_empty() {
        let reason = match report.bad.first() {
            Some(bad) => format!("{}: {}", bad.file, bad.reason),
            None => "it holds no corpus, no file of records and no paper".to_owned(),
        };
        return Err(LibraryError::NoWorks {
            path: path.to_owned(),
            reason,
        });
    }
    Ok((corpus, Some(report)))
}
