//! Model calls in batches of the provider: the same reports at half the price, and nothing is paid twice.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use precedent_scripted::{BatchBehaviour, ModelServer, Question, Say, plain};
use serde_json::Value;

use crate::support::{fresh_folder, precedent, precedent_with, root, stderr};

const KEYS: [(&str, &str); 2] = [("OPENAI_API_KEY", "test-key"), ("ANTHROPIC_API_KEY", "test-key")];
const REPORTS: [&str; 3] = ["report.json", "report.md", "report.html"];

/// Three papers, and settings with a short wait and a price.
struct Setup {
    papers: String,
    settings: String,
    folder: PathBuf,
}

fn setup(name: &str, price: bool) -> Setup {
    let folder = fresh_folder(name);
    let papers = folder.join("papers");
    fs::create_dir_all(&papers).unwrap();
    fs::copy(root().join("examples/paper.pdf"), papers.join("a.pdf")).unwrap();
    for (file, thing) in [("b.md", "boats"), ("c.md", "buoys")] {
        let text = format!(
            "# Counting {thing} with One Rope\n\n## Abstract\n\nHarbour masters count {thing} by hand. We propose a rope with a sensor that counts the \
             {thing} moored to it. We show that the sensor counts {thing} as well as a harbour master does.\n\n## Introduction\n\nWe propose a sensor \
             that measures the pull of the rope and counts the {thing} from it.\n"
        );
        fs::write(papers.join(file), text).unwrap();
    }
    let mut settings =
        "[providers.openai]\nbatch_wait_seconds = 0.1\n[providers.anthropic]\nbatch_wait_seconds = 0.1\n".to_owned();
    if price {
        settings.push_str("[prices]\nas_of = '2026-11-01'\n");
        settings.push_str("[[prices.price]]\nmodel = 'openai:scripted'\ninput = 100.0\noutput = 100.0\n");
    }
    let path = folder.join("settings.toml");
    fs::write(&path, settings).unwrap();
    Setup {
        papers: papers.to_str().unwrap().to_owned(),
        settings: path.to_str().unwrap().to_owned(),
        folder,
    }
}

/// Waits long enough that calls made together are in one batch on a busy machine too.
fn patient_setup(name: &str) -> Setup {
    let setup = setup(name, false);
    fs::write(&setup.settings, "[providers.openai]\nbatch_wait_seconds = 1.0\n").unwrap();
    setup
}

impl Setup {
    fn arguments(&self, input: &str, out: &str, provider: &str, server: &ModelServer, more: &[&str]) -> Vec<String> {
        let works = root().join("examples/works");
        let (model, base) = (format!("{provider}:scripted"), format!("{}/v1", server.base()));
        let out = self.folder.join(out);
        let mut arguments = vec![
            "assess",
            input,
            "--corpus",
            works.to_str().unwrap(),
            "--settings",
            &self.settings,
        ];
        arguments.extend(["--model", &model, "--model-url", &base, "--out", out.to_str().unwrap()]);
        arguments.extend(more);
        arguments.into_iter().map(str::to_owned).collect()
    }

    fn run(&self, out: &str, provider: &str, server: &ModelServer, more: &[&str]) -> Output {
        let arguments = self.arguments(&self.papers, out, provider, server, more);
        precedent_with(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), &KEYS)
    }

    /// Assesses the sample alone.
    fn run_one(&self, out: &str, server: &ModelServer, more: &[&str]) -> Output {
        let arguments = self.arguments("examples/paper.pdf", out, "openai", server, more);
        precedent_with(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), &KEYS)
    }

    /// The reports of a folder of runs, by the paper's name, without the address of the server.
    fn reports(&self, out: &str, server: &ModelServer) -> Vec<(String, Vec<String>)> {
        let host = server.base().replace("http://", "");
        let out = self.folder.join(out);
        let summary: Value = serde_json::from_slice(&fs::read(out.join("summary.json")).unwrap()).unwrap();
        let papers = summary["papers"].as_array().unwrap();
        let read = |paper: &Value| {
            let folder = out.join(paper["folder"].as_str().unwrap());
            let files = REPORTS.map(|name| fs::read_to_string(folder.join(name)).unwrap().replace(&host, "server"));
            (paper["paper"].as_str().unwrap().to_owned(), files.to_vec())
        };
        papers.iter().map(read).collect()
    }

    /// The report of a run of one paper, without the address of the server.
    fn report(&self, out: &str, server: &ModelServer) -> Value {
        let host = server.base().replace("http://", "");
        let report = fs::read_to_string(self.folder.join(out).join("report.json")).unwrap();
        serde_json::from_str(&report.replace(&host, "server")).unwrap()
    }

    fn manifest(&self, out: &str) -> Value {
        serde_json::from_slice(&fs::read(self.folder.join(out).join("manifest.json")).unwrap()).unwrap()
    }
}

