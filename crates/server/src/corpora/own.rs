use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use axum::http::StatusCode;
use futures_util::Stream;
use precedent_app::{CorpusAddition, CorpusImport};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::files::{delete, names, new_number, put, size_of, state_path, sweep_states, waiting};
use super::record::{CorpusRecord, CorpusView, ImportProgress, ImportRecord, ImportState};
use crate::error::Problem;
use crate::jobs::now;
use crate::uploads::{self, Received, UploadLimits, safe_name};

/// Maximum size of a file for a corpus: some hundred thousand records with abstracts; chosen by hand.
pub(crate) const MOST_FILE_BYTES: u64 = 500_000_000;
/// Files of a corpus that wait for an import; chosen by hand. A form has up to 100.
const MOST_WAITING: usize = 1_000;
/// Forms and files that one user may send at the same time, because they are on the disk before they count; chosen by hand.
const MOST_UPLOADS: usize = 4;
/// Maximum length of a name, which is the name of a folder.
const LONGEST_NAME: usize = 40;

/// The corpora that one user made, or all if the server has no users.
#[derive(Debug)]
pub(crate) struct OwnCorpora {
    folder: PathBuf,
    /// Time that a client may pause.
    pause: Duration,
    /// Maximum number of corpora.
    most: Option<usize>,
    /// Maximum size of all of them, with files that wait, in bytes.
    most_bytes: u64,
    uploads: Arc<Semaphore>,
    corpora: Mutex<BTreeMap<String, Entry>>,
}

#[derive(Debug)]
struct Entry {
    record: CorpusRecord,
    /// Place of the next import in the order of the queue. `None` if no file waits.
    number: Option<u64>,
    active: Option<Active>,
    /// Whether it is being deleted, so that nothing is started.
    deleting: bool,
}

/// An import with a process.
#[derive(Debug)]
struct Active {
    progress: Arc<Mutex<ImportProgress>>,
    stop: Arc<AtomicBool>,
    files: Vec<PathBuf>,
}

/// An import that has begun.
#[derive(Debug, Clone)]
pub(crate) struct ImportTask {
    pub(crate) corpus: String,
    pub(crate) import: CorpusImport,
    /// The folder of the new state. The temporary files of the import are there too.
    pub(crate) state: PathBuf,
    number: u64,
    pub(crate) progress: Arc<Mutex<ImportProgress>>,
    /// Set when the import must end.
    pub(crate) stop: Arc<AtomicBool>,
    /// Maximum size of the new state, in bytes.
    pub(crate) most_bytes: u64,
}

impl Entry {
    /// Records an import that failed because of the disk, which may be full: in memory even if not there. The files are deleted, because they may be what
    /// filled it.
    fn fail(&mut self, folder: &Path, files: &[PathBuf], problem: Problem) {
        delete(files);
        self.record
            .add_import(ImportRecord::new(names(files), now(), Err(problem)));
        if let Err(error) = self.record.write(folder) {
            tracing::warn!("failed to record an import: {error}");
        }
    }
}

/// A name that is a folder on any system, and that a corpus of the server with a file name of its own rarely has.
fn is_name(name: &str) -> bool {
    let is_plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || matches!(letter, '-' | '_');
    name.len() <= LONGEST_NAME
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(is_plain)
}

