//! Measures the detection of duplicate records against manual labels.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use precedent_engine::corpus::import;
use precedent_engine::domain::{Identity, Work, is_same_work};

use crate::say;

/// `LABELS` has lines `id<TAB>id<TAB>same|different`. `FILES` contain the records with these ids.
pub(crate) fn run(arguments: &[&str]) -> Result<()> {
    let [labels, files @ ..] = arguments else {
        bail!("usage: cargo xtask identity LABELS FILE…")
    };
    let text = std::fs::read_to_string(labels).with_context(|| format!("read {labels}"))?;
    let mut pairs = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match line.split('\t').collect::<Vec<_>>().as_slice() {
            [a, b, "same", ..] => pairs.push((*a, *b, true)),
            [a, b, "different", ..] => pairs.push((*a, *b, false)),
            _ => bail!("{labels}: not a label: {line}"),
        }
    }
    let mut works: BTreeMap<&str, Option<Work>> = BTreeMap::new();
    for (a, b, _) in &pairs {
        works.insert(a, None);
        works.insert(b, None);
    }
    for file in files {
        for record in import::open(Path::new(file))?.flatten() {
            if let Some(place) = works.get_mut(record.work.id.as_str()) {
                *place = Some(record.work);
            }
        }
    }
    let (mut right_same, mut right_different, mut merged, mut missed) = (0, 0, 0, 0);
    for (a, b, same) in pairs {
        let (Some(Some(one)), Some(Some(other))) = (works.get(a), works.get(b)) else {
            bail!("no record of {a} or {b} in the files");
        };
        let answer = is_same_work(Identity::from(one), Identity::from(other));
        match (answer, same) {
            (true, true) => right_same += 1,
            (false, false) => right_different += 1,
            (true, false) => merged += 1,
            (false, true) => missed += 1,
        }
        if answer != same {
            let wrong = if answer { "wrongly merged" } else { "missed" };
            say(&format!("{wrong}: {a} {b} {}", one.title));
        }
    }
    let share = |part: usize, of: usize| part as f64 / of.max(1) as f64;
    say(&format!(
        "correct: {right_same} same, {right_different} different; wrongly merged: {merged}; missed: {missed}; precision {:.4}, recall {:.4}",
        share(right_same, right_same + merged),
        share(right_same, right_same + missed)
    ));
    Ok(())
}
