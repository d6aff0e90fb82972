//! Vectors beside the index: made at the end of an import, made again if lost, and never a cause of failure.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{corpus_of, ids, record};
use precedent_corpus::{Corpus, Ranking, Record, SearchOptions};

fn works() -> Vec<Record> {
    [
        (
            "cnn",
            "Deep CNN features",
            "We train a CNN on ImageNet for image classification.",
        ),
        (
            "parse",
            "Graph-based parsing",
            "A dependency parser for treebanks of many languages.",
        ),
        (
            "types",
            "Lazy evaluation",
            "Type inference for a functional programming language.",
        ),
        (
            "vision",
            "Visual recognition of objects",
            "Recognising objects in photographs with networks.",
        ),
        ("zh", "基于图神经网络的句法分析", "我们提出一种方法。"),
    ]
    .map(|(id, title, summary)| record(id, title, summary, "2020"))
    .into()
}

fn finished(records: impl IntoIterator<Item = Record>, step: usize) -> (tempfile::TempDir, Corpus) {
    let (dir, corpus) = corpus_of([]);
    let records: Vec<Record> = records.into_iter().collect();
    let mut writer = corpus.writer().unwrap();
    for some in records.chunks(step) {
        for one in some {
            writer.add(one.clone()).unwrap();
        }
        writer.commit().unwrap();
    }
    writer.finish().unwrap();
    (dir, corpus)
}

fn scores(corpus: &Corpus, query: &str) -> Vec<(String, u64)> {
    let found = corpus.search(query, &SearchOptions::default()).unwrap();
    found
        .iter()
        .map(|one| (one.id.to_string(), one.score.to_bits()))
        .collect()
}

