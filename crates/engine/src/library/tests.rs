use std::fs;
use std::path::{Path, PathBuf};

use super::{LeftOut, LibraryError, fill, open};

const GOOD: &str = r#"{"id": "a", "title": "Growth of kelp", "abstract": "Kelp grows."}"#;

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn unusable_inputs_are_reported_whenever_the_corpus_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let given = folder.path().join("given");
    fs::create_dir(&given).unwrap();
    let list = write(&given, "works.jsonl", &format!("{GOOD}\nno record\n{{\"id\": 3}}\n"));
    write(&given, "broken.pdf", "%PDF-1.7\nnothing more");
    write(&given, "notes.xlsx", "PK");
    let scratch = folder.path().join("scratch");
    let mut lines = Vec::new();
    for turn in ["made", "kept"] {
        let (corpus, left_out) = open(&given, &scratch).unwrap();
        assert_eq!((corpus.len(), left_out.count()), (1, 3), "{turn}");
        lines.push(left_out.in_words("corpus:given"));
    }
    let (made, kept) = (&lines[0], &lines[1]);
    assert_eq!(made, kept);
    assert_eq!(made.len(), 2, "{made:?}");
    assert!(
        made[0].starts_with("3 records or papers added to corpus:given could not be used"),
        "{made:?}"
    );
    assert!(
        made[0].contains("works.jsonl, record 2") && made[0].contains("broken.pdf"),
        "{made:?}"
    );
    assert!(made[1].contains("notes.xlsx"), "{made:?}");
    assert!(!made.concat().contains(folder.path().to_str().unwrap()), "{made:?}");

    // Also for a corpus built with `fill`. Repaired files are no longer reported.
    let dir = folder.path().join("built");
    let (corpus, report) = fill(
        &dir,
        std::slice::from_ref(&list),
        super::COMMIT_EVERY,
        &|_| {},
        &super::read_paper,
    )
    .unwrap();
    assert_eq!((report.added, report.bad_count), (1, 2));
    assert_eq!(LeftOut::of(&corpus.unwrap()).count(), 2);
    write(&given, "works.jsonl", GOOD);
    let (corpus, _) = fill(&dir, &[list], super::COMMIT_EVERY, &|_| {}, &super::read_paper).unwrap();
    assert_eq!(LeftOut::of(&corpus.unwrap()), LeftOut::default());
}

#[test]
fn an_empty_import_creates_no_corpus() {
    let folder = tempfile::tempdir().unwrap();
    let bad = write(folder.path(), "bad.jsonl", "{\"id\": 1}\n");
    let dir = folder.path().join("library");
    let (corpus, report) = fill(
        &dir,
        std::slice::from_ref(&bad),
        super::COMMIT_EVERY,
        &|_| {},
        &super::read_paper,
    )
    .unwrap();
    assert!(corpus.is_none() && report.bad_count == 1);
    assert!(!dir.exists());
    assert!(matches!(
        fill(
            &dir,
            &[folder.path().join("nowhere")],
            super::COMMIT_EVERY,
            &|_| {},
            &super::read_paper
        ),
        Err(LibraryError::NotFound { .. })
    ));
    assert!(!dir.exists());
    // An empty folder stays, and an existing corpus is not changed.
    fs::create_dir(&dir).unwrap();
    fill(
        &dir,
        std::slice::from_ref(&bad),
        super::COMMIT_EVERY,
        &|_| {},
        &super::read_paper,
    )
    .unwrap();
    assert_eq!(fs::read_dir(&dir).unwrap().count(), 0);
    let good = write(folder.path(), "good.jsonl", GOOD);
    fill(&dir, &[good], super::COMMIT_EVERY, &|_| {}, &super::read_paper).unwrap();
    let (corpus, _) = fill(&dir, &[bad], super::COMMIT_EVERY, &|_| {}, &super::read_paper).unwrap();
    assert_eq!(corpus.unwrap().len(), 1);
}
