//! Building, inspecting and changing a corpus, also on a full disk.

use std::process::Command;

use crate::support::{json, precedent, stderr, stdout};

fn line(n: u32) -> String {
    format!(
        "{{\"id\": \"w{n}\", \"title\": \"Graph parsing {n}\", \"abstract\": \"Number {n} of many.\", \"year\": 2020, \"venue\": \"ACL\", \"categories\": [\"cs.CL\"]}}\n"
    )
}

#[test]
fn a_corpus_is_built_inspected_and_changed() {
    let dir = tempfile::tempdir().unwrap();
    let (corpus, works) = (dir.path().join("corpus"), dir.path().join("works.jsonl"));
    std::fs::write(&works, (0..30).map(line).collect::<String>() + "nonsense\n").unwrap();
    let (corpus, works) = (corpus.to_str().unwrap(), works.to_str().unwrap());
    let added = json(&precedent(&["corpus", "add", corpus, works, "--json"]));
    assert_eq!((&added["added"], &added["bad_count"]), (&30.into(), &1.into()));
    let again = json(&precedent(&["corpus", "add", corpus, works, "--json"]));
    assert_eq!((&again["unchanged"], &again["works"]), (&30.into(), &30.into()));
    let rejects = json(&precedent(&["corpus", "rejects", corpus, "--json"]));
    assert_eq!(
        (&rejects["source"], &rejects["position"]),
        (&"works.jsonl".into(), &31.into())
    );
    let listed = std::fs::read_to_string(again["reject_files"][0].as_str().unwrap()).unwrap();
    assert_eq!(listed.lines().count(), 1);
    let removed = json(&precedent(&["corpus", "remove", corpus, "w3", "w99", "--json"]));
    assert_eq!(
        (&removed["removed"][0], &removed["missing"][0]),
        (&"w3".into(), &"w99".into())
    );
    let stats = json(&precedent(&["corpus", "stats", corpus, "--json"]));
    assert_eq!(
        (&stats["works"], &stats["fields"][0]["field"]),
        (&29.into(), &"cs.CL".into())
    );
    let found = json(&precedent(&[
        "corpus",
        "search",
        corpus,
        "graph",
        "--field",
        "cs.cl",
        "--venue",
        "acl",
        "--exclude",
        "w1,w2",
        "--limit",
        "50",
        "--json",
    ]));
    assert_eq!(found["results"].as_array().unwrap().len(), 27);
    let none = precedent(&["corpus", "search", corpus, "graph", "--field", "math"]);
    assert!(stdout(&none).contains("no results"));
    assert_eq!(
        json(&precedent(&["corpus", "check", corpus, "--json"]))["problem_count"],
        0
    );
}

/// A file size limit simulates a full disk on any machine.
#[cfg(unix)]
#[test]
fn a_corpus_is_exported_for_opensearch_into_a_new_folder() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("works.jsonl"), (0..3).map(line).collect::<String>()).unwrap();
    precedent(&["corpus", "add", &path("corpus"), &path("works.jsonl")]);
    let export = |more: &[&str]| {
        let (corpus, out) = (path("corpus"), path("out"));
        let arguments = ["corpus", "export", &corpus, "--as", "opensearch", "--out", &out];
        precedent(&[&arguments, more].concat())
    };
    let report = json(&export(&["--json", "--index", "my-papers"]));
    assert_eq!(
        (&report["papers"], &report["vectors"], &report["parts"]),
        (&3.into(), &3.into(), &1.into())
    );
    let part = std::fs::read_to_string(dir.path().join("out/part-00001.ndjson")).unwrap();
    assert_eq!(
        part.lines()
            .filter(|line| line.contains("\"_index\":\"my-papers\""))
            .count(),
        3
    );
    assert!(dir.path().join("out/index.json").is_file());
    let again = export(&[]);
    assert_eq!(again.status.code(), Some(3), "{}", stderr(&again));
    assert!(
        stderr(&again).contains("is not empty") && stderr(&again).contains("--out"),
        "{}",
        stderr(&again)
    );
    for name in ["_hidden", "Papers", "a b", "a,b", "*"] {
        assert_eq!(export(&["--index", name]).status.code(), Some(2), "{name}");
    }
}

#[test]
fn a_full_disk_is_reported_and_loses_no_records() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (corpus, few, many) = (path("corpus"), path("few.jsonl"), path("many.jsonl"));
    std::fs::write(&few, (0..100).map(line).collect::<String>()).unwrap();
    std::fs::write(&many, (100..20_000).map(line).collect::<String>()).unwrap();
    precedent(&["corpus", "add", &corpus, &few]);
    let limited = Command::new("sh")
        .args([
            "-c",
            "trap '' XFSZ; ulimit -f 100; exec \"$0\" corpus add \"$1\" \"$2\"",
        ])
        .args([env!("CARGO_BIN_EXE_precedent"), &corpus, &many])
        .output()
        .unwrap();
    assert_eq!(limited.status.code(), Some(3), "{}", stderr(&limited));
    assert!(stderr(&limited).contains("its disk is full"), "{}", stderr(&limited));
    let kept = json(&precedent(&["corpus", "stats", &corpus, "--json"]));
    assert_eq!(kept["works"], 100);
    let added = json(&precedent(&["corpus", "add", &corpus, &many, "--json"]));
    assert_eq!((&added["works"], &added["added"]), (&20_000.into(), &19_900.into()));
}
