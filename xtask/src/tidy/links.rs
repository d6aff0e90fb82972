//! Checks the links in the documentation, and the paths of code in `docs/ARCHITECTURE.md`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use regex::Regex;

use super::{files, shown};

pub(super) fn check(root: &Path) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for path in files(root, "md") {
        let page = fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
        let folder = path.parent().unwrap_or(root);
        for target in targets(&page)? {
            if let Some(fault) = fault(folder, &page, &target)? {
                faults.push(format!("{}: {fault}", shown(root, &path)));
            }
        }
    }
    let page = root.join("docs/ARCHITECTURE.md");
    let text = fs::read_to_string(&page).with_context(|| format!("read {}", page.display()))?;
    let missing = code_paths(&text)?.into_iter().filter(|path| !root.join(path).exists());
    faults.extend(missing.map(|path| format!("{}: names {path}, which does not exist", shown(root, &page))));
    Ok(faults)
}

/// The paths that a page names as code, such as `crates/app/src/run.rs`.
fn code_paths(page: &str) -> Result<Vec<String>> {
    let path = Regex::new("`((?:crates|xtask|docs)/[^`<*{ ]+)`")?;
    let found = path.captures_iter(page).filter_map(|captures| captures.get(1));
    Ok(found.map(|path| path.as_str().to_owned()).collect())
}

/// The link targets of a page, except in code.
fn targets(page: &str) -> Result<Vec<String>> {
    let link = Regex::new(r"\]\(([^)\s]+)\)")?;
    let inline_code = Regex::new("`[^`]*`")?;
    let mut fenced = false;
    let mut found = Vec::new();
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            let line = inline_code.replace_all(line, "");
            found.extend(
                link.captures_iter(&line)
                    .filter_map(|captures| captures.get(1))
                    .map(|m| m.as_str().to_owned()),
            );
        }
    }
    Ok(found)
}

fn fault(folder: &Path, page: &str, target: &str) -> Result<Option<String>> {
    if ["http://", "https://", "mailto:"]
        .iter()
        .any(|start| target.starts_with(start))
    {
        return Ok(None);
    }
    let (file, anchor) = target
        .split_once('#')
        .map_or((target, None), |(file, anchor)| (file, Some(anchor)));
    let there = folder.join(file);
    if !file.is_empty() && !there.exists() {
        return Ok(Some(format!("links to {target}, which does not exist")));
    }
    let Some(anchor) = anchor else { return Ok(None) };
    let page = if file.is_empty() {
        page.to_owned()
    } else {
        fs::read_to_string(&there).unwrap_or_default()
    };
    if anchors(&page).contains(&anchor.to_owned()) {
        Ok(None)
    } else {
        Ok(Some(format!("links to {target}, but no heading has that anchor")))
    }
}

/// The anchors of a page's headings, as common renderers generate them.
fn anchors(page: &str) -> Vec<String> {
    page.lines()
        .filter(|line| line.starts_with('#'))
        .map(|line| {
            let heading = line.trim_start_matches('#').trim().to_lowercase();
            heading
                .chars()
                .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
                .map(|c| if c == ' ' { '-' } else { c })
                .collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dead_links_are_reported_and_code_is_ignored() {
        let page = "# How to add\n[a](missing.md) `[b](x.md)` [c](#how-to-add) [d](#nowhere) [e](https://example.org)\n```\n[f](y.md)\n```\n";
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let faults: Vec<String> = targets(page)
            .unwrap()
            .iter()
            .filter_map(|target| fault(folder, page, target).unwrap())
            .collect();
        assert_eq!(faults.len(), 2, "{faults:?}");
        assert!(fault(folder, page, "Cargo.toml").unwrap().is_none());
    }

    #[test]
    fn paths_of_code_are_found() {
        let page = "`crates/app/src/run.rs` and `retry.rs`, `crates/read/src/<format>/`, [x](`docs/a.md`)";
        assert_eq!(code_paths(page).unwrap(), ["crates/app/src/run.rs", "docs/a.md"]);
    }
}
