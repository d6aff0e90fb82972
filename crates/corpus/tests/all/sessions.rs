//! Imports that are interrupted, repeated, or completed.

use std::path::{Path, PathBuf};

use precedent_corpus::import::{Import, ImportSource, ImportStart, detect, records};
use precedent_corpus::{Corpus, CorpusError, CorpusStats, ImportEntry, SearchOptions};

use crate::support::{corpus_of, record};

/// Imports the files. Stops after `stop` items without finishing, as a kill would.
fn import(corpus: &Corpus, files: &[PathBuf], commit_every: u64, stop: Option<u64>) -> Vec<ImportEntry> {
    let formats: Vec<_> = files.iter().map(|file| detect(file).unwrap().unwrap()).collect();
    let sources: Vec<ImportSource> = files
        .iter()
        .zip(&formats)
        .map(|(file, format)| ImportSource::file(file, format.name()).unwrap())
        .collect();
    let mut import = Import::begin(corpus.writer().unwrap(), &sources, commit_every);
    let (mut taken, mut entries) = (0, Vec::new());
    for ((file, format), source) in files.iter().zip(formats).zip(&sources) {
        let after = match import.start(source).unwrap() {
            ImportStart::Done(entry) => {
                entries.push(entry);
                continue;
            }
            ImportStart::After(after) => after,
        };
        let mut records = records(std::fs::File::open(file).unwrap(), format);
        records.pass_over(after);
        for record in records {
            if stop == Some(taken) {
                return entries;
            }
            taken += 1;
            import.take(record).unwrap();
        }
        entries.push(import.end().unwrap());
    }
    import.finish().unwrap();
    corpus.reload().unwrap();
    entries
}

fn file(dir: &Path, name: &str, items: std::ops::Range<u32>) -> PathBuf {
    let line = |n: u32| match n % 7 {
        3 => "nonsense\n".to_owned(),
        5 => format!(
            "{{\"id\": \"w{}\", \"title\": \"Again {n}\", \"categories\": [\"cs.CL\"]}}\n",
            n - 1
        ),
        _ => format!(
            "{{\"id\": \"w{n}\", \"title\": \"Graph parsing {n}\", \"year\": {}}}\n",
            1990 + n % 30
        ),
    };
    let path = dir.join(name);
    std::fs::write(&path, items.map(line).collect::<String>()).unwrap();
    path
}

/// Statistics without the values that differ between two corpora of the same works.
fn comparable(corpus: &Corpus) -> CorpusStats {
    CorpusStats {
        bytes: 0,
        revision: String::new(),
        ..corpus.stats().unwrap()
    }
}

fn rejects(corpus: &Corpus) -> Vec<String> {
    let imports = corpus.stats().unwrap().imports;
    imports
        .iter()
        .map(|import| std::fs::read_to_string(corpus.rejects_file(import)).unwrap())
        .collect()
}

#[test]
fn an_interrupted_import_ends_like_an_uninterrupted_one() {
    let dir = tempfile::tempdir().unwrap();
    let files = [file(dir.path(), "a.jsonl", 0..60), file(dir.path(), "b.jsonl", 50..120)];
    let whole = Corpus::create_or_open(dir.path().join("whole")).unwrap();
    let expected = import(&whole, &files, 1_000, None);
    for stop in [0, 9, 10, 35, 60, 61, 99, 129] {
        let folder = dir.path().join(format!("stopped-{stop}"));
        let corpus = Corpus::create_or_open(&folder).unwrap();
        import(&corpus, &files, 10, Some(stop));
        import(&corpus, &files, 10, Some(7));
        drop(corpus);
        let corpus = Corpus::open(&folder).unwrap();
        let entries = import(&corpus, &files, 10, None);
        let counts = |entries: &[ImportEntry]| -> Vec<_> {
            let count = |entry: &ImportEntry| (entry.items, entry.added, entry.updated, entry.rejected, entry.complete);
            entries.iter().map(count).collect()
        };
        assert_eq!(counts(&entries), counts(&expected), "{stop}");
        let same = |stats: CorpusStats| CorpusStats {
            imports: Vec::new(),
            ..stats
        };
        assert_eq!(same(comparable(&corpus)), same(comparable(&whole)), "{stop}");
        assert_eq!(rejects(&corpus), rejects(&whole), "{stop}");
        assert!(corpus.check().unwrap().is_sound());
    }
}

