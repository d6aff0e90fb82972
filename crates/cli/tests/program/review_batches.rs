//! `precedent review --batch`: a line, a review and a row of a table for each idea.

use std::fs;
use std::path::Path;

use precedent_scripted::{ModelServer, Question, Say, plain};
use serde_json::Value;

use crate::reviews::IDEA;
use crate::support::{fresh_folder, precedent, stderr, stdout};

const PRICES: &str =
    "[prices]\nas_of = '2026-11-01'\n[[prices.price]]\nmodel = 'compatible:scripted'\ninput = 100.0\noutput = 800.0\n";

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A review without what the provider read from its prompt cache, which depends on all earlier calls to it.
fn without_prompt_cache(mut review: Value) -> Value {
    let metadata = &mut review["metadata"];
    for list in ["models", "sent"] {
        for one in metadata[list].as_array_mut().unwrap() {
            one.as_object_mut().unwrap().remove("cached_tokens");
            let Some(what) = one["what"].as_str() else { continue };
            if let Some((head, tail)) = what.split_once(" % from the cache)") {
                let (head, _) = head.rsplit_once(" (").unwrap();
                one["what"] = format!("{head}{tail}").into();
            }
        }
    }
    review
}

#[test]
fn each_idea_has_a_line_a_review_and_a_row_and_a_batch_continues() {
    let folder = fresh_folder("review-batches");
    fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).display().to_string();
    let (batch, prices) = (path("ideas.jsonl"), path("prices.toml"));
    let text = [
        serde_json::json!({"id": "swell", "idea": IDEA}).to_string(),
        "{\"id\": 7, ".to_owned(),
        String::new(),
        serde_json::json!({"id": 2, "text": "Predict slack intervals of mooring ropes from barometers alone, and test it on recordings of buoys."}).to_string(),
        serde_json::json!({"id": "<b>none</b>", "idea": " . "}).to_string(),
        serde_json::json!({"id": "again", "idea": IDEA}).to_string(),
    ];
    fs::write(&batch, text.join("\n")).unwrap();
    fs::write(&prices, PRICES).unwrap();
    let server = ModelServer::start(plain).unwrap();
    let base = format!("{}/v1", server.base());
    let reviewing = |input: &[&str], more: &[&str]| {
        let mut all = vec!["review"];
        all.extend(input);
        all.extend([
            "--corpus",
            "examples/works",
            "--board",
            "2",
            "--rounds",
            "1",
            "--model",
            "compatible:scripted",
            "--model-url",
            &base,
            "--settings",
            &prices,
        ]);
        all.extend(more);
        precedent(&all)
    };
    let run = |more: &[&str]| reviewing(&["--batch", &batch], more);
    let whole = run(&["--out", &path("whole")]);
    assert_eq!(whole.status.code(), Some(0), "{}", stderr(&whole));
    let printed = lines(&stdout(&whole));
    let kept = fs::read_to_string(path("whole/reviews.jsonl")).unwrap();
    assert_eq!(printed, lines(&kept));
    let states: Vec<(u64, &str)> = printed
        .iter()
        .map(|one| (one["line"].as_u64().unwrap(), one["status"].as_str().unwrap()))
        .collect();
    assert_eq!(
        states,
        [(1, "done"), (2, "failed"), (4, "done"), (5, "failed"), (6, "done")]
    );
    assert_eq!(printed[1]["error"]["kind"], "bad_line");
    assert_eq!(printed[3]["error"]["kind"], "empty_idea");
    assert_eq!((&printed[0]["id"], &printed[2]["id"]), (&"swell".into(), &2.into()));
    let review: Value = serde_json::from_slice(&fs::read(path("whole/review-1.json")).unwrap()).unwrap();
    assert_eq!(printed[0]["score"], review["meta"]["score"]);
    assert_eq!(printed[0]["decision"], review["meta"]["decision"]);
    let level = &review["meta"]["decision_confidence"]["level"];
    assert!(level.is_string() && printed[0]["confidence"] == *level, "{level}");
    assert_eq!(printed[0]["dimensions"].as_object().unwrap().len(), 5);
    let closest = printed[0]["closest"]["title"].as_str().unwrap();
    assert!(
        review["knowledge"]
            .as_array()
            .unwrap()
            .iter()
            .any(|one| one["work"]["title"] == closest)
    );
    let page = fs::read_to_string(path("whole/index.html")).unwrap();
    assert!(page.contains("sortable") && page.contains("href=\"review-4.html\"") && page.contains(">Novelty<"));
    assert!(page.contains("&lt;b&gt;none") && !page.contains("<b>none"));
    assert!(Path::new(&path("whole/review-4.html")).exists() && !Path::new(&path("whole/review-2.html")).exists());
    let csv = fs::read_to_string(path("whole/reviews.csv")).unwrap();
    assert_eq!(csv.lines().count(), 6, "{csv}");
    assert!(
        csv.contains("\"novelty\"") && csv.contains("\"swell\",\"done\""),
        "{csv}"
    );

    // Ideas reviewed at the same time pay for the same idea once, and give the review of the idea alone.
    assert!(server.asked_again().is_empty(), "{:?}", server.asked_again());
    let calls = server.asked().len();
    let alone = reviewing(&[IDEA], &["--formats", "json", "--out", &path("alone")]);
    assert_eq!(alone.status.code(), Some(0), "{}", stderr(&alone));
    for same in ["whole/review-1.json", "whole/review-6.json"] {
        let of = |name: &str| without_prompt_cache(serde_json::from_slice(&fs::read(path(name)).unwrap()).unwrap());
        assert!(of(same) == of("alone/review.json"), "{same}");
    }
    let calls_alone = server.asked().len() - calls;
    let again = run(&["--out", &path("whole")]);
    assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
    assert_eq!(
        (lines(&stdout(&again)), server.asked().len()),
        (printed.clone(), calls + calls_alone)
    );

    let manifest: Value = serde_json::from_slice(&fs::read(path("whole/manifest.json")).unwrap()).unwrap();
    let models = manifest["models"].as_array().unwrap();
    let dollars: f64 = models.iter().map(|one| one["dollars"].as_f64().unwrap()).sum();
    let capped = run(&["--out", &path("part"), "--budget", &format!("{:.6}", dollars * 0.7)]);
    assert_eq!(capped.status.code(), Some(6), "{}", stderr(&capped));
    let stopped = lines(&stdout(&capped));
    assert!(stopped.iter().any(|one| one["error"]["kind"] == "budget"));
    let ids = |lines: &[Value]| lines.iter().map(|one| one["id"].clone()).collect::<Vec<_>>();
    assert_eq!(
        ids(&stopped),
        ids(&printed),
        "lines after the budget have their ids too"
    );
    let rest = run(&["--out", &path("part")]);
    assert_eq!(rest.status.code(), Some(0), "{}", stderr(&rest));
    assert_eq!(server.asked().len(), 2 * calls + calls_alone, "no call is repeated");
    assert_eq!(lines(&stdout(&rest)), printed);
}