fn in_batches(script: impl Fn(&Question) -> Say + Send + Sync + 'static, polls: usize) -> ModelServer {
    let behaviour = BatchBehaviour {
        polls,
        ..BatchBehaviour::default()
    };
    ModelServer::start_with_batches(script, behaviour).unwrap()
}

/// Checks that no call was submitted twice, and returns the number of calls.
fn submitted_once(server: &ModelServer) -> usize {
    let batches = server.batches();
    let keys: Vec<&String> = batches.iter().flat_map(|one| &one.calls).map(|(key, _)| key).collect();
    let different: BTreeSet<&&String> = keys.iter().collect();
    assert_eq!(different.len(), keys.len(), "a call was submitted twice");
    keys.len()
}

fn is_done(output: &Output) {
    assert_eq!(output.status.code(), Some(0), "{}", stderr(output));
}

fn same_reports(one: &[(String, Vec<String>)], other: &[(String, Vec<String>)]) {
    assert_eq!(one.len(), other.len());
    for ((paper, one), (_, other)) in one.iter().zip(other) {
        for (name, (one, other)) in REPORTS.iter().zip(one.iter().zip(other)) {
            assert!(one == other, "{name} of {paper} differs");
        }
    }
}

#[test]
fn three_papers_in_batches_have_the_reports_of_direct_calls_with_few_submissions() {
    for provider in ["openai", "anthropic"] {
        let setup = setup(&format!("provider-batch-{provider}"), false);
        let direct = ModelServer::start(plain).unwrap();
        is_done(&setup.run("direct", provider, &direct, &[]));
        let server = in_batches(plain, 1);
        let output = setup.run("batch", provider, &server, &["--provider-batch"]);
        is_done(&output);
        let printed = stderr(&output);
        assert!(printed.contains("waiting for the provider's batch: "), "{printed}");
        same_reports(&setup.reports("direct", &direct), &setup.reports("batch", &server));
        let calls = submitted_once(&server);
        let batches = server.batches();
        assert!(
            calls > 30 && batches.len() * 3 < calls,
            "{} batches of {calls} calls",
            batches.len()
        );
        assert!(batches.iter().any(|one| one.calls.len() > 10));
        // A replay sends nothing.
        let (before, asked) = (setup.reports("batch", &server), server.asked().len());
        is_done(&setup.run("batch", provider, &server, &["--provider-batch", "--replay"]));
        same_reports(&before, &setup.reports("batch", &server));
        assert_eq!((server.batches().len(), server.asked().len()), (batches.len(), asked));
    }
}

