//! Measures the detection of duplicate records, and of works that a reference list names, against manual labels.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use precedent_engine::corpus::{Corpus, SearchOptions, import};
use precedent_engine::domain::{Identity, Naming, ReferenceList, Work, is_same_work};
use precedent_engine::read;

use crate::say;

/// Number of search results that are compared with a reference.
const RESULTS: usize = 5;

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

/// `LABELS` has lines `file<TAB>number<TAB>id id…`: the works in the corpus that reference `number` of the paper `FOLDER/file` names, or none. The
/// first results of the corpus for the reference's title are compared with it.
pub(crate) fn references(arguments: &[&str]) -> Result<()> {
    let [labels, folder, corpus] = arguments else {
        bail!("usage: cargo xtask references LABELS FOLDER CORPUS")
    };
    let text = std::fs::read_to_string(labels).with_context(|| format!("read {labels}"))?;
    let corpus = Corpus::open(Path::new(corpus))?;
    let options = SearchOptions {
        limit: RESULTS,
        ..SearchOptions::default()
    };
    let mut counts: BTreeMap<Naming, (usize, usize)> = BTreeMap::new();
    let (mut references, mut named, mut found) = (0, 0, 0);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let (file, rest) = line.split_once('\t').with_context(|| format!("not a label: {line}"))?;
        let (number, ids) = rest.split_once('\t').unwrap_or((rest, ""));
        let number: u32 = number.parse().with_context(|| format!("not a label: {line}"))?;
        let wanted: Vec<&str> = ids.split_whitespace().collect();
        let paper = read::read(&Path::new(folder).join(file)).with_context(|| format!("read {file}"))?;
        let list = ReferenceList::new(&paper.references);
        let entry = list.entries().iter().find(|entry| entry.reference.number == number);
        let entry = entry.with_context(|| format!("{file} has no reference {number}"))?;
        let query = entry.reference.title.as_ref().unwrap_or(&entry.reference.text);
        references += 1;
        named += usize::from(!wanted.is_empty());
        let mut hit = false;
        for (_, work) in corpus.search_works(query, &options)? {
            let right = wanted.contains(&work.id.as_str());
            if let Some(naming) = entry.names_title_of(&work) {
                let (correct, wrong) = counts.entry(naming).or_default();
                *if right { correct } else { wrong } += 1;
                hit |= right;
                if !right {
                    say(&format!("wrong: {file} {number} {naming:?} {} {}", work.id, work.title));
                }
            } else if right {
                say(&format!("missed: {file} {number} {} {}", work.id, work.title));
            }
        }
        found += usize::from(hit);
    }
    say(&format!(
        "{references} references, {named} with a work in the corpus, {found} of these found"
    ));
    for (naming, (correct, wrong)) in counts {
        say(&format!("{naming:?}: {correct} works correct, {wrong} wrong"));
    }
    Ok(())
}