impl OwnCorpora {
    /// Reads the corpora in the data folder. Imports that the last server did not finish are repeated: `number` gives their places in the queue.
    pub(crate) fn open(
        data: &Path,
        pause: Duration,
        most: Option<usize>,
        most_bytes: u64,
        number: impl Fn() -> u64,
    ) -> std::io::Result<Arc<Self>> {
        let folder = data.join("corpora");
        fs::create_dir_all(&folder)?;
        uploads::sweep(&folder)?;
        let mut corpora = BTreeMap::new();
        for entry in fs::read_dir(&folder)?.flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with('.') {
                // A corpus that was being deleted.
                let _ = fs::remove_dir_all(&path);
                continue;
            }
            let Some(record) = CorpusRecord::read(&path) else {
                // Without a record, the server was ended while it made the corpus. An unreadable record is left for a person.
                if path.is_dir() && !CorpusRecord::is_in(&path) {
                    let _ = fs::remove_dir_all(&path);
                }
                continue;
            };
            // The folder's name is the name, whatever the file says.
            let record = CorpusRecord { name, ..record };
            if record.state == 0 || state_path(&path, record.state, &record.name).exists() {
                sweep_states(&path, record.state);
            }
            let entry = Entry {
                number: (!waiting(&path).is_empty()).then(&number),
                active: None,
                deleting: false,
                record,
            };
            corpora.insert(entry.record.name.clone(), entry);
        }
        Ok(Arc::new(Self {
            folder,
            pause,
            most,
            most_bytes,
            uploads: Arc::new(Semaphore::new(MOST_UPLOADS)),
            corpora: Mutex::new(corpora),
        }))
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Entry>> {
        self.corpora.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn dir(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The names of those with papers.
    pub(super) fn searchable(&self) -> Vec<String> {
        let corpora = self.lock();
        let filled = corpora.values().filter(|one| one.record.state > 0);
        filled.map(|one| one.record.name.clone()).collect()
    }

    /// The path of the state that is searched. `Some(None)` if the corpus has no papers yet.
    pub(super) fn path(&self, name: &str) -> Option<Option<PathBuf>> {
        let state = self.lock().get(name)?.record.state;
        Some((state > 0).then(|| state_path(&self.dir(name), state, name)))
    }

    /// Whether files wait or are being imported, or the corpus is being deleted.
    pub(super) fn is_busy(&self, name: &str) -> bool {
        let corpora = self.lock();
        corpora
            .get(name)
            .is_some_and(|one| one.number.is_some() || one.active.is_some() || one.deleting)
    }

    /// What a client sees of a corpus, and the place of its waiting import in the order of the queue.
    pub(crate) fn view(&self, name: &str) -> Result<(CorpusView, Option<u64>), Problem> {
        let corpora = self.lock();
        let entry = corpora.get(name).ok_or_else(|| Problem::not_found("corpus"))?;
        let record = entry.record.clone();
        let (state, number) = match (&entry.active, entry.number) {
            (Some(_), _) => (ImportState::Importing, None),
            (None, Some(number)) => (ImportState::Waiting, Some(number)),
            (None, None) => (ImportState::Ready, None),
        };
        let progress = entry.active.as_ref().map(|active| *lock(&active.progress));
        let view = CorpusView {
            files: names(&waiting(&self.dir(name))),
            name: record.name,
            created: record.created,
            papers: record.papers,
            bytes: record.bytes,
            state,
            position: None,
            progress,
            imports: record.imports,
            hidden: false,
        };
        Ok((view, number))
    }

    /// All names.
    pub(crate) fn names(&self) -> Vec<String> {
        self.lock().keys().cloned().collect()
    }

    /// Adds a corpus without papers. `is_taken` says whether the server has one of this name.
    pub(super) fn create(&self, name: &str, is_taken: impl Fn(&str) -> bool) -> Result<(), Problem> {
        if !is_name(name) {
            return Err(
                Problem::usage("the name of a corpus has up to 40 lower-case letters, digits, - and _")
                    .hint("begin it with a letter, such as rope-papers"),
            );
        }
        let mut corpora = self.lock();
        if is_taken(name) || corpora.contains_key(name) {
            return Err(Problem::conflict(format!("there is already a corpus {name}")).hint("choose another name"));
        }
        if self.most.is_some_and(|most| corpora.len() >= most) {
            let count = corpora.len();
            return Err(Problem::too_many(format!("you have {count} corpora")).hint("delete some"));
        }
        let record = CorpusRecord {
            name: name.to_owned(),
            created: now(),
            state: 0,
            papers: 0,
            bytes: 0,
            imports: Vec::new(),
        };
        let folder = self.dir(name);
        let made = fs::create_dir(&folder).and_then(|()| {
            record.write(&folder).inspect_err(|_| {
                let _ = fs::remove_dir_all(&folder);
            })
        });
        made.map_err(|error| Problem::io("make the corpus", &error))?;
        let entry = Entry {
            record,
            number: None,
            active: None,
            deleting: false,
        };
        corpora.insert(name.to_owned(), entry);
        Ok(())
    }

    /// What a client must hold while it sends files.
    pub(crate) fn uploading(&self) -> Result<OwnedSemaphorePermit, Problem> {
        let permit = Arc::clone(&self.uploads).try_acquire_owned();
        permit.map_err(|_| {
            Problem::too_many(format!("you are sending files to corpora {MOST_UPLOADS} times already"))
                .hint("try again when one has ended")
        })
    }

    /// Stores what a client sends, until it is added to a corpus.
    pub(crate) async fn receive<E: std::fmt::Display>(
        &self,
        name: &str,
        body: impl Stream<Item = Result<Bytes, E>> + Send,
    ) -> Result<(String, Received), Problem> {
        let limits = UploadLimits {
            pause: self.pause,
            most: MOST_FILE_BYTES,
        };
        let received = Received::store(&self.folder, limits, body).await?;
        Ok((safe_name(name), received))
    }

    /// Adds files to a corpus: they wait for its next import, which gets this place in the queue unless there is one already.
    pub(crate) fn add(&self, name: &str, files: &[(String, Received)], number: u64) -> Result<(), Problem> {
        let mut corpora = self.lock();
        let stored: u64 = corpora
            .values()
            .map(|one| one.record.bytes + self.waiting_bytes(&one.record.name))
            .sum();
        let more: u64 = files.iter().map(|(_, file)| file.bytes).sum();
        let entry = corpora.get_mut(name).ok_or_else(|| Problem::not_found("corpus"))?;
        if entry.deleting {
            return Err(Problem::conflict("the corpus is being deleted"));
        }
        if stored + more > self.most_bytes {
            return Err(self.too_much());
        }
        let folder = self.dir(name);
        let known = waiting(&folder);
        if known.len() + files.len() > MOST_WAITING {
            let detail = format!("{} files of the corpus wait to be imported", known.len());
            return Err(Problem::too_many(detail).hint("wait until they are imported"));
        }
        for (file_name, received) in files {
            if let Err(error) = put(&folder, file_name, received) {
                let added: Vec<PathBuf> = waiting(&folder)
                    .into_iter()
                    .filter(|file| !known.contains(file))
                    .collect();
                delete(&added);
                return Err(Problem::io("store the file", &error));
            }
        }
        if !files.is_empty() {
            entry.number.get_or_insert(number);
        }
        Ok(())
    }

    fn too_much(&self) -> Problem {
        let gigabytes = self.most_bytes / 1_000_000_000;
        Problem::too_large(format!("your corpora together would have more than {gigabytes} GB"))
            .hint("delete corpora that you no longer need")
    }

    fn waiting_bytes(&self, name: &str) -> u64 {
        let files = waiting(&self.dir(name));
        files
            .iter()
            .map(|file| fs::metadata(file).map_or(0, |facts| facts.len()))
            .sum()
    }

    /// The imports that wait and could begin: place in the queue, and name of the corpus.
    pub(crate) fn next(&self) -> Vec<(u64, String)> {
        let corpora = self.lock();
        let idle = corpora.values().filter(|one| one.active.is_none() && !one.deleting);
        idle.filter_map(|one| Some((one.number?, one.record.name.clone())))
            .collect()
    }

    /// How many imports have a process.
    pub(crate) fn active(&self) -> usize {
        self.lock().values().filter(|one| one.active.is_some()).count()
    }

    /// Begins the import of all files that wait. If it cannot begin, it has failed.
    pub(crate) fn begin(&self, name: &str) -> Result<ImportTask, Problem> {
        let mut corpora = self.lock();
        let others: u64 = corpora
            .values()
            .filter(|one| one.record.name != name)
            .map(|one| one.record.bytes)
            .sum();
        let entry = corpora.get_mut(name).ok_or_else(|| Problem::not_found("corpus"))?;
        let folder = self.dir(name);
        // A call that opened an older state just before it was replaced may fail.
        sweep_states(&folder, entry.record.state);
        let number = new_number(&folder, entry.record.state);
        let state = folder.join("states").join(number.to_string());
        let files = waiting(&folder);
        entry.number = None;
        if let Err(error) = fs::create_dir_all(state.join("tmp")) {
            let problem = Problem::io("start the import", &error);
            entry.fail(&folder, &files, problem.clone());
            return Err(problem);
        }
        let active = Active {
            progress: Arc::default(),
            stop: Arc::default(),
            files: files.clone(),
        };
        let task = ImportTask {
            corpus: name.to_owned(),
            import: CorpusImport {
                from: (entry.record.state > 0).then(|| state_path(&folder, entry.record.state, name)),
                to: state.join(name),
                files,
            },
            state,
            number,
            progress: Arc::clone(&active.progress),
            stop: Arc::clone(&active.stop),
            most_bytes: self.most_bytes.saturating_sub(others),
        };
        entry.active = Some(active);
        Ok(task)
    }

    /// Records how an import ended: `None` if it was interrupted, and is repeated with this place in the queue. Returns the folder of the state that
    /// is no longer searched.
    pub(crate) fn end(
        &self,
        task: &ImportTask,
        outcome: Option<Result<CorpusAddition, Problem>>,
        number: u64,
    ) -> Option<PathBuf> {
        let _ = fs::remove_dir_all(task.state.join("tmp"));
        let folder = self.dir(&task.corpus);
        let size = size_of(&task.state);
        let mut corpora = self.lock();
        let others = corpora.values().filter(|one| one.record.name != task.corpus);
        let fits = size + others.map(|one| one.record.bytes).sum::<u64>() <= self.most_bytes;
        let entry = corpora.get_mut(&task.corpus)?;
        let files = entry.active.take().map(|active| active.files).unwrap_or_default();
        let Some(outcome) = outcome else {
            entry.number = Some(number);
            let _ = fs::remove_dir_all(&task.state);
            return None;
        };
        // Imports of other corpora may have ended meanwhile.
        let outcome = outcome.and_then(|done| if fits { Ok(done) } else { Err(self.too_much()) });
        let mut record = entry.record.clone();
        if let Ok(done) = &outcome
            && done.papers > 0
        {
            record.state = task.number;
            record.papers = done.papers;
            record.bytes = size;
        }
        record.add_import(ImportRecord::new(
            names(&files),
            now(),
            outcome.as_ref().map_err(Clone::clone),
        ));
        let old = entry.record.state;
        match record.write(&folder) {
            Ok(()) => entry.record = record,
            Err(error) => entry.fail(&folder, &files, Problem::io("record the import", &error)),
        }
        delete(&files);
        // Others may have come meanwhile.
        entry.number = (!waiting(&folder).is_empty()).then_some(number);
        match entry.record.state == task.number {
            true => (old > 0).then(|| folder.join("states").join(old.to_string())),
            false => {
                let _ = fs::remove_dir_all(&task.state);
                None
            }
        }
    }

    /// Ends the import of a corpus that is to be deleted, and starts no other. `false` undoes it.
    pub(crate) fn set_deleting(&self, name: &str, deleting: bool) -> Result<(), Problem> {
        let mut corpora = self.lock();
        let entry = corpora.get_mut(name).ok_or_else(|| Problem::not_found("corpus"))?;
        entry.deleting = deleting;
        if let Some(active) = entry.active.as_ref().filter(|_| deleting) {
            active.stop.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Whether an import of the corpus has a process.
    pub(crate) fn is_active(&self, name: &str) -> bool {
        self.lock().get(name).is_some_and(|one| one.active.is_some())
    }

    /// Deletes a corpus that has no process.
    pub(crate) fn delete(&self, name: &str) -> Result<(), Problem> {
        let failed = |error: std::io::Error| Problem::io("delete the corpus", &error);
        let hidden = self.folder.join(format!(".deleted-{name}"));
        {
            let mut corpora = self.lock();
            if corpora.get(name).is_none_or(|one| one.active.is_some()) {
                return Err(Problem::new(
                    StatusCode::CONFLICT,
                    "conflict",
                    "the corpus cannot be deleted now",
                ));
            }
            // One that could not be deleted whole.
            if hidden.exists() {
                fs::remove_dir_all(&hidden).map_err(failed)?;
            }
            fs::rename(self.dir(name), &hidden).map_err(failed)?;
            corpora.remove(name);
        }
        fs::remove_dir_all(hidden).map_err(failed)
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
pub(super) mod tests {
    use futures_util::stream;

    use super::*;

    /// Corpora in a folder of its own, of which there may be two with 1,000 bytes together.
    pub(in super::super) fn corpora(test: &str) -> (Arc<OwnCorpora>, PathBuf) {
        let folder = std::env::temp_dir().join(format!("precedent-corpora-{test}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let own = OwnCorpora::open(&folder, Duration::from_secs(10), Some(2), 1_000, || 7).unwrap();
        own.create("ropes", |_| false).unwrap();
        (own, folder)
    }

    pub(in super::super) fn received(own: &OwnCorpora, name: &str, bytes: usize) -> (String, Received) {
        let body = stream::iter([Ok::<_, std::io::Error>(Bytes::from(vec![b'x'; bytes]))]);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(own.receive(name, body)).unwrap()
    }

    #[test]
    fn a_name_is_no_path_and_no_name_of_another_system() {
        for name in ["ropes", "rope-papers_2"] {
            assert!(is_name(name), "{name}");
        }
        for name in [
            "",
            ".",
            "..",
            "a/b",
            "a\\b",
            "Ropes",
            "2ropes",
            "-x",
            "a b",
            "a.jsonl",
            "ä",
            &"x".repeat(41),
        ] {
            assert!(!is_name(name), "{name}");
        }
    }

    #[test]
    fn the_number_and_the_size_of_corpora_have_limits() {
        let (own, folder) = corpora("limits");
        own.create("swell", |_| false).unwrap();
        assert_eq!(own.create("third", |_| false).unwrap_err().status, 429);
        own.add("ropes", &[received(&own, "a.txt", 600)], 1).unwrap();
        // With those that wait in another corpus.
        let more = [received(&own, "b.txt", 600)];
        assert_eq!(own.add("swell", &more, 2).unwrap_err().status, 413);
        drop(more);
        // Nothing is left of what was refused.
        let hidden = fs::read_dir(folder.join("corpora")).unwrap().flatten();
        assert_eq!(
            hidden
                .filter(|entry| entry.file_name().to_string_lossy().starts_with('.'))
                .count(),
            0
        );
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn an_import_that_cannot_begin_has_failed_and_does_not_wait() {
        let (own, folder) = corpora("begin");
        own.add("ropes", &[received(&own, "a.txt", 1)], 1).unwrap();
        // As on a disk that cannot be written to.
        fs::write(folder.join("corpora/ropes/states"), "").unwrap();
        assert!(own.begin("ropes").is_err());
        assert_eq!(own.next(), []);
        let (view, _) = own.view("ropes").unwrap();
        assert!(view.files.is_empty() && view.imports[0].problem.is_some(), "{view:?}");
        assert_eq!(view.imports[0].files, ["a.txt"]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_corpus_that_is_made_again_has_no_state_of_the_first() {
        let (own, folder) = corpora("again");
        let state = || {
            own.add("ropes", &[received(&own, "a.txt", 1)], 1).unwrap();
            let task = own.begin("ropes").unwrap();
            let done = CorpusAddition {
                papers: 1,
                ..CorpusAddition::default()
            };
            let old = own.end(&task, Some(Ok(done)), 1);
            (task.state, old)
        };
        let ((first, none), (second, old)) = (state(), state());
        assert_eq!((none, old), (None, Some(first.clone())));
        // The next import deletes what was replaced, if nobody has yet.
        assert!(first.exists());
        let (third, _) = state();
        assert!(!first.exists() && second.exists() && third.exists());
        own.delete("ropes").unwrap();
        own.create("ropes", |_| false).unwrap();
        let (fourth, _) = state();
        assert!(![first, second, third].contains(&fourth), "{fourth:?}");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn imports_side_by_side_keep_the_limit_together() {
        let (own, folder) = corpora("together");
        own.create("swell", |_| false).unwrap();
        let begun = ["ropes", "swell"].map(|name| {
            own.add(name, &[received(&own, "a.txt", 1)], 1).unwrap();
            let task = own.begin(name).unwrap();
            fs::write(task.state.join("texts"), vec![b'x'; 600]).unwrap();
            task
        });
        for task in &begun {
            let done = CorpusAddition {
                papers: 1,
                ..CorpusAddition::default()
            };
            own.end(task, Some(Ok(done)), 1);
        }
        let papers = |name: &str| own.view(name).unwrap().0.papers;
        assert_eq!((papers("ropes"), papers("swell")), (1, 0));
        let (view, _) = own.view("swell").unwrap();
        assert_eq!(
            view.imports[0].problem.as_ref().map(|problem| problem.status),
            Some(413)
        );
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_corpus_without_a_record_is_gone_after_a_restart() {
        let (own, folder) = corpora("halfway");
        fs::create_dir(folder.join("corpora/swell")).unwrap();
        assert!(own.create("swell", |_| false).is_err());
        let own = OwnCorpora::open(&folder, Duration::from_secs(10), None, 1_000, || 7).unwrap();
        own.create("swell", |_| false).unwrap();
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn files_of_the_same_name_wait_beside_each_other() {
        let (own, folder) = corpora("names");
        own.add("ropes", &[received(&own, "../a.txt", 1), received(&own, "a.txt", 2)], 5)
            .unwrap();
        own.add("ropes", &[received(&own, "b.txt", 3)], 6).unwrap();
        let (view, number) = own.view("ropes").unwrap();
        assert_eq!(
            (view.files, number),
            (
                vec!["a.txt".to_owned(), "a.txt".to_owned(), "b.txt".to_owned()],
                Some(5)
            )
        );
        // A server that starts again finds them.
        let own = OwnCorpora::open(&folder, Duration::from_secs(10), None, 1_000, || 7).unwrap();
        assert_eq!(own.next(), [(7, "ropes".to_owned())]);
        fs::remove_dir_all(folder).unwrap();
    }
}