#[test]
fn a_run_killed_after_the_submission_collects_it_and_pays_nothing_twice() {
    let setup = setup("provider-batch-killed", false);
    let direct = ModelServer::start(plain).unwrap();
    is_done(&setup.run("direct", "openai", &direct, &[]));
    let server = in_batches(plain, 3);
    let mut kills = 0;
    // Each process is killed while its first batch is at the provider.
    for _ in 0..3 {
        let arguments = setup.arguments(&setup.papers, "batch", "openai", &server, &["--provider-batch"]);
        let mut child = Command::new(env!("CARGO_BIN_EXE_precedent"))
            .args(arguments)
            .current_dir(root())
            .env("XDG_CONFIG_HOME", "/nonexistent")
            .envs(KEYS)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap())
            .lines()
            .map_while(Result::ok);
        if lines.any(|line| line.contains("waiting for the provider's batch")) {
            kills += 1;
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert_eq!(kills, 3);
    is_done(&setup.run("batch", "openai", &server, &["--provider-batch"]));
    same_reports(&setup.reports("direct", &direct), &setup.reports("batch", &server));
    submitted_once(&server);
}

#[test]
fn a_submission_whose_response_is_lost_is_found_and_a_rejected_batch_is_submitted_again() {
    for provider in ["openai", "anthropic"] {
        let setup = setup(&format!("provider-batch-lost-{provider}"), false);
        let behaviour = BatchBehaviour {
            lose_first: true,
            ..BatchBehaviour::default()
        };
        let server = ModelServer::start_with_batches(plain, behaviour).unwrap();
        is_done(&setup.run("batch", provider, &server, &["--provider-batch"]));
        submitted_once(&server);
    }
    // A batch of another program, later and as large, is first in the account's list. Its results have none of our ids.
    let setup = setup("provider-batch-foreign", false);
    let behaviour = BatchBehaviour {
        lose_first: true,
        foreign: 1,
        ..BatchBehaviour::default()
    };
    let (direct, server) = (
        ModelServer::start(plain).unwrap(),
        ModelServer::start_with_batches(plain, behaviour).unwrap(),
    );
    is_done(&setup.run("direct", "anthropic", &direct, &[]));
    is_done(&setup.run("batch", "anthropic", &server, &["--provider-batch"]));
    submitted_once(&server);
    same_reports(&setup.reports("direct", &direct), &setup.reports("batch", &server));
    let setup = patient_setup("provider-batch-rejected");
    let behaviour = BatchBehaviour {
        reject_first: true,
        ..BatchBehaviour::default()
    };
    let server = ModelServer::start_with_batches(plain, behaviour).unwrap();
    is_done(&setup.run_one("batch", &server, &["--provider-batch"]));
    let batches = server.batches();
    assert_eq!(batches[0].calls, batches[1].calls);
    assert_eq!(setup.manifest("batch")["status"]["state"], "complete");
}

#[test]
fn a_submission_whose_response_is_lost_is_found_among_many_later_ones() {
    // Ours is not on the first page of the list.
    let setup = setup("provider-batch-pages", false);
    let behaviour = BatchBehaviour {
        lose_first: true,
        foreign: 120,
        ..BatchBehaviour::default()
    };
    let server = ModelServer::start_with_batches(plain, behaviour).unwrap();
    is_done(&setup.run("batch", "openai", &server, &["--provider-batch"]));
    submitted_once(&server);
}

/// The server's script, with another response to the comparisons.
fn comparing(say: Say, times: usize) -> impl Fn(&Question) -> Say + Send + Sync + 'static {
    let count = std::sync::atomic::AtomicUsize::new(0);
    move |question| {
        let is_one = question.prompt.starts_with("compare");
        match is_one && count.fetch_add(1, std::sync::atomic::Ordering::SeqCst) < times {
            true => say.clone(),
            false => plain(question),
        }
    }
}

#[test]
fn an_expired_call_is_part_of_the_next_batch_and_counts_as_failed_after_the_third() {
    let setup = setup("provider-batch-expired", false);
    let server = in_batches(comparing(Say::Hangup, 1), 0);
    is_done(&setup.run_one("once", &server, &["--provider-batch"]));
    assert_eq!(setup.manifest("once")["status"]["state"], "complete");
    let all: Vec<String> = server
        .batches()
        .iter()
        .flat_map(|one| &one.calls)
        .map(|one| one.0.clone())
        .collect();
    let different: BTreeSet<&String> = all.iter().collect();
    assert_eq!(all.len(), different.len() + 1);

    let server = in_batches(comparing(Say::Hangup, usize::MAX), 0);
    setup.run_one("always", &server, &["--provider-batch", "--allow-fallback"]);
    assert_eq!(setup.manifest("always")["status"]["state"], "incomplete");
    let batches = server.batches();
    let last = batches.last().unwrap();
    let times = |key: &String| {
        batches
            .iter()
            .filter(|one| one.calls.iter().any(|call| call.0 == *key))
            .count()
    };
    let most = batches
        .iter()
        .flat_map(|one| &one.calls)
        .map(|call| times(&call.0))
        .max();
    assert_eq!((most, last.calls.is_empty()), (Some(3), false));
}

