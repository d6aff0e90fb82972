use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use precedent_domain::RunId;
use sha2::{Digest, Sha256};

use super::{MANIFEST_VERSION, Manifest, RunError, RunFile};

/// A run's folder. Every file in it appears whole or not at all.
#[derive(Debug, Clone)]
pub struct RunFolder {
    dir: PathBuf,
}

impl RunFolder {
    /// The folder at `dir`, made if it is not there.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn create(dir: &Path) -> Result<Self, RunError> {
        fs::create_dir_all(dir).map_err(|source| RunError::Io {
            doing: "make",
            path: dir.to_owned(),
            source,
        })?;
        Ok(Self { dir: dir.to_owned() })
    }

    /// The folder at `dir`, which must hold a run.
    ///
    /// # Errors
    /// When there is no manifest in it.
    pub fn open(dir: &Path) -> Result<Self, RunError> {
        let folder = Self { dir: dir.to_owned() };
        if folder.manifest_path().is_file() {
            Ok(folder)
        } else {
            Err(RunError::NotFound { path: dir.to_owned() })
        }
    }

    /// Where it is.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The record of finished stages.
    #[must_use]
    pub fn ledger_path(&self) -> PathBuf {
        self.dir.join("ledger.sqlite")
    }

    /// Writes a file under a name that the program chose (never one from a paper); gives its entry for the manifest.
    ///
    /// # Errors
    /// When it cannot be written; what stood there before is then still there.
    pub fn write(&self, name: &'static str, bytes: &[u8]) -> Result<RunFile, RunError> {
        let path = self.dir.join(name);
        let half = self.dir.join(format!(".{name}.{}", std::process::id()));
        let written = fs::File::create(&half)
            .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
            .and_then(|()| fs::rename(&half, &path));
        written.map_err(|source| {
            // The half-written file is of no use to anybody; that it may be gone already does not matter.
            let _ = fs::remove_file(&half);
            RunError::Io {
                doing: "write",
                path,
                source,
            }
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
    /// When it cannot be written.
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
    /// When there is none, or it is damaged or of a later version.
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

    fn manifest_path(&self) -> PathBuf {
        self.dir.join("manifest.json")
    }
}

/// A run that was found: its folder, and its manifest or what is wrong with it.
pub type FoundRun = (PathBuf, Result<Manifest, RunError>);

/// The runs in the folders directly under `root`, by name; a folder whose manifest is damaged comes with its error.
///
/// # Errors
/// When `root` cannot be read.
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
        .filter_map(|dir| RunFolder::open(&dir).ok().map(|folder| (dir, folder.manifest())))
        .collect())
}

/// The id of a run: words of `name` (a file's name) and eight hex digits of the hash of what was asked, so that asking again finds the same folder.
#[must_use]
pub(super) fn run_id(name: &str, asked: &[u8]) -> RunId {
    let mut words = String::new();
    for c in name.chars().flat_map(char::to_lowercase) {
        if c.is_ascii_alphanumeric() {
            words.push(c);
        } else if !words.is_empty() && !words.ends_with('-') {
            words.push('-');
        }
    }
    words.truncate(40);
    let words = words.trim_end_matches('-');
    let hash: String = Sha256::digest(asked)
        .iter()
        .take(4)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let id = if words.is_empty() {
        format!("run-{hash}")
    } else {
        format!("{words}-{hash}")
    };
    match id.parse() {
        Ok(id) => id,
        // Letters, digits and hyphens, at most 49 of them: always a run id.
        Err(_) => unreachable!("{id} is made of what a run id is made of"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runs::{RunRequest, RunStatus};

    fn manifest() -> Manifest {
        Manifest {
            manifest_version: MANIFEST_VERSION,
            run: run_id("paper.pdf", b"x"),
            program_version: "0.1.0".into(),
            request: RunRequest {
                input: "paper.pdf".into(),
                corpora: vec![],
                as_of: None,
                formats: vec![],
                seed: 0,
            },
            input_sha256: None,
            title: None,
            started: 1,
            ended: None,
            status: RunStatus::Failed { reason: "no".into() },
            files: vec![],
        }
    }

    #[test]
    fn ids_are_folder_names_whatever_the_file_is_called() {
        for name in [
            "My Paper (final).pdf",
            "../../etc/passwd",
            "论文.pdf",
            "",
            "...",
            &"x".repeat(500),
            "A\0b",
        ] {
            let id = run_id(name, name.as_bytes());
            assert!(!id.as_str().contains(['/', '.', '\0']), "{id}");
        }
        assert_eq!(run_id("My Paper.pdf", b"x").as_str(), "my-paper-pdf-2d711642");
        assert_ne!(run_id("a", b"x"), run_id("a", b"y"));
    }

    #[test]
    fn a_manifest_survives_and_a_later_or_damaged_one_is_told() {
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
    fn a_file_is_replaced_whole_and_leaves_nothing_behind() {
        let root = tempfile::tempdir().unwrap();
        let folder = RunFolder::create(root.path()).unwrap();
        folder.write("report.md", b"one").unwrap();
        let file = folder.write("report.md", b"two").unwrap();
        assert_eq!(fs::read(root.path().join("report.md")).unwrap(), b"two");
        assert_eq!(file.sha256.len(), 64);
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
    }
}
