//! `precedent points`.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use precedent_scripted::{ModelServer, plain};
use serde_json::{Value, json};

use crate::support::{fresh_folder, json, precedent, precedent_in, root, stderr, stdout};

const PAPER: &str = "examples/paper.pdf";
const WORKS: &str = "examples/works";

fn folder(name: &str) -> PathBuf {
    fresh_folder(&format!("points-{name}"))
}

fn report(out: &Path) -> Value {
    serde_json::from_slice(&fs::read(out.join("points.json")).unwrap()).unwrap()
}

#[test]
fn the_points_of_the_sample_match_the_planted_papers() {
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
    let schema: Value = serde_json::from_slice(&fs::read(root().join("docs/schema/points-1.json")).unwrap()).unwrap();
    assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&found));
    // The planted prior art is the top match of the claim that it contains.
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
        "a later paper is a reference"
    );
    assert!(text.contains("rope:later-2026"), "the excluded paper is not listed");
    // Resuming the run by its folder gives the same bytes.
    let before = fs::read(out.join("points.html")).unwrap();
    let output = precedent(&["runs", "resume", out.to_str().unwrap(), "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(fs::read(out.join("points.html")).unwrap(), before);
    let shown = stdout(&run(&[]));
    assert!(
        shown.contains("\n2. Anticipated: We introduce a creep-compensated decoder"),
        "{shown}"
    );
    assert!(
        shown.contains("Osei 2021") && shown.contains("(nearly word for word in the earlier paper)"),
        "{shown}"
    );
    assert!(shown.lines().count() <= 25, "{shown}");
    assert!(shown.contains("limit: Only corpus:works"), "{shown}");
}

#[test]
fn invalid_usage_has_the_right_exit_code() {
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
    assert_eq!(
        code(&[PAPER, "--corpus", WORKS, "--reranker", "m"]),
        Some(2),
        "a reranker needs a URL"
    );
    assert_eq!(
        code(&[
            PAPER,
            "--corpus",
            WORKS,
            "--local-only",
            "--reranker",
            "m",
            "--reranker-url",
            "https://models.example/v1"
        ]),
        Some(4)
    );
    assert_eq!(code(&[PAPER, "--formats", "json"]), Some(5), "no source to search");
}

/// Audits the report in a folder as JSON and as Markdown, and a file that is no report.
fn files_of_an_audit(out: &Path) {
    // Files in every format.
    let kept = out.join("audit");
    let file = out.join("points.json");
    let output = precedent(&["audit", file.to_str().unwrap(), "--out", kept.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let html = fs::read_to_string(kept.join("audit.html")).unwrap();
    assert!(
        html.contains("Content-Security-Policy")
            && html.contains("95 % interval")
            && html.matches("<script").count() == 1
    );
    assert_eq!(html.matches("<li dir=\"auto\"><span class=\"chip").count(), 69);
    assert!(kept.join("audit.md").is_file() && kept.join("audit.json").is_file());
    let wrong = ["audit", file.to_str().unwrap(), "--formats", "docx"];
    assert_eq!(precedent(&wrong).status.code(), Some(2));
    // The same report as Markdown, and a file that is not a report.
    let markdown = out.join("points.md");
    let output = precedent_in(out, &["audit", markdown.to_str().unwrap()]);
    assert!(stdout(&output).contains("effectiveness"), "{}", stderr(&output));
    let scrap = out.join("scrap.md");
    fs::write(&scrap, "# A report\n\nNothing.\n").unwrap();
    let output = precedent(&["audit", scrap.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("fewer than 30 words"), "{}", stderr(&output));
}

#[test]
fn with_a_model_every_citation_has_a_passage_and_the_rules_of_the_audit_pass() {
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
    // Shown with `--no-capture`.
    let uses = found["metadata"]["models"].as_array().unwrap();
    let sum = |key: &str| uses.iter().filter_map(|one| one[key].as_u64()).sum::<u64>();
    eprintln!(
        "{} requests, {} input tokens, {} output tokens",
        sum("questions"),
        sum("input_tokens"),
        sum("output_tokens")
    );

    let audited = |more: &[&str]| {
        let file = out.join("points.json");
        let mut arguments = vec!["audit", file.to_str().unwrap(), "--json"];
        arguments.extend(more);
        let kept = out.join(format!("audit-{}", more.len()));
        arguments.extend(["--out", kept.to_str().unwrap()]);
        let output = precedent(&arguments);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        json(&output)
    };
    let offline = audited(&["--paper", PAPER]);
    let schema: Value = serde_json::from_slice(&fs::read(root().join("docs/schema/audit-1.json")).unwrap()).unwrap();
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
    // Five rules on structure answer yes. A rule that covers a part of a question only answers no.
    assert_eq!(
        ruled
            .iter()
            .filter(|item| item["yes"] == true)
            .map(|item| item["id"].as_str().unwrap())
            .collect::<Vec<_>>(),
        [
            "effectiveness.1",
            "effectiveness.2",
            "effectiveness.6",
            "effectiveness.8",
            "effectiveness.9"
        ]
    );
    let wrong: Vec<&&&Value> = ruled
        .iter()
        .filter(|item| item["yes"] == false && item["id"] != "fluency.5" && item["id"] != "depth.2")
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let whole = audited(&["--paper", PAPER, "--model", "compatible:scripted", "--model-url", &base]);
    assert!(whole["overall"].as_f64().is_some_and(|score| score > 9.0), "{whole:#}");
    assert_eq!(whole["citations"]["accuracy"]["percent"], 100.0);
    files_of_an_audit(&out);
    // The report of `assess` can also be audited.
    let assessed = folder("assessed");
    let dir = assessed.to_str().unwrap();
    let output = precedent(&["assess", PAPER, "--corpus", WORKS, "--formats", "json", "--out", dir]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let output = precedent_in(
        &out,
        &["audit", assessed.join("report.json").to_str().unwrap(), "--json"],
    );
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let printed = json(&output);
    assert!(
        printed["citations"]["pairs"].as_u64().unwrap() > 0
            && printed["citations"]["pairs"] == printed["citations"]["resolved"]
    );
}

#[test]
fn an_estimate_counts_requests_without_sending_them() {
    let server = ModelServer::start(plain).unwrap();
    let base = format!("{}/v1", server.base());
    let output = precedent(&[
        "points",
        PAPER,
        "--corpus",
        WORKS,
        "--model",
        "compatible:scripted",
        "--model-url",
        &base,
        "--estimate",
        "--json",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(server.asked().is_empty(), "the estimate sent requests");
    let printed = json(&output);
    let asks = |prompt: &str| {
        let stages = printed["stages"].as_array().unwrap();
        let one = stages
            .iter()
            .find(|one| one["prompt"].as_str().unwrap().starts_with(prompt));
        one.map_or(0, |one| one["asks"].as_u64().unwrap())
    };
    assert_eq!(
        (asks("points.read"), asks("points.queries"), asks("points.compare")),
        (1, 1, 3)
    );
    assert!(
        asks("points.validate") >= 2 && asks("points.conclude") == 1 && asks("points.polish") == 1,
        "{printed:#}"
    );
    assert!(printed["input_tokens"].as_u64().unwrap() > 10_000, "{printed:#}");
}

#[test]
fn show_egress_includes_title_searches_for_references() {
    let output = precedent(&[
        "points",
        PAPER,
        "--sources",
        "semantic-scholar,arxiv",
        "--show-egress",
        "--json",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let printed = json(&output);
    let of = |name: &str| {
        let all = printed["egress"].as_array().unwrap();
        all.iter().find(|one| one["source"] == name).unwrap().clone()
    };
    let perhaps = of("semantic-scholar")["perhaps"].to_string();
    assert!(perhaps.contains("/paper/search/match"), "{perhaps}");
    assert!(!of("arxiv").to_string().contains("search/match"));
    // `assess` does not search for titles.
    let output = precedent(&[
        "assess",
        PAPER,
        "--sources",
        "semantic-scholar",
        "--show-egress",
        "--json",
    ]);
    assert!(!stdout(&output).contains("search/match"));
}

/// A reranker that reverses the order, and its number of requests.
pub(crate) fn backwards() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { continue };
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let (mut line, mut length) = (String::new(), 0_usize);
            while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
                if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap_or_default();
                }
                line.clear();
            }
            let mut body = vec![0; length];
            let _ = reader.read_exact(&mut body);
            count.fetch_add(1, Ordering::SeqCst);
            let question: Value = serde_json::from_slice(&body).unwrap_or_default();
            let texts = question["documents"].as_array().map_or(0, Vec::len);
            let results: Vec<Value> = (0..texts)
                .map(|at| json!({"index": at, "relevance_score": at}))
                .collect();
            let answer = json!({"results": results}).to_string();
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{answer}",
                answer.len()
            );
        }
    });
    (address, asked)
}

#[test]
fn a_served_reranker_ranks_passages_and_its_responses_are_recorded() {
    let (address, asked) = backwards();
    let out = folder("reranked");
    let run = |more: &[&str]| {
        let mut arguments = vec![
            "points",
            PAPER,
            "--corpus",
            WORKS,
            "--reranker",
            "toy",
            "--reranker-url",
            &address,
            "--out",
            out.to_str().unwrap(),
        ];
        arguments.extend(more);
        precedent(&arguments)
    };
    let output = run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found = report(&out);
    assert_eq!(found["base"]["reranker"], format!("toy at {address}"));
    let times = asked.load(Ordering::SeqCst);
    assert_eq!(times, 18, "six queries of three points");
    let sent = &found["metadata"]["sent"];
    assert_eq!(sent[0]["requests"], 18, "{sent:#}");
    assert!(fs::read_to_string(out.join("points.md")).unwrap().contains("by toy at"));
    // A repeated run and a replay send no requests and give the same report.
    for more in [&[][..], &["--replay"][..]] {
        let output = run(more);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(report(&out), found);
    }
    assert_eq!(asked.load(Ordering::SeqCst), times);
    // Without the reranker, the built-in ranking is used and the report says so.
    let away = folder("reranker-away");
    let output = precedent(&[
        "points",
        PAPER,
        "--corpus",
        WORKS,
        "--reranker",
        "toy",
        "--reranker-url",
        "http://127.0.0.1:9",
        "--out",
        away.to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let limits = report(&away)["metadata"]["not_searched"].to_string();
    assert!(limits.contains("ranking_model_failed"), "{limits}");
}