#[test]
fn an_error_line_fails_its_item_alone() {
    let setup = setup("provider-batch-error", false);
    let refused = Say::Status(
        400,
        r#"{"error":{"message":"unsupported value","type":"invalid_request_error"}}"#.to_owned(),
    );
    let server = in_batches(comparing(refused, 1), 0);
    is_done(&setup.run_one("run", &server, &["--provider-batch"]));
    let manifest = setup.manifest("run");
    let models = manifest["models"].as_array().unwrap();
    let failed: Vec<&Value> = models
        .iter()
        .filter(|one| one["failed"].as_object().is_some_and(|all| !all.is_empty()))
        .collect();
    assert_eq!(failed.len(), 1, "{models:#?}");
    assert_eq!(failed[0]["failed"]["question not taken"], 1);
    submitted_once(&server);
}

#[test]
fn calls_in_batches_cost_half_and_the_budget_is_a_bound() {
    let setup = setup("provider-batch-price", true);
    let dollars = |out: &str| -> f64 {
        let manifest = setup.manifest(out);
        let models = manifest["models"].as_array().unwrap().clone();
        models.iter().map(|one| one["dollars"].as_f64().unwrap()).sum()
    };
    let direct = ModelServer::start(plain).unwrap();
    is_done(&setup.run_one("direct", &direct, &[]));
    let server = in_batches(plain, 0);
    is_done(&setup.run_one("batch", &server, &["--provider-batch"]));
    let unbounded = setup.report("batch", &server);
    let (whole, half) = (dollars("direct"), dollars("batch"));
    assert!(whole > 0.1 && (half * 2.0 - whole).abs() < 1e-6, "{whole} and {half}");
    let server = in_batches(plain, 0);
    let budget = half / 2.0;
    let output = setup.run_one(
        "bound",
        &server,
        &["--provider-batch", "--budget", &format!("{budget:.4}")],
    );
    assert_eq!(output.status.code(), Some(6), "{}", stderr(&output));
    let spent = dollars("bound");
    assert!(spent > 0.0 && spent <= budget, "{spent} of {budget}");
    // The continued run has the same report but for its bill, which has everything that was paid. In most runs the end of the budget cut off a call,
    // which is then submitted again.
    is_done(&setup.run_one("bound", &server, &["--provider-batch"]));
    assert_eq!(without_bill(setup.report("bound", &server)), without_bill(unbounded));
    let again = limits_of_repeated_calls(&server);
    assert!(
        again.iter().all(|limits| limits.len() == 2 && limits[0] < limits[1]),
        "{again:?}"
    );
    let extra = dollars("bound") - half;
    let is_counted = if again.is_empty() {
        extra.abs() < 1e-6
    } else {
        extra > 1e-6
    };
    assert!(is_counted, "{extra} for {again:?}");
}

