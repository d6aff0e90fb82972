//! Runs with a scripted model on real papers, which are not part of this repository. `PRECEDENT_DEV_DATA` is their folder.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use precedent_cli::reference::manifest_schema;
use precedent_report::assessment_schema;
use precedent_scripted::{ModelServer, Say, plain};
use serde_json::Value;

use crate::models::{arguments_for, files, folder, killed_and_resumed, random_moments, report, without_a_network};
use crate::support::{json, precedent, root, stderr};

/// Number of abstracts in the test corpus, and the step between the selected records.
const ABSTRACTS: usize = 1500;
const EVERY: usize = 60;

/// The folder of PDFs and the file of abstracts of the development data.
pub(crate) fn development_data() -> (PathBuf, PathBuf) {
    let data = PathBuf::from(std::env::var_os("PRECEDENT_DEV_DATA").expect("set PRECEDENT_DEV_DATA"));
    (data.join("pdf"), data.join("corpus/conf_abstracts.jsonl.zst"))
}

/// Papers of the development data and a small corpus of abstracts and full texts of other papers.
pub(crate) fn real(papers: usize) -> (tempfile::TempDir, Vec<String>, String) {
    let (pdf, abstracts) = development_data();
    let mut all: Vec<PathBuf> = fs::read_dir(pdf).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.retain(|path| path.extension().is_some_and(|extension| extension == "pdf"));
    all.sort();
    let folder = tempfile::tempdir().unwrap();
    let works = folder.path().join("works");
    fs::create_dir(&works).unwrap();
    let mut cut = fs::File::create(works.join("abstracts.jsonl")).unwrap();
    let lines = BufReader::new(zstd::Decoder::new(fs::File::open(abstracts).unwrap()).unwrap()).lines();
    for line in lines.step_by(EVERY).take(ABSTRACTS) {
        writeln!(cut, "{}", line.unwrap()).unwrap();
    }
    drop(cut);
    // In each group of four papers, the second is a full text of the corpus and the fourth is assessed.
    let texts = works.join("full-texts");
    fs::create_dir(&texts).unwrap();
    for path in all.iter().skip(1).step_by(4) {
        fs::copy(path, texts.join(path.file_name().unwrap())).unwrap();
    }
    let chosen = all.iter().skip(3).step_by(4).take(papers);
    let chosen: Vec<String> = chosen.map(|path| path.to_str().unwrap().to_owned()).collect();
    assert_eq!(chosen.len(), papers);
    let works = works.to_str().unwrap().to_owned();
    (folder, chosen, works)
}

fn faults(schema: &Value, value: &Value) -> Vec<String> {
    let validator = jsonschema::validator_for(schema).unwrap();
    let errors = validator.iter_errors(value);
    errors
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}

