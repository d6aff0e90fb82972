//! `precedent points`, as a user runs it.

use std::fs;
use std::path::{Path, PathBuf};

use precedent_scripted::{ModelServer, plain};
use serde_json::{Value, json};

use crate::support::{json, precedent, root, stderr, stdout};

const PAPER: &str = "examples/paper.pdf";
const WORKS: &str = "examples/works";

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("points-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn report(out: &Path) -> Value {
    serde_json::from_slice(&fs::read(out.join("points.json")).unwrap()).unwrap()
}

#[test]
fn the_sample_has_its_points_beside_the_works_that_were_planted() {
    let out = folder("sample");
    let run = |more: &[&str]| {
        let mut arguments = vec!["points", PAPER, "--corpus", WORKS, "--out", out.to_str().unwrap()];
        arguments.extend(more);
        precedent(&arguments)
    };
    let output = run(&["--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let answer = json(&output);
    assert_eq!(answer["files"], json!(["points.json", "points.md", "points.html"]));
    assert_eq!(
        (answer["status"].as_str(), answer["points"].as_u64()),
        (Some("complete"), Some(3))
    );
    assert!(answer["score"].is_null());
    let found = report(&out);
    let schema: Value = serde_json::from_slice(&fs::read(root().join("docs/schema/points-1.0.json")).unwrap()).unwrap();
    assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&found));
    // The planted prior art stands first beside the claim that it holds.
    let point = &found["points"][1];
    assert!(
        point["claim"]["text"]
            .as_str()
            .unwrap()
            .contains("creep-compensated decoder")
    );
    let nearest = &point["passages"][0];
    assert!(
        nearest["nearest"]["text"]
            .as_str()
            .unwrap()
            .contains("we introduce a creep-compensated decoder")
    );
    let classes: Vec<&str> = found["points"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["class"].as_str())
        .collect();
    assert_eq!(classes, ["methodological", "methodological", "dataset"]);
    assert_eq!(found["base"]["found_references"], found["base"]["listed_references"]);
    let text = found.to_string();
    assert!(
        !found["references"].to_string().contains("rope:later-2026"),
        "nothing later"
    );
    assert!(text.contains("rope:later-2026"), "set aside and said");
    // Again: the same bytes, and the run can be resumed by its folder.
    let before = fs::read(out.join("points.html")).unwrap();
    let output = precedent(&["runs", "resume", out.to_str().unwrap(), "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(fs::read(out.join("points.html")).unwrap(), before);
    let shown = stdout(&run(&[]));
    assert!(shown.contains("point 2 (Methodological/Algorithmic)"), "{shown}");
    assert!(shown.contains("not searched: Only corpus:works"), "{shown}");
}

#[test]
fn wrong_use_is_told_with_its_exit_code() {
    let out = folder("wrong");
    let code = |arguments: &[&str]| {
        let mut all = vec!["points"];
        all.extend(arguments);
        all.extend(["--out", out.to_str().unwrap()]);
        precedent(&all).status.code()
    };
    assert_eq!(code(&["missing.pdf", "--corpus", WORKS]), Some(3));
    assert_eq!(code(&[PAPER, "--corpus", WORKS, "--formats", "docx"]), Some(2));
    assert_eq!(code(&[PAPER, "--corpus", WORKS, "--capacity", "1"]), Some(2));
    assert_eq!(code(&[PAPER, "--corpus", WORKS, "--show-egress"]), Some(2));
    assert_eq!(code(&[PAPER, "--formats", "json"]), Some(5), "nothing was searched");
}

#[test]
fn with_a_model_every_citation_leads_to_a_passage_and_an_audit_finds_nothing_amiss_by_rule() {
    let server = ModelServer::start(plain).unwrap();
    let base = format!("{}/v1", server.base());
    let out = folder("model");
    let output = precedent(&[
        "points",
        PAPER,
        "--corpus",
        WORKS,
        "--model",
        "compatible:scripted",
        "--model-url",
        &base,
        "--out",
        out.to_str().unwrap(),
        "--json",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(json(&output)["score"], 3, "{}", stdout(&output));
    let found = report(&out);
    let mut cited = 0;
    for point in found["points"].as_array().unwrap() {
        for part in ["claimed", "similarities", "differences", "details"] {
            for sentence in point["analysis"][part].as_array().unwrap() {
                for citation in sentence
                    .get("citations")
                    .and_then(Value::as_array)
                    .into_iter()
                    .flatten()
                {
                    cited += 1;
                    let passage =
                        &found["passages"][usize::try_from(citation["passage"].as_u64().unwrap()).unwrap() - 1];
                    assert_eq!(passage["reference"], citation["reference"]);
                    let words = citation["quote"]["text"].as_str().unwrap();
                    assert!(passage["text"]["text"].as_str().unwrap().contains(words));
                }
            }
        }
    }
    assert!(cited > 3, "{cited}");
    // For the record of a run: `--no-capture` shows it.
    let uses = found["metadata"]["models"].as_array().unwrap();
    let sum = |key: &str| uses.iter().filter_map(|one| one[key].as_u64()).sum::<u64>();
    eprintln!(
        "{} questions, {} tokens asked, {} answered",
        sum("questions"),
        sum("input_tokens"),
        sum("output_tokens")
    );

    let audited = |more: &[&str]| {
        let file = out.join("points.json");
        let mut arguments = vec!["audit", file.to_str().unwrap(), "--json"];
        arguments.extend(more);
        let output = precedent(&arguments);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        json(&output)
    };
    let offline = audited(&["--paper", PAPER]);
    let schema: Value = serde_json::from_slice(&fs::read(root().join("docs/schema/audit-1.0.json")).unwrap()).unwrap();
    assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&offline));
    assert!(offline["overall"].is_null());
    assert_eq!(offline["citations"]["pairs"], offline["citations"]["resolved"]);
    assert_eq!(offline["citations"]["located"]["percent"], 100.0);
    let items: Vec<&Value> = offline["dimensions"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|one| one["items"].as_array().unwrap())
        .collect();
    assert_eq!(items.len(), 69);
    let ruled: Vec<&&Value> = items.iter().filter(|item| item["decided_by"] == "rule").collect();
    assert_eq!(ruled.len(), 14);
    let wrong: Vec<&&&Value> = ruled
        .iter()
        .filter(|item| item["yes"] == false && item["id"] != "fluency.5")
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let whole = audited(&["--paper", PAPER, "--model", "compatible:scripted", "--model-url", &base]);
    assert!(whole["overall"].as_f64().is_some_and(|score| score > 9.0), "{whole:#}");
    assert_eq!(whole["citations"]["accuracy"]["percent"], 100.0);
    // The Markdown of the same report, and a report that is none.
    let markdown = out.join("points.md");
    let output = precedent(&["audit", markdown.to_str().unwrap()]);
    assert!(stdout(&output).contains("effectiveness"), "{}", stderr(&output));
    assert_eq!(precedent(&["audit", "README.md"]).status.code(), Some(3));
}
