//! Vectors beside the index: made when an import ends, made anew when lost, and never a reason to fail.

use std::fs;

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
fn what_says_the_same_in_other_words_is_found() {
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
fn the_order_of_the_records_never_changes_a_hybrid_ranking() {
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
fn lost_or_damaged_vectors_are_made_anew_and_the_revision_tells() {
    let (_dir, corpus) = finished(works(), 10);
    let query = "recognising images with networks";
    let (before, revision) = (scores(&corpus, query), corpus.revision());
    let folder = corpus.dir().join("vectors");
    let file = fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
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

#[test]
fn an_empty_corpus_has_all_the_vectors_it_needs() {
    let (_dir, corpus) = finished([], 1);
    assert!(corpus.has_vectors());
    assert!(corpus.search("graph", &SearchOptions::default()).unwrap().is_empty());
}
