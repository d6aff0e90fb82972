//! Export to reference managers: exported papers are imported again and compared.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{precedent_in, root, stderr, stdout};

fn ran(folder: &Path, arguments: &[&str]) -> String {
    let output = precedent_in(folder, arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
    stdout(&output)
}

fn report(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// Title, authors, earliest date, venue, DOI and arXiv id of every candidate.
fn works(found: &Value) -> Vec<String> {
    let candidates = found["references"]["candidates"].as_array().unwrap();
    let mut works: Vec<String> = candidates
        .iter()
        .map(|one| {
            let work = &one["work"];
            let authors = work["authors"]
                .as_array()
                .unwrap()
                .iter()
                .map(|author| author["name"].as_str().unwrap());
            let authors: Vec<&str> = authors.collect();
            format!(
                "{} | {} | {} | {} | {} | {}",
                work["title"].as_str().unwrap(),
                authors.join("; "),
                work["dates"][0]["date"].as_str().unwrap_or_default(),
                work["venue"].as_str().unwrap_or_default(),
                work["identifiers"]["doi"].as_str().unwrap_or_default(),
                work["identifiers"]["arxiv"].as_str().unwrap_or_default(),
            )
        })
        .collect();
    works.sort();
    works
}

#[test]
fn exported_papers_are_imported_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let paper = root().join("examples/paper.pdf");
    let paper = paper.to_str().unwrap();
    // Papers with more difficult names, titles and dates than the sample.
    let hard = [
        r#"{"id":"a:1","title":"Taut Intervals & 50 % Slack: LLMs on {Rope} with $x_1$ and C# ~ a_b","authors":["Laurens van der Maaten","Martin Luther King Jr.","OpenAI"],"date":"2019-05-14","venue":"NeurIPS","doi":"10.1000/a_b(1)","abstract":"Slack-aware coding of rope-line telemetry in heavy swell."}"#,
        r#"{"id":"a:2","title":"Rope-line telemetry: “quoted” swell — naïve Ångström","authors":["José Ortega y Gasset","王小明"],"year":2018,"venue":"Journal of Moored Systems","arxiv":"1706.03762","abstract":"Rope-line telemetry in heavy swell, slack-aware."}"#,
        r#"{"id":"a:3","title":"Slack-aware line codes for heavy swell","authors":["de la Cruz, Ana"],"date":"2017-03","abstract":"A line code for rope-line telemetry in heavy swell."}"#,
    ];
    fs::write(here.join("hard.jsonl"), hard.join("\n")).unwrap();
    let sample = root().join("examples/works/abstracts.jsonl");
    fs::copy(sample, here.join("sample.jsonl")).unwrap();
    ran(
        here,
        &[
            "assess",
            paper,
            "--corpus",
            "sample.jsonl",
            "--corpus",
            "hard.jsonl",
            "--out",
            "first",
        ],
    );
    let first = works(&report(&here.join("first/report.json")));
    assert!(first.len() > 10 && hard.len() == 3, "{first:#?}");
    for (format, file) in [("bibtex", "works.bib"), ("ris", "works.ris"), ("csl", "works.json")] {
        ran(here, &["export", "first", "--as", format, "--out", file]);
        let again = format!("again-{format}");
        ran(here, &["assess", paper, "--corpus", file, "--out", &again]);
        let second = works(&report(&here.join(&again).join("report.json")));
        // Every imported paper that was found equals the original.
        let strange: Vec<&String> = second.iter().filter(|work| !first.contains(work)).collect();
        assert!(strange.is_empty(), "{format}: {strange:#?}\nof {first:#?}");
        assert!(
            second.len() + 2 >= first.len(),
            "{format}: {} of {}",
            second.len(),
            first.len()
        );
        let hard_ones = second
            .iter()
            .filter(|work| work.contains("Maaten") || work.contains("Ortega") || work.contains("Cruz"));
        assert_eq!(hard_ones.count(), 3, "{format}: {second:#?}");
    }
}

#[test]
fn missing_citations_can_be_exported_alone_and_other_files_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let (paper, works) = (root().join("examples/paper.pdf"), root().join("examples/works"));
    let arguments = [
        "assess",
        paper.to_str().unwrap(),
        "--corpus",
        works.to_str().unwrap(),
        "--out",
        "one",
    ];
    ran(here, &arguments);
    let found = report(&here.join("one/report.json"));
    let missing = found["contribution_analysis"]["missing_citations"]
        .as_array()
        .unwrap()
        .len();
    assert!(missing > 0);
    let items: Vec<Value> = serde_json::from_str(&ran(
        here,
        &["export", "one/report.json", "--as", "csl", "--only", "missing"],
    ))
    .unwrap();
    assert_eq!(items.len(), missing);
    let all: Vec<Value> = serde_json::from_str(&ran(here, &["export", "one", "--as", "csl"])).unwrap();
    assert_eq!(all.len(), found["references"]["candidates"].as_array().unwrap().len());
    fs::write(here.join("no.json"), "{}").unwrap();
    for report in ["no.json", "nowhere.json", "."] {
        let output = precedent_in(here, &["export", report, "--as", "bibtex"]);
        assert_eq!(output.status.code(), Some(3), "{report}: {}", stderr(&output));
    }
}
