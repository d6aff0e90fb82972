//! Runs with a model, played by a mock server on loopback.

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

/// The same for another paper and other prior work.
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

/// The same in a network namespace without a network. Prints a message and skips if namespaces are not permitted.
#[expect(clippy::print_stderr, reason = "a skipped check prints a message")]
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
        eprintln!("skipped: no permission to create a network namespace");
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
fn a_model_run_reports_what_was_sent_and_replays_without_the_server() {
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
    // The report and the manifest contain the host and the number of bytes.
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
    // The report also contains the tokens, the cached share, and the cost if the price is known.
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
    // Replay without the server.
    let before = files(&out);
    drop(server);
    let output = precedent(&arguments(&out, &base, &["--replay"]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(before, files(&out));
    without_a_network(&arguments(&out, &base, &["--replay"]));
    assert_eq!(before, files(&out));
    // Without the model, the report would be that of another run.
    let offline = [
        "assess",
        PAPER,
        "--corpus",
        WORKS,
        "--out",
        out.to_str().unwrap(),
        "--replay",
    ];
    let output = precedent(&offline);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("used other models"), "{}", stderr(&output));
    assert_eq!(before, files(&out));
    // A missing response is reported.
    let output = precedent(&arguments(&out, &base, &["--replay", "--depth", "full"]));
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("the record contains no answer to POST"),
        "{}",
        stderr(&output)
    );
    let output = precedent(&arguments(&folder("none"), &base, &["--replay"]));
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    // After `runs gc` the reports are kept, but the run cannot be replayed.
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
fn the_reviewer_policy_prints_no_sentences_of_the_model() {
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
            .any(|one| one.starts_with("survey") || one.starts_with("assess"))
    );
}

