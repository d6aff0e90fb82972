//! Paraphrase candidates in the short answers of Clough and Stevenson, and between unrelated papers.
//! `SHOW_PASSAGES` prints the passages found.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test may panic and print"
)]

mod data;
mod papers;

use std::collections::BTreeMap;

use papers::{Chance, full_texts, prose};
use precedent_text::{OverlapKind, OverlapOptions, SharedPassage, Source, overlap, paraphrases};

fn candidates(target: &Source, other: &Source) -> (Vec<SharedPassage>, Vec<SharedPassage>) {
    let options = OverlapOptions::default();
    let flat = |found: &[precedent_text::Overlap]| {
        found
            .iter()
            .flat_map(|found| found.passages.clone())
            .collect::<Vec<_>>()
    };
    let reuse = overlap(target, &[other], &options);
    (flat(&reuse), flat(&paraphrases(target, &[other], &reuse, &options)))
}

fn show(target: &Source, other: &Source, passages: &[SharedPassage]) {
    if std::env::var_os("SHOW_PASSAGES").is_none() {
        return;
    }
    for passage in passages {
        let line = |text: Option<&str>| {
            text.unwrap_or_default()
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
        };
        println!(
            "{:?} {} words, {:.2}\n  A: {}\n  B: {}",
            passage.kind,
            passage.words,
            passage.agreement,
            line(passage.a.slice(target.text())),
            line(passage.b.slice(other.text()))
        );
    }
}

#[test]
#[ignore = "reads the development data: PRECEDENT_DEV_DATA names its folder"]
fn paraphrased_answers_are_candidates() {
    let lines = data::needed("overlap/clough_stevenson.jsonl");
    let lines: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let field = |line: &serde_json::Value, name: &str| line[name].as_str().unwrap_or_default().to_owned();
    let sources: BTreeMap<String, Source> = lines
        .iter()
        .filter(|line| line["is_source"] == true)
        .map(|line| (field(line, "id"), Source::new(field(line, "text"))))
        .collect();
    let mut tally: BTreeMap<String, [usize; 4]> = BTreeMap::new();
    for line in lines.iter().filter(|line| line["is_source"] == false) {
        let answer = Source::new(field(line, "text"));
        let source = &sources[&field(line, "source")];
        let (reuse, reworded) = candidates(&answer, source);
        let counts = tally.entry(field(line, "category")).or_default();
        let found = [
            true,
            !reuse.is_empty(),
            !reworded.is_empty(),
            !reuse.is_empty() || !reworded.is_empty(),
        ];
        for (count, found) in counts.iter_mut().zip(found) {
            *count += usize::from(found);
        }
        println!(
            "{} {}: {} reused, {} retold",
            field(line, "category"),
            field(line, "id"),
            reuse.len(),
            reworded.len()
        );
        show(&answer, source, &reworded);
    }
    for (class, [answers, _, _, either]) in &tally {
        assert!(
            if class == "non" {
                *either == 0
            } else {
                either * 100 >= answers * 85
            },
            "{class}"
        );
    }
    println!("class: answers, with reuse, with candidates, with either: {tally:?}");
}

/// Invented texts. The second paraphrases the first; the third has the same topic and other content.
const ORIGINAL: &str = "A queue keeps its elements in the order of their arrival. The element that arrived first is removed first, which is why \
queues buffer print jobs. A bounded queue refuses further elements when its capacity is exhausted, while an unbounded one grows until memory \
runs out.";
const REWORDED: &str = "In a queue, elements stay ordered by arrival. Because whatever arrived first gets removed first, print jobs are often \
buffered by queues. When the capacity of a bounded queue has been exhausted it refuses any further element; unbounded ones simply keep growing \
until there is no memory.";
const OTHER: &str = "Print servers are slow when memory is short. Jobs of one user can be held back by an administrator, who sees the order of \
all queues on a status page. The capacity of a server grows with the number of its printers, and elements of the page are refreshed every minute.";

#[test]
fn a_paraphrase_is_a_candidate_and_a_common_topic_is_not() {
    let (original, reworded, other) = (Source::new(ORIGINAL), Source::new(REWORDED), Source::new(OTHER));
    let (reuse, found) = candidates(&reworded, &original);
    assert!(reuse.is_empty());
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].kind, OverlapKind::ParaphraseCandidate);
    assert!(found[0].a.len() * 10 >= REWORDED.len() * 9 && found[0].b.len() * 10 >= ORIGINAL.len() * 9);
    assert_eq!(candidates(&other, &original), (vec![], vec![]));
    // A copy is reuse, not a paraphrase candidate.
    let (reuse, found) = candidates(&original, &Source::new(format!("Before. {ORIGINAL} After.")));
    assert!(reuse.len() == 1 && found.is_empty());
}

#[test]
fn unrelated_texts_have_no_paraphrase_candidates() {
    let texts: Vec<Source> = (0..40).map(|seed| Source::new(prose(3000, seed))).collect();
    no_candidates(&texts);
}

#[test]
#[ignore = "reads the development data: PRECEDENT_DEV_DATA names its folder"]
fn unrelated_papers_have_no_paraphrase_candidates() {
    let sets = ["plos_elife", "acl", "neurips2025"].iter();
    let texts: Vec<Source> = sets.flat_map(|set| full_texts(set, 200)).map(Source::new).collect();
    no_candidates(&texts);
}

/// Fails if any of 500 random pairs has a paraphrase candidate.
fn no_candidates(texts: &[Source]) {
    assert!(!texts.is_empty());
    let mut chance = Chance::new(11);
    let (mut pairs, mut found) = (0, 0);
    let mut clock = std::time::Duration::ZERO;
    while pairs < 500 {
        let (one, other) = (
            chance.below(texts.len() as u64) as usize,
            chance.below(texts.len() as u64) as usize,
        );
        if one == other {
            continue;
        }
        pairs += 1;
        let started = std::time::Instant::now();
        let (_, reworded) = candidates(&texts[one], &texts[other]);
        clock += started.elapsed();
        found += reworded.len();
        show(&texts[one], &texts[other], &reworded);
    }
    assert_eq!(found, 0);
    println!(
        "{pairs} pairs: {found} paraphrase candidates, {:.1} ms per pair",
        clock.as_secs_f64() * 1e3 / 500.0
    );
}
