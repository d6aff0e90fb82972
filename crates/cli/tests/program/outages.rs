//! Model servers with outages, failures with a success status, or charges for failed requests.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use precedent_scripted::{ModelServer, Question, Say, plain};
use serde_json::{Value, json};

use crate::models::{arguments_for, folder, report};
use crate::support::{json, precedent, root, stderr, stdout};

const SAMPLE: (&str, &str) = ("examples/paper.pdf", "examples/works");
const IDEA: &str = "Place every symbol of rope-line telemetry into a taut interval that both buoys predict from the recent swell. \
A spring model of the rope with drifting stiffness would give the interval. It would be evaluated on recordings from moored buoys in heavy swell.";

fn overloaded() -> Say {
    Say::Status(
        529,
        r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#.to_owned(),
    )
}

fn failing(status: u16) -> Say {
    Say::Status(status, "{}".to_owned())
}

/// Settings with this maximum wait for an outage and a price for the model.
fn settings(out: &Path, outage_seconds: u32) -> String {
    let path = out.with_extension("toml");
    let text = format!(
        "[providers.compatible]\noutage_seconds = {outage_seconds}\n[prices]\nas_of = '2026-11-01'\n\
         [[prices.price]]\nmodel = 'compatible:scripted'\ninput = 100.0\noutput = 100.0\n"
    );
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn manifest(out: &Path) -> Value {
    serde_json::from_slice(&fs::read(out.join("manifest.json")).unwrap()).unwrap()
}

fn a_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Number of failed items in the output of a command.
fn failed(models: &Value) -> u64 {
    let all = models.as_array().unwrap().iter();
    all.filter_map(|one| one["failed"].as_object())
        .flat_map(serde_json::Map::values)
        .filter_map(Value::as_u64)
        .sum()
}

/// Runs a command against a server with an outage and checks that no item failed.
fn survives(command: &[&str], prompt: &'static str, requests: usize, outage: Say, models: impl Fn(&Value) -> Value) {
    let server = ModelServer::start_with_outage(plain, prompt, requests, outage).unwrap();
    let base = format!("{}/v1", server.base());
    let mut arguments = command.to_vec();
    arguments.extend(["--model", "compatible:scripted", "--model-url", &base, "--json"]);
    let output = precedent(&arguments);
    assert_eq!(output.status.code(), Some(0), "{command:?}: {}", stderr(&output));
    assert!(server.asked().iter().any(|one| one.prompt == prompt), "{command:?}");
    let models = models(&json(&output));
    assert!(!models.as_array().unwrap().is_empty(), "{command:?}");
    assert_eq!(failed(&models), 0, "{command:?}: {models:#}");
}

fn of_run(answer: &Value) -> Value {
    assert_eq!(answer["status"], "complete", "{answer}");
    manifest(Path::new(answer["dir"].as_str().unwrap()))["models"].clone()
}

#[test]
fn a_model_outage_loses_no_item_of_assess_points_and_audit() {
    let (out, other) = (folder("outage-assess"), folder("outage-points"));
    let assess = ["assess", SAMPLE.0, "--corpus", SAMPLE.1, "--out", out.to_str().unwrap()];
    survives(&assess, "compare.passages", 12, overloaded(), of_run);
    let points = [
        "points",
        SAMPLE.0,
        "--corpus",
        SAMPLE.1,
        "--out",
        other.to_str().unwrap(),
    ];
    survives(&points, "points.compare", 12, failing(503), of_run);
    let report = other.join("points.json");
    let audited = folder("outage-audit");
    let audit = [
        "audit",
        report.to_str().unwrap(),
        "--paper",
        SAMPLE.0,
        "--out",
        audited.to_str().unwrap(),
    ];
    survives(&audit, "audit.items", 12, Say::Hangup, |answer| {
        answer["models"].clone()
    });
}

#[test]
fn a_model_outage_loses_no_item_of_idea_review_rank_and_compare() {
    let (idea, review) = (folder("outage-idea"), folder("outage-review"));
    let command = ["idea", IDEA, "--corpus", SAMPLE.1, "--out", idea.to_str().unwrap()];
    survives(&command, "idea.rank", 4, failing(503), of_run);
    let command = ["review", IDEA, "--corpus", SAMPLE.1, "--out", review.to_str().unwrap()];
    survives(&command, "review.board", 14, overloaded(), of_run);
    let files = ["one.txt", "two.txt", "three.txt"].map(|name| idea.join(name));
    for (file, text) in files
        .iter()
        .zip([IDEA, "Predict slack intervals of mooring ropes.", "Ropes are good."])
    {
        fs::write(file, text).unwrap();
    }
    let [one, two, three] = files.each_ref().map(|file| file.to_str().unwrap());
    let models = |answer: &Value| answer["models"].clone();
    let (ranked, compared) = (folder("outage-rank"), folder("outage-compare"));
    let rank = ["rank", one, two, three, "--out", ranked.to_str().unwrap()];
    survives(&rank, "rank.group", 7, failing(502), models);
    let compare = ["compare", one, two, "--out", compared.to_str().unwrap()];
    survives(&compare, "rank.group", 7, overloaded(), models);
}

#[test]
fn a_wait_for_the_server_is_shown_and_ctrl_c_ends_it() {
    let (base, out) = (format!("http://127.0.0.1:{}/v1", a_port()), folder("outage-interrupt"));
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_precedent"))
        .args(arguments_for(SAMPLE, &out, &base, &[]))
        .current_dir(root())
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .env_remove("PRECEDENT_SETTINGS")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap())
        .lines()
        .map_while(Result::ok);
    let shown = lines.find(|line| line.contains("is down")).unwrap();
    assert!(
        shown.contains("127.0.0.1") && shown.contains("waiting up to 45 s"),
        "{shown}"
    );
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(sent.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(start.elapsed() < Duration::from_secs(40), "{:?}", start.elapsed());
    assert_eq!(manifest(&out)["status"]["state"], "interrupted");
}

#[test]
fn without_a_server_a_run_is_incomplete_and_repeating_the_command_completes_it() {
    let (port, out, whole) = (a_port(), folder("outage-never"), folder("outage-never-whole"));
    let base = format!("http://127.0.0.1:{port}/v1");
    let settings = settings(&out, 1);
    let arguments = |out: &Path| -> Vec<String> {
        let more = ["--settings", &settings];
        let all = arguments_for(SAMPLE, out, &base, &more).into_iter();
        all.filter(|one| *one != "--json").map(str::to_owned).collect()
    };
    let run = |out: &Path, more: &[&str]| {
        let arguments = arguments(out);
        let all: Vec<&str> = arguments
            .iter()
            .map(String::as_str)
            .chain(more.iter().copied())
            .collect();
        precedent(&all)
    };
    let output = run(&out, &[]);
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    let caveat = stdout(&output).lines().next().unwrap().to_owned();
    assert!(
        caveat.starts_with("Incomplete: ") && caveat.ends_with("Repeat the command to retry."),
        "{caveat}"
    );
    assert!(stderr(&output).contains(&caveat) && stderr(&output).contains("--allow-fallback"));
    assert_eq!(manifest(&out)["status"]["state"], "incomplete");
    let found = report(&out);
    assert_eq!(found["metadata"]["not_searched"][0]["message"], caveat.as_str());
    let markdown = fs::read_to_string(out.join("report.md")).unwrap();
    assert!(markdown.find(&caveat).unwrap() < markdown.find("Not searched").unwrap());
    assert!(
        fs::read_to_string(out.join("report.html"))
            .unwrap()
            .contains("Incomplete: the model")
    );
    // Nothing was sent, and the report says so.
    assert_eq!(found["metadata"]["sent"], json!([]));
    let questions = found["metadata"]["models"].as_array().unwrap().iter();
    assert!(
        questions
            .map(|one| (&one["questions"], &one["bytes"]))
            .all(|one| one == (&json!(0), &json!(0)))
    );
    let output = run(&out, &["--allow-fallback"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(manifest(&out)["status"]["state"], "incomplete");
    let shown = stdout(&precedent(&["runs", "show", out.to_str().unwrap()]));
    assert!(shown.contains("incomplete (resumable)"), "{shown}");
    let output = run(&out, &["--replay"]);
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    // Start the server.
    let server = ModelServer::start_with(plain, Duration::ZERO, None, port).unwrap();
    let output = run(&out, &[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(manifest(&out)["status"]["state"], "complete");
    assert!(server.asked().len() > 10);
    let output = run(&whole, &[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(
        report(&out)["contribution_analysis"],
        report(&whole)["contribution_analysis"]
    );
}

/// A script that fails for one prompt while `down` is set.
fn failing_while(
    down: &Arc<AtomicBool>,
    prompt: &'static str,
    say: Say,
) -> impl Fn(&Question) -> Say + Send + Sync + 'static {
    let down = Arc::clone(down);
    move |question| match down.load(Ordering::SeqCst) && question.prompt == prompt {
        true => say.clone(),
        false => plain(question),
    }
}

#[test]
fn resuming_an_incomplete_run_repeats_only_failed_requests() {
    for (name, say) in [
        ("400", failing(400)),
        ("500", failing(500)),
        ("501", failing(501)),
        ("ok", Say::Raw(b"OK".to_vec())),
    ] {
        let down = Arc::new(AtomicBool::new(true));
        let server = ModelServer::start(failing_while(&down, "survey.narrative", say)).unwrap();
        let (base, out) = (
            format!("{}/v1", server.base()),
            folder(&format!("outage-resume-{name}")),
        );
        let settings = settings(&out, 1);
        let output = precedent(&arguments_for(SAMPLE, &out, &base, &["--settings", &settings]));
        // More than half of the items are usable.
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(json(&output)["status"], "incomplete");
        let printed = json(&output)["not_searched"][0].as_str().unwrap().to_owned();
        assert!(printed.starts_with("Incomplete: "), "{printed}");
        let first = server.asked().len();
        let answered = |question: &Question| question.prompt != "survey.narrative";
        let known: Vec<String> = server
            .asked()
            .into_iter()
            .filter(answered)
            .map(|one| one.body)
            .collect();
        down.store(false, Ordering::SeqCst);
        let output = precedent(&["runs", "resume", out.to_str().unwrap(), "--json"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(json(&output)["status"], "complete", "{}", stderr(&output));
        let second = server.asked().split_off(first);
        assert!(second.iter().any(|one| one.prompt == "survey.narrative"));
        assert!(
            second.iter().all(|one| !known.contains(&one.body)),
            "an answer was requested twice"
        );
        assert_eq!(failed(&report(&out)["metadata"]["models"]), 0);
        // A third run sends no requests.
        let output = precedent(&["runs", "resume", out.to_str().unwrap(), "--json"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(server.asked().len(), first + second.len());
    }
}

#[test]
fn failures_with_a_success_status_are_retried() {
    let seen: std::sync::Mutex<std::collections::BTreeSet<String>> = std::sync::Mutex::default();
    let server = ModelServer::start(move |question| {
        if !seen.lock().unwrap().insert(question.body.clone()) {
            return plain(question);
        }
        Say::Raw(match question.number % 5 {
            0 => Vec::new(),
            1 => b"OK".to_vec(),
            2 => br#"{"choices":[{"message":{"content":"{\"phra"#.to_vec(),
            3 => br#"{"error":{"code":429,"message":"Provider returned error"}}"#.to_vec(),
            _ => br#"{"error":{"code":502,"message":"Provider returned error"}}"#.to_vec(),
        })
    })
    .unwrap();
    let (base, out) = (format!("{}/v1", server.base()), folder("outage-success"));
    let output = precedent(&arguments_for(SAMPLE, &out, &base, &[]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(json(&output)["status"], "complete");
    assert_eq!(failed(&report(&out)["metadata"]["models"]), 0);
}

/// What the server would charge for the requests, in US dollars at the price of the settings.
fn bill(questions: &[Question], answer: impl Fn(&Question) -> String) -> f64 {
    // A request that gets the rest of a budget limits its answer, and no service bills more.
    let answered = |question: &Question| (answer(question).len() as u64).div_ceil(4).min(question.most_output());
    let tokens = |question: &Question| question.tokens() + answered(question);
    let tokens: u64 = questions.iter().map(tokens).sum();
    #[expect(clippy::cast_precision_loss, reason = "a few million tokens")]
    let dollars = tokens as f64 * 100.0 / 1e6;
    dollars
}

fn dollars(found: &Value) -> f64 {
    let uses = found["metadata"]["models"].as_array().unwrap().iter();
    uses.filter_map(|one| one["dollars"].as_f64()).sum()
}

fn text_of(question: &Question) -> String {
    match plain(question) {
        Say::Text(text) => text,
        _ => String::new(),
    }
}

#[test]
fn a_budget_counts_refusals_unreadable_answers_and_broken_lines() {
    // Faults for the first request of each prompt, and whether the charge is known exactly.
    let refuse = |_: &Question| Say::Refusal;
    let unreadable = |question: &Question| {
        let usage = json!({"prompt_tokens": question.tokens(), "completion_tokens": 3});
        Say::Raw(json!({"choices": [], "usage": usage}).to_string().into_bytes())
    };
    let hang_up = |_: &Question| Say::Hangup;
    type Fault = fn(&Question) -> Say;
    let faults: [(&str, Fault, bool); 3] = [
        ("refusals", refuse, true),
        ("unreadable", unreadable, false),
        ("broken", hang_up, false),
    ];
    for (name, fault, exact) in faults {
        let server = ModelServer::start(move |question| match question.number % 2 {
            0 => fault(question),
            _ => plain(question),
        })
        .unwrap();
        let (base, out) = (
            format!("{}/v1", server.base()),
            folder(&format!("outage-budget-{name}")),
        );
        let settings = settings(&out, 1);
        let cap = 2.0;
        let output = precedent(&arguments_for(
            SAMPLE,
            &out,
            &base,
            &["--settings", &settings, "--budget", "2", "--allow-fallback"],
        ));
        assert_eq!(output.status.code(), Some(6), "{name}: {}", stderr(&output));
        let found = report(&out);
        // For a broken connection the server charges the full response.
        let billed = bill(&server.asked(), |question| match (question.number % 2, name) {
            (0, "refusals") => "I will not.".to_owned(),
            (0, "unreadable") => "x".repeat(12),
            _ => text_of(question),
        });
        let reported = dollars(&found);
        assert!(billed <= cap && billed > 0.0, "{name}: {billed}");
        assert!(
            billed <= reported + 1e-9 && reported <= cap + 1e-9,
            "{name}: billed {billed}, reported {reported}"
        );
        assert!(
            !exact || (billed - reported).abs() < 1e-9,
            "{name}: billed {billed}, reported {reported}"
        );
        // A replay opens no connection and reports the same.
        let before = fs::read(out.join("report.json")).unwrap();
        let asked = server.asked().len();
        let output = precedent(&arguments_for(
            SAMPLE,
            &out,
            &base,
            &["--settings", &settings, "--budget", "2", "--allow-fallback", "--replay"],
        ));
        assert_eq!(output.status.code(), Some(6), "{name}: {}", stderr(&output));
        assert_eq!(server.asked().len(), asked);
        assert!(before == fs::read(out.join("report.json")).unwrap(), "{name}");
    }
}

#[test]
fn a_budget_slightly_above_the_cost_completes_with_parallel_calls() {
    let server = ModelServer::start_with(plain, Duration::from_millis(20), None, 0).unwrap();
    let base = format!("{}/v1", server.base());
    let run = |out: &PathBuf, budget: &str| {
        let settings = settings(out, 1);
        // Output is dearer than input, so that the limits of the answers exceed what is left at the end.
        let text = fs::read_to_string(&settings).unwrap();
        fs::write(&settings, text.replace("output = 100.0", "output = 800.0")).unwrap();
        let output = precedent(&arguments_for(
            SAMPLE,
            out,
            &base,
            &["--settings", &settings, "--budget", budget],
        ));
        assert_eq!(output.status.code(), Some(0), "--budget {budget}: {}", stderr(&output));
        dollars(&report(out))
    };
    let (whole, capped) = (folder("outage-uncapped"), folder("outage-capped"));
    let cost = run(&whole, "500");
    let cap = format!("{:.4}", cost * 1.1);
    assert!(run(&capped, &cap) <= cost * 1.1);
    assert!(server.most_at_once() > 1);
}

#[test]
fn a_token_budget_is_a_bound_for_a_model_without_a_price_and_a_larger_one_continues() {
    let server = ModelServer::start(plain).unwrap();
    let (base, out) = (format!("{}/v1", server.base()), folder("outage-tokens"));
    let run = |tokens: &str| precedent(&arguments_for(SAMPLE, &out, &base, &["--budget-tokens", tokens]));
    let output = run("15000");
    assert_eq!(output.status.code(), Some(6), "{}", stderr(&output));
    let tokens = |question: &Question| question.tokens() + (text_of(question).len() as u64).div_ceil(4);
    let used: u64 = server.asked().iter().map(tokens).sum();
    assert!(used > 5_000 && used <= 15_000, "{used}");
    let first = server.asked().len();
    let output = run("1000000");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(server.asked().len() > first && server.asked_again().is_empty());
}
