//! The corpus through its public interface: add, find, replace, remove, reopen.

use crate::support::{corpus_of, ids, record};
use precedent_corpus::import;
use precedent_corpus::{Addition, Corpus, CorpusError, SearchOptions};
use precedent_domain::{Document, Extent};

#[test]
fn added_records_are_found_and_read_back() {
    let (_dir, corpus) = corpus_of([
        record(
            "a",
            "Neural parsing of trees",
            "We parse trees with neural networks.",
            "2019-05-01",
        ),
        record("b", "Quantum chemistry", "Molecules and their energies.", "2020"),
        record("c", "Graph drawing", "", ""),
    ]);
    let found = corpus.search("neural parsers", &SearchOptions::default()).unwrap();
    assert_eq!(ids(&found), ["a"]);
    assert_eq!(found[0].year, Some(2019));
    let work = corpus.work(&"a".parse().unwrap()).unwrap().unwrap();
    assert_eq!(
        (work.title.as_str(), work.extent),
        ("Neural parsing of trees", Extent::Abstract)
    );
    let text = corpus.document(&"c".parse().unwrap()).unwrap().unwrap();
    assert_eq!((text.text.as_str(), text.extent), ("Graph drawing", Extent::TitleOnly));
    assert_eq!(corpus.work(&"nobody".parse().unwrap()).unwrap(), None);
    assert_eq!((corpus.len(), corpus.document_frequency("Parsing").unwrap()), (3, 1));
    let stats = corpus.stats().unwrap();
    assert_eq!(
        (stats.works, stats.with_abstract, stats.dated, stats.dated_to_day),
        (3, 2, 2, 1)
    );
}

#[test]
fn a_record_with_the_same_id_replaces_the_first() {
    let (_dir, corpus) = corpus_of([record("a", "Old title", "walrus", "2019")]);
    let mut writer = corpus.writer().unwrap();
    assert_eq!(
        writer.add(record("a", "New title", "penguin", "2019")).unwrap(),
        Addition::Updated
    );
    assert_eq!(
        writer.add(record("b", "Other", "penguin", "2019")).unwrap(),
        Addition::Added
    );
    assert_eq!(
        writer.add(record("b", "Other", "seal", "2019")).unwrap(),
        Addition::Updated
    );
    writer.commit().unwrap();
    assert_eq!(corpus.len(), 2);
    let find = |query| corpus.search(query, &SearchOptions::default()).unwrap();
    assert!(find("walrus").is_empty());
    assert_eq!(ids(&find("penguin")), ["a"]);
    assert!(writer.delete(&"a".parse().unwrap()).unwrap());
    assert!(!writer.delete(&"z".parse().unwrap()).unwrap());
    writer.finish().unwrap();
    assert_eq!(corpus.len(), 1);
    assert!(find("penguin").is_empty());
}

#[test]
fn a_passage_of_the_full_text_finds_its_work() {
    let mut full = record("full", "A title", "An abstract about something.", "2020");
    full.document = Some(Document {
        extent: Extent::FullText,
        ..Document::from_abstract("A title", Some("Deep inside the text there is a zeugma of note."))
    });
    let (_dir, corpus) = corpus_of([record("other", "A zebra", "On zebras.", "2020"), full]);
    let found = corpus.search("zeugma", &SearchOptions::default()).unwrap();
    assert_eq!(ids(&found), ["full"]);
    let document = corpus.document(&"full".parse().unwrap()).unwrap().unwrap();
    let passage = found[0].passage.unwrap();
    assert!(document.slice(passage).unwrap().contains("zeugma"));
    let titles_only = SearchOptions {
        passages: false,
        ..SearchOptions::default()
    };
    assert!(corpus.search("zeugma", &titles_only).unwrap().is_empty());
}

#[test]
fn the_error_for_a_second_writer_says_what_to_do() {
    let (_dir, corpus) = corpus_of([]);
    let _writer = corpus.writer().unwrap();
    let error = corpus.writer().err().unwrap();
    assert!(matches!(error, CorpusError::Locked { .. }));
    assert!(error.to_string().contains("wait until it is done"), "{error}");
}

#[test]
fn a_folder_that_is_not_a_corpus_is_left_unchanged() {
    let dir = tempfile::tempdir().unwrap();
    assert!(matches!(Corpus::open(dir.path()), Err(CorpusError::Missing { .. })));
    std::fs::write(dir.path().join("thesis.tex"), "x").unwrap();
    assert!(matches!(
        Corpus::create_or_open(dir.path()),
        Err(CorpusError::NotEmpty { .. })
    ));
    let other = dir.path().join("corpus");
    Corpus::create_or_open(&other).unwrap();
    std::fs::write(other.join("manifest.json"), r#"{"format": 99, "written_by": "later"}"#).unwrap();
    assert!(matches!(
        Corpus::open(&other),
        Err(CorpusError::Format { found: 99, .. })
    ));
    std::fs::write(other.join("manifest.json"), "{").unwrap();
    assert!(matches!(Corpus::open(&other), Err(CorpusError::Damaged { .. })));
}

#[test]
fn a_file_is_imported_with_its_bad_records_counted() {
    let (dir, corpus) = corpus_of([record("a", "Old", "", "2001")]);
    let path = dir.path().join("works.jsonl");
    let lines = "nonsense\n{\"id\": \"a\", \"title\": \"New\"}\n{\"id\": \"b\"}\n{\"id\": \"c\", \"title\": \"Third\", \"full_text\": \"A walrus sings.\"}\n";
    std::fs::write(&path, lines).unwrap();
    let mut writer = corpus.writer().unwrap();
    let mut steps = 0;
    let report = writer.import(import::open(&path).unwrap(), 1, |_| steps += 1).unwrap();
    writer.finish().unwrap();
    assert_eq!(
        (report.added, report.updated, report.bad, report.total(), steps),
        (1, 1, 2, 4, 4)
    );
    assert_eq!(
        report.bad_records.iter().map(|bad| bad.position).collect::<Vec<_>>(),
        [1, 3]
    );
    assert_eq!((corpus.len(), corpus.full_texts()), (2, 1));
    assert_eq!(
        ids(&corpus.search("walruses", &SearchOptions::default()).unwrap()),
        ["c"]
    );
    let odd = dir.path().join("notes.txt");
    std::fs::write(&odd, "hello").unwrap();
    assert!(matches!(import::open(&odd), Err(CorpusError::UnknownFormat { .. })));
}
