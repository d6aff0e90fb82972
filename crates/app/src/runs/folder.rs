use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::lock::FolderLock;
use super::{MANIFEST_VERSION, Manifest, RunError, RunFile, RunStatus};

/// A run's folder. Files are written to it atomically.
#[derive(Debug, Clone)]
pub struct RunFolder {
    dir: PathBuf,
    /// Folders created for the run, deepest first.
    made: Vec<PathBuf>,
    /// Which of [`FILES`] and [`INDEX`] were there when the folder was opened.
    found: Vec<&'static str>,
    /// Held while a clone is alive; `None` if the folder was opened for reading only.
    _lock: Option<Arc<FolderLock>>,
}

/// Files of a run besides its reports.
const FILES: [&str; 8] = [
    "manifest.json",
    "events.jsonl",
    "ledger.sqlite",
    "ledger.sqlite-wal",
    "ledger.sqlite-shm",
    BATCHES[0],
    BATCHES[1],
    BATCHES[2],
];
/// The record of finished stages and answers.
const LEDGER: [&str; 3] = ["ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm"];
/// The record of calls in batches of a provider, of one run or of many.
const BATCHES: [&str; 3] = [
    RunFolder::BATCHES,
    "provider-batches.sqlite-wal",
    "provider-batches.sqlite-shm",
];
/// Folder of indexes in a run's folder.
const INDEX: &str = "index";
/// Suffix of files being written.
const HALF: &str = ".half";
/// How often a file may be taken for one that a killed process left while it is written. A process opens a folder twice, once to wait for it, and two
/// processes may start one after the other.
const SWEEPS: usize = 4;

/// Writes a file whole or not at all: an earlier version of it stays until the new one is complete.
///
/// # Errors
/// If it cannot be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let half = path.with_file_name(format!(".{name}.{}{HALF}", std::process::id()));
    let write = || {
        fs::File::create(&half)
            .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
            .and_then(|()| fs::rename(&half, path))
    };
    let mut written = write();
    for _ in 0..SWEEPS {
        match &written {
            // A process that opened the run's folder meanwhile took it for a file that a killed process left.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => written = write(),
            _ => break,
        }
    }
    written.inspect_err(|_| {
        // The half-written file is useless, and it may be gone already.
        let _ = fs::remove_file(&half);
    })
}

impl RunFolder {
    /// Name of the record of calls in batches of a provider.
    pub const BATCHES: &str = "provider-batches.sqlite";

