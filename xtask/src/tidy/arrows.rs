//! Checks that crates depend only on the crates that the architecture allows.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use regex::Regex;

use super::{files, shown};

/// Each crate with the crates it may use. A crate may only use crates above it in this list.
const ARROWS: &[(&str, &[&str])] = &[
    ("text", &[]),
    ("ledger", &[]),
    ("domain", &["text"]),
    ("http", &["ledger"]),
    ("language", &["domain", "text"]),
    ("read", &["domain", "text"]),
    ("code", &["domain"]),
    ("llm", &["http", "ledger"]),
    ("corpus", &["domain", "text", "http"]),
    ("report", &["domain", "text"]),
    ("matcher", &["domain", "text", "corpus"]),
    ("sources", &["domain", "text", "http", "read", "code", "corpus"]),
    (
        "engine",
        &[
            "text", "ledger", "domain", "http", "language", "read", "code", "llm", "corpus", "matcher", "sources",
        ],
    ),
    ("app", &["engine", "report"]),
    ("bench", &["engine"]),
    ("mcp", &["app"]),
    ("server", &["app", "report"]),
    // The command line imports, measures and exports without `app`, so it uses `engine` and `report` beside it.
    ("cli", &["app", "bench", "engine", "report", "mcp", "server"]),
    ("python", &["app", "cli", "engine"]),
    // For tests and measurements: a model with scripted responses.
    ("scripted", &[]),
];

/// The folders of `engine`. A folder may only use folders above it in this list, so a shared step never uses a job.
const FOLDERS: &[&str] = &[
    // Shared.
    "model", "board", "library", "extract", "egress", "retrieve", "compare",
    // Jobs. An audit is of a report on points.
    "assess", "idea", "points", "audit", "review", "rank",
];

/// Files beside the folders of `engine` that are not product code.
const NOT_CHECKED: &[&str] = &["sample.rs", "scripted_tests"];

pub(super) fn check(root: &Path) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    let rooms = root.join("crates");
    let mut names: Vec<String> = Vec::new();
    for entry in fs::read_dir(&rooms).with_context(|| format!("read {}", rooms.display()))? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    for name in names {
        let file = rooms.join(&name).join("Cargo.toml");
        let manifest = fs::read_to_string(&file).with_context(|| format!("read {}", file.display()))?;
        faults.extend(check_room(&name, &manifest)?);
    }
    faults.extend(check_folders(root)?);
    Ok(faults)
}

/// Checks the order of [`FOLDERS`]. Test code may use any folder.
fn check_folders(root: &Path) -> Result<Vec<String>> {
    let used = Regex::new(r"\bcrate::(?:([a-z_]+)|\{([^;]*)\})")?;
    let inner = Regex::new(r"(?:^|,)\s*([a-z_]+)\b")?;
    let engine = root.join("crates/engine/src");
    let mut faults = Vec::new();
    for path in files(&engine, "rs") {
        let at = shown(root, &path);
        let inside = path.strip_prefix(&engine).unwrap_or(&path);
        let folder = inside.iter().next().and_then(|one| one.to_str()).unwrap_or_default();
        if NOT_CHECKED.contains(&folder) || folder.ends_with(".rs") || at.contains("test") || at.contains("fake") {
            continue;
        }
        let text = fs::read_to_string(&path).with_context(|| format!("read {at}"))?;
        let product = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        for found in used.captures_iter(product) {
            let names = found.get(1).map(|one| vec![one.as_str()]).unwrap_or_else(|| {
                let group = found.get(2).map_or("", |group| group.as_str());
                inner
                    .captures_iter(group)
                    .filter_map(|one| Some(one.get(1)?.as_str()))
                    .collect()
            });
            faults.extend(names.into_iter().filter_map(|name| check_folder(&at, folder, name)));
        }
    }
    faults.dedup();
    Ok(faults)
}

fn check_folder(at: &str, folder: &str, used: &str) -> Option<String> {
    let level = |name: &str| FOLDERS.iter().position(|one| *one == name);
    let Some(own) = level(folder) else {
        return Some(format!(
            "{at}: unknown folder `{folder}`; add it to xtask/src/tidy/arrows.rs first"
        ));
    };
    (level(used)? > own).then(|| {
        format!("{at}: `{folder}` must not use `{used}`, which is below it in the list of xtask/src/tidy/arrows.rs")
    })
}

fn check_room(name: &str, manifest: &str) -> Result<Vec<String>> {
    let at = format!("crates/{name}/Cargo.toml");
    let Some((_, allowed)) = ARROWS.iter().find(|(room, _)| *room == name) else {
        return Ok(vec![format!(
            "{at}: unknown crate `{name}`; add it to xtask/src/tidy/arrows.rs first"
        )]);
    };
    let manifest: toml::Table = manifest.parse().with_context(|| format!("read {at}"))?;
    let mut faults = Vec::new();
    let package = manifest
        .get("package")
        .and_then(|package| package.get("name"))
        .and_then(toml::Value::as_str);
    if package != Some(&format!("precedent-{name}")) {
        faults.push(format!(
            "{at}: the package in crates/{name} must be named `precedent-{name}`"
        ));
    }
    // Python's bindings expand to unsafe code, which the workspace forbids; that crate repeats the other lints.
    if name != "python"
        && manifest
            .get("lints")
            .and_then(|lints| lints.get("workspace"))
            .and_then(toml::Value::as_bool)
            != Some(true)
    {
        faults.push(format!("{at}: the workspace lints are not enabled"));
    }
    let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
    for used in dependencies.into_iter().flat_map(toml::Table::keys) {
        let Some(room) = used.strip_prefix("precedent-") else {
            continue;
        };
        if !allowed.contains(&room) {
            faults.push(format!(
                "{at}: `{name}` must not use `{room}`; it may use: {}",
                allowed.join(", ")
            ));
        }
    }
    Ok(faults)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(name: &str, uses: &str) -> String {
        format!(
            "[package]\nname = \"precedent-{name}\"\n[lints]\nworkspace = true\n[dependencies]\n{uses}.workspace = true\n"
        )
    }

    #[test]
    fn upward_dependencies_are_reported() {
        assert!(
            check_room("domain", &manifest("domain", "precedent-text"))
                .unwrap()
                .is_empty()
        );
        assert_eq!(
            check_room("text", &manifest("text", "precedent-domain")).unwrap().len(),
            1
        );
        assert_eq!(
            check_room("report", &manifest("report", "precedent-engine"))
                .unwrap()
                .len(),
            1
        );
        assert_eq!(check_room("utils", &manifest("utils", "serde")).unwrap().len(), 1);
        assert_eq!(check_room("text", "[package]\nname = \"words\"\n").unwrap().len(), 2);
    }

    #[test]
    fn a_shared_step_must_not_use_a_job() {
        assert_eq!(check_folder("a.rs", "points", "compare"), None);
        assert_eq!(check_folder("a.rs", "points", "points"), None);
        assert!(check_folder("a.rs", "compare", "points").is_some());
        assert!(check_folder("a.rs", "helpers", "points").is_some());
        assert_eq!(check_folder("a.rs", "compare", "world"), None);
    }

    #[test]
    fn allowed_dependencies_only_point_down() {
        for (level, (room, uses)) in ARROWS.iter().enumerate() {
            for used in *uses {
                let below = ARROWS.iter().position(|(name, _)| name == used);
                assert!(below.is_some_and(|below| below < level), "{room} -> {used}");
            }
        }
    }
}
