//! Words and sentences of a text, as the scripted model reads them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::Block;

pub(crate) fn words(text: &str) -> Vec<&str> {
    let bare = |word: &'_ str| !word.is_empty();
    text.split(|c: char| !c.is_alphanumeric() && c != '-')
        .filter(|word| bare(word))
        .collect()
}

/// Words of more than three letters, in lower case, cut to six letters: a rough stem.
pub(crate) fn stems(text: &str) -> BTreeSet<String> {
    let long = words(text).into_iter().filter(|word| word.len() > 3);
    long.map(|word| word.to_lowercase().chars().take(6).collect()).collect()
}

pub(crate) fn shared(a: &str, b: &str) -> f64 {
    let (a, b) = (stems(a), stems(b));
    let common = u32::try_from(a.intersection(&b).count()).unwrap_or(u32::MAX);
    f64::from(common) / f64::from(u32::try_from(a.len()).unwrap_or(u32::MAX).max(1))
}

pub(crate) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in text.lines() {
        let mut start = 0;
        for (at, _) in line.match_indices(". ") {
            found.push(line.get(start..=at).unwrap_or_default().trim());
            start = at + 2;
        }
        found.push(line.get(start..).unwrap_or_default().trim());
    }
    found.retain(|one| words(one).len() >= 6);
    found
}

pub(crate) fn contributions(blocks: &[Block<'_>]) -> Vec<Value> {
    const CUES: [&str; 8] = [
        "we prove",
        "we propose",
        "we introduce",
        "we present",
        "we show",
        "we develop",
        "we describe",
        "we release",
    ];
    let text = blocks.first().map(|block| block.text).unwrap_or_default();
    let claims = sentences(text)
        .into_iter()
        .filter(|one| CUES.iter().any(|cue| one.to_lowercase().contains(cue)));
    let claim = |one: &str| {
        let kept: Vec<&str> = one.split_whitespace().take(40).collect();
        json!({
            "name": words(one).into_iter().filter(|word| word.len() > 3).take(8).collect::<Vec<_>>().join(" "),
            "author_claim_text": kept.join(" "),
            "description": format!("The paper says: {}", words(one).into_iter().take(30).collect::<Vec<_>>().join(" ")),
            "source_hint": "Introduction",
            "kind": "method",
        })
    };
    let mut seen: Vec<&str> = Vec::new();
    let mut found = Vec::new();
    for one in claims {
        if found.len() < 3 && seen.iter().all(|other| shared(one, other) < 0.6) {
            seen.push(one);
            found.push(claim(one));
        }
    }
    found
}
