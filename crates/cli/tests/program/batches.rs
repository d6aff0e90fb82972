//! Many papers in one command: a report for each, one index for all, and a bad file that stops nothing.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{fresh_folder, json, precedent, precedent_in, precedent_with, root, stderr, stdout};

const WORKS: &str = "examples/works";

/// A folder with the sample, a short idea of a paper, a file that is no PDF, and a subfolder.
fn papers(name: &str) -> PathBuf {
    let folder = fresh_folder(name);
    fs::create_dir_all(folder.join("later")).unwrap();
    fs::copy(root().join("examples/paper.pdf"), folder.join("a.pdf")).unwrap();
    fs::write(folder.join("b.pdf"), "%PDF-1.4\nnothing that can be read").unwrap();
    fs::write(folder.join("later/c.md"), SHORT).unwrap();
    fs::write(folder.join("notes.xlsx"), "not listed").unwrap();
    folder
}

const SHORT: &str = "# =Counting Boats with <b>One</b> Rope\n\n## Abstract\n\nHarbour masters count boats by hand. We propose a rope with a sensor that \
counts the boats moored to it. We show that the sensor counts boats as well as a harbour master does.\n\n## Introduction\n\nBoats that are moored to a \
rope pull it. We propose a sensor that measures the pull of the rope and counts the boats from it.\n";

fn run(papers: &Path, out: &Path, more: &[&str]) -> std::process::Output {
    let (papers, out) = (papers.to_str().unwrap(), out.to_str().unwrap());
    let mut arguments = vec!["assess", papers, "--corpus", WORKS, "--out", out];
    arguments.extend(more);
    precedent(&arguments)
}

fn read(out: &Path, name: &str) -> String {
    fs::read_to_string(out.join(name)).unwrap()
}

