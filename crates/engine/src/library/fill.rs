use std::fs;
use std::path::{Path, PathBuf};

use precedent_corpus::{Corpus, CorpusError};

use super::add::files_of;
use super::{AddProgress, AddReport, LibraryError, add};

/// Adds `inputs` to the corpus at `dir`, as [`add`] does, making it where there is none. Where nothing could be added to a corpus that was not there
/// before, none is left behind, and `None` stands for it.
///
/// # Errors
/// As [`add`]; and when `dir` holds other things.
pub fn fill(
    dir: &Path,
    inputs: &[PathBuf],
    commit_every: u64,
    heard: &dyn Fn(&AddProgress),
) -> Result<(Option<Corpus>, AddReport), LibraryError> {
    // An input that is not there makes no corpus.
    files_of(inputs)?;
    let fresh = match Corpus::open(dir) {
        Ok(corpus) => {
            let report = add(&corpus, inputs, commit_every, heard)?;
            return Ok((Some(corpus), report));
        }
        Err(CorpusError::Missing { .. }) => Fresh::new(dir),
        Err(other) => return Err(other.into()),
    };
    let corpus = Corpus::create_or_open(dir)?;
    let outcome = add(&corpus, inputs, commit_every, heard);
    if !corpus.is_empty() {
        return outcome.map(|report| (Some(corpus), report));
    }
    drop(corpus);
    fresh.clear()?;
    outcome.map(|report| (None, report))
}

/// A folder as it was before a corpus was made in it: not there, or empty.
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

    /// Makes it so again.
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
