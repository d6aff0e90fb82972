//! Which files tools may read: those below one folder.

use std::fs;
use std::path::{Component, Path, PathBuf};

use precedent_app::ErrorKind;

use crate::error::Failure;

/// Maximum number of entries of a folder that are checked for links. A folder with more is refused.
const ENTRIES: usize = 100_000;

/// The folder below which files may be read.
#[derive(Debug, Clone)]
pub(crate) struct Root {
    /// Its canonical path.
    path: PathBuf,
}

impl Root {
    /// The folder at `path`.
    pub(crate) fn new(path: &Path) -> Result<Self, Failure> {
        let canonical = path.canonicalize().map_err(|error| {
            Failure::new(
                ErrorKind::Usage,
                format!("failed to open the root {}: {error}", path.display()),
            )
        })?;
        match canonical.is_dir() {
            true => Ok(Self { path: canonical }),
            false => Err(Failure::usage(
                format!("the root {} is not a folder", path.display()),
                "give a folder with --root",
            )),
        }
    }

    /// Its canonical path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The canonical path of a file or folder that a tool names, relative to the root or absolute. A path that leads out, also by a link, is an error,
    /// and the error is the same whether or not there is a file.
    pub(crate) fn resolve(&self, named: &str) -> Result<PathBuf, Failure> {
        let outside = || {
            Failure::usage(
                format!("{named} is outside of the folder that this server may read"),
                "give a path below the root; list_corpora shows it",
            )
        };
        // Before the file system is asked, so that the answer does not show which files exist elsewhere.
        let path = without_dots(&self.path.join(named));
        let path = match path.starts_with(&self.path) {
            true => path,
            false => self.through_another_name(&path).ok_or_else(outside)?,
        };
        let canonical = path.canonicalize().map_err(|error| {
            Failure::new(ErrorKind::Input, format!("failed to read {named}: {error}"))
                .hint("check the path; it is relative to the root")
        })?;
        if !canonical.starts_with(&self.path) {
            return Err(outside());
        }
        if canonical.is_dir() {
            self.refuse_links_out(&canonical, named)?;
        }
        Ok(canonical)
    }

    /// The path below the root, if it was named through a link to the root or to a folder above it, such as /tmp on macOS or a linked home folder.
    fn through_another_name(&self, path: &Path) -> Option<PathBuf> {
        path.ancestors().find_map(|folder| {
            let is_root = folder.canonicalize().is_ok_and(|canonical| canonical == self.path);
            let rest = path.strip_prefix(folder).ok().filter(|_| is_root)?;
            Some(self.path.join(rest))
        })
    }

    /// An error if a link somewhere in a folder leads out of the root.
    fn refuse_links_out(&self, folder: &Path, named: &str) -> Result<(), Failure> {
        let mut open = vec![folder.to_owned()];
        let mut checked = 0;
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                checked += 1;
                let Ok(kind) = entry.file_type() else { continue };
                if checked > ENTRIES {
                    return Err(Failure::usage(
                        format!("{named} has more than {ENTRIES} entries"),
                        "name a smaller folder, or make a corpus of it and start the server with --corpus",
                    ));
                }
                if kind.is_dir() {
                    open.push(entry.path());
                } else if kind.is_symlink() {
                    // A broken link leads nowhere.
                    let leads_out = entry.path().canonicalize().is_ok_and(|to| !to.starts_with(&self.path));
                    if leads_out {
                        return Err(Failure::usage(
                            format!("{named} contains a link that leads out of the folder that this server may read"),
                            "remove the link",
                        ));
                    }
                }
            }
        }
        Ok(())
    }

    /// A path as answers show it: relative to the root if it is below.
    pub(crate) fn shown(&self, path: &Path) -> String {
        let shown = path.strip_prefix(&self.path).unwrap_or(path).display().to_string();
        if shown.is_empty() { ".".to_owned() } else { shown }
    }
}

/// The path without `.` and `..`, which is taken literally.
fn without_dots(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                clean.pop();
            }
            Component::CurDir => {}
            other => clean.push(other),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_below_the_root_resolve() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("root");
        fs::create_dir_all(root.join("papers")).unwrap();
        fs::write(root.join("papers/a.md"), "A").unwrap();
        fs::write(outer.path().join("secret.md"), "S").unwrap();
        let root = Root::new(&root).unwrap();
        let inside = root.resolve("papers/../papers/./a.md").unwrap();
        assert_eq!(root.shown(&inside), "papers/a.md");
        assert_eq!(root.resolve(inside.to_str().unwrap()).unwrap(), inside);
        let there = root.resolve("../secret.md").unwrap_err();
        let missing = root.resolve("../missing.md").unwrap_err();
        assert_eq!((there.kind, there.hint), (missing.kind, missing.hint));
        assert_eq!(
            there.message.replace("secret", "missing"),
            missing.message,
            "the answer shows whether a file exists elsewhere"
        );
        for bad in ["/etc/passwd", "papers/../../secret.md", ".."] {
            assert_eq!(root.resolve(bad).unwrap_err().kind, "usage", "{bad}");
        }
        assert_eq!(root.resolve("papers/none.md").unwrap_err().kind, "input");
    }

    #[cfg(unix)]
    #[test]
    fn a_linked_root_can_be_named_by_its_link() {
        let outer = tempfile::tempdir().unwrap();
        let real = outer.path().join("home/root");
        fs::create_dir_all(real.join("papers")).unwrap();
        fs::write(real.join("papers/a.md"), "A").unwrap();
        fs::write(outer.path().join("secret.md"), "S").unwrap();
        let (linked_root, linked_home) = (outer.path().join("link"), outer.path().join("linked home"));
        std::os::unix::fs::symlink(&real, &linked_root).unwrap();
        std::os::unix::fs::symlink(outer.path().join("home"), &linked_home).unwrap();
        let text = |path: PathBuf| path.to_str().unwrap().to_owned();
        for root in [&real, &linked_root, &linked_home.join("root")] {
            let root = Root::new(root).unwrap();
            for name in [&real, &linked_root, &linked_home.join("root")] {
                let found = root.resolve(&text(name.join("papers/a.md"))).unwrap();
                assert_eq!(root.shown(&found), "papers/a.md", "{}", name.display());
                assert_eq!(root.resolve(&text(name.clone())).unwrap(), root.path());
                for bad in ["../secret.md", "../missing.md", "papers/../../secret.md"] {
                    let failure = root.resolve(&text(name.join(bad))).unwrap_err();
                    assert_eq!(failure.kind, "usage", "{bad}");
                }
            }
            // The answer must not show which folders exist elsewhere.
            for folder in ["../../home", "../../none/../home"] {
                assert!(root.resolve(&format!("{folder}/root/papers/a.md")).is_ok(), "{folder}");
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_that_lead_out_are_refused() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("root");
        fs::create_dir_all(root.join("deep/er")).unwrap();
        fs::write(outer.path().join("secret.md"), "S").unwrap();
        fs::write(root.join("own.md"), "O").unwrap();
        std::os::unix::fs::symlink(outer.path().join("secret.md"), root.join("link.md")).unwrap();
        std::os::unix::fs::symlink(root.join("own.md"), root.join("deep/er/fine.md")).unwrap();
        let root = Root::new(&root).unwrap();
        assert_eq!(root.resolve("link.md").unwrap_err().kind, "usage");
        assert!(root.resolve("deep").is_ok());
        std::os::unix::fs::symlink(outer.path(), root.path().join("deep/er/out")).unwrap();
        assert_eq!(root.resolve("deep").unwrap_err().kind, "usage");
    }
}
