use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use axum::http::StatusCode;
use futures_util::Stream;
use precedent_app::{CorpusAddition, CorpusImport};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::entry::{Active, Entry, ImportTask, stored};
use super::files::{
    StateFolder, delete, delete_state, names, new_number, put, size_of, state_folder, sweep, sync_all, sync_folder,
    take_back,
};
use super::record::{CorpusRecord, CorpusView, ImportRecord, ImportState};
use crate::error::Problem;
use crate::jobs::now;
use crate::uploads::{self, Received, SizeLimit, UploadLimits, safe_name};

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
        // Requests name states by such paths.
        let folder = folder.canonicalize()?;
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
            sweep(&path, record.state);
            corpora.insert(record.name.clone(), Entry::open(&path, record, &number));
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
        let corpora = self.lock();
        let state = corpora.get(name)?.state.as_ref();
        Some(state.map(|state| state.path.clone()))
    }

    /// Keeps the states with these paths until what it returns is dropped. Paths of other corpora need nothing.
    pub(super) fn hold(&self, paths: &[PathBuf]) -> Result<Vec<Arc<StateFolder>>, Problem> {
        let corpora = self.lock();
        let states = || corpora.values().filter_map(|one| one.state.as_ref());
        let held = |path: &PathBuf| {
            let state = states().find(|state| state.path == *path).cloned();
            state.ok_or_else(|| {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                Problem::conflict(format!("the corpus {name} has changed meanwhile"))
                    .hint("search again, or start the run again")
            })
        };
        let own = paths.iter().filter(|path| path.starts_with(&self.folder));
        own.map(held).collect()
    }

    /// An error if a corpus is being deleted or is gone.
    pub(super) fn not_deleted(&self, name: &str) -> Result<(), Problem> {
        match self.lock().get(name) {
            Some(one) if one.deleting => Err(Problem::conflict(format!("the corpus {name} is being deleted"))),
            Some(_) => Ok(()),
            None => Err(Problem::conflict(format!("there is no corpus {name} any more"))),
        }
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
            files: names(entry.waiting.iter().map(|file| &file.path)),
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
            let written = record.write(&folder).and_then(|()| sync_folder(&self.folder));
            // There is no other file.
            written.inspect_err(|_| drop(fs::remove_dir_all(&folder)))
        });
        made.map_err(|error| Problem::io("make the corpus", &error))?;
        corpora.insert(name.to_owned(), Entry::open(&folder, record, || 0));
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

    /// Stores what a client sends, until it is added to a corpus. `most` is what is left of a form.
    pub(crate) async fn receive<E: std::fmt::Display>(
        &self,
        name: &str,
        body: impl Stream<Item = Result<Bytes, E>> + Send,
        most: SizeLimit,
    ) -> Result<(String, Received), Problem> {
        let left = self.most_bytes.saturating_sub(stored(&self.lock()));
        let left = SizeLimit::new(left, self.too_much());
        let limits = UploadLimits {
            pause: self.pause,
            most: SizeLimit::of_file(MOST_FILE_BYTES).and(left).and(most),
        };
        let received = Received::store(&self.folder, limits, body).await?;
        Ok((safe_name(name), received))
    }

    /// Adds files to a corpus: they wait for its next import, which gets this place in the queue unless there is one already. Waits for the disk.
    pub(crate) fn add(&self, name: &str, files: &[(String, Received)], number: u64) -> Result<(), Problem> {
        let failed = |error: std::io::Error| Problem::io("store the file", &error);
        let added = self.move_to_waiting(name, files, number)?;
        let folder = self.dir(name);
        let numbered = added.iter().filter_map(|file| file.parent());
        for folder in numbered.chain([&*folder.join("waiting"), &*folder]) {
            match sync_folder(folder) {
                // It was imported or deleted meanwhile.
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                synced => synced.map_err(failed)?,
            }
        }
        Ok(())
    }

    /// Moves files to those that wait. Returns their paths.
    fn move_to_waiting(&self, name: &str, files: &[(String, Received)], number: u64) -> Result<Vec<PathBuf>, Problem> {
        let mut corpora = self.lock();
        let stored = stored(&corpora);
        let more: u64 = files.iter().map(|(_, file)| file.bytes).sum();
        let entry = corpora.get_mut(name).ok_or_else(|| Problem::not_found("corpus"))?;
        if entry.deleting {
            return Err(Problem::conflict("the corpus is being deleted"));
        }
        if stored + more > self.most_bytes {
            return Err(self.too_much());
        }
        let folder = self.dir(name);
        let known = entry.waiting.len();
        if known + files.len() > MOST_WAITING {
            let detail = format!("{known} files of the corpus wait to be imported");
            return Err(Problem::too_many(detail).hint("wait until they are imported"));
        }
        let mut taken = entry
            .waiting
            .iter()
            .filter_map(|file| file.path.parent().map(Path::to_owned))
            .collect();
        for (file_name, received) in files {
            match put(&folder, &mut taken, file_name, received) {
                Ok(file) => entry.waiting.push(file),
                Err(error) => {
                    let moved = entry.waiting.drain(known..);
                    moved
                        .zip(files)
                        .for_each(|(file, (_, received))| take_back(&file, received));
                    return Err(Problem::io("store the file", &error));
                }
            }
        }
        if !files.is_empty() {
            entry.number.get_or_insert(number);
        }
        Ok(entry.waiting.iter().skip(known).map(|file| file.path.clone()).collect())
    }

    fn too_much(&self) -> Problem {
        let gigabytes = self.most_bytes / 1_000_000_000;
        Problem::too_large(format!("your corpora together would have more than {gigabytes} GB"))
            .hint("delete corpora that you no longer need")
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

    /// Begins the import of all files that wait.
    pub(crate) fn begin(&self, name: &str) -> Result<ImportTask, Problem> {
        let mut corpora = self.lock();
        let others: u64 = corpora
            .values()
            .filter(|one| one.record.name != name)
            .map(|one| one.record.bytes)
            .sum();
        let entry = corpora.get_mut(name).ok_or_else(|| Problem::not_found("corpus"))?;
        let number = new_number(entry.record.state);
        let state = state_folder(&self.dir(name), number);
        let mut files: Vec<PathBuf> = entry.waiting.iter().map(|file| file.path.clone()).collect();
        files.sort();
        entry.number = None;
        let active = Active {
            progress: Arc::default(),
            stop: Arc::default(),
        };
        let task = ImportTask {
            corpus: name.to_owned(),
            import: CorpusImport {
                // No other import of the corpus begins, so it is not replaced meanwhile.
                from: entry.state.as_ref().map(|state| state.path.clone()),
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

    /// Records how an import ended: `None` if it was interrupted, and is repeated with this place in the queue. The state that is no longer searched is
    /// deleted when nobody uses it. Waits for the disk.
    pub(crate) fn end(&self, task: &ImportTask, outcome: Option<Result<CorpusAddition, Problem>>, number: u64) {
        let _ = fs::remove_dir_all(task.state.join("tmp"));
        let (files, is_recorded) = match outcome {
            Some(outcome) => {
                let outcome = outcome.and_then(|done| {
                    let synced = self.sync(task);
                    synced.map_err(|error| Problem::io("store the papers", &error))?;
                    Ok(done)
                });
                let is_recorded = self.record_end(task, outcome);
                // Also if it failed: they may be what filled the disk.
                delete(&task.import.files);
                (task.import.files.as_slice(), is_recorded)
            }
            None => {
                delete_state(&task.state);
                (&[][..], true)
            }
        };
        // Until here, the import has a process for everybody else, so that nothing is begun or deleted.
        let mut corpora = self.lock();
        if let Some(entry) = corpora.get_mut(&task.corpus) {
            if !is_recorded && let Err(error) = entry.record.write(&self.dir(&task.corpus)) {
                tracing::warn!("failed to record an import: {error}");
            }
            entry.active = None;
            // They are in order.
            entry.waiting.retain(|file| files.binary_search(&file.path).is_err());
            // Others may have come meanwhile.
            entry.number = (!entry.waiting.is_empty()).then_some(number);
        }
    }

    /// Makes a new state durable, before a record names it and the old one is deleted.
    fn sync(&self, task: &ImportTask) -> std::io::Result<()> {
        let folder = self.dir(&task.corpus);
        // Without anything to add, there is no state.
        if task.state.exists() {
            sync_all(&task.state)?;
            sync_folder(&folder.join("states"))?;
        }
        sync_folder(&folder)
    }

    /// Records how an import ended, and deletes the state that is not searched, where no lock is held. Returns whether it could be recorded: the disk may be
    /// full. If not, the import has failed.
    fn record_end(&self, task: &ImportTask, outcome: Result<CorpusAddition, Problem>) -> bool {
        let size = size_of(&task.state);
        let mut corpora = self.lock();
        let others = corpora.values().filter(|one| one.record.name != task.corpus);
        let fits = size + others.map(|one| one.record.bytes).sum::<u64>() <= self.most_bytes;
        let Some(entry) = corpora.get_mut(&task.corpus) else {
            return true;
        };
        // Imports of other corpora may have ended meanwhile.
        let outcome = outcome.and_then(|done| if fits { Ok(done) } else { Err(self.too_much()) });
        let (folder, files) = (self.dir(&task.corpus), &task.import.files);
        let mut record = entry.record.clone();
        if let Ok(done) = &outcome
            && done.papers > 0
        {
            record.state = task.number;
            record.papers = done.papers;
            record.bytes = size;
        }
        let import = |outcome| ImportRecord::new(names(files), now(), outcome);
        record.add_import(import(outcome.as_ref().map_err(Clone::clone)));
        let recorded = entry.set_record(&folder, record);
        let is_recorded = recorded.is_ok();
        let in_memory = entry.record.state;
        let old = recorded.unwrap_or_else(|error| {
            let problem = Problem::io("record the import", &error);
            entry.record.add_import(import(Err(problem)));
            None
        });
        drop(corpora);
        drop(old);
        // The disk may have failed just after it had written the record.
        let recorded = match is_recorded {
            true => Some(in_memory),
            false => CorpusRecord::read(&folder).map(|record| record.state),
        };
        if recorded.is_some_and(|state| state != task.number) {
            delete_state(&task.state);
        }
        is_recorded
    }

    /// Marks a corpus that is to be deleted, so that nothing is started. `false` undoes it.
    pub(crate) fn set_deleting(&self, name: &str, deleting: bool) -> Result<(), Problem> {
        let mut corpora = self.lock();
        let entry = corpora.get_mut(name).ok_or_else(|| Problem::not_found("corpus"))?;
        entry.deleting = deleting;
        Ok(())
    }

    /// Ends the import of a corpus.
    pub(crate) fn end_import(&self, name: &str) {
        if let Some(active) = self.lock().get(name).and_then(|one| one.active.as_ref()) {
            active.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Whether an import of the corpus has a process.
    pub(crate) fn is_active(&self, name: &str) -> bool {
        self.lock().get(name).is_some_and(|one| one.active.is_some())
    }

    /// Deletes a corpus that has no process.
    pub(crate) fn delete(&self, name: &str) -> Result<(), Problem> {
        let failed = |error: std::io::Error| Problem::io("delete the corpus", &error);
        let hidden = {
            let mut corpora = self.lock();
            if corpora.get(name).is_none_or(|one| one.active.is_some()) {
                return Err(Problem::new(
                    StatusCode::CONFLICT,
                    "conflict",
                    "the corpus cannot be deleted now",
                ));
            }
            // Another of the name may be there, which is being deleted.
            let hidden = self.folder.join(format!(".deleted-{name}-{}", new_number(0)));
            fs::rename(self.dir(name), &hidden).map_err(failed)?;
            corpora.remove(name);
            hidden
        };
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
        receive(own, name, bytes).unwrap()
    }

    fn receive(own: &OwnCorpora, name: &str, bytes: usize) -> Result<(String, Received), Problem> {
        let body = stream::iter([Ok::<_, std::io::Error>(Bytes::from(vec![b'x'; bytes]))]);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(own.receive(name, body, SizeLimit::of_file(MOST_FILE_BYTES)))
    }

    /// What waits or is in states on the disk.
    fn on_disk(folder: &Path, kind: &str) -> usize {
        fs::read_dir(folder.join("corpora/ropes").join(kind)).unwrap().count()
    }

    /// Imports a file as a process would that writes a state with one paper. Returns the folder of the state.
    fn import(own: &OwnCorpora) -> PathBuf {
        own.add("ropes", &[received(own, "a.txt", 1)], 1).unwrap();
        let task = own.begin("ropes").unwrap();
        fs::create_dir_all(&task.import.to).unwrap();
        own.end(&task, Some(Ok(one_paper())), 1);
        task.state
    }

    fn one_paper() -> CorpusAddition {
        CorpusAddition {
            papers: 1,
            ..CorpusAddition::default()
        }
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
        let more = [received(&own, "b.txt", 600)];
        own.add("ropes", &[received(&own, "a.txt", 600)], 1).unwrap();
        // With those that wait in another corpus: also while they arrive.
        assert_eq!(own.add("swell", &more, 2).unwrap_err().status, 413);
        assert_eq!(receive(&own, "c.txt", 600).unwrap_err().status, 413);
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
    fn an_import_that_cannot_be_recorded_has_failed_and_leaves_nothing() {
        let (own, folder) = corpora("record");
        own.add("ropes", &[received(&own, "a.txt", 1)], 1).unwrap();
        let task = own.begin("ropes").unwrap();
        fs::create_dir_all(&task.import.to).unwrap();
        // As on a disk that cannot be written to.
        let half = format!("corpora/ropes/.corpus.json.{}.half", std::process::id());
        fs::create_dir(folder.join(half)).unwrap();
        own.end(&task, Some(Ok(one_paper())), 1);
        assert_eq!(own.next(), []);
        let (view, _) = own.view("ropes").unwrap();
        assert!(view.files.is_empty() && view.imports[0].problem.is_some(), "{view:?}");
        assert_eq!(
            (view.imports[0].files.clone(), view.papers),
            (vec!["a.txt".to_owned()], 0)
        );
        assert_eq!((on_disk(&folder, "waiting"), on_disk(&folder, "states")), (0, 0));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_state_is_deleted_when_it_was_replaced_and_nobody_uses_it() {
        let (own, folder) = corpora("held");
        let first = import(&own);
        let path = own.path("ropes").unwrap().unwrap();
        let held = [&path, &path].map(|path| own.hold(std::slice::from_ref(path)).unwrap());
        let second = import(&own);
        assert!(first.exists() && second.exists());
        // A search that got the path and has not begun must be repeated.
        let late = own.hold(std::slice::from_ref(&path)).unwrap_err();
        assert!(late.status == 409 && late.hint.unwrap().starts_with("search again"));
        for held in held {
            assert!(first.exists());
            drop(held);
        }
        assert!(!first.exists() && second.exists());
        // Nobody uses the second one when it is replaced. Corpora of the server are held by nobody.
        let third = import(&own);
        assert!(!second.exists() && third.exists());
        assert_eq!(own.hold(&[folder.join("works")]).unwrap().len(), 0);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_corpus_that_is_made_again_has_no_state_of_the_first() {
        let (own, folder) = corpora("again");
        let first = import(&own);
        let held = own.hold(&[own.path("ropes").unwrap().unwrap()]).unwrap();
        let second = import(&own);
        own.delete("ropes").unwrap();
        own.create("ropes", |_| false).unwrap();
        let third = import(&own);
        assert!(![first, second].contains(&third), "{third:?}");
        drop(held);
        assert!(third.exists());
        fs::remove_dir_all(folder).unwrap();
    }

    /// What a server that was killed at any moment of an import left.
    #[test]
    fn the_next_server_keeps_the_recorded_state_and_the_files_that_wait() {
        let (own, folder) = corpora("sweep");
        let recorded = import(&own);
        own.add("ropes", &[received(&own, "b.txt", 1)], 1).unwrap();
        let task = own.begin("ropes").unwrap();
        fs::create_dir_all(task.state.join("tmp")).unwrap();
        fs::create_dir(folder.join("corpora/ropes/waiting/without-a-file")).unwrap();
        fs::create_dir(folder.join("corpora/.deleted-swell-1")).unwrap();
        let own = OwnCorpora::open(&folder, Duration::from_secs(10), None, 1_000, || 7).unwrap();
        assert!(recorded.exists() && !task.state.exists());
        assert_eq!((on_disk(&folder, "waiting"), on_disk(&folder, "states")), (1, 1));
        assert_eq!(fs::read_dir(folder.join("corpora")).unwrap().count(), 1);
        let (view, number) = own.view("ropes").unwrap();
        assert_eq!(
            (view.papers, view.files, number),
            (1, vec!["b.txt".to_owned()], Some(7))
        );
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn no_folder_is_read_where_requests_wait_for_it() {
        let (own, folder) = corpora("memory");
        let more = [received(&own, "b.txt", 601)];
        own.add("ropes", &[received(&own, "a.txt", 400)], 5).unwrap();
        // Not even the folder of the files that wait is needed.
        fs::remove_dir_all(folder.join("corpora/ropes/waiting")).unwrap();
        assert_eq!(own.view("ropes").unwrap().0.files, ["a.txt"]);
        assert_eq!(own.add("ropes", &more, 6).unwrap_err().status, 413);
        let task = own.begin("ropes").unwrap();
        assert_eq!(task.import.files.len(), 1);
        // Until its files are deleted, the import is active.
        assert!(own.is_active("ropes") && own.delete("ropes").is_err());
        own.end(&task, None, 8);
        assert_eq!(own.next(), [(8, "ropes".to_owned())]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn imports_side_by_side_keep_the_limit_together() {
        let (own, folder) = corpora("together");
        own.create("swell", |_| false).unwrap();
        let begun = ["ropes", "swell"].map(|name| {
            own.add(name, &[received(&own, "a.txt", 1)], 1).unwrap();
            let task = own.begin(name).unwrap();
            fs::create_dir_all(&task.state).unwrap();
            fs::write(task.state.join("texts"), vec![b'x'; 600]).unwrap();
            task
        });
        for task in &begun {
            own.end(task, Some(Ok(one_paper())), 1);
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