#[test]
fn repeating_an_import_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let files = [file(dir.path(), "a.jsonl", 0..3)];
    let corpus = Corpus::create_or_open(dir.path().join("corpus")).unwrap();
    import(&corpus, &files, 10, None);
    let revision = corpus.revision();
    let [entry] = import(&corpus, &files, 10, None).try_into().unwrap();
    assert_eq!((entry.added, entry.updated, entry.unchanged), (0, 0, 3));
    assert_eq!(corpus.revision(), revision);
    assert_eq!(corpus.stats().unwrap().imports.len(), 1, "it is the same source");
    let mut writer = corpus.writer().unwrap();
    assert!(writer.delete(&"w1".parse().unwrap()).unwrap());
    writer.finish().unwrap();
    let [entry] = import(&corpus, &files, 10, None).try_into().unwrap();
    assert_eq!(
        (entry.added, entry.unchanged),
        (1, 2),
        "the removed work is added again"
    );
}

#[test]
fn abstracts_are_added_to_their_papers_and_kept() {
    let dir = tempfile::tempdir().unwrap();
    let (papers, abstracts) = (dir.path().join("papers"), dir.path().join("abstracts"));
    std::fs::write(
        &papers,
        "{\"corpusid\": 1, \"title\": \"One\", \"year\": 2020, \"s2fieldsofstudy\": [{\"category\": \"Biology\"}]}\n",
    )
    .unwrap();
    std::fs::write(
        &abstracts,
        "{\"corpusid\": 1, \"abstract\": \"A walrus sings.\"}\n{\"corpusid\": 2, \"abstract\": \"Nobody's.\"}\n",
    )
    .unwrap();
    let corpus = Corpus::create_or_open(dir.path().join("corpus")).unwrap();
    let entries = import(&corpus, &[papers.clone(), abstracts], 1_000, None);
    assert_eq!((entries[1].updated, entries[1].rejected), (1, 1));
    assert!(
        rejects(&corpus)[1].contains("\"position\":2,\"name\":\"s2:2\""),
        "{:?}",
        rejects(&corpus)
    );
    // The papers again, as in a later release.
    import(&corpus, &[papers], 1_000, None);
    let found = corpus.search_works("walrus", &SearchOptions::top(5)).unwrap();
    assert_eq!(found[0].1.title, "One");
    let biology = SearchOptions {
        field: Some("bio".into()),
        ..SearchOptions::top(5)
    };
    assert_eq!(corpus.search("walrus", &biology).unwrap().len(), 1);
    let physics = SearchOptions {
        field: Some("physics".into()),
        ..SearchOptions::top(5)
    };
    assert!(corpus.search("walrus", &physics).unwrap().is_empty());
}

#[test]
fn a_second_writer_is_rejected_and_the_first_continues() {
    let (_dir, corpus) = corpus_of([record("a", "Graph", "", "2020")]);
    let mut first = corpus.writer().unwrap();
    let again = Corpus::open(corpus.dir()).unwrap();
    let Err(error) = again.writer() else {
        panic!("two writers")
    };
    assert!(matches!(error, CorpusError::Locked { .. }));
    assert!(
        error.to_string().contains("another program is writing to it"),
        "{error}"
    );
    first.add(record("b", "Graph", "", "2020")).unwrap();
    first.finish().unwrap();
    assert_eq!(corpus.len(), 2);
}

#[test]
fn damage_is_found() {
    let (_dir, corpus) = corpus_of([record("a", "Graph", "text", "2020")]);
    assert!(corpus.check().unwrap().is_sound());
    let store = std::fs::read_dir(corpus.dir().join("index"))
        .unwrap()
        .flatten()
        .map(|entry| entry.path());
    let store = store
        .into_iter()
        .find(|path| path.extension().is_some_and(|ending| ending == "term"))
        .unwrap();
    let mut bytes = std::fs::read(&store).unwrap();
    bytes[3] ^= 0x55;
    std::fs::write(&store, bytes).unwrap();
    let check = Corpus::open(corpus.dir()).and_then(|corpus| corpus.check());
    assert!(check.map_or(true, |check| !check.is_sound()));
}

/// A corpus in the first format: without fields of study and without a log.
#[test]
fn a_corpus_of_the_first_format_still_opens() {
    let (_dir, corpus) = corpus_of([record("a", "Graph", "text", "2020")]);
    let manifest = corpus.dir().join("manifest.json");
    let text = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, text.replace("\"format\": 2", "\"format\": 1")).unwrap();
    assert_eq!(Corpus::open(corpus.dir()).unwrap().len(), 1);
    std::fs::write(&manifest, text.replace("\"format\": 2", "\"format\": 3")).unwrap();
    let error = Corpus::open(corpus.dir()).unwrap_err().to_string();
    assert!(error.contains("rebuild it from its sources"), "{error}");
}
