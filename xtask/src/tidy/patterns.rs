//! Checks constant regular expressions: they compile, and no code hides one that does not.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use regex::Regex;

use super::ids::is_test;
use super::{files, shown};

const MACRO: &str = "pattern!(";
const NEW: &str = "Regex::new(";

pub(super) fn check(root: &Path) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for path in files(&root.join("crates"), "rs") {
        if !is_test(&path) {
            let source = fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
            faults.extend(check_file(&shown(root, &path), &source));
        }
    }
    Ok(faults)
}

fn check_file(at: &str, source: &str) -> Vec<String> {
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    let mut faults = Vec::new();
    for kind in ["Option<Regex>", "Option<regex::Regex>"] {
        for (line, _) in uses(code, kind) {
            faults.push(format!(
                "{at}:{line}: `{kind}` hides a pattern that does not compile; use `precedent_text::pattern!`"
            ));
        }
    }
    for (line, rest) in uses(code, NEW) {
        if after_call(rest).is_some_and(|after| after.trim_start().starts_with(".ok()")) {
            faults.push(format!(
                "{at}:{line}: `Regex::new(…).ok()` hides a pattern that does not compile; use `precedent_text::pattern!`"
            ));
        }
    }
    for (line, rest) in uses(code, MACRO) {
        if let Some(Err(error)) = raw_literals(rest).map(|pattern| Regex::new(&pattern)) {
            // The message has several lines; the last one says what is wrong.
            let error = error.to_string();
            let reason = error.lines().last().unwrap_or_default();
            faults.push(format!("{at}:{line}: the pattern does not compile: {reason}"));
        }
    }
    faults
}

/// Each use of `word` outside comments: its line number and the text after it.
fn uses<'s>(code: &'s str, word: &str) -> Vec<(usize, &'s str)> {
    let outside_comments = |(at, _): (usize, &str)| {
        let before = code.get(..at)?;
        let line = before.rsplit('\n').next().unwrap_or_default();
        let is_comment = line.trim_start().starts_with("//");
        (!is_comment).then_some((before.matches('\n').count() + 1, code.get(at + word.len()..)?))
    };
    code.match_indices(word).filter_map(outside_comments).collect()
}

/// The pattern at the start of macro arguments: a raw string literal, or the raw string literals of a `concat!`. `None` for other expressions.
fn raw_literals(arguments: &str) -> Option<String> {
    let arguments = arguments.trim_start();
    let Some(parts) = arguments.strip_prefix("concat!(") else {
        return raw_literal(arguments).map(|(text, _)| text.to_owned());
    };
    let mut rest = parts.trim_start();
    let mut whole = String::new();
    while !rest.starts_with(')') {
        let (text, after) = raw_literal(rest)?;
        whole.push_str(text);
        let after = after.trim_start();
        rest = after.strip_prefix(',').unwrap_or(after).trim_start();
    }
    Some(whole)
}

/// The content of the raw string literal that the code starts with, and the code after it.
fn raw_literal(code: &str) -> Option<(&str, &str)> {
    let start = code.strip_prefix('r')?;
    let body = start.trim_start_matches('#');
    let hashes = start.len() - body.len();
    body.strip_prefix('"')?
        .split_once(format!("\"{}", "#".repeat(hashes)).as_str())
}

/// The code after a call whose arguments `code` starts with. Brackets in string literals do not count.
fn after_call(code: &str) -> Option<&str> {
    let mut rest = code;
    let mut depth = 1;
    while let Some(c) = rest.chars().next() {
        let next = rest.get(c.len_utf8()..)?;
        rest = match c {
            'r' => raw_literal(rest).map_or(next, |(_, after)| after),
            '"' => after_string(next)?,
            _ => next,
        };
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        if depth == 0 {
            return Some(rest);
        }
    }
    None
}

/// The code after a string literal whose content `code` starts with.
fn after_string(code: &str) -> Option<&str> {
    let mut is_escaped = false;
    let end = code.find(|c: char| {
        let is_end = c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_end
    })?;
    code.get(end + 1..)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(source: &str) -> Vec<String> {
        check_file("crates/a/src/b.rs", source)
    }

    #[test]
    fn patterns_that_do_not_compile_are_reported_with_their_line() {
        let fault = faults("fn f() {\n    pattern!(r\"(rope\").is_match(text)\n}\n").join("\n");
        assert!(fault.starts_with("crates/a/src/b.rs:2: "), "{fault}");
        assert!(fault.contains("unclosed group"), "{fault}");
        for bad in [
            "pattern!(\n    r#\"[\"kelp\"#\n)",
            "pattern!(concat!(\n    r\"(rope\",\n    r\"|kelp\",\n))",
        ] {
            assert_eq!(faults(bad).len(), 1, "{bad}");
        }
        for good in [
            "pattern!(r\"rope|kelp\")",
            "pattern!(r#\"[\"')]\"#)",
            "pattern!(concat!(r\"(rope\", r\"|kelp)\"))",
            "pattern!(&format!(r\"{ROPE}{{2}}(\"))",
            "// pattern!(r\"(rope\")",
            "#[cfg(test)]\nmod tests { fn f() { pattern!(r\"(rope\"); } }",
        ] {
            assert!(faults(good).is_empty(), "{good}");
        }
    }

    #[test]
    fn hidden_errors_are_reported() {
        for bad in [
            "static ROPE: LazyLock<Option<Regex>> = make();",
            "let rope = Regex::new(r\"\\)\").ok();",
            "let rope = Regex::new(\n    &format!(\"\\\")({}\", one()),\n)\n.ok()?;",
        ] {
            assert_eq!(faults(bad).len(), 1, "{bad}");
        }
        for good in [
            "let rope = Regex::new(&wanted)?;",
            "let rope = Regex::new(r\".ok()\").map_err(|error| other(error).ok())?;",
            "/// `Option<Regex>`\nfn rope() {}",
        ] {
            assert!(faults(good).is_empty(), "{good}");
        }
    }
}
