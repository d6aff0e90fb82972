//! Checks file sizes and the content of `lib.rs` and `mod.rs`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::{files, shown};

/// A file with more lines than this, excluding tests, needs a reason: a line `//! Long because …` at its start.
const WANTS_A_REASON: usize = 500;
/// Maximum number of lines of a file.
const TOO_LONG: usize = 800;

pub(super) fn check(root: &Path) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for folder in ["crates", "xtask"] {
        for path in files(&root.join(folder), "rs") {
            let source = fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
            let name = path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default();
            faults.extend(check_file(&shown(root, &path), &name, &source));
        }
    }
    Ok(faults)
}

fn check_file(at: &str, name: &str, source: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let lines: Vec<&str> = source.lines().collect();
    let code = lines
        .iter()
        .position(|line| line.starts_with("#[cfg(test)]"))
        .unwrap_or(lines.len());
    let is_test = ["/tests/", "/scripted_tests/", "/benches/", "/examples/"]
        .iter()
        .any(|folder| at.contains(folder))
        || name == "tests.rs"
        || name.ends_with("_tests.rs");
    if lines.len() > TOO_LONG && !is_test {
        faults.push(format!(
            "{at}: {} lines; split it (the limit is {TOO_LONG})",
            lines.len()
        ));
    } else if code > WANTS_A_REASON && !is_test && !lines.iter().take(20).any(|line| line.contains("Long because")) {
        faults.push(format!(
            "{at}: {code} lines without tests; split it, or give a reason at its start: `//! Long because …`"
        ));
    }
    if (name == "lib.rs" || name == "mod.rs") && !is_test {
        let logic = lines.iter().take(code).any(|line| {
            let line = line.trim_start();
            let line = line
                .strip_prefix("pub ")
                .or_else(|| line.strip_prefix("pub(crate) "))
                .unwrap_or(line);
            ["fn ", "async fn ", "impl ", "impl<", "struct ", "enum ", "macro_rules!"]
                .iter()
                .any(|word| line.starts_with(word))
        });
        // Modules of a program may contain the function that ties them together.
        if logic && !at.starts_with("xtask/") {
            faults.push(format!(
                "{at}: contains logic; {name} may contain only docs, `mod` and `pub use`"
            ));
        }
        if !lines.first().is_some_and(|line| line.starts_with("//!")) {
            faults.push(format!("{at}: module documentation (`//! …`) is missing"));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_logic_in_mod_files_and_missing_docs_are_reported() {
        let long = "// line\n".repeat(801);
        assert_eq!(check_file("crates/a/src/b.rs", "b.rs", &long).len(), 1);
        assert_eq!(
            check_file("crates/a/src/b.rs", "b.rs", &"// line\n".repeat(600)).len(),
            1
        );
        let reasoned = format!("//! Long because it is one table.\n{}", "// line\n".repeat(600));
        assert!(check_file("crates/a/src/b.rs", "b.rs", &reasoned).is_empty());
        let tested = format!(
            "{}#[cfg(test)]\nmod tests {{}}\n{}",
            "// line\n".repeat(300),
            "// line\n".repeat(300)
        );
        assert!(check_file("crates/a/src/b.rs", "b.rs", &tested).is_empty());
        assert_eq!(
            check_file("crates/a/src/lib.rs", "lib.rs", "//! Room.\npub fn f() {}\n").len(),
            1
        );
        assert_eq!(check_file("crates/a/src/x/mod.rs", "mod.rs", "mod y;\n").len(), 1);
        assert!(check_file("crates/a/src/lib.rs", "lib.rs", "//! Room.\nmod y;\npub use y::Y;\n").is_empty());
    }
}
