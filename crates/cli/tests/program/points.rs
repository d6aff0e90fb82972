//! `precedent points`, as a user runs it.

use std::fs;
use std::path::{Path, PathBuf};

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