/// Checks that the report, the manifest and all model responses are valid under their schemas, and that the manifest lists the files.
fn every_artefact_is_as_published(out: &Path, server: &ModelServer) {
    let found = report(out);
    assert_eq!(faults(&assessment_schema(), &found), Vec::<String>::new());
    let manifest: Value = serde_json::from_slice(&fs::read(out.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(faults(manifest_schema().as_value(), &manifest), Vec::<String>::new());
    let named = manifest["files"].as_array().unwrap();
    assert_eq!(named.len(), 3, "{named:?}");
    for file in named {
        assert!(out.join(file["name"].as_str().unwrap()).is_file(), "{file}");
    }
    assert_eq!(manifest["models"], found["metadata"]["models"]);
    for question in server.asked() {
        let Say::Text(text) = plain(&question) else {
            panic!("{question:?}")
        };
        let schema = question.schema.as_ref().unwrap();
        let answer = serde_json::from_str(&text).unwrap();
        assert_eq!(faults(schema, &answer), Vec::<String>::new(), "{}", question.prompt);
    }
}

/// Checks that a run, a repeated run, a replay and a replay without a network give the same bytes.
#[expect(clippy::print_stderr, reason = "the figures of a recorded run")]
fn comes_to_the_same_bytes(paper: &str, works: &str) {
    let server = ModelServer::start(plain).unwrap();
    let base = format!("{}/v1", server.base());
    let name = Path::new(paper).file_stem().unwrap().to_string_lossy().into_owned();
    let out = folder(&format!("real-{name}"));
    let arguments = |more: &[&'static str]| arguments_for((paper, works), &out, &base, more);
    let output = precedent(&arguments(&[]));
    assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
    assert_eq!(json(&output)["status"], "complete", "{name}");
    every_artefact_is_as_published(&out, &server);
    assert!(server.asked_again().is_empty(), "{name}: {:?}", server.asked_again());
    let (questions, before) = (server.asked().len(), files(&out));
    // From here on, no server is running.
    drop(server);
    for more in [&[][..], &["--replay"]] {
        let output = precedent(&arguments(more));
        assert_eq!(output.status.code(), Some(0), "{name} {more:?}: {}", stderr(&output));
        assert!(before == files(&out), "{name} {more:?}");
    }
    without_a_network(&arguments(&["--replay"]));
    assert!(before == files(&out), "{name} without a network");
    let found = report(&out);
    let comparisons = found["contribution_analysis"]["comparisons"].as_array().unwrap().len();
    eprintln!("{name}: {questions} requests, {comparisons} comparisons; the same bytes four times");
    fs::remove_dir_all(&out).unwrap();
}

#[test]
fn the_sample_is_valid_under_all_schemas_and_reproducible() {
    comes_to_the_same_bytes("examples/paper.pdf", "examples/works");
}

#[test]
#[ignore = "reads the development data: PRECEDENT_DEV_DATA names its folder"]
fn two_real_papers_are_valid_under_all_schemas_and_reproducible() {
    let (_folder, papers, works) = real(2);
    for paper in papers {
        comes_to_the_same_bytes(&paper, &works);
    }
}

#[test]
#[ignore = "takes minutes, and reads the development data: PRECEDENT_DEV_DATA names its folder"]
fn five_real_papers_are_reproducible_and_survive_fifty_kills() {
    let (_folder, papers, works) = real(5);
    for (number, paper) in (1..).zip(papers) {
        comes_to_the_same_bytes(&paper, &works);
        killed_and_resumed((&paper, &works), 10, random_moments(20_261_121 * number));
    }
}

/// Runs `points` with a scripted model and checks that all citations are listed, all quotes are in their passages, and all claims are in the paper.
#[expect(clippy::print_stderr, reason = "the figures of a recorded run")]
fn points_that_hold(paper: &str, works: &str) -> usize {
    let server = ModelServer::start(plain).unwrap();
    let base = format!("{}/v1", server.base());
    let name = Path::new(paper).file_stem().unwrap().to_string_lossy().into_owned();
    let out = folder(&format!("points-{name}"));
    let mut arguments = arguments_for((paper, works), &out, &base, &[]);
    if let Some(first) = arguments.first_mut() {
        *first = "points";
    }
    let output = precedent(&arguments);
    assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
    let found: Value = serde_json::from_slice(&fs::read(out.join("points.json")).unwrap()).unwrap();
    let schema = fs::read(root().join("docs/schema/points-1.json")).unwrap();
    let schema: Value = serde_json::from_slice(&schema).unwrap();
    assert_eq!(faults(&schema, &found), Vec::<String>::new(), "{name}");
    let kept = out.join("points.json");
    let audited = out.join("audit");
    let typed = [
        "audit",
        kept.to_str().unwrap(),
        "--paper",
        paper,
        "--json",
        "--out",
        audited.to_str().unwrap(),
    ];
    let output = precedent(&typed);
    assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
    let audit = json(&output);
    let citations = &audit["citations"];
    assert_eq!(citations["resolved"], citations["pairs"], "{name}: {citations}");
    assert_eq!(citations["doubles"], 0, "{name}");
    let located = &citations["located"];
    assert!(
        located.is_null() || located["part"] == located["of"],
        "{name}: {located}"
    );
    let wrong: Vec<&str> = audit["dimensions"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|one| one["items"].as_array().unwrap())
        .filter(|item| item["reason"].as_str().unwrap().contains("is not in the paper"))
        .filter_map(|item| item["reason"].as_str())
        .collect();
    assert!(wrong.is_empty(), "{name}: {wrong:?}");
    let pairs = citations["pairs"].as_u64().unwrap();
    eprintln!(
        "{name}: {} points, {} requests, {pairs} citations, all resolved and located",
        found["points"].as_array().unwrap().len(),
        server.asked().len()
    );
    fs::remove_dir_all(&out).unwrap();
    usize::try_from(pairs).unwrap()
}

#[test]
fn points_of_the_sample_match_their_sources() {
    assert!(points_that_hold("examples/paper.pdf", "examples/works") > 0);
}

#[test]
#[ignore = "reads the development data: PRECEDENT_DEV_DATA names its folder"]
fn points_of_five_real_papers_match_their_sources() {
    let (_folder, papers, works) = real(5);
    papers.iter().for_each(|paper| {
        points_that_hold(paper, &works);
    });
}
