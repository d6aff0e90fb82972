//! The shape of files: sizes, what `lib.rs` and `mod.rs` hold, that every room says what it is for.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::{files, shown};

/// Over this many lines without tests a file wants a reason: a line `//! Long because …` in its head.
const WANTS_A_REASON: usize = 500;
/// Over this many lines in all a file fails.
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
    let is_test = ["/tests/", "/benches/", "/examples/"]
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
            "{at}: {code} lines without tests; split it, or say `//! Long because …` in its head"
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
        // A program's own modules may hold the one function that ties them together.
        if logic && !at.starts_with("xtask/") {
            faults.push(format!(
                "{at}: holds logic; {name} holds docs, `mod` and `pub use` only"
            ));
        }
        if !lines.first().is_some_and(|line| line.starts_with("//!")) {
            faults.push(format!(
                "{at}: does not say what goes in, what comes out and what is not here (`//! …`)"
            ));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_logic_in_mod_and_silent_rooms_are_faults() {
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
