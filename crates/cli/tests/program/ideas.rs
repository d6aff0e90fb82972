//! `precedent idea` and `precedent bench idea`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use precedent_scripted::{ModelServer, plain};
use serde_json::{Value, json};

use crate::support::{fresh_folder, json, precedent, root, stderr, stdout};

const WORKS: &str = "examples/works";
const IDEA: &str = "Place every symbol of rope-line telemetry into a taut interval that both buoys predict from the recent swell. \
A spring model of the rope with drifting stiffness would give the interval. It would be evaluated on recordings from moored buoys in heavy swell.";

fn folder(name: &str) -> PathBuf {
    let folder = fresh_folder(&format!("ideas-{name}"));
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn report(out: &Path) -> Value {
    serde_json::from_slice(&fs::read(out.join("idea.json")).unwrap()).unwrap()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn an_idea_is_compared_with_a_corpus_without_a_model() {
    let out = folder("single");
    let run = |more: &[&str]| {
        let mut arguments = vec!["idea", IDEA, "--corpus", WORKS, "--out", out.to_str().unwrap()];
        arguments.extend(more);
        precedent(&arguments)
    };
    let output = run(&["--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let answer = json(&output);
    assert_eq!(
        (answer["status"].as_str(), answer["verdict"].as_str()),
        (Some("complete"), Some("undecided"))
    );
    assert_eq!(answer["files"], json!(["idea.json", "idea.md", "idea.html"]));
    let found = report(&out);
    assert_eq!(found["works"].as_array().unwrap().len(), 10);
    assert!(found["metadata"]["sent"].as_array().unwrap().is_empty());
    assert_eq!(found["metadata"]["sources"][0]["own_text"], true);
    let schema: Value = serde_json::from_slice(&fs::read(root().join("docs/schema/idea-1.json")).unwrap()).unwrap();
    assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&found));
    // Resuming the run by its folder gives the same bytes.
    let before = fs::read(out.join("idea.html")).unwrap();
    let output = precedent(&["runs", "resume", out.to_str().unwrap(), "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(fs::read(out.join("idea.html")).unwrap(), before);
    let shown = stdout(&run(&[]));
    assert!(shown.lines().count() <= 25, "{shown}");
    assert!(
        shown.starts_with("undecided: ") && shown.contains("limit: Only corpus:works"),
        "{shown}"
    );
}

#[test]
fn emphasis_and_stated_facets_of_a_file_reach_the_report() {
    let out = folder("facets");
    let file = out.join("idea.txt");
    let marked = "Build <b style=\"background-color:#FFFACD;\">drifting spring models</b> of ropes to **shorten the gaps of buoy telemetry**. \
        It would be evaluated on recordings from moored buoys.";
    fs::write(&file, marked).unwrap();
    let run = |name: &str, more: &[&str]| {
        let dir = out.join(name);
        let mut arguments = vec![
            "idea",
            file.to_str().unwrap(),
            "--corpus",
            WORKS,
            "--out",
            dir.to_str().unwrap(),
        ];
        arguments.extend(more);
        let output = precedent(&arguments);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let shown = stdout(&output);
        assert!(shown.contains("  lean: "), "{shown}");
        let facets = report(&dir)["idea"]["facets"].as_array().unwrap().clone();
        let of = facets.into_iter().map(|one| {
            let text = |name: &str| one[name].as_str().unwrap_or_default().to_owned();
            (
                text("facet"),
                (
                    one["quote"]["text"].as_str().unwrap_or_default().to_owned(),
                    text("origin"),
                ),
            )
        });
        of.collect::<std::collections::BTreeMap<_, _>>()
    };
    let found = run("marked", &[]);
    let printed = |words: &str, origin: &str| (words.to_owned(), origin.to_owned());
    assert_eq!(
        found["purpose"],
        printed("shorten the gaps of buoy telemetry", "emphasis")
    );
    assert_eq!(found["mechanism"], printed("drifting spring models", "emphasis"));
    let found = run(
        "stated",
        &["--mechanism", "moonlight sensors", "--domain", "buoy telemetry"],
    );
    assert_eq!(
        found["purpose"],
        printed("shorten the gaps of buoy telemetry", "emphasis")
    );
    assert_eq!(found["mechanism"], printed("moonlight sensors", "user"));
    assert_eq!(found["application_domain"], printed("buoy telemetry", "user"));
}

#[test]
fn a_verbatim_copy_is_not_novel_and_a_paper_is_not_its_own_prior_art() {
    let out = folder("copied");
    let abstracts = fs::read_to_string(root().join(WORKS).join("abstracts.jsonl")).unwrap();
    let work: Value = serde_json::from_str(abstracts.lines().next().unwrap()).unwrap();
    let file = out.join("idea.txt");
    fs::write(&file, work["abstract"].as_str().unwrap()).unwrap();
    let output = precedent(&[
        "idea",
        file.to_str().unwrap(),
        "--corpus",
        WORKS,
        "--out",
        out.to_str().unwrap(),
        "--json",
    ]);
    assert_eq!(json(&output)["verdict"], "not_novel", "{}", stderr(&output));
    let found = report(&out);
    let number = found["verdict"]["against"][0]["work"].as_u64().unwrap();
    let named = found["works"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["number"] == number)
        .unwrap();
    assert_eq!(named["work"]["title"], work["title"]);

    let out = folder("own");
    let output = precedent(&[
        "idea",
        "examples/paper.pdf",
        "--corpus",
        WORKS,
        "--out",
        out.to_str().unwrap(),
        "--json",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let aside = report(&out)["set_aside"].clone();
    assert!(
        aside.as_array().unwrap().iter().any(|one| one["reason"] == "same_work"),
        "{aside}"
    );
}

#[test]
fn the_readme_shows_what_the_sample_idea_prints() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let shown = readme.split("$ precedent idea ").nth(1).unwrap();
    let shown = shown.split("```").next().unwrap();
    let (command, lines) = shown.split_once("\nundecided").unwrap();
    let unfolded = command.replace('\\', " ");
    let arguments = unfolded.split('"').enumerate().flat_map(|(at, part)| match at % 2 {
        0 => part.split_whitespace().collect(),
        _ => vec![part],
    });
    let out = folder("readme");
    let mut all = vec!["idea"];
    all.extend(arguments);
    all.extend(["--out", out.to_str().unwrap()]);
    let printed = stdout(&precedent(&all));
    for line in format!("undecided{lines}").lines() {
        assert!(printed.contains(line.trim_end_matches('…')), "{line:?} in {printed}");
    }
}

#[test]
fn invalid_usage_has_the_right_exit_code() {
    let out = folder("wrong");
    let dir = out.join("run");
    let code = |arguments: &[&str]| {
        let mut all = vec!["idea"];
        all.extend(arguments);
        all.extend(["--out", dir.to_str().unwrap()]);
        let output = precedent(&all);
        assert!(!stderr(&output).contains("panicked"), "{}", stderr(&output));
        output.status.code().unwrap()
    };
    assert_eq!(code(&["no/such/idea.txt", "--corpus", WORKS]), 3);
    assert_eq!(code(&["  ", "--corpus", WORKS]), 3);
    assert_eq!(code(&[IDEA]), 5);
    assert_eq!(code(&[IDEA, "--corpus", WORKS, "--formats", "docx"]), 2);
    assert_eq!(code(&[IDEA, "--corpus", WORKS, "--samples", "0"]), 2);
    assert_eq!(code(&[IDEA, "--batch", "x.jsonl"]), 2);
    assert_eq!(code(&[IDEA, "--corpus", WORKS, "--examples", "examples/README.md"]), 3);
    assert_eq!(
        code(&[IDEA, "--corpus", WORKS, "--local-only", "--model", "openai:gpt-5-mini"]),
        2
    );
    assert!(!dir.exists(), "a failed command must not leave a folder");
}

fn batch_file(folder: &Path, count: usize) -> PathBuf {
    let mut text = String::new();
    for at in 0..count {
        match at % 10 {
            7 => text.push_str("{\"id\": 7, \"idea\"\n"),
            8 => text.push_str(&format!("{}\n", json!({"id": format!("empty-{at}"), "idea": " … "}))),
            _ => text.push_str(&format!(
                "{}\n",
                json!({"id": format!("i{at}"), "idea": format!("{IDEA} Variant {at} of the buoys.")})
            )),
        }
    }
    let file = folder.join("ideas.jsonl");
    fs::write(&file, text).unwrap();
    file
}

fn check_lines(lines: &[Value], count: usize) {
    assert_eq!(lines.len(), count);
    for (at, line) in lines.iter().enumerate() {
        assert_eq!(line["line"], at + 1);
        match at % 10 {
            7 => assert_eq!(line["error"]["kind"], "bad_line", "{line}"),
            8 => assert_eq!(
                (&line["error"]["kind"], &line["id"]),
                (&json!("empty_idea"), &json!(format!("empty-{at}")))
            ),
            _ => assert_eq!(
                (&line["status"], &line["id"]),
                (&json!("done"), &json!(format!("i{at}"))),
                "{line}"
            ),
        }
    }
}

#[test]
fn a_batch_prints_one_line_per_idea_in_order() {
    let out = folder("batch");
    let file = batch_file(&out, 30);
    let run = out.join("run");
    let arguments = [
        "idea",
        "--batch",
        file.to_str().unwrap(),
        "--corpus",
        WORKS,
        "--out",
        run.to_str().unwrap(),
    ];
    let output = precedent(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    check_lines(&lines(&stdout(&output)), 30);
    assert_eq!(fs::read_to_string(run.join("ideas.jsonl")).unwrap(), stdout(&output));
    // The same batch from stdin with full reports.
    let mut child = Command::new(env!("CARGO_BIN_EXE_precedent"))
        .args([
            "idea",
            "--batch",
            "-",
            "--full",
            "--corpus",
            WORKS,
            "--out",
            out.join("stdin").to_str().unwrap(),
        ])
        .current_dir(root())
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(&fs::read(&file).unwrap())
        .unwrap();
    let full = lines(&stdout(&child.wait_with_output().unwrap()));
    check_lines(&full, 30);
    assert_eq!(full[0]["report"]["schema_version"], "1.4");
}

#[test]
fn a_killed_batch_resumes_without_repeating_requests() {
    let server = ModelServer::start_with(plain, Duration::from_millis(15), None, 0).unwrap();
    let base = format!("{}/v1", server.base());
    let out = folder("killed");
    // 1000 ideas take a quarter of an hour, so this number is opt-in.
    let count = std::env::var("PRECEDENT_BATCH_IDEAS").map_or(20, |count| count.parse().unwrap());
    let file = batch_file(&out, count);
    let run = out.join("run");
    let arguments = [
        "idea",
        "--batch",
        file.to_str().unwrap(),
        "--corpus",
        WORKS,
        "--model",
        "compatible:scripted",
        "--model-url",
        &base,
        "--samples",
        "2",
        "--out",
        run.to_str().unwrap(),
    ];
    let mut child = Command::new(env!("CARGO_BIN_EXE_precedent"))
        .args(arguments)
        .current_dir(root())
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .env_remove("PRECEDENT_MODEL_KEY")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while server.asked().len() < 25 && began.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = server.asked().len();
    let output = precedent(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let first = lines(&stdout(&output));
    check_lines(&first, count);
    assert!(
        first
            .iter()
            .filter(|line| line["status"] == "done")
            // Reasoning for a verdict that the program withdrew is not printed.
            .all(|line| line["verdict"] == "undecided" || line["reasoning"].is_string()),
        "{first:#?}"
    );
    // Only requests in flight at the kill may be repeated.
    let again: usize = server.asked_again().values().sum();
    assert!(again <= 16 && server.asked().len() > before, "{again} asked again");
    // Replay without the server.
    drop(server);
    let mut replayed = arguments.to_vec();
    replayed.push("--replay");
    let output = precedent(&replayed);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(lines(&stdout(&output)), first);
}

#[test]
fn bench_idea_runs_with_and_without_a_model() {
    let out = folder("bench");
    let works: Vec<Value> = fs::read_to_string(root().join(WORKS).join("abstracts.jsonl"))
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let labelled = |at: usize| {
        let papers: Vec<&Value> = works.iter().skip(at * 5).take(10).collect();
        let idea = works[at * 5]["abstract"].as_str().unwrap();
        json!({"id": at, "idea": idea, "label": if at.is_multiple_of(2) { "not novel" } else { "novel" }, "papers": papers})
            .to_string()
    };
    let file = out.join("labelled.jsonl");
    fs::write(&file, (0..4).map(labelled).collect::<Vec<_>>().join("\n")).unwrap();
    let output = precedent(&["bench", "idea", file.to_str().unwrap(), "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let reported = lines(&stdout(&output));
    for setting in ["fixed", "retrieval"] {
        let of_setting = reported.iter().filter(|line| line["setting"] == setting);
        assert!(
            of_setting
                .map(|line| line["id"].as_str())
                .eq(["0", "1", "2", "3"].map(Some)),
            "{setting}: {reported:#?}"
        );
    }
    let fixed = &reported[8]["fixed"];
    assert_eq!((fixed["ideas"].as_u64(), fixed["groups"].as_u64()), (Some(4), Some(1)));
    assert!(fixed["majority"]["value"].as_f64().unwrap() >= 0.5);
    let recall = reported[8]["retrieval"]["recall"].as_array().unwrap();
    assert!(
        recall[0]["value"].as_f64().unwrap() > 0.2 && recall[2]["value"].as_f64().unwrap() > 0.9,
        "{recall:?}"
    );

    let server = ModelServer::start(plain).unwrap();
    let base = format!("{}/v1", server.base());
    let output = precedent(&[
        "bench",
        "idea",
        file.to_str().unwrap(),
        "--setting",
        "fixed",
        "--model",
        "compatible:scripted",
        "--model-url",
        &base,
        "--out",
        out.join("run").to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let shown = stdout(&output);
    for wanted in ["accuracy", "majority baseline", "kappa", "4 decided"] {
        assert!(shown.contains(wanted), "{wanted}: {shown}");
    }
}

#[test]
fn estimate_counts_model_requests_without_sending_them() {
    let output = precedent(&[
        "idea",
        IDEA,
        "--corpus",
        WORKS,
        "--model",
        "openai:gpt-5-mini",
        "--samples",
        "3",
        "--estimate",
        "--json",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let answer = json(&output);
    let of = |prompt: &str| {
        let stages = answer["stages"].as_array().unwrap();
        stages
            .iter()
            .find(|one| one["prompt"].as_str().unwrap().starts_with(prompt))
            .map(|one| one["asks"].as_u64().unwrap())
    };
    assert_eq!((of("idea.read"), of("idea.judge")), (Some(1), Some(3)), "{answer}");
    assert!(
        of("idea.rank").unwrap() >= 2 && answer["at_most_dollars"].as_f64().unwrap() > 0.0,
        "{answer}"
    );
}
