//! Runs with a model, which a server on loopback plays.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use precedent_scripted::{Faults, ModelServer, Say, plain};
use serde_json::Value;

use crate::support::{fresh_folder, json, precedent, stderr};

const PAPER: &str = "examples/paper.pdf";
const WORKS: &str = "examples/works";

pub(crate) fn folder(name: &str) -> PathBuf {
    fresh_folder(&format!("models-{name}"))
}

fn arguments<'a>(out: &'a Path, base: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    arguments_for((PAPER, WORKS), out, base, more)
}

/// The same for another paper beside other works.
pub(crate) fn arguments_for<'a>(
    (paper, works): (&'a str, &'a str),
    out: &'a Path,
    base: &'a str,
    more: &[&'a str],
) -> Vec<&'a str> {
    let mut arguments = vec![
        "assess",
        paper,
        "--corpus",
        works,
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
pub(crate) fn without_a_network(arguments: &[&str]) {
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

pub(crate) fn report(out: &Path) -> Value {
    serde_json::from_slice(&fs::read(out.join("report.json")).unwrap()).unwrap()
}

pub(crate) fn files(out: &Path) -> Vec<(String, Vec<u8>)> {
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
    // With what it took: tokens, the share that was in the provider's cache, and money where a price is known.
    let what = sent["what"].as_str().unwrap();
    assert!(
        what.contains(" input tokens (") && what.ends_with("price unknown"),
        "{what}"
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
        limits[1].starts_with("This report is partial: the budget ran out"),
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
fn an_estimate_names_the_models_without_a_price_and_counts_each_stage_at_its_own() {
    let estimate = |more: &[&str]| {
        let mut arguments = vec!["estimate", PAPER, "--corpus", WORKS, "--model", "openai:gpt-5-nano"];
        arguments.extend(more);
        let output = precedent(&arguments);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        crate::support::stdout(&output)
    };
    let dollars = |more: &[&str]| {
        let answer: Value = serde_json::from_str(&estimate(&[more, &["--json"]].concat())).unwrap();
        answer["at_most_dollars"].as_f64()
    };
    let cheap = dollars(&[]).unwrap();
    let mixed = dollars(&["--stage-model", "compare=openai:gpt-5"]).unwrap();
    assert!(cheap > 0.0 && mixed > cheap * 2.0, "{cheap} {mixed}");
    assert_eq!(dollars(&["--stage-model", "compare=deepseek:deepseek-chat"]), None);
    let told = estimate(&["--stage-model", "compare=deepseek:deepseek-chat"]);
    assert!(told.contains("deepseek:deepseek-chat: price unknown"), "{told}");
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
    // Two questions are put side by side at first; nothing is asked after the first refusal.
    assert!((1..=2).contains(&server.asked().len()), "{}", server.asked().len());
    for question in server.asked() {
        let with_key = question
            .headers
            .iter()
            .filter(|(_, value)| value == "Bearer sk-very-secret");
        assert_eq!(with_key.count(), 1);
    }
    assert!(!stderr(&output).contains("very-secret"), "{}", stderr(&output));
    for entry in fs::read_dir(&out).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap_or_default();
        assert!(!String::from_utf8_lossy(&bytes).contains("very-secret"));
    }
}

#[test]
fn local_only_refuses_every_other_host_before_anything_is_sent() {
    let server = ModelServer::start(plain).unwrap();
    let base = format!("{}/v1", server.base());
    // The default model's host, that of a single stage's model, an address of one's network that was not named, and what is no web address.
    let stage = ["--local-only", "--stage-model", "compare=ollama:m"];
    let elsewhere = ["--local-only", "--stage-model", "compare=openai:gpt-5-mini"];
    for (base, more) in [
        ("https://models.example/v1", &stage[..1]),
        (base.as_str(), &elsewhere),
        ("http://10.1.2.3/v1", &stage[..1]),
        ("file:///etc/passwd", &stage[..1]),
    ] {
        let out = folder("local");
        let output = precedent(&arguments(&out, base, more));
        assert_eq!(output.status.code(), Some(2), "{base}: {}", stderr(&output));
        assert!(!out.exists(), "{base}: no run is begun");
        assert!(!stderr(&output).contains("reading"), "{base}: {}", stderr(&output));
    }
    let output = precedent(&["estimate", PAPER, "--model", "openai:gpt-5-mini", "--local-only"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("local only"), "{}", stderr(&output));
    assert!(server.asked().is_empty());
}

/// A limit on the size of files does what a full disk does, on any machine.
#[cfg(unix)]
#[test]
fn a_full_disk_and_a_broken_record_are_said_and_the_run_goes_on_afterwards() {
    let server = ModelServer::start(plain).unwrap();
    let (base, out) = (format!("{}/v1", server.base()), folder("full"));
    let arguments = arguments(&out, &base, &[]);
    let limited = std::process::Command::new("sh")
        .args([
            "-c",
            "trap '' XFSZ; ulimit -f 150; exec \"$0\" \"$@\"",
            env!("CARGO_BIN_EXE_precedent"),
        ])
        .args(&arguments)
        .current_dir(crate::support::root())
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .output()
        .unwrap();
    assert_eq!(limited.status.code(), Some(3), "{}", stderr(&limited));
    let said = stderr(&limited);
    assert!(said.contains("full") || said.contains("room"), "{said}");
    let output = precedent(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let ledger = fs::read_dir(&out)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|one| one == "db" || one == "sqlite"))
        .expect("a ledger");
    let before = files(&out);
    for garbage in [b"no ledger at all".to_vec(), vec![0x53; 9000]] {
        fs::write(&ledger, garbage).unwrap();
        let output = precedent(&arguments);
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
        assert!(stderr(&output).contains("ledger"), "{}", stderr(&output));
        assert_eq!(before, files(&out), "the reports stay");
    }
}

/// Set inside the network namespace in which the test below runs itself again.
const INSIDE: &str = "PRECEDENT_TEST_INSIDE";

/// Packets for which the kernel found no way out, and datagrams sent (as for looking up a name), in this network namespace.
fn tries_to_get_out() -> (u64, u64) {
    let table = fs::read_to_string("/proc/self/net/snmp").unwrap();
    let count = |group: &str, name: &str| -> u64 {
        let mut lines = table.lines().filter(|line| line.starts_with(&format!("{group}: ")));
        let names: Vec<&str> = lines.next().unwrap().split(' ').collect();
        let counts: Vec<&str> = lines.next().unwrap().split(' ').collect();
        let at = names.iter().position(|known| *known == name).unwrap();
        counts[at].parse().unwrap()
    };
    (count("Ip", "OutNoRoutes"), count("Udp", "OutDatagrams"))
}

/// In a namespace of its own there is a loopback and nothing else: a run that asks a model there must end well, and must not so much as try to reach anything
/// further. That the kernel counts such tries is tried first.
#[test]
fn a_local_run_works_where_there_is_only_a_loopback_and_tries_nothing_else() {
    const NAME: &str = "models::a_local_run_works_where_there_is_only_a_loopback_and_tries_nothing_else";
    if std::env::var_os(INSIDE).is_some() {
        let (before, _) = tries_to_get_out();
        assert!(std::net::TcpStream::connect("192.0.2.1:80").is_err());
        let (after, datagrams) = tries_to_get_out();
        assert!(after > before, "the kernel counts what finds no way out");
        let server = ModelServer::start(plain).unwrap();
        let base = format!("{}/v1", server.base());
        let out = folder("namespace");
        let output = precedent(&arguments(&out, &base, &["--local-only"]));
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(server.asked().len() > 10);
        assert_eq!(tries_to_get_out(), (after, datagrams), "something was tried");
        let manifest: Value = serde_json::from_slice(&fs::read(out.join("manifest.json")).unwrap()).unwrap();
        let sent = manifest["sent"].as_array().unwrap();
        assert!(sent.iter().all(|one| one["host"] == "127.0.0.1"), "{sent:#?}");
        return;
    }
    let unshared = |script: &str| {
        std::process::Command::new("unshare")
            .args(["-rn", "sh", "-c", script])
            .env(INSIDE, "1")
            .output()
    };
    let up = "ip link set lo up";
    if !unshared(up).is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: no network namespace with a loopback may be made here");
        return;
    }
    let this = std::env::current_exe().unwrap();
    let script = format!("{up} && exec '{}' --exact {NAME} --nocapture", this.display());
    let output = unshared(&script).unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}\n{}", stderr(&output));
    assert!(said.contains("1 passed"), "{said}");
}

#[test]
fn a_storm_of_too_many_requests_slows_a_run_and_fails_nothing() {
    // The first 60 tries of all are told to come back.
    let server = ModelServer::start(|question| match question.number {
        0..60 => Say::Wait(429, 0),
        _ => plain(question),
    })
    .unwrap();
    let (base, out) = (format!("{}/v1", server.base()), folder("storm"));
    let output = precedent(&arguments(&out, &base, &[]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found = report(&out);
    let uses = found["metadata"]["models"].as_array().unwrap();
    assert!(uses.iter().all(|one| one.get("failed").is_none()), "{uses:#?}");
    assert!(server.asked().len() > 80, "{}", server.asked().len());
}

/// The fewest rounds that answers can come in, by the questions that were asked: steps wait for what they rest on, and at most so many questions are open at once.
fn fewest_rounds(prompts: &[String], at_once: usize) -> usize {
    let count = |stages: &[&str]| {
        let of = prompts
            .iter()
            .filter(|prompt| stages.iter().any(|stage| prompt.starts_with(stage)));
        of.count()
    };
    let chain = |steps: &[&str]| steps.iter().filter(|step| count(&[step]) > 0).count();
    let field = chain(&["taxonomy.build", "taxonomy.place"]) + usize::from(count(&["position", "survey"]) > 0);
    let compared = chain(&["compare.passages", "compare.whole"]);
    let steps = [
        (count(&["extract"]), 1),
        (count(&["queries.primary"]), 1),
        (count(&["queries.variants"]), 1),
        (count(&["relevance"]), 1),
        (
            count(&["compare", "taxonomy", "position", "survey", "lines"]),
            field.max(compared),
        ),
        (count(&["assess"]), 1),
    ];
    steps
        .iter()
        .filter(|(questions, _)| *questions > 0)
        .map(|(questions, depth)| questions.div_ceil(at_once).max(*depth))
        .sum()
}

/// `PRECEDENT_TEST_PAPERS` and `PRECEDENT_TEST_CORPUS` name papers and a corpus; without them the sample is taken.
#[test]
#[ignore = "measures: a second an answer, minutes in all; cargo test -p precedent-cli --test program -- --ignored a_second --no-capture"]
fn with_a_second_an_answer_a_run_takes_little_more_than_its_critical_path() {
    let at_once = 8;
    let papers = std::env::var("PRECEDENT_TEST_PAPERS").unwrap_or_else(|_| PAPER.to_owned());
    let corpus = std::env::var("PRECEDENT_TEST_CORPUS").unwrap_or_else(|_| WORKS.to_owned());
    for paper in papers.split(',') {
        let server = ModelServer::start_with(plain, Duration::from_secs(1), None, 0).unwrap();
        let (base, out) = (format!("{}/v1", server.base()), folder("latency"));
        let mut arguments = arguments(&out, &base, &[]);
        arguments[1] = paper;
        arguments[3] = &corpus;
        let timed = |arguments: &[&str]| {
            let start = std::time::Instant::now();
            let output = precedent(arguments);
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
            start.elapsed().as_secs_f64()
        };
        let wall = timed(&arguments);
        let prompts: Vec<String> = server.asked().into_iter().map(|one| one.prompt).collect();
        arguments.push("--replay");
        // The same work with every answer at hand: what the program itself takes.
        let own = timed(&arguments);
        let rounds = fewest_rounds(&prompts, at_once);
        let path = own + rounds as f64;
        eprintln!(
            "{paper}: {} questions, {at_once} at once: {wall:.1} s; critical path {path:.1} s ({rounds} rounds of 1 s and {own:.1} s of its own work): {:.2} times",
            prompts.len(),
            wall / path
        );
        assert!(wall <= 1.15 * path, "{wall} against {path}");
    }
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
            .filter(|line| !line.trim_start().starts_with("\"cached_tokens\"") && !line.contains("from the cache"));
        (name, lines.collect::<Vec<_>>().join("\n"))
    });
    masked.collect()
}

/// How often the run is killed; each time after a few more questions than the last.
const KILLS: usize = 12;

#[test]
fn a_run_killed_again_and_again_asks_nothing_twice_that_was_answered_and_says_the_same() {
    killed_and_resumed((PAPER, WORKS), KILLS, |kill| When::Questions(2 + kill % 5));
}

/// Moments by seed, over the length of a whole run: in reading, searching and writing as well as while a model is asked.
#[test]
#[ignore = "takes minutes: cargo test -p precedent-cli --test program -- --ignored fifty --no-capture"]
fn killed_at_fifty_random_moments_nothing_is_asked_twice_that_was_answered() {
    killed_and_resumed((PAPER, WORKS), 50, random_moments(20_261_121));
}

/// Moments of a run by seed.
pub(crate) fn random_moments(mut lot: u64) -> impl FnMut(usize) -> When {
    move |_| {
        lot ^= lot << 13;
        lot ^= lot >> 7;
        lot ^= lot << 17;
        When::Hundredths(lot % 70)
    }
}

/// When a run is killed.
pub(crate) enum When {
    /// After so many more questions.
    Questions(usize),
    /// After so many hundredths of the time that a whole run takes.
    Hundredths(u64),
}

#[expect(clippy::print_stderr, reason = "the figures of a recorded run")]
pub(crate) fn killed_and_resumed(what: (&str, &str), times: usize, mut when: impl FnMut(usize) -> When) {
    let at_once = 2;
    let server = ModelServer::start_with(plain, Duration::from_millis(15), None, 0).unwrap();
    let base = format!("{}/v1", server.base());
    let name = Path::new(what.0).file_stem().unwrap().to_string_lossy().into_owned();
    let (whole, killed) = (folder(&format!("unkilled-{name}")), folder(&format!("killed-{name}")));
    let start = std::time::Instant::now();
    let output = precedent(&arguments_for(what, &whole, &base, &["--at-once", "2"]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let long = start.elapsed();
    let questions = server.asked().len();
    // How often the run was killed, and how often it came to its end all the same and was begun anew.
    let (mut kills, mut ends) = (0, 0);
    while kills < times {
        let before = server.asked().len();
        let start = std::time::Instant::now();
        let when = when(kills);
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_precedent"))
            .args(arguments_for(what, &killed, &base, &["--at-once", "2"]))
            .current_dir(crate::support::root())
            .env("XDG_CONFIG_HOME", "/nonexistent")
            .env_remove("PRECEDENT_SETTINGS")
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let is_due = || match when {
            When::Questions(more) => server.asked().len() >= before + more,
            When::Hundredths(share) => start.elapsed() >= long * u32::try_from(share).unwrap() / 100,
        };
        while !is_due() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_micros(200));
        }
        let ended = child.try_wait().unwrap().is_some();
        kills += usize::from(!ended);
        let _ = child.kill();
        child.wait().unwrap();
        if ended {
            // It came to its end in spite of the kills: what it said is looked at, and another is begun.
            assert_eq!(told(&whole), told(&killed));
            fs::remove_dir_all(&killed).unwrap();
            ends += 1;
        }
    }
    let output = precedent(&arguments_for(what, &killed, &base, &["--at-once", "2"]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(told(&whole), told(&killed));
    let (asked, needed) = (server.asked().len() - questions, questions * (ends + 1));
    eprintln!(
        "{name}: killed {kills} times over {} runs: {asked} questions asked where {needed} are needed",
        ends + 1
    );
    // What was under way at a kill was not answered, and is asked again; nothing else is.
    assert!(
        asked <= needed + kills * at_once,
        "{asked} asked where {needed} are needed, killed {kills} times"
    );
}
