//! Known faults of published systems in identity, dates and truncated keys, each with a test that this program does not have it.

use std::collections::BTreeSet;
use std::io::Cursor;

use precedent_corpus::import::{ImportFormat, records};
use precedent_corpus::{Addition, Record, SearchOptions};

use crate::support::{corpus_of, ids, record};

fn read(lines: &str) -> Vec<Record> {
    let format = ImportFormat::named("jsonl").unwrap();
    records(Cursor::new(lines.as_bytes().to_vec()), format)
        .map(Result::unwrap)
        .collect()
}

/// Ids made of `[a-z0-9]`, or of the first characters of a title, collide.
#[test]
fn records_without_ids_get_one_from_the_whole_title_in_any_script() {
    let long = "A very long title that goes on and on before it says anything of its own, ";
    let titles = [
        "基于深度学习的 BERT 模型",
        "面向法律文本的 BERT 应用",
        "Обучение BERT для русского языка",
        "β-VAE",
        "VAE",
        "C++",
        "C#",
        &format!("{long}first"),
        &format!("{long}second"),
    ];
    let line = |title: &&str| {
        format!(
            "{}\n",
            serde_json::json!({"title": title, "authors": ["Ann Lee"], "year": 2020})
        )
    };
    let made: BTreeSet<String> = read(&titles.iter().map(line).collect::<String>())
        .iter()
        .map(|record| record.work.id.to_string())
        .collect();
    assert_eq!(made.len(), titles.len(), "{made:?}");
}

/// A ranking of identifiers that no code uses.
#[test]
fn the_best_identifier_names_a_record() {
    let all = r#"{"title": "T", "doi": "10.1000/X", "arxiv": "1706.03762", "url": "https://openreview.net/forum?id=FxCy8TvQHO"}
{"title": "T", "arxiv": "1706.03762v5", "url": "https://openreview.net/forum?id=FxCy8TvQHO"}
{"title": "T", "url": "https://openreview.net/forum?id=FxCy8TvQHO"}
{"title": "T", "url": "https://aclanthology.org/P06-1010/"}"#;
    let made: Vec<String> = read(all).iter().map(|record| record.work.id.to_string()).collect();
    assert_eq!(
        made,
        [
            "doi:10.1000/x",
            "arxiv:1706.03762",
            "openreview:FxCy8TvQHO",
            "acl:P06-1010"
        ]
    );
}

/// A cache keyed by the first 20 characters of an abstract, although a quarter of all abstracts share them with another.
#[test]
fn a_change_at_the_end_of_an_abstract_is_detected() {
    let long = "In this paper we propose a novel framework that does something with everything, and ".repeat(40);
    let (_dir, corpus) = corpus_of([record("a", "T", &format!("{long}wins"), "2020")]);
    let mut writer = corpus.writer().unwrap();
    assert_eq!(
        writer.add(record("a", "T", &format!("{long}wins"), "2020")).unwrap(),
        Addition::Unchanged
    );
    assert_eq!(
        writer.add(record("a", "T", &format!("{long}loses"), "2020")).unwrap(),
        Addition::Updated
    );
    writer.finish().unwrap();
    let found = corpus.search_works("framework", &SearchOptions::top(5)).unwrap();
    assert!(found[0].1.summary.as_ref().unwrap().ends_with("loses"));
}

/// A date filter that is logged but never applied, and supports only years.
#[test]
fn later_works_are_not_found() {
    let (_dir, corpus) = corpus_of([
        record("future", "Graph", "", "2099"),
        record("a-day-later", "Graph", "", "2024-05-18"),
        record("same-day", "Graph", "", "2024-05-17"),
        record("same-year", "Graph", "", "2024"),
        record("undated", "Graph", "", ""),
    ]);
    let options = SearchOptions {
        as_of: Some("2024-05-17".parse().unwrap()),
        ..SearchOptions::top(10)
    };
    let found = corpus.search("graph", &options).unwrap();
    assert_eq!(ids(&found), ["same-day", "same-year", "undated"]);
}

/// One null title aborts the rest of the import.
#[test]
fn a_null_title_is_one_bad_record() {
    let format = ImportFormat::named("jsonl").unwrap();
    let lines =
        "{\"id\": \"a\", \"title\": null}\n{\"id\": \"b\", \"title\": \"B\", \"authors\": null, \"year\": null}\n";
    let found: Vec<_> = records(Cursor::new(lines), format).collect();
    assert!(found[0].is_err() && found[1].is_ok());
}