#[test]
fn a_folder_gets_a_report_for_each_paper_and_one_index() {
    let (papers, out) = (papers("batch-folder"), fresh_folder("batch-out"));
    let output = run(&papers, &out, &[]);
    // The exit code is that of the one bad file.
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("[3/3]"), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("failed: 1 paper\n    b.pdf: "),
        "{}",
        stdout(&output)
    );

    let summary: Value = serde_json::from_str(&read(&out, "summary.json")).unwrap();
    let schema: Value = serde_json::from_slice(&fs::read(root().join("docs/schema/batch-1.json")).unwrap()).unwrap();
    assert!(jsonschema::is_valid(&schema, &summary));
    let names: Vec<&str> = summary["papers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["paper"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["a.pdf", "b.pdf", "later/c.md"]);
    let statuses: Vec<&str> = summary["papers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["status"].as_str().unwrap())
        .collect();
    assert_eq!(statuses, ["complete", "failed", "complete"]);
    let sample = &summary["papers"][0];
    assert_eq!(sample["claims"][1]["level"], "anticipated");
    assert!(sample["claims"][1]["closest"][0]["earlier"].as_bool().unwrap());

    // The index links to each report, and to the claim in it.
    let page = read(&out, "index.html");
    let folder = sample["folder"].as_str().unwrap();
    assert!(
        page.contains(&format!("href=\"{folder}/report.html#claim-1\"")),
        "{page}"
    );
    assert!(read(&out, &format!("{folder}/report.html")).contains("id=\"claim-1\""));
    // The corpus was indexed once for all papers, and the index is not kept.
    assert!(!out.join(folder).join("index").exists() && !out.join(".corpora").exists());
    // Nothing of a paper is markup, or a formula of a spreadsheet.
    assert!(page.contains("=Counting Boats") && !page.contains("<b>One"), "{page}");
    let table = read(&out, "summary.csv");
    assert!(table.starts_with("\u{feff}\"paper\",\"title\","), "{table}");
    assert!(table.contains(",\"'=Counting Boats"), "{table}");
    for file in ["index.html", "summary.csv", "summary.json"] {
        let folder = papers.to_str().unwrap();
        assert!(!read(&out, file).contains(folder), "{file} has a path of this machine");
    }
}

#[test]
fn the_same_batch_again_reuses_its_runs_and_writes_the_same_bytes() {
    let (papers, out) = (papers("batch-again"), fresh_folder("batch-again-out"));
    let files = ["index.html", "summary.csv", "summary.json"];
    run(&papers, &out, &["--jobs", "1"]);
    let before = files.map(|name| read(&out, name));
    run(&papers, &out, &["--jobs", "3"]);
    assert_eq!(files.map(|name| read(&out, name)), before);
    let runs = fs::read_dir(&out)
        .unwrap()
        .filter(|one| one.as_ref().unwrap().path().is_dir());
    assert_eq!(runs.count(), 2);
    // A mistake in the options leaves the table as it is.
    let model = [
        "--model",
        "compatible:unpriced",
        "--model-url",
        "http://127.0.0.1:9/v1",
        "--budget",
        "1",
    ];
    let place = [
        "batch",
        papers.to_str().unwrap(),
        "--corpus",
        WORKS,
        "--out",
        out.to_str().unwrap(),
    ];
    let output = precedent(&[&place[..], &model].concat());
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert_eq!(
        stderr(&output)
            .matches("the price of `compatible:unpriced` is unknown")
            .count(),
        1
    );
    assert_eq!(files.map(|name| read(&out, name)), before);
}

#[test]
fn a_list_names_papers_by_path_relative_to_itself() {
    let (papers, out) = (papers("batch-list"), fresh_folder("batch-list-out"));
    fs::write(papers.join("list.txt"), "# submissions\n\na.pdf\nlater/c.md\n").unwrap();
    let (list, to) = (papers.join("list.txt"), out.to_str().unwrap());
    let output = precedent(&[
        "batch",
        list.to_str().unwrap(),
        "--corpus",
        WORKS,
        "--out",
        to,
        "--json",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let summary = json(&output);
    assert_eq!(summary["papers"].as_array().unwrap().len(), 2);
    assert_eq!(summary["dir"], to);

    fs::write(papers.join("empty.txt"), "# nothing\n").unwrap();
    let output = precedent(&["batch", papers.join("empty.txt").to_str().unwrap(), "--corpus", WORKS]);
    assert_eq!(output.status.code(), Some(3));
    assert!(
        stderr(&output).contains("empty.txt lists no papers"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_folder_of_papers_with_one_in_latex_is_still_many_papers() {
    let (papers, out) = (papers("batch-latex"), fresh_folder("batch-latex-out"));
    let tex =
        "\\documentclass{article}\n\\title{Boats}\n\\begin{document}\n\\maketitle\n\\input{part}\n\\end{document}\n";
    fs::write(papers.join("d.tex"), tex).unwrap();
    fs::write(papers.join("part.tex"), SHORT).unwrap();
    fs::create_dir_all(papers.join("project/figures")).unwrap();
    fs::write(papers.join("project/main.tex"), tex).unwrap();
    fs::write(papers.join("project/part.tex"), SHORT).unwrap();
    fs::copy(
        root().join("examples/paper.pdf"),
        papers.join("project/figures/one.pdf"),
    )
    .unwrap();
    let (folder, to) = (papers.to_str().unwrap(), out.to_str().unwrap());
    let output = precedent(&["batch", folder, "--corpus", WORKS, "--out", to, "--json"]);
    let summary = json(&output);
    let names: Vec<&str> = summary["papers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["paper"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["a.pdf", "b.pdf", "d.tex", "later/c.md", "project"]);
}

#[test]
fn a_mistake_in_the_options_stops_a_batch_at_once() {
    let (papers, out) = (papers("batch-mistake"), fresh_folder("batch-mistake-out"));
    let output = run(&papers, &out, &["--formats", "docx"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(!out.exists());
    let output = run(&papers, &out, &["--title"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("--title cannot be used with several papers (3 found)"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn json_of_one_paper_lists_claims_with_level_and_closest_papers() {
    let out = fresh_folder("batch-one");
    let out = out.to_str().unwrap();
    let answer = json(&precedent(&[
        "assess",
        "examples/paper.pdf",
        "--corpus",
        WORKS,
        "--out",
        out,
        "--json",
    ]));
    let claims = answer["claims"].as_array().unwrap();
    assert!(!claims.is_empty());
    for claim in claims {
        assert!(claim["level"].is_string() && claim["text"].is_string(), "{claim}");
        for paper in claim["closest"].as_array().unwrap() {
            assert!(
                paper["probability"].as_f64().unwrap() <= 1.0 && paper["title"].is_string(),
                "{paper}"
            );
        }
    }
    assert!(
        claims
            .iter()
            .any(|claim| !claim["closest"].as_array().unwrap().is_empty())
    );
}

#[test]
fn a_batch_never_assesses_its_own_reports() {
    let papers = papers("batch-self");
    let output = || {
        let output = precedent_in(
            &papers,
            &["batch", ".", "--corpus", root().join(WORKS).to_str().unwrap(), "--json"],
        );
        json(&output)["papers"].as_array().unwrap().len()
    };
    assert_eq!((output(), output()), (3, 3));
}

#[test]
fn files_that_are_no_papers_are_named() {
    let (papers, out) = (papers("batch-skipped"), fresh_folder("batch-skipped-out"));
    let printed = stderr(&run(&papers, &out, &[]));
    assert!(
        printed.contains("1 file skipped (no papers by name, links, or folders too deep): notes.xlsx"),
        "{printed}"
    );
}

#[test]
fn an_empty_corpus_ends_a_batch_with_one_error() {
    let (papers, out) = (papers("batch-corpus"), fresh_folder("batch-corpus-out"));
    fs::remove_file(papers.join("b.pdf")).unwrap();
    let corpus = fresh_folder("batch-no-corpus");
    fs::create_dir_all(&corpus).unwrap();
    let (folder, to) = (papers.to_str().unwrap(), out.to_str().unwrap());
    let output = precedent(&["batch", folder, "--corpus", corpus.to_str().unwrap(), "--out", to]);
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    assert_eq!(stderr(&output).matches("error: ").count(), 1, "{}", stderr(&output));
}

#[test]
fn without_a_browser_a_pdf_is_an_error_and_the_other_formats_are_written() {
    // The page that the PDF would be printed from is written even if nobody asked for it.
    for (name, formats) in [("no-browser", "pdf,html"), ("no-browser-pdf", "pdf")] {
        let out = fresh_folder(name);
        let mut arguments = vec!["assess", "examples/paper.pdf", "--corpus", WORKS];
        arguments.extend(["--formats", formats, "--out", out.to_str().unwrap()]);
        let output = precedent_with(&arguments, &[("PRECEDENT_BROWSER", "/does/not/exist")]);
        let printed = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{printed}");
        assert!(printed.contains("no Chromium-based browser was found"), "{printed}");
        assert!(
            printed.contains("hint: install Chromium") && printed.contains("print report.html"),
            "{printed}"
        );
        assert!(out.join("report.html").is_file() && !out.join("report.pdf").exists());
        assert!(
            stdout(&output).contains("3 claims were compared"),
            "{}",
            stdout(&output)
        );
        assert!(stdout(&output).contains("report.html"), "{}", stdout(&output));
    }
    // The hint names the page of this kind of report.
    let out = fresh_folder("no-browser-points");
    let mut arguments = vec!["points", "examples/paper.pdf", "--corpus", WORKS];
    arguments.extend(["--formats", "pdf", "--out", out.to_str().unwrap()]);
    let output = precedent_with(&arguments, &[("PRECEDENT_BROWSER", "/does/not/exist")]);
    assert!(stderr(&output).contains("print points.html"), "{}", stderr(&output));
    assert!(out.join("points.html").is_file());
}

#[test]
fn papers_without_claims_are_named() {
    let (papers, out) = (fresh_folder("batch-claimless"), fresh_folder("batch-claimless-out"));
    fs::create_dir_all(&papers).unwrap();
    fs::write(papers.join("c.md"), SHORT).unwrap();
    let text = "# Boats\n\n## Abstract\n\nHarbours have boats, and boats have ropes. In winter the ropes are wet, and in summer they are dry. Some boats \
                are old. Others were built last year, in a yard at the end of the fjord, where the water is deep.\n";
    fs::write(papers.join("d.md"), text).unwrap();
    let output = run(&papers, &out, &[]);
    assert!(
        stdout(&output).contains("no claim found: 1 paper (d.md)"),
        "{}{}",
        stdout(&output),
        stderr(&output)
    );
}
