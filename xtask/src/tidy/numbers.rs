//! Checks that numbers which decide something have a name: no bare fraction is compared with or multiplied by anything.
//!
//! A named constant has room for its meaning and its origin. Sums and tables are not checked, because most are lists of weights with a heading.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use regex::Regex;

use super::ids::is_test;
use super::{files, shown};

/// What is not checked: formulas, whose numbers are coefficients; the layout of PDF pages, whose numbers are lengths and shares of a font size; and
/// the scripted model of tests.
const NOT_CHECKED: [&str; 3] = [
    "crates/corpus/src/encode/maths.rs",
    "crates/read/src/pdf/",
    "crates/scripted/",
];
/// Numbers that need no name: limits of shares, halves, factors of formulas, and rounding.
const PLAIN: [f64; 8] = [0.0, 0.5, 1.0, 2.0, 4.0, 10.0, 100.0, 1_000.0];

/// A comparison or multiplication with a fraction on either side. The arrow of a match arm is no comparison.
const DECISION: &str = concat!(
    r"(?:(?:[<>=!]=|[^=\-]>|<|\*=?) -?(?<after>[0-9][0-9_]*\.[0-9][0-9_]*)(?:[^0-9.\w]|$))",
    r"|(?:(?:^|[^\w.])(?<before>[0-9][0-9_]*\.[0-9][0-9_]*) (?:[<>=!]=|<|>|\*) )"
);

pub(super) fn check(root: &Path) -> Result<Vec<String>> {
    let decision = Regex::new(DECISION)?;
    let mut faults = Vec::new();
    for path in files(&root.join("crates"), "rs") {
        let at = shown(root, &path);
        let is_checked = at.contains("/src/") && !NOT_CHECKED.iter().any(|one| at.starts_with(one));
        if is_checked && !is_test(&path) && !at.contains("_tests/") {
            let source = fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
            faults.extend(check_file(&at, &source, &decision));
        }
    }
    Ok(faults)
}

fn check_file(at: &str, source: &str, decision: &Regex) -> Vec<String> {
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    let mut faults = Vec::new();
    for (line, text) in (1..).zip(code.lines()) {
        let text = without_strings(text.trim());
        if is_constant(&text) {
            continue;
        }
        for found in decision.captures_iter(&text) {
            let number = found.name("after").or(found.name("before"));
            let number = number.map_or("", |number| number.as_str());
            let value: f64 = number.replace('_', "").parse().unwrap_or_default();
            if !PLAIN.contains(&value) {
                faults.push(format!(
                    "{at}:{line}: `{number}` decides something; name it in a constant with its meaning and origin"
                ));
            }
        }
    }
    faults
}

/// A line of code without the content of its strings and without comments.
fn without_strings(line: &str) -> String {
    let mut out = String::new();
    for (at, part) in line.split('"').enumerate() {
        if at % 2 == 0 {
            if let Some((code, _)) = part.split_once("//") {
                out.push_str(code);
                break;
            }
            out.push_str(part);
        } else {
            out.push_str("\"\"");
        }
    }
    out
}

fn is_constant(line: &str) -> bool {
    let line = match line.strip_prefix("pub") {
        Some(rest) => rest.split_once(' ').map_or("", |(_, rest)| rest),
        None => line,
    };
    line.starts_with("const ") || line.starts_with("static ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_fractions_in_decisions_are_reported() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        assert!(check(&root).unwrap().is_empty(), "{:#?}", check(&root));
        let source = |line: &str| format!("const NEAR: f64 = 0.7;\nfn f() {{\n    {line}\n}}\n");
        let decision = Regex::new(DECISION).unwrap();
        for line in [
            "if share >= 0.7 {",
            "share < 0.25",
            "let x = 0.9 * share;",
            "share * 0.15",
            "share *= 1.15;",
            "matches(0.3 < share)",
        ] {
            let faults = check_file("a.rs", &source(line), &decision);
            assert_eq!(faults.len(), 1, "{line}: {faults:?}");
            assert!(faults[0].starts_with("a.rs:3: `"), "{faults:?}");
        }
        for line in [
            "if share >= 0.5 {",
            "(share * 1_000.0).round() / 1_000.0",
            "Zone::Conclusion => 0.1,",
            "pub(crate) const FAR: f64 = -0.3 * 2.0;",
            "say(\"share < 0.25\");",
            "// share < 0.25",
            "share < NEAR",
            "score += 0.25;",
        ] {
            assert_eq!(
                check_file("a.rs", &source(line), &decision),
                Vec::<String>::new(),
                "{line}"
            );
        }
    }
}
