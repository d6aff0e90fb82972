//! Runs with a model, which a server on loopback plays.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use precedent_scripted::{Faults, ModelServer, Say, plain};
use serde_json::Value;

use crate::support::{json, precedent, stderr};

const PAPER: &str = "examples/paper.pdf";
const WORKS: &str = "examples/works";

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("models-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn arguments<'a>(out: &'a Path, base: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec![
        "assess",
        PAPER,
        "--corpus",
        WORKS,
        "--model",
        "compatible:scripted",
        "--model-url",
        base,
    ];
    arguments.extend(["--out", out.to_str().unwrap(), "--json"]);
    arguments.extend(more);
    arguments
}

/// The same in a network namespace of its own, where there is no network at all; skipped, visibly, where none may be made.
#[expect(clippy::print_stderr, reason = "a check that is skipped says so")]
fn without_a_network(arguments: &[&str]) {
    let unshared = |program: &str, arguments: &[&str]| {
        std::process::Command::new("unshare")
            .args(["-rn", program])
            .args(arguments)
            .current_dir(crate::support::root())
            .env("XDG_CONFIG_HOME", "/nonexistent")
            .output()
    };
    if !unshared("true", &[]).is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: no network namespace may be made here");
        return;
    }
    let output = unshared(env!("CARGO_BIN_EXE_precedent"), arguments).unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

fn report(out: &Path) -> Value {
    serde_json::from_slice(&fs::read(out.join("report.json")).unwrap()).unwrap()
}

fn files(out: &Path) -> Vec<(String, Vec<u8>)> {
    ["report.json", "report.md", "report.html"]
        .map(|name| (name.to_owned(), fs::read(out.join(name)).unwrap()))
        .to_vec()
}

