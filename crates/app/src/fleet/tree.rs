use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::store::{Store, hash_of, is_hash};
use crate::{AppError, ErrorKind, input};

/// Bytes of a part of a file. A store takes an object in one piece, and a process holds it in memory. Chosen by hand.
const PART: usize = 16 << 20;

/// The longest name of a file or folder, which is that of common file systems.
const NAME: usize = 255;

/// A file or folder in a store: its files and where their bytes are. Its own hash names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tree {
    /// The name of the file or folder.
    name: String,
    /// Its files, in order of path.
    files: Vec<TreeFile>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TreeFile {
    /// The path, with `/`. It starts with the name of the tree.
    path: String,
    size: u64,
    /// Hashes of the objects that the file consists of, in order.
    parts: Vec<String>,
}

/// Writes a file, or a folder with its files that `wanted` says by path in the folder, to the store. Returns the hash of the tree. Links are left out.
pub(crate) async fn push(store: &Store, path: &Path, wanted: fn(&str) -> bool) -> Result<String, AppError> {
    let (name, mut found) = files_of(path)?;
    let inside = |path: &str| {
        path.strip_prefix(&name)
            .unwrap_or_default()
            .trim_start_matches('/')
            .to_owned()
    };
    found.retain(|(path, _)| wanted(&inside(path)));
    let mut files = Vec::new();
    for (relative, file) in found {
        let mut opened = fs::File::open(&file).map_err(|error| input::cannot_read(&file, error))?;
        let (mut size, mut parts) = (0, Vec::new());
        loop {
            let mut part = Vec::new();
            let limit = u64::try_from(PART).unwrap_or(u64::MAX);
            let read = (&mut opened).take(limit).read_to_end(&mut part);
            let read = read.map_err(|error| input::cannot_read(&file, error))?;
            if read == 0 {
                break;
            }
            size += u64::try_from(read).unwrap_or_default();
            parts.push(store.put(part).await?);
        }
        files.push(TreeFile {
            path: relative,
            size,
            parts,
        });
    }
    let tree = Tree { name, files };
    tree.check()?;
    let bytes = serde_json::to_vec(&tree).map_err(|error| AppError::with_message(ErrorKind::Bug, error))?;
    Ok(store.put(bytes).await?)
}

/// Checks that a file or folder can be written to a store, without writing it.
pub(crate) fn check(path: &Path) -> Result<(), AppError> {
    files_of(path).map(|_| ())
}

/// The name of a file or folder, and its files with their paths in the tree, in order.
fn files_of(path: &Path) -> Result<(String, Vec<(String, PathBuf)>), AppError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut found = Vec::new();
    match path.is_dir() {
        true => list(path, &name, &mut found)?,
        false => found.push((name.clone(), path.to_owned())),
    }
    found.sort();
    let mut known = BTreeSet::new();
    for (inside, file) in &found {
        if !inside.split('/').all(is_safe_name) || !known.insert(inside) {
            let file = crate::text::plain(&file.to_string_lossy());
            let message = format!("the name of {file} cannot be used on all machines");
            return Err(refused(&message).hint("rename it without `:`, `\\` and control characters, in UTF-8"));
        }
    }
    Ok((name, found))
}

/// The tree with this hash.
pub(crate) async fn tree(store: &Store, hash: &str) -> Result<Tree, AppError> {
    let bytes = store.get(hash).await?;
    let tree: Tree = serde_json::from_slice(&bytes)
        .map_err(|_| refused(&format!("the object {hash} in the store is no list of files")))?;
    tree.check()?;
    Ok(tree)
}

impl Tree {
    /// Refuses names that would leave the folder, and files without bytes of their own.
    fn check(&self) -> Result<(), AppError> {
        let mut known = BTreeSet::new();
        let is_safe = |path: &str| path.split('/').all(is_safe_name) && path.split('/').next() == Some(&self.name);
        match self.files.iter().find(|file| {
            !is_safe(&file.path) || !file.parts.iter().all(|part| is_hash(part)) || !known.insert(file.path.as_str())
        }) {
            _ if !is_safe_name(&self.name) => Err(refused("a tree in the store has a name that is not allowed")),
            Some(_) => Err(refused("a tree in the store has a path that is not allowed")),
            None => Ok(()),
        }
    }