#[test]
fn a_paraphrase_is_found() {
    let (_dir, corpus) = finished(works(), 10);
    assert!(corpus.has_vectors());
    let query = "convolutional neural networks for recognising objects";
    let by = |ranking| {
        let options = SearchOptions {
            ranking,
            ..SearchOptions::default()
        };
        let found = corpus.search(query, &options).unwrap();
        ids(&found).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(!by(Ranking::Words).contains(&"cnn".to_owned()));
    let hybrid = by(Ranking::Hybrid);
    assert!(hybrid.contains(&"cnn".to_owned()), "{hybrid:?}");
    assert!(!hybrid.contains(&"types".to_owned()), "{hybrid:?}");
}

#[test]
fn a_short_title_made_of_the_querys_words_counts() {
    let summary =
        "A survey of parsers for treebanks: graph-based parsing, transition-based parsing and their accuracy on news.";
    let long = "What we learned from comparing many parsers: accuracy, speed and memory on news, letters and speech";
    let records = [
        record("long", long, summary, "2020"),
        record("short", "Parsing: a survey", summary, "2020"),
    ];
    let (_dir, corpus) = finished(works().into_iter().chain(records), 10);
    let query = "a survey of parsing accuracy";
    let features = corpus.ranking_features(query, &SearchOptions::default()).unwrap();
    let of = |id: &str| features.iter().find(|one| one.id.as_str() == id).unwrap();
    let (short, long) = (of("short"), of("long"));
    // The index keeps "pars" and "survey" of the short title, and one of ten terms of the long title is in the query.
    assert!(
        (short.title_share - 1.0).abs() < 1e-6 && (short.title_length - 3.0_f32.ln()).abs() < 1e-6,
        "{short:?}"
    );
    assert!(
        (long.title_share - 0.1).abs() < 1e-6 && (long.title_length - 11.0_f32.ln()).abs() < 1e-6,
        "{long:?}"
    );
    let found = corpus.search(query, &SearchOptions::default()).unwrap();
    assert_eq!(ids(&found)[0], "short");
    let score = |id: &str| found.iter().find(|one| one.id.as_str() == id).unwrap().score;
    let by_words_and_vectors = f64::from((short.words + short.similarity) - (long.words + long.similarity));
    let unit = corpus
        .search(
            query,
            &SearchOptions {
                ranking: Ranking::Words,
                ..SearchOptions::default()
            },
        )
        .unwrap();
    let unit = unit.get(9).or(unit.last()).unwrap().score;
    // The titles add more than words and vectors alone, whose largest weight is 1, could explain.
    assert!(
        score("short") - score("long") > unit * (by_words_and_vectors + 0.3),
        "{features:#?}"
    );
    assert!(
        corpus
            .ranking_features("zyx", &SearchOptions::default())
            .unwrap()
            .is_empty()
    );
}

#[test]
fn the_order_of_records_does_not_affect_a_hybrid_ranking() {
    let (_one, a) = finished(works(), 10);
    let mut twice = works();
    for one in &mut twice {
        one.work.title = "An older title about parsing graphs".into();
    }
    twice.extend(works().into_iter().rev());
    let (_two, b) = finished(twice, 2);
    for query in [
        "graph parsing",
        "networks for images",
        "语言 网络",
        "zzzz",
        "types of functional languages",
    ] {
        assert_eq!(scores(&a, query), scores(&b, query), "{query}");
    }
}

#[test]
fn lost_or_damaged_vectors_are_made_again_and_the_revision_changes() {
    let (_dir, corpus) = finished(works(), 10);
    let query = "recognising images with networks";
    let (before, revision) = (scores(&corpus, query), corpus.revision());
    let folder = corpus.dir().join("vectors");
    let file = made(&folder, "vectors");
    let whole = fs::read(&file).unwrap();
    for damaged in [&whole[..whole.len() - 1], b"", b"PRECVEC1\xff\xff\xff\xff", &[0; 64]] {
        fs::write(folder.join("half-made"), damaged).unwrap();
        fs::rename(folder.join("half-made"), &file).unwrap();
        let again = Corpus::open(corpus.dir()).unwrap();
        assert!(!again.has_vectors());
        assert_ne!(again.revision(), revision);
        let words = SearchOptions {
            ranking: Ranking::Words,
            ..SearchOptions::default()
        };
        assert_eq!(
            again.search(query, &SearchOptions::default()).unwrap(),
            again.search(query, &words).unwrap()
        );
        again.make_vectors().unwrap();
        assert_eq!(scores(&again, query), before);
        assert_eq!(again.revision(), revision);
        assert_eq!(fs::read(&file).unwrap(), whole, "the same vectors, byte for byte");
    }
}

fn made(folder: &Path, ending: &str) -> PathBuf {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let of_kind = |path: &PathBuf| path.extension().is_some_and(|found| found == ending);
    files.into_iter().find(of_kind).unwrap()
}

#[test]
fn lost_or_damaged_heads_do_not_affect_results() {
    let (_dir, corpus) = finished(works(), 10);
    let before = corpus.search("networks", &SearchOptions::default()).unwrap();
    assert!(!before.is_empty());
    let file = made(&corpus.dir().join("vectors"), "heads");
    let whole = fs::read(&file).unwrap();
    for damaged in [&whole[..whole.len() - 1], b"", b"PRECHDS1\xff\xff\xff\xff", &[0; 64]] {
        fs::write(file.with_extension("new"), damaged).unwrap();
        fs::rename(file.with_extension("new"), &file).unwrap();
        let again = Corpus::open(corpus.dir()).unwrap();
        assert_eq!(again.search("networks", &SearchOptions::default()).unwrap(), before);
        again.make_vectors().unwrap();
        assert_eq!(fs::read(&file).unwrap(), whole);
    }
}

#[test]
fn scanning_only_close_cells_finds_most_results_of_a_full_scan() {
    let topics = [
        "parsing", "vision", "speech", "robots", "proofs", "graphs", "games", "genes",
    ];
    let many = (0..6_400).map(|number: usize| {
        let (topic, other) = (topics[number % 8], topics[number / 8 % 8]);
        record(
            &format!("w{number}"),
            &format!("On {topic} number {number}"),
            &format!("We study {topic} with {other}."),
            "2020",
        )
    });
    let (_dir, corpus) = finished(many, 10_000);
    let revision = corpus.revision();
    corpus.make_vectors_with_cells(true).unwrap();
    let celled = corpus.revision();
    assert_ne!(celled, revision);
    let file = made(&corpus.dir().join("vectors"), "cells");
    let cells = fs::read(&file).unwrap();
    for query in [
        "speech with games",
        "On proofs number 4",
        "syntactic analysis of sentences",
        "语言",
    ] {
        let by = |exact| {
            let options = SearchOptions {
                exact,
                ..SearchOptions::top(20)
            };
            let found = corpus.search(query, &options).unwrap();
            found
                .iter()
                .map(|one| (one.id.to_string(), one.score.to_bits()))
                .collect::<Vec<_>>()
        };
        let all = by(true);
        let kept = by(false).iter().filter(|one| all.contains(one)).count();
        assert!(kept * 10 >= all.len() * 9, "{query}: {kept} of {}", all.len());
    }
    fs::remove_file(&file).unwrap();
    corpus.make_vectors_with_cells(true).unwrap();
    assert_eq!(fs::read(&file).unwrap(), cells, "the same cells, byte for byte");
    fs::write(file.with_extension("new"), &cells[..cells.len() - 1]).unwrap();
    fs::rename(file.with_extension("new"), &file).unwrap();
    let damaged = Corpus::open(corpus.dir()).unwrap();
    assert_ne!(damaged.revision(), celled, "damaged cells are ignored");
    assert_eq!(damaged.search("speech", &SearchOptions::top(5)).unwrap().len(), 5);
    corpus.make_vectors_with_cells(false).unwrap();
    assert!(!file.exists());
    assert_eq!(corpus.revision(), revision);
}

#[test]
fn an_empty_corpus_needs_no_vectors() {
    let (_dir, corpus) = finished([], 1);
    assert!(corpus.has_vectors());
    assert!(corpus.search("graph", &SearchOptions::default()).unwrap().is_empty());
}
