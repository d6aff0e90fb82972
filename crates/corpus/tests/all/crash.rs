//! A killed import loses only uncommitted records.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::support::{corpus_of, record};
use precedent_corpus::{Corpus, SearchOptions};

const FOLDER: &str = "PRECEDENT_TEST_CRASH_FOLDER";

#[test]
fn dropping_the_writer_discards_uncommitted_records() {
    let (_dir, corpus) = corpus_of([record("kept", "Graph", "", "2020")]);
    let mut writer = corpus.writer().unwrap();
    writer.add(record("lost", "Graph", "", "2020")).unwrap();
    writer.add(record("kept", "Replaced", "", "2020")).unwrap();
    writer.delete(&"kept".parse().unwrap()).unwrap();
    drop(writer);
    let again = Corpus::open(corpus.dir()).unwrap();
    assert_eq!(again.len(), 1);
    assert_eq!(again.search("graph", &SearchOptions::default()).unwrap().len(), 1);
}

/// Not a test: the process that the next test starts and kills. Commits every 50 records and prints the count.
#[test]
fn child_that_writes_until_it_is_killed() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let corpus = Corpus::create_or_open(folder).unwrap();
    let mut writer = corpus.writer().unwrap();
    for n in corpus.len().. {
        writer
            .add(record(
                &format!("w{n}"),
                "Graph parsing",
                &format!("number {n}"),
                "2020",
            ))
            .unwrap();
        if n % 50 == 49 {
            writer.commit().unwrap();
            println!("\ncommitted {}", n + 1);
        }
    }
}

#[test]
fn a_killed_import_keeps_every_commit_and_resumes() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("corpus");
    let mut committed = 0;
    for round in 1..=6 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["crash::child_that_writes_until_it_is_killed", "--exact", "--nocapture"])
            .env(FOLDER, &folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let counts = lines.filter_map(|line| line.ok()?.strip_prefix("committed ")?.parse::<u64>().ok());
        for count in counts.take(round) {
            committed = count;
        }
        // At a random point within the next records or the next commit.
        child.kill().unwrap();
        child.wait().unwrap();
        let corpus = Corpus::open(&folder).unwrap();
        assert!(corpus.len() >= committed, "{} < {committed}", corpus.len());
        assert_eq!(corpus.len() % 50, 0, "a commit is atomic");
        let last = format!("w{}", corpus.len() - 1).parse().unwrap();
        assert!(corpus.work(&last).unwrap().is_some());
        // The lock of a dead process is released.
        drop(corpus.writer().unwrap());
    }
}