    /// The bytes of a file directly in the folder, if it has one of this name.
    pub(crate) async fn file(&self, store: &Store, name: &str) -> Result<Option<Vec<u8>>, AppError> {
        let path = format!("{}/{name}", self.name);
        let Some(file) = self.files.iter().find(|file| file.path == path) else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        for part in &file.parts {
            bytes.extend(store.get(part).await?);
        }
        Ok(Some(bytes))
    }

    /// The file or folder in the folder `dir` that it was pulled into.
    pub(crate) fn root(&self, dir: &Path) -> PathBuf {
        dir.join(&self.name)
    }

    /// Whether the files are in the folder `dir` with these sizes.
    pub(crate) fn is_in(&self, dir: &Path) -> bool {
        !self.files.is_empty()
            && self
                .files
                .iter()
                .all(|file| fs::metadata(dir.join(&file.path)).is_ok_and(|found| found.len() == file.size))
    }

    /// Whether the files have the same bytes in the folder `copy`, which may have another name. Its other files are below the folders `may_have`, and it
    /// has no links.
    pub(crate) fn is_copied_to(&self, copy: &Path, may_have: &[&str]) -> bool {
        let mut found = Vec::new();
        if list(copy, &self.name, &mut found).is_err() || has_links(copy) {
            return false;
        }
        let known: BTreeSet<&str> = self.files.iter().map(|file| file.path.as_str()).collect();
        let is_extra = |path: &str| {
            let mut names = path.split('/').skip(1);
            !known.contains(path) && !names.next().is_some_and(|first| may_have.contains(&first))
        };
        let is_whole = |file: &TreeFile| {
            let path = self.path_in(copy, file);
            let has_size = fs::metadata(&path).is_ok_and(|found| found.len() == file.size);
            has_size && (0..file.parts.len()).all(|at| file.part_in(&path, at).is_some())
        };
        !self.files.is_empty() && !found.iter().any(|(path, _)| is_extra(path)) && self.files.iter().all(is_whole)
    }

    fn path_in(&self, copy: &Path, file: &TreeFile) -> PathBuf {
        let inside = file.path.strip_prefix(&self.name).unwrap_or_default();
        match inside.trim_start_matches('/') {
            "" => copy.to_owned(),
            inside => copy.join(inside),
        }
    }

    /// Writes the file or folder into the empty folder `dir`, and returns its path.
    pub(crate) async fn pull(&self, store: &Store, dir: &Path) -> Result<PathBuf, AppError> {
        self.pull_beside(store, dir, None).await
    }

    /// As [`Tree::pull`]. Parts that `known`, another state of the folder, has in the same position are not fetched.
    pub(crate) async fn pull_beside(
        &self,
        store: &Store,
        dir: &Path,
        known: Option<&Path>,
    ) -> Result<PathBuf, AppError> {
        for file in &self.files {
            let path = dir.join(&file.path);
            let failed = |error: std::io::Error| crate::cannot_write(&path, &error);
            fs::create_dir_all(path.parent().unwrap_or(dir)).map_err(failed)?;
            let mut written = fs::File::create(&path).map_err(failed)?;
            for (at, part) in file.parts.iter().enumerate() {
                let here = known.and_then(|known| file.part_in(&self.path_in(known, file), at));
                let bytes = match here {
                    Some(bytes) => bytes,
                    None => store.get(part).await?,
                };
                written.write_all(&bytes).map_err(failed)?;
            }
        }
        Ok(self.root(dir))
    }
}

