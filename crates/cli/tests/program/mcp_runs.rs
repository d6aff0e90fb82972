//! Runs that agents start with `precedent mcp`: in the background, with a model, cancelled, and shared by two clients.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use precedent_scripted::{ModelServer, plain};
use serde_json::{Value, json};

use crate::mcp::{CLAIM, IDEA, WORKS, ended, on_the_sample};
use crate::mcp_client::Client;
use crate::support::root;

#[test]
fn a_slow_run_returns_its_id_and_goes_on() {
    let (mut client, _) = on_the_sample("slow", &["--wait", "0"]);
    let started = client.call("assess", &json!({"paper": "paper.pdf"}));
    let status = started["status"].as_str().unwrap();
    assert!(["queued", "running"].contains(&status), "{started:#}");
    assert!(started["next"].as_str().unwrap().contains("get_run"));
    assert_eq!(started["assessment"], Value::Null);
    // Calls are answered meanwhile, and the same request is the same run.
    client.call("match_claim", &json!({"claim": CLAIM}));
    let again = client.call("assess", &json!({"paper": "paper.pdf"}));
    assert_eq!(again["run"], started["run"]);
    let found = ended(&mut client, &started["run"]);
    assert_eq!(found["status"], "complete");
    assert!(!found["assessment"]["claims"].as_array().unwrap().is_empty());
}

/// Holds a model's answers back until it is opened.
#[derive(Default)]
struct Gate {
    is_open: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    fn pass(&self) {
        let is_open = self.is_open.lock().unwrap();
        drop(self.opened.wait_while(is_open, |is_open| !*is_open).unwrap());
    }

    fn open(&self) {
        *self.is_open.lock().unwrap() = true;
        self.opened.notify_all();
    }
}

fn gated_model() -> (ModelServer, Arc<Gate>) {
    let gate = Arc::new(Gate::default());
    let own = Arc::clone(&gate);
    let model = ModelServer::start(move |question| {
        own.pass();
        plain(question)
    });
    (model.unwrap(), gate)
}