/// A report without tokens and dollars.
fn without_bill(mut report: Value) -> Value {
    match &mut report {
        Value::Object(fields) => {
            fields.retain(|name, _| {
                !matches!(
                    name.as_str(),
                    "input_tokens" | "cached_tokens" | "output_tokens" | "dollars"
                )
            });
            for (name, value) in fields.iter_mut() {
                *value = match (name.as_str(), value.as_str()) {
                    // "…, 155190 bytes, to the model …; 38816 input tokens …"
                    ("what", Some(text)) => text.split(';').next().unwrap_or_default().into(),
                    _ => without_bill(value.take()),
                };
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|one| *one = without_bill(one.take())),
        _ => {}
    }
    report
}

/// The output limits of each call that was submitted more than once.
fn limits_of_repeated_calls(server: &ModelServer) -> Vec<Vec<u64>> {
    let mut limits: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for (key, body) in server.batches().into_iter().flat_map(|one| one.calls) {
        let body: Value = serde_json::from_str(&body).unwrap();
        let limit = body["max_completion_tokens"].as_u64().unwrap();
        limits.entry(key).or_default().push(limit);
    }
    limits.into_values().filter(|limits| limits.len() > 1).collect()
}

#[test]
fn providers_without_a_batch_endpoint_are_refused_before_anything_is_sent() {
    let server = ModelServer::start(plain).unwrap();
    let base = format!("{}/v1", server.base());
    let sample = [
        "assess",
        "examples/paper.pdf",
        "--corpus",
        "examples/works",
        "--provider-batch",
    ];
    let mut arguments = sample.to_vec();
    arguments.extend(["--model", "compatible:scripted", "--model-url", &base]);
    let output = precedent(&arguments);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("compatible: it has no batch endpoint"),
        "{}",
        stderr(&output)
    );
    assert!(server.asked().is_empty());
    let mut arguments = sample.to_vec();
    arguments.extend(["--model", "offline"]);
    let output = precedent(&arguments);
    assert!(
        stderr(&output).contains("--provider-batch needs a model"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn points_and_review_in_batches_have_the_reports_of_direct_calls() {
    let setup = setup("provider-batch-jobs", false);
    for job in ["points", "review"] {
        for provider in ["openai", "anthropic"] {
            let direct = ModelServer::start(plain).unwrap();
            let batched = in_batches(plain, 1);
            let mut texts = Vec::new();
            for (name, server, more) in [
                ("direct", &direct, &[][..]),
                ("batch", &batched, &["--provider-batch"][..]),
            ] {
                let out = format!("{job}-{provider}-{name}");
                let mut arguments = setup.arguments("examples/paper.pdf", &out, provider, server, more);
                job.clone_into(&mut arguments[0]);
                let output = precedent_with(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), &KEYS);
                is_done(&output);
                assert_eq!(setup.manifest(&out)["status"]["state"], "complete");
                let host = server.base().replace("http://", "");
                let mut files: Vec<PathBuf> = fs::read_dir(setup.folder.join(&out))
                    .unwrap()
                    .map(|one| one.unwrap().path())
                    .filter(|path| {
                        path.extension()
                            .is_some_and(|ending| ending == "md" || ending == "html")
                    })
                    .collect();
                files.sort();
                let read = |path: &PathBuf| fs::read_to_string(path).unwrap().replace(&host, "server");
                texts.push(files.iter().map(read).collect::<Vec<_>>());
            }
            assert!(texts[0].len() >= 2 && texts[0] == texts[1], "{job} {provider}");
            let calls = submitted_once(&batched);
            assert_eq!(calls, direct.asked().len(), "{job} {provider}");
            assert!(batched.batches().len() < calls, "{job} {provider}");
        }
    }
}

#[test]
fn a_second_process_does_not_use_the_batches_of_a_folder_and_gc_deletes_their_record() {
    let setup = setup("provider-batch-lock", false);
    // The batches never end.
    let server = in_batches(plain, usize::MAX);
    let arguments = setup.arguments(&setup.papers, "batch", "openai", &server, &["--provider-batch"]);
    let mut first = Command::new(env!("CARGO_BIN_EXE_precedent"))
        .args(&arguments)
        .current_dir(root())
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .env("OPENAI_API_KEY", "test-key")
        .env("PRECEDENT_CACHE", "off")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(first.stderr.take().unwrap())
        .lines()
        .map_while(Result::ok);
    assert!(lines.any(|line| line.contains("waiting for the provider's batch")));
    let second = setup.run("batch", "openai", &server, &["--provider-batch"]);
    assert_eq!(second.status.code(), Some(2), "{}", stderr(&second));
    assert!(
        stderr(&second).contains("another process is using it"),
        "{}",
        stderr(&second)
    );
    let root_of_runs = setup.folder.join("batch");
    let record = root_of_runs.join("provider-batches.sqlite");
    let gc = |more: &[&str]| {
        let mut arguments = vec!["runs", "gc", root_of_runs.to_str().unwrap()];
        arguments.extend(more);
        let output = precedent(&arguments);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    };
    gc(&[]);
    assert!(record.is_file(), "runs that can be resumed need it");
    first.kill().unwrap();
    first.wait().unwrap();
    drop(lines);
    // The lock ends with its process, and the next one collects the same batch.
    let before = server.batches().len();
    drop(server);
    assert!(before > 0);
    let server = in_batches(plain, 0);
    is_done(&setup.run("done", "openai", &server, &["--provider-batch"]));
    let record = setup.folder.join("done").join("provider-batches.sqlite");
    assert!(record.is_file());
    let done = setup.folder.join("done");
    let output = precedent(&["runs", "gc", done.to_str().unwrap(), "--dry-run"]);
    assert!(record.is_file() && String::from_utf8_lossy(&output.stdout).contains("provider-batches.sqlite"));
    assert_eq!(
        precedent(&["runs", "gc", done.to_str().unwrap()]).status.code(),
        Some(0)
    );
    assert!(!record.exists());
    assert!(done.read_dir().unwrap().count() > 3, "the runs and the index stay");
}