#[test]
fn a_run_over_budget_writes_a_partial_report_and_continues_with_a_larger_budget() {
    let server = ModelServer::start(plain).unwrap();
    let (base, out) = (format!("{}/v1", server.base()), folder("budget"));
    let settings = out.with_extension("toml");
    fs::write(&settings, "[prices]\nas_of = '2026-11-01'\n[[prices.price]]\nmodel = 'compatible:scripted'\ninput = 100.0\noutput = 100.0\n").unwrap();
    // A relative path, which must be stored as absolute, so that the run can be resumed from any folder.
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
    assert_eq!(before, files(&out), "a partial report replays unchanged");
    assert_eq!(server.asked().len(), asked);
    let output = precedent(&arguments(&out, &base, &["--budget", "500", "--settings", settings]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(server.asked_again().is_empty(), "{:?}", server.asked_again());
    // A budget needs a price.
    let output = precedent(&arguments(&folder("unpriced"), &base, &["--budget", "1"]));
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

#[test]
fn an_estimate_lists_unpriced_models_and_uses_the_price_of_each_stage() {
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
    let estimated = estimate(&["--stage-model", "compare=deepseek:deepseek-chat"]);
    assert!(
        estimated.contains("deepseek:deepseek-chat: price unknown"),
        "{estimated}"
    );
}

#[test]
fn a_wrong_key_fails_immediately_and_is_never_shown() {
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
    // The first two requests are concurrent. No request follows the first refusal.
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
fn local_only_refuses_other_hosts_before_sending_anything() {
    let server = ModelServer::start(plain).unwrap();
    let base = format!("{}/v1", server.base());
    // The host of the default model, the host of a stage's model, an unnamed private address, and a non-HTTP URL.
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
        assert!(!out.exists(), "{base}: the run was started");
        assert!(!stderr(&output).contains("reading"), "{base}: {}", stderr(&output));
    }
    let output = precedent(&["estimate", PAPER, "--model", "openai:gpt-5-mini", "--local-only"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("local only"), "{}", stderr(&output));
    assert!(server.asked().is_empty());
}

/// A file size limit simulates a full disk on any machine.
#[cfg(unix)]
#[test]
fn a_full_disk_and_a_damaged_ledger_are_reported_and_the_run_can_continue() {
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
    let printed = stderr(&limited);
    assert!(printed.contains("full") || printed.contains("room"), "{printed}");
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
        assert_eq!(before, files(&out), "the reports are kept");
    }
}

/// Set when the test below runs itself again inside a network namespace.
const INSIDE: &str = "PRECEDENT_TEST_INSIDE";

/// Packets without a route and sent datagrams (for example DNS lookups) in this network namespace.
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

/// In a network namespace with only a loopback, a run with a local model must succeed and must not try to connect to any other host. First checks
/// that the kernel counts such attempts.
#[test]
fn a_local_run_works_with_only_a_loopback_and_contacts_no_other_host() {
    const NAME: &str = "models::a_local_run_works_with_only_a_loopback_and_contacts_no_other_host";
    if std::env::var_os(INSIDE).is_some() {
        let (before, _) = tries_to_get_out();
        assert!(std::net::TcpStream::connect("192.0.2.1:80").is_err());
        let (after, datagrams) = tries_to_get_out();
        assert!(after > before, "the kernel must count packets without a route");
        let server = ModelServer::start(plain).unwrap();
        let base = format!("{}/v1", server.base());
        let out = folder("namespace");
        let output = precedent(&arguments(&out, &base, &["--local-only"]));
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(server.asked().len() > 10);
        assert_eq!(
            tries_to_get_out(),
            (after, datagrams),
            "the run tried to reach another host"
        );
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
        eprintln!("skipped: no permission to create a network namespace with a loopback");
        return;
    }
    let this = std::env::current_exe().unwrap();
    let script = format!("{up} && exec '{}' --exact {NAME} --nocapture", this.display());
    let output = unshared(&script).unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{printed}\n{}", stderr(&output));
    assert!(printed.contains("1 passed"), "{printed}");
}

#[test]
fn rate_limit_errors_slow_a_run_but_fail_no_item() {
    // The first 60 requests are rejected with status 429.
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

/// Minimum number of response rounds for these requests, given the dependencies between stages and the maximum number of concurrent requests.
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
            count(&["compare", "taxonomy", "position", "survey"]),
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

/// `PRECEDENT_TEST_PAPERS` and `PRECEDENT_TEST_CORPUS` set papers and a corpus; the default is the sample.
#[test]
#[ignore = "measurement that takes minutes: cargo test -p precedent-cli --test program -- --ignored a_second --no-capture"]
fn with_a_second_per_response_a_run_takes_little_more_than_its_critical_path() {
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
        // A replay measures the program's own run time.
        let own = timed(&arguments);
        let rounds = fewest_rounds(&prompts, at_once);
        let path = own + rounds as f64;
        eprintln!(
            "{paper}: {} requests, {at_once} concurrent: {wall:.1} s; critical path {path:.1} s ({rounds} rounds of 1 s and {own:.1} s of own work): factor {:.2}",
            prompts.len(),
            wall / path
        );
        assert!(wall <= 1.15 * path, "{wall} against {path}");
    }
}

#[test]
fn random_faults_slow_a_run_and_unanswered_items_are_reported() {
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
    let printed = found["metadata"]["not_searched"].to_string();
    assert_eq!(
        failed > 0,
        printed.contains("gave no usable answer"),
        "{failed}: {printed}"
    );
    let before = files(&out);
    drop(server);
    let output = precedent(&arguments(&out, &base, &["--replay"]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(before, files(&out));
}

/// The reports without the cached tokens, which vary with the provider's cache.
fn outputs(out: &Path) -> Vec<(String, String)> {
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

/// Number of kills, each after a few more requests.
const KILLS: usize = 12;

#[test]
fn a_repeatedly_killed_run_repeats_no_answered_request_and_gives_the_same_report() {
    killed_and_resumed((PAPER, WORKS), KILLS, |kill| When::Questions(2 + kill % 5));
}

/// Kills at random moments over a whole run, including reading, searching, model calls and writing.
#[test]
#[ignore = "takes minutes: cargo test -p precedent-cli --test program -- --ignored fifty --no-capture"]
fn killed_at_fifty_random_moments_a_run_repeats_no_answered_request() {
    killed_and_resumed((PAPER, WORKS), 50, random_moments(20_261_121));
}

/// Random moments of a run.
pub(crate) fn random_moments(mut random: u64) -> impl FnMut(usize) -> When {
    move |_| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        When::Hundredths(random % 70)
    }
}

/// When a run is killed.
pub(crate) enum When {
    /// After this many more requests.
    Questions(usize),
    /// After this many hundredths of the duration of a whole run.
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
    // Number of kills, and number of runs that finished before a kill and were restarted.
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
            // The run finished despite the kills: check its reports and start another.
            assert_eq!(outputs(&whole), outputs(&killed));
            fs::remove_dir_all(&killed).unwrap();
            ends += 1;
        }
    }
    let output = precedent(&arguments_for(what, &killed, &base, &["--at-once", "2"]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(outputs(&whole), outputs(&killed));
    let (asked, needed) = (server.asked().len() - questions, questions * (ends + 1));
    eprintln!(
        "{name}: killed {kills} times over {} runs: {asked} requests, {needed} needed",
        ends + 1
    );
    // Only requests in flight at a kill are repeated.
    assert!(
        asked <= needed + kills * at_once,
        "{asked} requests, {needed} needed, killed {kills} times"
    );
}

#[test]
fn doctor_tests_a_model_only_when_asked_to() {
    let server = ModelServer::start(plain).unwrap();
    let base = format!("{}/v1", server.base());
    let doctor = |more: &[&str]| {
        let arguments = [&["doctor", "--json", "--model-url", &base][..], more].concat();
        let output = precedent(&arguments);
        let found = json(&output)["findings"].as_array().unwrap().clone();
        let model = found.into_iter().find(|one| one["what"] == "models").unwrap();
        (
            output.status.code(),
            model["state"].clone(),
            model["detail"].to_string(),
        )
    };
    let settings = folder("doctor").with_extension("toml");
    fs::write(&settings, "model = 'compatible:scripted'\n").unwrap();
    let settings = ["--settings", settings.to_str().unwrap()];
    let (code, state, detail) = doctor(&settings);
    assert_eq!((code, state.as_str()), (Some(0), Some("not_asked")), "{detail}");
    assert!(server.asked().is_empty());
    let (code, state, detail) = doctor(&[&settings[..], &["--model"]].concat());
    assert_eq!((code, state.as_str()), (Some(0), Some("ok")), "{detail}");
    assert_eq!(server.asked().len(), 1);
    assert!(detail.contains("compatible:scripted answers at 127.0.0.1"), "{detail}");
    let (code, state, detail) = doctor(&["--model", "nobody:knows"]);
    assert_eq!((code, state.as_str()), (Some(4), Some("broken")), "{detail}");
}

#[test]
fn doctor_reports_a_model_server_that_is_down_at_once() {
    let arguments = [
        "doctor",
        "--model",
        "compatible:x",
        "--model-url",
        "http://127.0.0.1:9/v1",
    ];
    let output = precedent(&arguments);
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(
        shown.contains("BROKEN   models") && shown.contains("Something is broken"),
        "{shown}"
    );
}