impl TreeFile {
    /// The bytes of a part in the file at `path`, if they are those of the tree.
    fn part_in(&self, path: &Path, at: usize) -> Option<Vec<u8>> {
        let limit = u64::try_from(PART).ok()?;
        let mut opened = fs::File::open(path).ok()?;
        opened.seek(SeekFrom::Start(limit * u64::try_from(at).ok()?)).ok()?;
        let mut bytes = Vec::new();
        opened.take(limit).read_to_end(&mut bytes).ok()?;
        (self.parts.get(at)? == &hash_of(&bytes)).then_some(bytes)
    }
}

/// Whether a name of a file or folder means the same on every system, and nothing outside of its folder.
pub(crate) fn is_safe_name(name: &str) -> bool {
    !name.is_empty()
        && name != "."
        && name != ".."
        && name.len() <= NAME
        && !name.contains(|c: char| matches!(c, '/' | '\\' | ':') || c.is_control())
}

fn refused(message: &str) -> AppError {
    AppError::with_message(ErrorKind::Input, message)
}

/// Whether a folder has links or other things that are neither files nor folders.
fn has_links(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut kinds = entries.map(|entry| (entry.path(), entry.file_type()));
    kinds.any(|(path, kind)| match kind {
        Ok(kind) if kind.is_dir() => has_links(&path),
        kind => !kind.is_ok_and(|kind| kind.is_file()),
    })
}