    /// Opens the folder at `dir` for this process to write to, and creates it if needed.
    ///
    /// # Errors
    /// If it cannot be created, or another process is using it.
    pub fn create(dir: &Path) -> Result<Self, RunError> {
        let made = dir
            .ancestors()
            .take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists());
        let made = made.map(Path::to_owned).collect();
        fs::create_dir_all(dir).map_err(|source| RunError::Io {
            doing: "make",
            path: dir.to_owned(),
            source,
        })?;
        let lock = FolderLock::take(dir)?;
        let names = FILES.into_iter().chain([INDEX]);
        let folder = Self {
            dir: dir.to_owned(),
            made,
            found: names.filter(|name| dir.join(name).exists()).collect(),
            _lock: Some(Arc::new(lock)),
        };
        folder.sweep();
        Ok(folder)
    }

    /// Opens the folder of an existing run at `dir` for reading.
    ///
    /// # Errors
    /// If it contains no manifest.
    pub fn open(dir: &Path) -> Result<Self, RunError> {
        let folder = Self {
            dir: dir.to_owned(),
            made: Vec::new(),
            found: Vec::new(),
            _lock: None,
        };
        if folder.manifest_path().is_file() {
            Ok(folder)
        } else {
            Err(RunError::NotFound { path: dir.to_owned() })
        }
    }

    /// Whether a file of this name that a run writes besides its reports was there when the folder was opened.
    #[must_use]
    pub fn was_there(&self, name: &str) -> bool {
        self.found.contains(&name)
    }

    /// Deletes the run: the files this program wrote and the folders created for it. Files that were there before stay.
    pub fn discard(self) {
        // Each of these may be missing.
        for name in FILES.into_iter().filter(|name| !self.was_there(name)) {
            let _ = fs::remove_file(self.dir.join(name));
        }
        if !self.was_there(INDEX) {
            let _ = fs::remove_dir_all(self.index_path());
        }
        for lock in FolderLock::paths(&self.dir) {
            let _ = fs::remove_file(lock);
        }
        for folder in &self.made {
            let _ = fs::remove_dir(folder);
        }
    }

    /// Deletes the run's record (answers, stages, index) but keeps reports and manifest. Returns the number of bytes freed.
    ///
    /// # Errors
    /// If a file cannot be deleted.
    pub fn drop_record(&self) -> Result<u64, RunError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| RunError::Io {
                doing: "remove",
                path,
                source,
            }
        };
        let freed = self.record_bytes();
        for name in LEDGER.into_iter().chain(BATCHES) {
            let path = self.dir.join(name);
            if path.exists() {
                fs::remove_file(&path).map_err(failed(&path))?;
            }
        }
        let index = self.index_path();
        if index.exists() {
            fs::remove_dir_all(&index).map_err(failed(&index))?;
        }
        Ok(freed)
    }

    /// Size of the run's record in bytes.
    #[must_use]
    pub fn record_bytes(&self) -> u64 {
        let mut open = vec![self.index_path()];
        open.extend(LEDGER.into_iter().chain(BATCHES).map(|name| self.dir.join(name)));
        let mut bytes = 0;
        while let Some(path) = open.pop() {
            match fs::symlink_metadata(&path) {
                Ok(found) if found.is_dir() => {
                    open.extend(
                        fs::read_dir(&path)
                            .into_iter()
                            .flatten()
                            .flatten()
                            .map(|entry| entry.path()),
                    );
                }
                Ok(found) => bytes += found.len(),
                Err(_) => {}
            }
        }
        bytes
    }

    /// Deletes files that a killed process left half-written.
    fn sweep(&self) {
        for entry in fs::read_dir(&self.dir).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with('.') && name.ends_with(HALF) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Its path.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Path of the ledger, the record of finished stages.
    #[must_use]
    pub fn ledger_path(&self) -> PathBuf {
        self.dir.join("ledger.sqlite")
    }

    /// Path of the index of papers given as files.
    #[must_use]
    pub fn index_path(&self) -> PathBuf {
        self.dir.join("index")
    }

    /// Writes a file and returns its manifest entry. The name is always chosen by the program, never taken from a paper.
    ///
    /// # Errors
    /// If the file cannot be written. An earlier version of it stays in place.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<RunFile, RunError> {
        let path = self.dir.join(name);
        write_whole(&path, bytes).map_err(|source| RunError::Io {
            doing: "write",
            path,
            source,
        })?;
        let sha256 = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(RunFile {
            name: name.to_owned(),
            sha256,
        })
    }

    /// Writes the manifest.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_manifest(&self, manifest: &Manifest) -> Result<(), RunError> {
        let bytes = serde_json::to_vec_pretty(manifest).map_err(|source| RunError::Manifest {
            path: self.manifest_path(),
            source,
        })?;
        self.write("manifest.json", &bytes).map(|_| ())
    }

    /// Reads the manifest.
    ///
    /// # Errors
    /// If it is missing, damaged or from a later version.
    pub fn manifest(&self) -> Result<Manifest, RunError> {
        let path = self.manifest_path();
        let bytes = fs::read(&path).map_err(|source| RunError::Io {
            doing: "read",
            path: path.clone(),
            source,
        })?;
        let value: serde_json::Value = serde_json::from_slice(&bytes).map_err(|source| RunError::Manifest {
            path: path.clone(),
            source,
        })?;
        let version = value
            .get("manifest_version")
            .and_then(serde_json::Value::as_u64)
            .unwrap_or_default();
        if version > u64::from(MANIFEST_VERSION) {
            return Err(RunError::Newer {
                path,
                found: u32::try_from(version).unwrap_or(u32::MAX),
            });
        }
        serde_json::from_value(value).map_err(|source| RunError::Manifest { path, source })
    }

    /// Reads the manifest with the current status: a run marked as running is reported as interrupted if no process is using its folder.
    ///
    /// # Errors
    /// Same as [`RunFolder::manifest`].
    pub fn current_manifest(&self) -> Result<Manifest, RunError> {
        let mut manifest = self.manifest()?;
        if manifest.status == RunStatus::Running && !FolderLock::is_taken(&self.dir) {
            manifest.status = RunStatus::Interrupted;
        }
        Ok(manifest)
    }

    fn manifest_path(&self) -> PathBuf {
        self.dir.join("manifest.json")
    }
}

