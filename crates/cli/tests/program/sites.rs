//! A site from the runs of a batch.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{fresh_folder, json, precedent, root, stderr, stdout};

/// A batch of two papers and a file that is no paper.
fn runs(name: &str) -> PathBuf {
    papers_and_runs(name).1
}

/// The folder of the papers, and that of the batch.
fn papers_and_runs(name: &str) -> (PathBuf, PathBuf) {
    let (papers, out) = (fresh_folder(name), fresh_folder(&format!("{name}-runs")));
    let works = root().join("examples/works/full-texts");
    fs::create_dir_all(&papers).unwrap();
    fs::copy(root().join("examples/paper.pdf"), papers.join("017.pdf")).unwrap();
    fs::copy(works.join("tran-2023-rope-health.html"), papers.join("018.html")).unwrap();
    fs::write(papers.join("020.txt"), "not a paper").unwrap();
    let dir = out.to_str().unwrap();
    let output = precedent(&[
        "batch",
        papers.to_str().unwrap(),
        "--corpus",
        "examples/works",
        "--formats",
        "json",
        "--out",
        dir,
    ]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    (papers, out)
}

fn site(runs: &Path, out: &Path, more: &[&str]) -> std::process::Output {
    let mut arguments = vec!["site", runs.to_str().unwrap(), "--out", out.to_str().unwrap()];
    arguments.extend(more);
    precedent(&arguments)
}

/// A site with these assignments, in the folder `site` beside their table.
fn assigned(runs: &Path, folder: &Path, assignments: &[u8], more: &[&str]) -> std::process::Output {
    let table = folder.join("reviewers.csv");
    fs::create_dir_all(folder).unwrap();
    fs::write(&table, assignments).unwrap();
    let mut arguments = vec!["--assign", table.to_str().unwrap()];
    arguments.extend(more);
    site(runs, &folder.join("site"), &arguments)
}

fn read(out: &Path, name: &str) -> String {
    fs::read_to_string(out.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn a_batch_becomes_a_site_with_a_folder_for_each_reviewer() {
    let runs = runs("site-batch");
    let folder = fresh_folder("site-batch-out");
    let out = folder.join("site");
    let table = "paper,reviewer,area\n017,Ada Lund; Bo Moe,Moorings\n018.html,Bo Moe,\"Ropes, old\"\n";
    let title = ["--title", "Moorings 2027"];
    let output = assigned(&runs, &folder, table.as_bytes(), &[&title[..], &["--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let made = json(&output);
    assert_eq!(
        [
            &made["papers"],
            &made["unfinished"],
            &made["people"],
            &made["unassigned"]
        ],
        [2, 1, 2, 1]
    );
    let index = read(&out, "index.html");
    assert!(index.contains("Moorings 2027") && index.contains("Confidential") && index.contains("020.txt"));
    assert!(read(&out, "areas/ropes-old.html").contains("papers/018.html"));
    assert!(read(&out, "papers/017.html").contains("Haugen 2020"));
    assert!(read(&out, "claims.csv").contains("\"Moorings\""));
    assert!(
        out.join("people/ada-lund/papers/017.html").is_file() && !out.join("people/ada-lund/papers/018.html").exists()
    );
    assert!(out.join("people/bo-moe/papers/018.html").is_file());

    // Semicolons, as some spreadsheets write, and a person with two roles.
    let semicolons = "\u{feff}Paper;Reviewer;Area_chair\n017.pdf;ada lund;Ada Lund\n018;\"Bo Moe; Ada Lund\";\n";
    let output = assigned(&runs, &folder, semicolons.as_bytes(), &["--json"]);
    assert_eq!(json(&output)["people"], 2, "{}", stderr(&output));
    assert!(read(&out, "index.html").contains("reviewer, area chair"));
    assert!(out.join("people/ada-lund/papers/018.html").is_file());

    // The same as before gives the same files; a site with fewer papers keeps none of the others.
    let output = assigned(&runs, &folder, table.as_bytes(), &title);
    assert!(
        stdout(&output).starts_with("2 papers, 1 without a result, folders for 2 people, "),
        "{}",
        stdout(&output)
    );
    assert!(
        stderr(&output).contains("1 paper not assigned to anybody"),
        "{}",
        stderr(&output)
    );
    assert_eq!(read(&out, "index.html"), index);
    let one = fs::read_dir(&runs)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.file_name().unwrap().to_string_lossy().starts_with("018"))
        .unwrap();
    let output = site(&one, &out, &["--public"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(!out.join("papers/017.html").exists() && !out.join("people").exists());
    assert!(!read(&out, "index.html").contains("Confidential"));
    // A file that somebody put into a site is not lost.
    fs::write(out.join("notes.txt"), "mine").unwrap();
    let output = site(&runs, &out, &[]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("contains notes.txt") && out.join("notes.txt").is_file());
    let left: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn wrong_sites_fail_with_a_hint_and_change_nothing() {
    let runs = runs("site-wrong");
    let folder = fresh_folder("site-wrong-out");
    for (content, message) in [
        ("paper,reviewer\n017,Ada\n099,Ada\n", "name 1 unknown paper: 099"),
        ("submission,reviewer\n017,Ada\n", "no column `paper`"),
        ("paper\n017\n", "no column besides `paper`"),
        ("paper,reviewer\n017,Ada,extra\n", "reviewers.csv"),
        ("paper,reviewer\n017,Ada\n017-pdf,Bo\n", "name 1 unknown paper: 017-pdf"),
    ] {
        let output = assigned(&runs, &folder, content.as_bytes(), &[]);
        assert_eq!(output.status.code(), Some(3), "{content}");
        assert!(
            stderr(&output).contains(message) && stderr(&output).contains("hint: "),
            "{}",
            stderr(&output)
        );
    }
    let output = assigned(&runs, &folder, b"paper,reviewer\n017,J\xf6rg\n", &[]);
    assert!(stderr(&output).contains("not text in UTF-8"), "{}", stderr(&output));
    let output = site(&folder.join("nowhere"), &folder.join("site"), &[]);
    assert!(stderr(&output).contains("No such file"), "{}", stderr(&output));
    // A damaged summary would lose the names of the papers.
    let summary = fs::read(runs.join("summary.json")).unwrap();
    fs::write(runs.join("summary.json"), "{").unwrap();
    let output = site(&runs, &folder.join("site"), &[]);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("summary.json"), "{}", stderr(&output));
    fs::write(runs.join("summary.json"), summary).unwrap();
    // Content that is not a site is not replaced.
    let output = site(&runs, &folder, &[]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(folder.join("reviewers.csv").is_file());
    let empty = fresh_folder("site-empty");
    fs::create_dir_all(&empty).unwrap();
    let output = site(&empty, &folder.join("site"), &[]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("no run of `assess` was found"),
        "{}",
        stderr(&output)
    );
    assert!(!folder.join("site").exists() && !folder.join(".site.precedent-partial").exists());
}

#[test]
fn of_several_runs_of_a_paper_one_counts_and_the_others_are_named() {
    let (papers, runs) = papers_and_runs("site-twice");
    let folder = fresh_folder("site-twice-out");
    let again = |more: &[&str]| {
        let mut arguments = vec!["batch", papers.to_str().unwrap(), "--corpus", "examples/works"];
        arguments.extend(["--formats", "json", "--out", runs.to_str().unwrap()]);
        arguments.extend(more);
        let output = precedent(&arguments);
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    };
    again(&["--as-of", "2026-01"]);
    // The name of a paper is not ambiguous, although it has two runs.
    let table = "paper,reviewer\n017,Ada Lund\n018,Ada Lund\n";
    let output = assigned(&runs, &folder, table.as_bytes(), &["--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let made = json(&output);
    assert_eq!([&made["papers"], &made["unfinished"], &made["superseded"]], [2, 1, 2]);
    assert!(stderr(&output).contains("2 runs were left out"), "{}", stderr(&output));
    let out = folder.join("site");
    let summary = read(&out, "summary.json");
    assert_eq!(summary.matches("\"cutoff_date\": \"2026-01\"").count(), 2, "{summary}");
    assert!(read(&out, "index.html").contains("Runs left out"));
    // The path of the report, so that a spreadsheet can link to it.
    assert!(
        read(&out, "claims.csv").contains("\"papers/017.html\""),
        "{}",
        read(&out, "claims.csv")
    );
    assert!(read(&runs, "summary.csv").contains("/report.json\""));

    // Without the index of the batch, the latest run counts: here one with yet another date.
    // Runs record when they started in seconds.
    std::thread::sleep(std::time::Duration::from_millis(1100));
    again(&["--as-of", "2025-06"]);
    fs::remove_file(runs.join("summary.json")).unwrap();
    let output = site(&runs, &out, &["--json"]);
    let made = json(&output);
    assert_eq!([&made["papers"], &made["superseded"]], [2, 4], "{}", stderr(&output));
    assert_eq!(
        read(&out, "summary.json")
            .matches("\"cutoff_date\": \"2025-06\"")
            .count(),
        2
    );
}

#[test]
fn a_batch_that_was_interrupted_is_mentioned() {
    let runs = runs("site-interrupted");
    let file = runs.join("summary.json");
    // As an interruption leaves it: listed, with the folder of a run that has not begun.
    let mut summary: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let waiting = serde_json::json!({"paper": "019.pdf", "folder": "019-pdf-0000000000000000", "status": "waiting"});
    summary["papers"].as_array_mut().unwrap().push(waiting);
    fs::write(&file, summary.to_string()).unwrap();
    let out = fresh_folder("site-interrupted-out");
    let output = site(&runs, &out, &["--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(json(&output)["unfinished"], 2);
    let index = read(&out, "index.html");
    assert!(
        index.contains("The batch did not finish: 1 paper is not done yet."),
        "{index}"
    );
    assert!(
        index.contains("019.pdf") && index.contains("<code>precedent batch</code>"),
        "{index}"
    );
}
