use std::fs;
use std::path::{Path, PathBuf};

use precedent_corpus::{Corpus, CorpusError};

use super::add::files_of;
use super::{AddProgress, AddReport, LibraryError, ReadPaper, add};

/// Adds `inputs` to the corpus at `dir` with [`add`], and creates the corpus if it does not exist. If a new corpus would stay empty, it is removed
/// and `None` is returned.
///
/// # Errors
/// Like [`add`], and if `dir` contains other files.
pub fn fill(
    dir: &Path,
    inputs: &[PathBuf],
    commit_every: u64,
    on_progress: &dyn Fn(&AddProgress),
    read: &ReadPaper,
) -> Result<(Option<Corpus>, AddReport), LibraryError> {
    // Checks the inputs first, so that a missing input creates no corpus.
    files_of(inputs)?;
    let fresh = match Corpus::open(dir) {
        Ok(corpus) => {
            let report = add(&corpus, inputs, commit_every, on_progress, read)?;
            return Ok((Some(corpus), report));
        }
        Err(CorpusError::Missing { .. }) => Fresh::new(dir),
        Err(other) => return Err(other.into()),
    };
    let corpus = Corpus::create_or_open(dir)?;
    let outcome = add(&corpus, inputs, commit_every, on_progress, read);
    if !corpus.is_empty() {
        return outcome.map(|report| (Some(corpus), report));
    }
    drop(corpus);
    fresh.clear()?;
    outcome.map(|report| (None, report))
}

/// A folder that was missing or empty before a corpus was created in it.
struct Fresh<'a> {
    dir: &'a Path,
    was_there: bool,
}

impl<'a> Fresh<'a> {
    fn new(dir: &'a Path) -> Self {
        Self {
            dir,
            was_there: dir.exists(),
        }
    }

    /// Restores that state.
    fn clear(&self) -> Result<(), LibraryError> {
        let clear = || {
            fs::remove_dir_all(self.dir)?;
            if self.was_there {
                fs::create_dir(self.dir)?;
            }
            Ok(())
        };
        clear().map_err(|source| LibraryError::Io {
            path: self.dir.to_owned(),
            source,
        })
    }
}