/// The files below a folder, with their paths.
fn list(folder: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) -> Result<(), AppError> {
    let entries = fs::read_dir(folder).map_err(|error| input::cannot_read(folder, error))?;
    for entry in entries {
        let path = entry.map_err(|error| input::cannot_read(folder, error))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let inside = format!("{prefix}/{name}");
        let found = fs::symlink_metadata(&path).map_err(|error| input::cannot_read(&path, error))?;
        if found.is_dir() {
            list(&path, &inside, files)?;
        } else if found.is_file() {
            files.push((inside, path));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store(dir: &Path) -> Store {
        Store::open(&dir.join("store").to_string_lossy()).unwrap()
    }

    fn block<T>(work: impl Future<Output = T>) -> T {
        crate::runtime::runtime_here().unwrap().block_on(work)
    }

    #[test]
    fn a_folder_is_pulled_as_it_was_pushed_and_its_hash_depends_on_its_content_alone() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(dir.path());
        let works = dir.path().join("works");
        fs::create_dir_all(works.join("deep/er")).unwrap();
        fs::write(works.join("a.txt"), "ropes").unwrap();
        fs::write(works.join("deep/er/b.bin"), vec![7; PART + 3]).unwrap();
        fs::write(works.join("empty"), "").unwrap();
        fs::write(works.join("left-out"), "x").unwrap();
        block(async {
            let wanted: fn(&str) -> bool = |path| path != "left-out";
            let hash = push(&store, &works, wanted).await.unwrap();
            assert_eq!(push(&store, &works, wanted).await.unwrap(), hash);
            let to = dir.path().join("to");
            let found = tree(&store, &hash).await.unwrap();
            assert!(!found.is_in(&to));
            let pulled = found.pull(&store, &to).await.unwrap();
            assert_eq!(pulled, to.join("works"));
            assert_eq!(fs::read(pulled.join("deep/er/b.bin")).unwrap().len(), PART + 3);
            assert_eq!(fs::read(pulled.join("empty")).unwrap(), b"");
            assert!(!pulled.join("left-out").exists() && found.is_in(&to));
            fs::write(works.join("a.txt"), "buoys").unwrap();
            assert_ne!(push(&store, &works, wanted).await.unwrap(), hash);
        });
    }

    #[test]
    fn parts_of_an_earlier_state_are_not_fetched_and_other_files_show_that_a_folder_is_no_copy() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(dir.path());
        let works = dir.path().join("works");
        fs::create_dir_all(works.join("index")).unwrap();
        fs::write(works.join("index/a.bin"), vec![7; PART + 3]).unwrap();
        block(async {
            let first = tree(&store, &push(&store, &works, |_| true).await.unwrap())
                .await
                .unwrap();
            let copy = first.pull(&store, &dir.path().join("to")).await.unwrap();
            fs::write(works.join("b.txt"), "ropes").unwrap();
            let second = tree(&store, &push(&store, &works, |_| true).await.unwrap())
                .await
                .unwrap();
            assert!(first.is_copied_to(&copy, &[]) && !second.is_copied_to(&copy, &[]));
            // The parts of the first state are only in its copy.
            for part in &first.files[0].parts {
                store.delete(part).await.unwrap();
            }
            assert!(second.pull(&store, &dir.path().join("no")).await.is_err());
            let next = second
                .pull_beside(&store, &dir.path().join("next"), Some(&copy))
                .await
                .unwrap();
            assert!(second.is_copied_to(&next, &[]));
            fs::write(copy.join("index/extra"), "x").unwrap();
            assert!(first.is_copied_to(&copy, &["index"]) && !first.is_copied_to(&copy, &[]));
            fs::write(copy.join("index/a.bin"), vec![7; PART + 2]).unwrap();
            assert!(!first.is_copied_to(&copy, &["index"]));
        });
    }

    #[test]
    fn a_damaged_or_missing_object_is_never_used() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(dir.path());
        let paper = dir.path().join("paper.md");
        fs::write(&paper, "ropes").unwrap();
        block(async {
            let hash = push(&store, &paper, |_| true).await.unwrap();
            let found = tree(&store, &hash).await.unwrap();
            let part = found.files[0].parts[0].clone();
            let object = dir.path().join("store/objects").join(&part[..2]).join(&part);
            fs::write(&object, "roses").unwrap();
            let error = found.pull(&store, &dir.path().join("a")).await.unwrap_err();
            assert!(error.to_string().contains("it is damaged"), "{error}");
            fs::remove_file(&object).unwrap();
            let error = found.pull(&store, &dir.path().join("b")).await.unwrap_err();
            assert!(error.to_string().contains("find the object"), "{error}");
        });
    }

    #[test]
    fn a_path_that_leaves_the_folder_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(dir.path());
        block(async {
            for path in [
                "../x",
                "/x",
                "works/../../x",
                "works//x",
                "works/./x",
                "other/x",
                "works\\x",
                "c:/x",
                "works/\u{0}",
            ] {
                let tree = Tree {
                    name: "works".to_owned(),
                    files: vec![TreeFile {
                        path: path.to_owned(),
                        size: 0,
                        parts: Vec::new(),
                    }],
                };
                let hash = store.put(serde_json::to_vec(&tree).unwrap()).await.unwrap();
                let error = super::tree(&store, &hash).await.unwrap_err();
                assert!(error.to_string().contains("is not allowed"), "{path}: {error}");
            }
        });
    }

    #[test]
    #[cfg(unix)]
    fn a_file_whose_name_other_machines_cannot_have_is_named_before_anything_is_written() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["a:b.md", "a\\b.md", "a\u{7}b.md"] {
            let paper = dir.path().join(name);
            fs::write(&paper, "ropes").unwrap();
            let error = check(&paper).unwrap_err().to_string();
            assert!(error.contains("cannot be used on all machines"), "{error}");
            assert!(error.contains(&*dir.path().to_string_lossy()), "{error}");
            fs::remove_file(&paper).unwrap();
        }
        fs::write(dir.path().join("a b.md"), "ropes").unwrap();
        check(dir.path()).unwrap();
        let deep = dir.path().join("deep");
        fs::create_dir(&deep).unwrap();
        fs::write(deep.join("x:y.tex"), "ropes").unwrap();
        assert!(check(dir.path()).is_err());
    }

    #[test]
    fn a_name_is_written_once() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(dir.path());
        block(async {
            assert!(store.name("runs/a/b", b"first").await.unwrap());
            assert!(!store.name("runs/a/b", b"second").await.unwrap());
            assert_eq!(store.named("runs/a/b").await.unwrap().unwrap(), b"first");
            let id = store.id("one").await.unwrap();
            assert_eq!(store.id("two").await.unwrap(), id);
        });
    }
}
