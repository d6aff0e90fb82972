//! Generates reference pages from the code.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use precedent_cli::reference;

/// Writes the pages. With `check`, only fails if they are outdated.
pub(crate) fn run(root: &Path, check: bool) -> Result<()> {
    let mut stale = Vec::new();
    for (name, page) in reference::pages() {
        let path = root.join(name);
        if fs::read_to_string(&path).is_ok_and(|there| there == page) {
            continue;
        }
        if check {
            stale.push(name);
            continue;
        }
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).with_context(|| format!("create {}", folder.display()))?;
        }
        fs::write(&path, page).with_context(|| format!("write {}", path.display()))?;
    }
    if stale.is_empty() {
        Ok(())
    } else {
        bail!("outdated: {}; run `cargo xtask generate`", stale.join(", "))
    }
}