#[test]
fn a_model_judges_what_was_sent_is_told_and_the_run_replays_without_it() {
    let server = ModelServer::start(plain).unwrap();
    let (base, out) = (format!("{}/v1", server.base()), folder("whole"));
    let output = precedent(&arguments(&out, &base, &[]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(json(&output)["status"], "complete");
    let found = report(&out);
    assert_eq!(found["metadata"]["analyst"], "compatible:scripted");
    let uses = found["metadata"]["models"].as_array().unwrap();
    for prompt in [
        "extract.core_task",
        "extract.contributions",
        "queries.primary",
        "relevance.judge",
        "compare.passages",
        "taxonomy.build",
        "lines.one_liners",
        "survey.narrative",
        "assess.overall",
    ] {
        let one = uses
            .iter()
            .find(|one| one["prompt"].as_str().unwrap().starts_with(prompt))
            .unwrap_or_else(|| panic!("{prompt}: {uses:#?}"));
        assert!(
            one["input_tokens"].as_u64().unwrap() > 0 && one.get("failed").is_none(),
            "{one:#}"
        );
    }
    assert_eq!(found["core_task_survey"]["narrative"].as_array().unwrap().len(), 2);
    assert_eq!(
        found["contribution_analysis"]["overall_assessment"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
    // The first screen and the manifest name the host and the bytes.
    let sent = &found["metadata"]["sent"][0];
    assert!(
        base.contains(sent["host"].as_str().unwrap()) && sent["bytes"].as_u64().unwrap() > 1000,
        "{sent}"
    );
    assert!(
        fs::read_to_string(out.join("report.md"))
            .unwrap()
            .contains("bytes, to the model compatible:scripted")
    );
    let manifest: Value = serde_json::from_slice(&fs::read(out.join("manifest.json")).unwrap()).unwrap();
    let bytes: usize = server.asked().iter().map(|one| one.bytes).sum();
    assert!(manifest["sent"][0]["bytes_out"].as_u64().unwrap() as usize >= bytes);
    assert!(server.most_at_once() <= 8);
    assert!(server.asked_again().is_empty(), "{:?}", server.asked_again());
    for question in server.asked() {
        assert!(
            question.headers.iter().all(|(name, _)| name != "authorization"),
            "no key was given"
        );
    }
    // Again, with nobody to ask.
    let before = files(&out);
    drop(server);
    let output = precedent(&arguments(&out, &base, &["--replay"]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(before, files(&out));
    without_a_network(&arguments(&out, &base, &["--replay"]));
    assert_eq!(before, files(&out));
    // What is not on record is named.
    let output = precedent(&arguments(&out, &base, &["--replay", "--depth", "full"]));
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("the record holds no answer to POST"),
        "{}",
        stderr(&output)
    );
    let output = precedent(&arguments(&folder("none"), &base, &["--replay"]));
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    // Without its record the reports stay, and nothing can be replayed.
    let root = out.with_extension("runs");
    let _ = fs::remove_dir_all(&root);
    fs::create_dir(&root).unwrap();
    let moved = root.join("one");
    fs::rename(&out, &moved).unwrap();
    let listed = precedent(&["runs", "gc", root.to_str().unwrap(), "--json"]);
    assert!(json(&listed)["bytes"].as_u64().unwrap() > 0);
    assert_eq!(before, files(&moved));
    let output = precedent(&arguments(&moved, &base, &["--replay"]));
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
}

#[test]
fn the_reviewer_policy_prints_no_sentence_of_a_model() {
    let server = ModelServer::start(plain).unwrap();
    let (base, out) = (format!("{}/v1", server.base()), folder("reviewer"));
    let output = precedent(&arguments(&out, &base, &["--policy", "reviewer"]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found = report(&out);
    assert!(found["core_task_survey"]["narrative"].is_null());
    assert!(found["contribution_analysis"]["overall_assessment"].is_null());
    let text = found.to_string();
    for sentence in [
        "The paper says",
        "It names the same means",
        "The passages speak of something else",
        "Works that share their problem",
    ] {
        assert!(!text.contains(sentence), "{sentence}");
    }
    let prompts: Vec<String> = server.asked().into_iter().map(|one| one.prompt).collect();
    assert!(prompts.iter().any(|one| one == "compare.passages"));
    assert!(
        !prompts
            .iter()
            .any(|one| one.starts_with("survey") || one.starts_with("assess") || one.starts_with("lines"))
    );
}

#[test]
fn a_budget_ends_a_run_with_a_labelled_report_and_more_money_goes_on() {
    let server = ModelServer::start(plain).unwrap();
    let (base, out) = (format!("{}/v1", server.base()), folder("budget"));
    let settings = out.with_extension("toml");
    fs::write(&settings, "[prices]\nas_of = '2026-11-01'\n[[prices.price]]\nmodel = 'compatible:scripted'\ninput = 100.0\noutput = 100.0\n").unwrap();
    // Named from the folder that the program runs in; a run is resumed from any.
    let named = settings.strip_prefix(crate::support::root()).unwrap_or(&settings);
    let settings = named.to_str().unwrap();
    let output = precedent(&arguments(&out, &base, &["--budget", "1.2", "--settings", settings]));
    let manifest: Value = serde_json::from_slice(&fs::read(out.join("manifest.json")).unwrap()).unwrap();
    let kept = manifest["request"]["model"]["settings"].as_str().unwrap();
    assert!(Path::new(kept).is_absolute() && kept.ends_with(settings), "{kept}");
    assert_eq!(output.status.code(), Some(6), "{}", stderr(&output));
    let partial = report(&out);
    let limits: Vec<&str> = partial["metadata"]["not_searched"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["message"].as_str().unwrap())
        .collect();
    assert!(
        limits[1].starts_with("This report is partial: the budget ended"),
        "{limits:#?}"
    );
    let spent: f64 = partial["metadata"]["models"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["dollars"].as_f64())
        .sum();
    assert!(spent > 0.0 && spent <= 1.2, "{spent}");
    let asked = server.asked().len();
    let before = files(&out);
    let output = precedent(&arguments(
        &out,
        &base,
        &["--replay", "--budget", "1.2", "--settings", settings],
    ));
    assert_eq!(output.status.code(), Some(6), "{}", stderr(&output));
    assert_eq!(before, files(&out), "a partial report replays as what it is");
    assert_eq!(server.asked().len(), asked);
    let output = precedent(&arguments(&out, &base, &["--budget", "500", "--settings", settings]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(server.asked_again().is_empty(), "{:?}", server.asked_again());
    // A budget without a price cannot be kept.
    let output = precedent(&arguments(&folder("unpriced"), &base, &["--budget", "1"]));
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

#[test]
fn a_wrong_key_ends_at_once_and_shows_no_key() {
    let body = r#"{"error":{"message":"Incorrect API key provided: sk-very-secret","code":"invalid_api_key"}}"#;
    let server = ModelServer::start(|_| Say::Status(401, body.to_owned())).unwrap();
    let (base, out) = (format!("{}/v1", server.base()), folder("key"));
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_precedent"))
        .args(arguments(&out, &base, &[]))
        .current_dir(crate::support::root())
        .env("PRECEDENT_MODEL_KEY", "sk-very-secret")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    assert_eq!(server.asked().len(), 1);
    assert_eq!(
        server.asked()[0]
            .headers
            .iter()
            .filter(|(_, value)| value == "Bearer sk-very-secret")
            .count(),
        1
    );
    assert!(!stderr(&output).contains("very-secret"), "{}", stderr(&output));
    for entry in fs::read_dir(&out).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap_or_default();
        assert!(!String::from_utf8_lossy(&bytes).contains("very-secret"));
    }
}

#[test]
fn local_only_refuses_every_other_host_before_anything_is_sent() {
    let out = folder("local");
    let output = precedent(&arguments(&out, "https://models.example/v1", &["--local-only"]));
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("local only"), "{}", stderr(&output));
    let server = ModelServer::start(plain).unwrap();
    let base = format!("{}/v1", server.base());
    let output = precedent(&arguments(&folder("local-fine"), &base, &["--local-only"]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn trouble_by_seed_slows_a_run_and_what_stays_unanswered_is_said() {
    let faults = Faults { seed: 7, share: 0.3 };
    let server = ModelServer::start_with(plain, Duration::ZERO, Some(faults), 0).unwrap();
    let (base, out) = (format!("{}/v1", server.base()), folder("faults"));
    let output = precedent(&arguments(&out, &base, &[]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found = report(&out);
    let failed: u64 = found["metadata"]["models"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["failed"].as_object())
        .flat_map(|one| one.values())
        .filter_map(Value::as_u64)
        .sum();
    let said = found["metadata"]["not_searched"].to_string();
    assert_eq!(failed > 0, said.contains("gave no usable answer"), "{failed}: {said}");
    let before = files(&out);
    drop(server);
    let output = precedent(&arguments(&out, &base, &["--replay"]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(before, files(&out));
}

/// The reports, but for how much of a question the provider had in its cache: that is its own affair.
fn told(out: &Path) -> Vec<(String, String)> {
    let whole = files(out)
        .into_iter()
        .map(|(name, bytes)| (name, String::from_utf8(bytes).unwrap()));
    let masked = whole.map(|(name, text)| {
        let lines = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("\"cached_tokens\""));
        (name, lines.collect::<Vec<_>>().join("\n"))
    });
    masked.collect()
}

/// How often the run is killed; each time after a few more questions than the last.
const KILLS: usize = 12;

#[test]
fn a_run_killed_again_and_again_asks_nothing_twice_that_was_answered_and_says_the_same() {
    let at_once = 2;
    let server = ModelServer::start_with(plain, Duration::from_millis(15), None, 0).unwrap();
    let base = format!("{}/v1", server.base());
    let (whole, killed) = (folder("unkilled"), folder("killed"));
    let output = precedent(&arguments(&whole, &base, &["--at-once", "2"]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let questions = server.asked().len();
    let mut kills = 0;
    for kill in 1..=KILLS {
        let before = server.asked().len();
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_precedent"))
            .args(arguments(&killed, &base, &["--at-once", "2"]))
            .current_dir(crate::support::root())
            .env("XDG_CONFIG_HOME", "/nonexistent")
            .env_remove("PRECEDENT_SETTINGS")
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        // Killed at its next few questions, or when it has ended by itself.
        while server.asked().len() < before + 1 + kill % 5 && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        kills += usize::from(child.try_wait().unwrap().is_none());
        let _ = child.kill();
        child.wait().unwrap();
    }
    let output = precedent(&arguments(&killed, &base, &["--at-once", "2"]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(told(&whole), told(&killed));
    let asked = server.asked().len() - questions;
    assert!(kills > 3, "{kills}");
    // What was under way at a kill was not answered, and is asked again; nothing else is.
    assert!(
        asked <= questions + kills * at_once,
        "{asked} asked where {questions} are needed, killed {kills} times"
    );
}
