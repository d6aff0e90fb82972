//! Checks the three rules on real papers, with code independent of the gate.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::pipelines::online_world;
use super::*;
use crate::idea::{Idea, idea_queries};
use crate::points::points_queries;
use crate::retrieve::queries::queries;
use crate::review::{ReviewInput, review_queries};

/// Number of papers whose queries are printed, and of queries printed for each.
const SHOWN: usize = 5;
const QUERIES_SHOWN: usize = 20;

/// A full text of the development data as Markdown, so that its front matter is parsed like that of a user's file.
fn markdown(record: &Value) -> String {
    let text = |key: &str| record[key].as_str().unwrap_or_default().to_owned();
    let mut parts = vec![format!("# {}", text("title"))];
    let authors: Vec<&str> = record["authors"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    if !authors.is_empty() {
        parts.push(authors.join(", "));
    }
    parts.push(format!("## Abstract\n\n{}", text("abstract")));
    for section in record["sections"].as_array().into_iter().flatten() {
        parts.push(format!(
            "## {}\n\n{}",
            section["heading"].as_str().unwrap_or_default(),
            section["text"].as_str().unwrap_or_default()
        ));
    }
    let entries: Vec<&str> = record["references"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|one| one["text"].as_str())
        .collect();
    if !entries.is_empty() {
        parts.push(format!("## References\n\n{}", entries.join("\n\n")));
    }
    parts.join("\n\n")
}

fn all_papers(data: &Path) -> Vec<(String, Paper, Vec<String>)> {
    let mut found = Vec::new();
    let mut pdfs: Vec<PathBuf> = std::fs::read_dir(data.join("pdf"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    pdfs.sort();
    for path in pdfs {
        if let Ok(paper) = precedent_read::read(&path) {
            found.push((
                path.file_name().unwrap().to_string_lossy().into_owned(),
                paper,
                Vec::new(),
            ));
        }
    }
    for name in ["acl", "neurips2025", "plos_elife"] {
        let file = std::fs::File::open(data.join(format!("fulltext/{name}.jsonl.zst"))).unwrap();
        for line in BufReader::new(zstd::Decoder::new(file).unwrap()).lines() {
            let record: Value = serde_json::from_str(&line.unwrap()).unwrap();
            let authors = record["authors"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str);
            let authors = authors.map(str::to_owned).collect();
            let paper = precedent_read::read_bytes(markdown(&record).as_bytes(), "paper.md").unwrap();
            found.push((record["id"].as_str().unwrap().to_owned(), paper, authors));
        }
    }
    found
}

/// Author names as parsed or known, e-mail addresses, and the capitalised words between title and abstract, without those that the text has in lower
/// case.
fn personal_words(paper: &Paper, authors: &[String]) -> BTreeSet<String> {
    let text = paper.document.text.as_str();
    let title: BTreeSet<String> = plain_words(paper.title.as_deref().unwrap_or_default())
        .into_iter()
        .collect();
    let mut found: BTreeSet<String> = BTreeSet::new();
    for name in authors
        .iter()
        .map(String::as_str)
        .chain(paper.authors.iter().map(|author| author.name.as_str()))
    {
        found.extend(plain_words(name));
    }
    for piece in text
        .split_whitespace()
        .filter(|piece| piece.contains('@') && piece.contains('.'))
    {
        found.extend(plain_words(piece));
    }
    let head = paper.abstract_span.map_or(0, |span| span.start.min(4_000));
    for piece in text[..text.floor_char_boundary(head)].split_whitespace() {
        if piece
            .chars()
            .find(|c| c.is_alphanumeric())
            .is_some_and(char::is_uppercase)
        {
            found.extend(plain_words(piece).into_iter().filter(|word| !title.contains(word)));
        }
    }
    let mut small: BTreeSet<String> = BTreeSet::new();
    for piece in text[text.floor_char_boundary(head)..]
        .split_whitespace()
        .filter(|piece| !piece.contains(['@', '/']))
    {
        for word in piece.split(|c: char| !c.is_alphanumeric()) {
            if word.chars().next().is_some_and(char::is_lowercase) {
                small.insert(word.to_lowercase());
            }
        }
    }
    found.retain(|word| !small.contains(word) && word.chars().any(char::is_alphabetic) && word.chars().count() > 1);
    for word in ["abstract", "introduction", "keywords", "summary"] {
        found.remove(word);
    }
    found
}

/// A one-word name before a title's colon, and names with an inner capital after `called` or `named`.
fn coined_words(paper: &Paper) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = BTreeSet::new();
    let is_name = |word: &str| word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
    if let Some((head, _)) = paper.title.as_deref().and_then(|title| title.split_once(": ")) {
        found.extend((is_name(head) && !head.contains([' ', '-'])).then(|| head.to_lowercase()));
    }
    let summary = paper.abstract_text().unwrap_or_default();
    let words: Vec<&str> = summary.split_whitespace().collect();
    for pair in words.windows(2) {
        let name = pair[1].trim_matches(|c: char| !c.is_alphanumeric());
        let is_called = matches!(
            pair[0],
            "called" | "named" | "dubbed" | "introduce" | "propose" | "present"
        );
        found.extend(
            (is_called && is_name(name) && name.chars().all(char::is_alphanumeric)).then(|| name.to_lowercase()),
        );
    }
    found
}

async fn commands(paper: &Paper) -> Vec<(&'static str, EgressGate, Vec<String>)> {
    let texts = |all: Vec<Query>| all.iter().map(|one| one.topic().to_owned()).collect::<Vec<_>>();
    let world = world_of(vec![]).await;
    let extraction = extract(paper, &world).await.unwrap();
    let assess = queries(&extraction, &world).await.unwrap().all();
    let points = points_queries(paper, &world).await.unwrap();
    let summary = paper.abstract_text().unwrap_or_default();
    let text = Idea::new(&format!("{}.\n\n{summary}", paper.title.as_deref().unwrap_or_default()));
    let idea = idea_queries(&text, &world).await.unwrap();
    let (online, _) = online_world().await;
    let input = ReviewInput::Paper(Box::new(paper.clone()));
    let review = review_queries(&input, &online).await.unwrap();
    vec![
        ("assess", EgressGate::of_paper(paper), texts(assess)),
        ("points", EgressGate::of_paper(paper), texts(points)),
        ("idea", EgressGate::of_idea(&text.document(), Some(paper)), texts(idea)),
        (
            "review",
            input.egress_gate(),
            review.into_iter().map(|one| one.text).collect(),
        ),
    ]
}

#[tokio::test]
#[ignore = "reads the development data: PRECEDENT_DEV_DATA names its folder"]
async fn no_query_of_any_command_breaks_a_rule_on_real_papers() {
    let data = PathBuf::from(std::env::var_os("PRECEDENT_DEV_DATA").expect("PRECEDENT_DEV_DATA"));
    let papers = all_papers(&data);
    let mut tally: BTreeMap<&str, [usize; 8]> = BTreeMap::new();
    let mut dropped_words: BTreeMap<String, usize> = BTreeMap::new();
    let mut faults = Vec::new();
    for (at, (name, paper, authors)) in papers.iter().enumerate() {
        let (personal, coined) = (personal_words(paper, authors), coined_words(paper));
        let runs = sevens(&paper.document.text);
        let shows = at % (papers.len() / SHOWN) == 3;
        let mut shown = 0;
        for (command, gate, asked) in commands(paper).await {
            let counts = tally.entry(command).or_default();
            for text in asked {
                counts[0] += 1;
                let before = violations(&text, &personal, &coined, &runs);
                counts[1] += usize::from(!before.is_empty());
                for (place, kind) in [(5, "personal"), (6, "coined"), (7, "run")] {
                    counts[place] += usize::from(before.iter().any(|one| one.starts_with(kind)));
                }
                let sent = gate.query(&query(&text)).map(|one| one.text);
                match &sent {
                    None => counts[3] += 1,
                    Some(sent) => {
                        counts[2] += usize::from(*sent != text);
                        let after = violations(sent, &personal, &coined, &runs);
                        counts[4] += usize::from(!after.is_empty());
                        faults.extend(
                            after
                                .into_iter()
                                .map(|one| format!("{name} {command}: {one} in {sent}")),
                        );
                    }
                }
                if sent.as_deref() != Some(text.as_str()) {
                    let left: BTreeSet<String> = plain_words(sent.as_deref().unwrap_or_default()).into_iter().collect();
                    for word in plain_words(&text)
                        .into_iter()
                        .filter(|word| !left.contains(word) && !is_run_word(word, &gate))
                    {
                        *dropped_words.entry(word).or_default() += 1;
                    }
                }
                if shows && shown < QUERIES_SHOWN {
                    shown += 1;
                    let after = match &sent {
                        Some(sent) if *sent == text => "=".to_owned(),
                        Some(sent) => sent.clone(),
                        None => "(dropped)".to_owned(),
                    };
                    println!("{name} {command}: {text}\n    {after}");
                }
            }
        }
    }
    for (command, [all, before, changed, dropped, after, personal, coined, run]) in &tally {
        println!(
            "{command}: {all} queries, {before} broke a rule (personal {personal}, coined {coined}, run {run}), {changed} changed, {dropped} dropped, {after} break one now"
        );
    }
    println!(
        "{} papers; personal or coined words left out, by queries: {:?}",
        papers.len(),
        dropped_words
    );
    println!("{}", faults.join("\n"));
    assert!(faults.is_empty(), "{} faults", faults.len());
}

/// Whether a word was left out to shorten a run, so is neither personal nor coined.
fn is_run_word(word: &str, gate: &EgressGate) -> bool {
    gate.query(&query(&format!("{word} zzqx zzqy")))
        .is_some_and(|one| one.text.contains(word))
}
