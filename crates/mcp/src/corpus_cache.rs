use std::collections::VecDeque;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use precedent_app::{App, ClaimMatcher, CorporaRequest, Observer, OpenedCorpora, ServiceChoice};

use crate::error::Failure;

/// Combinations of corpora that are kept open. Opening a corpus takes milliseconds, but a folder of papers is read and indexed first.
const KEPT: usize = 4;
/// Depth to which a corpus's folder is looked at for changes. A corpus keeps its index two folders deep.
const DEPTH: usize = 3;

/// Corpora that calls have opened. A corpus that has changed on disk is opened again.
#[derive(Debug, Default)]
pub(crate) struct CorpusCache {
    matchers: Mutex<Kept<ClaimMatcher>>,
    corpora: Mutex<Kept<OpenedCorpora>>,
}

struct Kept<T>(VecDeque<(u64, Arc<T>)>);

impl<T> std::fmt::Debug for Kept<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Kept").field(&self.0.len()).finish()
    }
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self(VecDeque::new())
    }
}

impl<T> Kept<T> {
    fn get(&mut self, key: u64, open: impl FnOnce() -> Result<T, Failure>) -> Result<Arc<T>, Failure> {
        if let Some((_, found)) = self.0.iter().find(|(own, _)| *own == key) {
            return Ok(Arc::clone(found));
        }
        let opened = Arc::new(open()?);
        self.0.push_back((key, Arc::clone(&opened)));
        if self.0.len() > KEPT {
            self.0.pop_front();
        }
        Ok(opened)
    }
}

impl CorpusCache {
    /// A matcher over corpora and services. Others wait while one is opened, so that nothing is indexed twice.
    pub(crate) fn matcher(
        &self,
        paths: &[PathBuf],
        services: ServiceChoice<'_>,
        observer: &dyn Observer,
    ) -> Result<Arc<ClaimMatcher>, Failure> {
        let mut matchers = self.matchers.lock().unwrap_or_else(PoisonError::into_inner);
        matchers.get(key(paths, services.names), || {
            Ok(App::default().claim_matcher(paths, services, observer)?)
        })
    }

    /// Corpora to search.
    pub(crate) fn corpora(&self, paths: &[PathBuf], observer: &dyn Observer) -> Result<Arc<OpenedCorpora>, Failure> {
        let mut corpora = self.corpora.lock().unwrap_or_else(PoisonError::into_inner);
        corpora.get(key(paths, &[]), || {
            Ok(App::default().open_corpora(&CorporaRequest::new(paths.to_vec()), observer)?)
        })
    }
}

/// Identifies corpora with their current content, and services.
fn key(paths: &[PathBuf], names: &[String]) -> u64 {
    let mut hasher = DefaultHasher::new();
    names.hash(&mut hasher);
    for path in paths {
        path.hash(&mut hasher);
        stamp(path, DEPTH, &mut hasher);
    }
    hasher.finish()
}

/// Adds names, lengths and times of change.
fn stamp(path: &Path, depth: usize, hasher: &mut DefaultHasher) {
    let Ok(found) = fs::metadata(path) else { return };
    if !found.is_dir() {
        found.len().hash(hasher);
        found.modified().ok().hash(hasher);
        return;
    }
    if depth == 0 {
        return;
    }
    let mut entries: Vec<PathBuf> = fs::read_dir(path)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    entries.sort();
    for entry in entries {
        entry.hash(hasher);
        stamp(&entry, depth - 1, hasher);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_corpus_has_another_key() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("works.jsonl");
        fs::write(&file, "a").unwrap();
        let paths = [folder.path().to_owned()];
        let before = key(&paths, &[]);
        assert_eq!(before, key(&paths, &[]));
        fs::write(&file, "ab").unwrap();
        let after = key(&paths, &[]);
        assert_ne!(before, after);
        assert_ne!(after, key(&paths, &["openalex".to_owned()]));
    }
}
