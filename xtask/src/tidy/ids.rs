//! Checks that code uses registry entries only through the registry.
//!
//! The id of an entry is `const ID: &str = "…"`, or the literal that its `fn format`, `fn id` or `fn name` returns. The literal may not appear
//! elsewhere in the code of the registry's crate, except in tests.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use regex::Regex;

use super::{files, shown};

/// Folders with registry entries.
const REGISTRIES: &[&str] = &[
    "crates/report/src/formats",
    "crates/sources/src",
    "crates/llm/src/providers",
];

pub(super) fn check(root: &Path) -> Result<Vec<String>> {
    let id = Regex::new(
        r#"(?:const ID: &(?:'static )?str = |fn (?:format|id|name)\(&self\) -> &(?:'static )?str \{\s*)"([^"]+)"[;\s]"#,
    )?;
    let sources: Vec<(PathBuf, String)> = files(&root.join("crates"), "rs")
        .into_iter()
        .filter(|path| !is_test(path))
        .map(|path| {
            fs::read_to_string(&path)
                .map(|source| (path.clone(), source))
                .with_context(|| format!("read {}", path.display()))
        })
        .collect::<Result<_>>()?;
    let mut entries: Vec<(String, PathBuf)> = Vec::new();
    let mut faults = Vec::new();
    for (path, source) in &sources {
        if !REGISTRIES.iter().any(|folder| path.starts_with(root.join(folder))) {
            continue;
        }
        for captures in id.captures_iter(source) {
            let Some(name) = captures.get(1).map(|found| found.as_str().to_owned()) else {
                continue;
            };
            if let Some((_, other)) = entries.iter().find(|(known, _)| *known == name) {
                faults.push(format!(
                    "{}: id `{name}` is already taken by {}",
                    shown(root, path),
                    shown(root, other)
                ));
            }
            entries.push((name, path.clone()));
        }
    }
    for (name, own) in &entries {
        let literal = format!("\"{name}\"");
        let home = own.parent().unwrap_or(own);
        for (path, source) in &sources {
            // A format with several files may use its id in its own folder, but not in the registry's root folder.
            let own_folder = path.starts_with(home) && home.file_name().is_some_and(|folder| folder == name.as_str());
            let same_room = room(root, path) == room(root, own);
            if path == own || own_folder || !same_room {
                continue;
            }
            let code = source.split("#[cfg(test)]").next().unwrap_or_default();
            for (number, line) in code.lines().enumerate() {
                if line.contains(&literal) && !line.trim_start().starts_with("//") {
                    faults.push(format!(
                        "{}:{}: uses the id `{name}`; only {} may",
                        shown(root, path),
                        number + 1,
                        shown(root, own)
                    ));
                }
            }
        }
    }
    Ok(faults)
}

/// The crate of a file.
fn room(root: &Path, path: &Path) -> Option<PathBuf> {
    path.strip_prefix(root.join("crates"))
        .ok()?
        .components()
        .next()
        .map(|part| PathBuf::from(part.as_os_str()))
}

/// Whether a file contains only tests, benchmarks or examples.
pub(super) fn is_test(path: &Path) -> bool {
    path.components().any(|part| {
        let name = part.as_os_str().to_string_lossy();
        matches!(&*name, "tests" | "benches" | "examples" | "tests.rs") || name.ends_with("_tests.rs")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_used_in_other_files_are_reported() {
        let root = tempfile::tempdir().unwrap();
        let formats = root.path().join("crates/report/src/formats");
        fs::create_dir_all(&formats).unwrap();
        fs::write(formats.join("odd.rs"), "const ID: &str = \"odd-format\";\n").unwrap();
        assert!(check(root.path()).unwrap().is_empty());
        fs::write(
            root.path().join("crates/report/src/view.rs"),
            "if format == \"odd-format\" {}\n",
        )
        .unwrap();
        assert_eq!(check(root.path()).unwrap().len(), 1);
        fs::write(formats.join("twin.rs"), "const ID: &str = \"odd-format\";\n").unwrap();
        assert!(check(root.path()).unwrap().iter().any(|fault| fault.contains("taken")));
    }
}