/// Waits until the model was asked something.
fn asked(model: &ModelServer) {
    let began = Instant::now();
    while model.asked().is_empty() {
        assert!(
            began.elapsed() < Duration::from_secs(120),
            "the model was asked nothing"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A client of the sample that may use this model, with a budget in tokens.
fn with_model(model: &ModelServer, name: &str, tokens: &str, more: &[&str]) -> (Client, PathBuf) {
    let base = model.base();
    let mut options = vec![
        "--model",
        "compatible:scripted",
        "--model-url",
        &base,
        "--budget-tokens",
        tokens,
    ];
    options.extend(more);
    on_the_sample(name, &options)
}

fn manifest(runs: &Path, id: &Value) -> Value {
    let file = runs.join(id.as_str().unwrap()).join("manifest.json");
    serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
}

#[test]
fn a_cancelled_call_interrupts_its_run_and_the_next_call_continues_it() {
    let (model, gate) = gated_model();
    let (mut client, runs) = with_model(&model, "cancel", "9000000", &[]);
    let estimate = client.call("estimate", &json!({"paper": "paper.pdf"}));
    assert!(estimate["estimate"]["asks"].as_u64().unwrap() > 3, "{estimate:#}");
    let id = estimate["run"].clone();
    let call = client.begin(
        "tools/call",
        &json!({"name": "assess", "arguments": {"paper": "paper.pdf"}}),
    );
    asked(&model);
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": call}}));
    let began = Instant::now();
    while manifest(&runs, &id)["status"]["state"] != "interrupted" {
        assert!(began.elapsed() < Duration::from_secs(60), "{:#}", manifest(&runs, &id));
        std::thread::sleep(Duration::from_millis(50));
    }
    gate.open();
    // The job ends at its next step. Until then the folder may still be in use.
    let began = Instant::now();
    let found = loop {
        let started = client.call("assess", &json!({"paper": "paper.pdf"}));
        let found = ended(&mut client, &started["run"]);
        if found["status"] != "interrupted" {
            break found;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "{found:#}");
    };
    assert_eq!(
        (&found["status"], &found["run"]),
        (&json!("complete"), &id),
        "{found:#}"
    );
    let listed = client.call("list_corpora", &json!({}));
    assert_eq!(listed["model"], "compatible:scripted");
    let left = listed["tokens_left"].as_u64().unwrap();
    assert!(left > 0 && left < 9_000_000, "{left}");
    // Without the model it is another run, and nothing is asked.
    let before = model.asked().len();
    let started = client.call("assess", &json!({"paper": "paper.pdf", "use_model": false}));
    assert_ne!(started["run"], id);
    assert_eq!(ended(&mut client, &started["run"])["status"], "complete");
    assert_eq!(model.asked().len(), before);
}

#[test]
fn cancel_run_stops_a_run_in_the_background_and_the_budget_is_shared() {
    let (model, gate) = gated_model();
    let (mut client, runs) = with_model(&model, "stop", "20000", &["--wait", "0"]);
    let started = client.call("assess", &json!({"paper": "paper.pdf"}));
    asked(&model);
    let waiting = client.call("get_run", &json!({"run": started["run"], "wait_seconds": 0}));
    assert_eq!(waiting["status"], "running", "{waiting:#}");
    assert!(!waiting["progress"].as_array().unwrap().is_empty());
    client.call("cancel_run", &json!({"run": started["run"]}));
    assert_eq!(manifest(&runs, &started["run"])["status"]["state"], "interrupted");
    gate.open();
    let found = ended(&mut client, &started["run"]);
    assert_eq!(found["status"], "interrupted", "{found:#}");
    assert!(found["next"].as_str().unwrap().contains("repeat the call"));
    // The budget is for all runs together: the second run has what the first has left.
    let again = client.call("assess", &json!({"paper": "paper.pdf"}));
    let found = ended(&mut client, &again["run"]);
    assert_eq!(found["status"], "over_budget", "{found:#}");
    let left = client.call("list_corpora", &json!({}))["tokens_left"].as_u64().unwrap();
    assert!(left < 20_000, "{left}");
    let idea = client.call("check_idea", &json!({"idea": IDEA}));
    let found = ended(&mut client, &idea["run"]);
    assert!(
        ["over_budget", "complete"].contains(&found["status"].as_str().unwrap()),
        "{found:#}"
    );
    let spent: u64 = model.asked().len() as u64;
    assert!(spent < 60, "{spent} requests for 20,000 tokens");
}

#[test]
fn two_clients_of_one_folder_do_not_disturb_each_other() {
    let (mut one, runs) = on_the_sample("two", &["--wait", "0"]);
    let options = [
        "--root",
        "examples",
        "--corpus",
        WORKS,
        "--runs",
        runs.to_str().unwrap(),
    ];
    let mut two = Client::start(&root(), &options);
    let first = one.call("assess", &json!({"paper": "paper.pdf"}));
    let second = two.begin(
        "tools/call",
        &json!({"name": "assess", "arguments": {"paper": "paper.pdf"}}),
    );
    let claim = two.begin(
        "tools/call",
        &json!({"name": "match_claim", "arguments": {"claim": CLAIM}}),
    );
    let second = two.end(second);
    assert_eq!(
        two.end(claim)["result"]["structuredContent"]["results"][0]["level"],
        "similar"
    );
    // The second client gets the run of the first, in progress or ended, or a failure that says that the folder is in use.
    let result = &second["result"];
    match result["isError"].as_bool().unwrap() {
        true => assert!(
            result["content"][0]["text"]
                .as_str()
                .unwrap()
                .contains("another process"),
            "{second}"
        ),
        false => assert_eq!(result["structuredContent"]["run"], first["run"], "{second}"),
    }
    let found = ended(&mut one, &first["run"]);
    assert_eq!(found["status"], "complete");
    let seen = ended(&mut two, &first["run"]);
    assert_eq!(seen["assessment"], found["assessment"]);
}

#[test]
fn a_server_that_loses_its_client_records_that_its_run_can_be_resumed() {
    let (model, gate) = gated_model();
    let (mut client, runs) = with_model(&model, "lost", "9000000", &["--wait", "0"]);
    let started = client.call("assess", &json!({"paper": "paper.pdf"}));
    asked(&model);
    assert!(client.close());
    assert_eq!(manifest(&runs, &started["run"])["status"]["state"], "interrupted");
    gate.open();
}
