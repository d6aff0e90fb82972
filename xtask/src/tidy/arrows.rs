//! Checks that crates depend only on the crates that the architecture allows.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Each crate with the crates it may use. A crate may only use crates above it in this list.
const ARROWS: &[(&str, &[&str])] = &[
    ("text", &[]),
    ("ledger", &[]),
    ("domain", &["text"]),
    ("http", &["ledger"]),
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
            "text", "ledger", "domain", "http", "read", "code", "llm", "corpus", "matcher", "sources",
        ],
    ),
    ("app", &["engine", "report"]),
    // The command line still reads, searches and measures without a job, so it uses `engine` and `report` beside `app`.
    ("cli", &["app", "engine", "report"]),
    // For tests and measurements: a model with scripted responses.
    ("scripted", &[]),
];

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
    Ok(faults)
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
    if manifest
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
    fn allowed_dependencies_only_point_down() {
        for (level, (room, uses)) in ARROWS.iter().enumerate() {
            for used in *uses {
                let below = ARROWS.iter().position(|(name, _)| name == used);
                assert!(below.is_some_and(|below| below < level), "{room} -> {used}");
            }
        }
    }
}