#[test]
fn an_estimate_of_a_batch_counts_each_different_idea_once() {
    let folder = fresh_folder("review-batch-estimate");
    fs::create_dir_all(&folder).unwrap();
    let batch = folder.join("ideas.jsonl").display().to_string();
    let second = "Predict slack intervals of mooring ropes from barometers alone, and test it on recordings of buoys.";
    let line = |idea: &str| serde_json::json!({"idea": idea}).to_string();
    let text = [
        line(IDEA),
        "{\"id\": 7, ".to_owned(),
        line(second),
        line(" . "),
        line(IDEA),
    ];
    fs::write(&batch, text.join("\n")).unwrap();
    let asks = |input: &[&str]| {
        let mut all = vec!["review"];
        all.extend(input);
        all.extend([
            "--corpus",
            "examples/works",
            "--model",
            "openai:gpt-5-mini",
            "--estimate",
            "--json",
        ]);
        let output = precedent(&all);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let counted: Value = serde_json::from_str(&stdout(&output)).unwrap();
        counted["asks"].as_u64().unwrap()
    };
    let all = asks(&["--batch", &batch]);
    assert_eq!(all, asks(&[IDEA]) + asks(&[second]));
}

#[test]
fn a_review_with_failed_calls_has_one_status_in_all_files() {
    let folder = fresh_folder("review-batch-incomplete");
    fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).display().to_string();
    fs::write(path("ideas.jsonl"), serde_json::json!({"idea": IDEA}).to_string()).unwrap();
    fs::write(path("settings.toml"), "[providers.compatible]\noutage_seconds = 1\n").unwrap();
    let without_chair = |question: &Question| match question.prompt.as_str() {
        "review.meta" => Say::Status(503, "{}".to_owned()),
        _ => plain(question),
    };
    let server = ModelServer::start(without_chair).unwrap();
    let base = format!("{}/v1", server.base());
    let (batch, settings, out) = (path("ideas.jsonl"), path("settings.toml"), path("run"));
    let mut all = vec!["review", "--batch", &batch, "--out", &out, "--settings", &settings];
    all.extend(["--model", "compatible:scripted", "--model-url", &base]);
    all.extend(["--corpus", "examples/works", "--board", "2", "--rounds", "1"]);
    let output = precedent(&all);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let line = &lines(&stdout(&output))[0];
    assert_eq!(line["status"], "incomplete");
    assert_eq!(line["dimensions"].as_object().unwrap().len(), 5, "{line}");
    let read = |name: &str| fs::read_to_string(folder.join("run").join(name)).unwrap();
    assert!(read("reviews.csv").contains("\"incomplete\"") && read("index.html").contains("incomplete"));
}
