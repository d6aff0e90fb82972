//! Checks the wording of code and documentation against the phrases that plain technical English has replaced.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use regex::Regex;

use super::{files, shown};

/// Phrases that a reader has to decode, each with what to write instead. docs/style.md has the rules.
const PHRASES: &[(&str, &str)] = &[
    (r"(?i)\b(?:is|are|was|were) told\b", "says, reports, shows"),
    (r"(?i)\bheld against\b", "compared with"),
    (r"(?i)\bset beside\b", "compared with"),
    (r"(?i)\bstands? near(?:est)?\b", "is similar, is the closest"),
    (r"(?i)\bnearest to\b", "most similar to, closest to"),
    (r"(?i)\bstands? (?:in|there)\b", "is in, appears in"),
    (r"(?i)\ba nought\b", "a zero"),
    (r"(?i)\bdrawn by lot\b", "sampled at random"),
    (r"(?i)\bcan be told\b", "can be recognized"),
    (r"(?i)\bnothing follows from\b", "says nothing about"),
    (r"(?i)\btakes? \w+ ?\w* novelty away\b", "counts as prior art"),
    (r"(?i)\bset aside\b", "excluded"),
    (r"(?i)\bgone about\b", "run, executed"),
    (r"(?i)\bin so many words\b", "explicitly"),
    (r"(?i)\bfor want of\b", "without"),
    (r"(?i)\bcomes? along\b", "is included"),
    (r"(?i)\bput to (?:a |the )?(?:model|source|service)s?\b", "sent to"),
    (
        r"(?i)\bhold\w* (?:\w+ )+against (?:the|its|a) (?:works?|source|papers?)\b",
        "compare with",
    ),
];

/// Folders whose English is data: what models and tests read.
const DATA: &[&str] = &[
    "crates/scripted/",
    "/prompts/",
    "/model/",
    "/model.rs",
    "/scripted_tests/",
];

pub(super) fn check(root: &Path) -> Result<Vec<String>> {
    let phrases = compiled()?;
    let mut faults = Vec::new();
    for ending in ["rs", "md", "html"] {
        for path in files(root, ending) {
            let at = shown(root, &path);
            let asks_a_model =
                at.starts_with("crates/engine/src/") && (at.contains("/model/") || at.ends_with("/model.rs"));
            let is_data = asks_a_model
                || DATA.iter().any(|folder| at.contains(folder))
                || at.contains("/tests")
                || at.ends_with("wording.rs");
            if !is_data && at != "CHANGELOG.md" {
                let text = fs::read_to_string(&path).with_context(|| format!("read {at}"))?;
                faults.extend(check_text(&at, &text, &phrases));
            }
        }
    }
    Ok(faults)
}

fn compiled() -> Result<Vec<(Regex, &'static str)>> {
    PHRASES
        .iter()
        .map(|(phrase, instead)| Ok((Regex::new(phrase)?, *instead)))
        .collect()
}

fn check_text(at: &str, text: &str, phrases: &[(Regex, &str)]) -> Vec<String> {
    let mut faults = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        for (phrase, instead) in phrases {
            if let Some(found) = phrase.find(line) {
                faults.push(format!("{at}:{number}: “{}”: write “{instead}”", found.as_str()));
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaced_phrases_are_reported_with_their_line() {
        let phrases = compiled().unwrap_or_default();
        let bad = "fn f() {}\n// The work that stands nearest is told.\n";
        let faults = check_text("crates/a/src/b.rs", bad, &phrases);
        assert_eq!(faults.len(), 2, "{faults:#?}");
        assert!(faults.iter().all(|fault| fault.starts_with("crates/a/src/b.rs:2: ")));
        assert!(check_text("a.md", "It understands the instances. Standard inputs.", &phrases).is_empty());
    }
}