/// Size in bytes of the record of batches that the runs in subfolders of `root` share. With `remove`, deletes it.
///
/// # Errors
/// If a process is using it, or a file cannot be deleted.
pub fn shared_batches(root: &Path, remove: bool) -> Result<u64, RunError> {
    let files: Vec<PathBuf> = BATCHES
        .map(|name| root.join(name))
        .into_iter()
        .filter(|path| path.is_file())
        .collect();
    let bytes = files
        .iter()
        .filter_map(|path| fs::metadata(path).ok())
        .map(|found| found.len())
        .sum();
    if remove && !files.is_empty() {
        let _lock = FolderLock::of_batches(root)?;
        for path in files {
            fs::remove_file(&path).map_err(|source| RunError::Io {
                doing: "remove",
                path,
                source,
            })?;
        }
    }
    Ok(bytes)
}

/// A run folder that was found, with its manifest or the error from reading it.
pub type FoundRun = (PathBuf, Result<Manifest, RunError>);

/// The runs in the direct subfolders of `root`, sorted by name, with their current status. A folder with a damaged manifest is listed with its error.
///
/// # Errors
/// If `root` cannot be read.
pub fn list_runs(root: &Path) -> Result<Vec<FoundRun>, RunError> {
    let io = |source| RunError::Io {
        doing: "read",
        path: root.to_owned(),
        source,
    };
    let mut folders = Vec::new();
    for entry in fs::read_dir(root).map_err(io)? {
        folders.push(entry.map_err(io)?.path());
    }
    folders.sort();
    Ok(folders
        .into_iter()
        .filter_map(|dir| {
            RunFolder::open(&dir)
                .ok()
                .map(|folder| (dir, folder.current_manifest()))
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runs::RunRequest;
    use crate::runs::manifest::run_id;

    fn manifest() -> Manifest {
        Manifest {
            manifest_version: MANIFEST_VERSION,
            run: run_id("paper.pdf", b"x").unwrap(),
            program_version: "0.1.0".into(),
            request: RunRequest {
                input: "paper.pdf".into(),
                named: precedent_engine::domain::Identifiers::default(),
                corpora: vec![],
                sources: vec![],
                refresh: false,
                settings: None,
                full_texts: None,
                as_of: None,
                formats: vec![],
                seed: 0,
                model: None,
                idea: None,
                points: None,
                review: None,
                rank: None,
                audit: None,
            },
            input_sha256: None,
            title: None,
            started: 1,
            ended: None,
            status: RunStatus::Failed { reason: "no".into() },
            files: vec![],
            models: vec![],
            sent: vec![],
        }
    }

    #[test]
    fn ids_are_valid_folder_names_for_any_file_name() {
        for name in [
            "My Paper (final).pdf",
            "../../etc/passwd",
            "论文.pdf",
            "",
            "...",
            &"x".repeat(500),
            "A\0b",
        ] {
            let id = run_id(name, name.as_bytes()).unwrap();
            assert!(!id.as_str().contains(['/', '.', '\0']), "{id}");
        }
        assert_eq!(
            run_id("My Paper.pdf", b"x").unwrap().as_str(),
            "my-paper-pdf-2d711642b726b044"
        );
        assert_ne!(run_id("a", b"x").unwrap(), run_id("a", b"y").unwrap());
    }

    #[test]
    fn a_manifest_round_trips_and_a_newer_or_damaged_one_is_reported() {
        let root = tempfile::tempdir().unwrap();
        let folder = RunFolder::create(&root.path().join("one")).unwrap();
        folder.write_manifest(&manifest()).unwrap();
        assert_eq!(folder.manifest().unwrap(), manifest());
        let runs = list_runs(root.path()).unwrap();
        assert_eq!(runs.len(), 1);
        let path = folder.dir().join("manifest.json");
        fs::write(&path, r#"{"manifest_version": 99}"#).unwrap();
        assert!(matches!(folder.manifest(), Err(RunError::Newer { found: 99, .. })));
        fs::write(&path, "{").unwrap();
        assert!(matches!(folder.manifest(), Err(RunError::Manifest { .. })));
        assert!(matches!(
            RunFolder::open(&root.path().join("none")),
            Err(RunError::NotFound { .. })
        ));
    }

    #[test]
    fn a_file_is_replaced_atomically_and_leaves_no_temporary_file() {
        let root = tempfile::tempdir().unwrap();
        let folder = RunFolder::create(root.path()).unwrap();
        folder.write("report.md", b"one").unwrap();
        let file = folder.write("report.md", b"two").unwrap();
        assert_eq!(fs::read(root.path().join("report.md")).unwrap(), b"two");
        assert_eq!(file.sha256.len(), 64);
        let names = |root: &Path| -> Vec<String> {
            let entries = fs::read_dir(root).unwrap();
            let mut names: Vec<String> = entries
                .map(|one| one.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            names
        };
        assert_eq!(names(root.path()), [".lock", "report.md"]);
        // The next process deletes what a killed process left half-written.
        drop(folder);
        fs::write(root.path().join(".report.md.77.half"), "on").unwrap();
        fs::write(root.path().join(".mine"), "the user's own").unwrap();
        RunFolder::create(root.path()).unwrap();
        assert_eq!(names(root.path()), [".lock", ".mine", "report.md"]);
    }

    #[test]
    fn a_folder_has_one_process_and_without_it_the_run_is_interrupted() {
        let root = tempfile::tempdir().unwrap();
        let dir = root.path().join("runs/one");
        let folder = RunFolder::create(&dir).unwrap();
        let running = Manifest {
            status: RunStatus::Running,
            ..manifest()
        };
        folder.write_manifest(&running).unwrap();
        let second = RunFolder::create(&dir);
        assert!(
            matches!(&second, Err(RunError::InUse { process: Some(id), .. }) if *id == std::process::id()),
            "{second:?}"
        );
        let seen = RunFolder::open(&dir).unwrap();
        assert_eq!(seen.current_manifest().unwrap().status, RunStatus::Running);
        drop(folder);
        assert_eq!(seen.current_manifest().unwrap().status, RunStatus::Interrupted);
        assert_eq!(
            seen.manifest().unwrap().status,
            RunStatus::Running,
            "the file is not changed"
        );
        let again = RunFolder::create(&dir).unwrap();
        again.write_manifest(&manifest()).unwrap();
        assert!(matches!(
            seen.current_manifest().unwrap().status,
            RunStatus::Failed { .. }
        ));
    }

    #[test]
    fn a_discarded_run_leaves_earlier_files() {
        let root = tempfile::tempdir().unwrap();
        let folder = RunFolder::create(&root.path().join("runs/one")).unwrap();
        folder.write_manifest(&manifest()).unwrap();
        fs::create_dir(folder.index_path()).unwrap();
        folder.discard();
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
        fs::write(root.path().join("notes.txt"), "the user's own").unwrap();
        let folder = RunFolder::create(root.path()).unwrap();
        folder.write_manifest(&manifest()).unwrap();
        folder.discard();
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_is_written_although_two_processes_sweep_the_folder() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("job.json");
        let half = dir.path().join(format!(".job.json.{}{HALF}", std::process::id()));
        // Takes some milliseconds to write, so that it is seen.
        let bytes = vec![b'x'; 8 << 20];
        let sweeper = std::thread::spawn(move || {
            let mut swept = 0;
            while swept < 2 {
                swept += usize::from(fs::remove_file(&half).is_ok());
            }
        });
        while !sweeper.is_finished() {
            write_whole(&path, &bytes).unwrap();
        }
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}
