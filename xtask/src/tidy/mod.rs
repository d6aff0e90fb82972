//! Repository checks. Each returns its findings as lines that start with a file name.

mod arrows;
mod circles;
mod ids;
mod links;
mod numbers;
mod patterns;
mod shape;
mod wording;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::say;

/// Runs all checks. Returns an error if there are findings.
pub(crate) fn run(root: &Path) -> Result<()> {
    let mut faults = Vec::new();
    faults.extend(arrows::check(root)?);
    faults.extend(circles::check(root)?);
    faults.extend(shape::check(root)?);
    faults.extend(ids::check(root)?);
    faults.extend(links::check(root)?);
    faults.extend(numbers::check(root)?);
    faults.extend(patterns::check(root)?);
    faults.extend(wording::check(root)?);
    for fault in &faults {
        say(fault);
    }
    if faults.is_empty() {
        Ok(())
    } else {
        bail!("tidy: {} problems", faults.len())
    }
}

/// The files in `folder` with this extension, sorted, without build outputs and run data.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let skip = |entry: &walkdir::DirEntry| {
        let name = entry.file_name().to_string_lossy();
        entry.depth() > 0 && (name == "target" || name == "runs" || (name.starts_with('.') && name != ".ci"))
    };
    let mut found: Vec<PathBuf> = walkdir::WalkDir::new(folder)
        .into_iter()
        .filter_entry(|entry| !skip(entry))
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file() && entry.path().extension().is_some_and(|end| end == ending))
        .map(walkdir::DirEntry::into_path)
        .collect();
    found.sort();
    found
}

/// A path relative to the repository root.
fn shown(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}
