//! Limits that all workers of a batch keep together.

use std::collections::BTreeSet;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use precedent_scripted::{ModelServer, Question, Say, plain, tokens};
use serde_json::Value;

use crate::databases_fleet::with_a_server::{Venue, Worker, ended};
use crate::support::stdout;

const WORKERS: [&str; 4] = ["w1", "w2", "w3", "w4"];
/// Enough papers that every worker still has work when the host asks to slow down, even if one worker began before the others.
const PAPERS: usize = 24;

/// When each request arrived, and when one got the answer to wait for `REST`.
#[derive(Default)]
struct Arrivals {
    all: Vec<Instant>,
    papers: BTreeSet<String>,
    asked_to_wait: Option<Instant>,
}

/// A model that notes when each request arrives. With `slows_down`, it asks to wait when it has requests on as many papers as there are workers.
fn noting(slows_down: bool) -> (ModelServer, Arc<Mutex<Arrivals>>) {
    let arrivals: Arc<Mutex<Arrivals>> = Arc::default();
    let noted = Arc::clone(&arrivals);
    let script = move |question: &Question| {
        let mut noted = noted.lock().unwrap();
        noted.all.push(Instant::now());
        let paper = question.body.split("boats").nth(1);
        let number = paper.and_then(|rest| rest.split(|c: char| !c.is_ascii_digit()).next());
        noted.papers.extend(number.map(str::to_owned));
        if slows_down && noted.asked_to_wait.is_none() && noted.papers.len() == WORKERS.len() {
            noted.asked_to_wait = Some(Instant::now());
            return Say::Wait(429, u32::try_from(REST.as_secs()).unwrap());
        }
        plain(question)
    };
    (
        ModelServer::start_with(script, Duration::from_millis(50), None, 0).unwrap(),
        arrivals,
    )
}

/// Workers that are ready before the batch starts, so that each has a paper.
fn ready(venue: &Venue) -> [Worker; WORKERS.len()] {
    let workers = WORKERS.map(|name| venue.worker(name, "store", &venue.allowed()));
    for worker in &workers {
        worker.wait_for("is ready");
    }
    workers
}

const REST: Duration = Duration::from_secs(8);

#[test]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
fn workers_together_keep_the_limit_of_a_host() {
    let mut venue = Venue::new("fleet-limit", 8, 0);
    let (model, arrived) = noting(false);
    venue.model = model;
    fs::write(
        venue.folder.join("settings.toml"),
        "[providers.openai]\nrequests_per_minute = 600\n",
    )
    .unwrap();
    let workers = ready(&venue);
    ended(venue.shared("shared", "0"), 0);
    for worker in workers {
        worker.drain();
    }
    let arrived = &arrived.lock().unwrap().all;
    // A tenth of a minute has a tenth of the requests, and those that came up to half a second late. Four workers with a pace each send four times as many.
    let most = (0..arrived.len())
        .map(|from| {
            let until = arrived[from] + Duration::from_secs(6);
            arrived[from..].iter().filter(|at| **at < until).count()
        })
        .max()
        .unwrap_or_default();
    assert!(arrived.len() > 90, "too few requests to tell: {}", arrived.len());
    assert!(most <= 60 + 6, "{most} requests in 6 s");
}

#[test]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
fn all_workers_rest_when_a_host_asks_one_to_slow_down() {
    let mut venue = Venue::new("fleet-rest", PAPERS, 0);
    let (model, arrived) = noting(true);
    venue.model = model;
    let workers = ready(&venue);
    ended(venue.shared("shared", "0"), 0);
    for worker in workers {
        let log = worker.drain();
        assert!(log.contains("asks to slow down"), "{log}");
    }
    let arrived = arrived.lock().unwrap();
    let (asked, arrived) = (arrived.asked_to_wait.unwrap(), &arrived.all);
    // A worker looks once a second.
    let during = |at: &&Instant| (asked + REST / 2..asked + REST).contains(*at);
    assert_eq!(arrived.iter().filter(during).count(), 0);
    assert!(arrived.iter().filter(|at| **at >= asked + REST).count() > 8);
}

/// A cent buys ten tokens, so that a few papers use up a budget.
const PRICES: &str =
    "[prices]\nas_of = '2026-11-01'\n[[prices.price]]\nmodel = 'openai:scripted'\ninput = 1000.0\noutput = 1000.0\n";

/// The script of a model that writes a bill, in dollars.
pub(crate) fn billing(tokens_for_a_dollar: f64) -> (impl Fn(&Question) -> Say + Send + Sync, Arc<Mutex<f64>>) {
    let bill: Arc<Mutex<f64>> = Arc::default();
    let billed = Arc::clone(&bill);
    let script = move |question: &Question| {
        let printed = plain(question);
        if let Say::Text(text) = &printed {
            let all = question.tokens() + tokens(text).min(question.most_output());
            *billed.lock().unwrap() += f64::from(u32::try_from(all).unwrap()) / tokens_for_a_dollar;
        }
        printed
    };
    (script, bill)
}

/// A venue whose model writes a bill.
fn billed(name: &str, papers: usize, latency: u64) -> (Venue, Arc<Mutex<f64>>) {
    let mut venue = Venue::new(name, papers, 0);
    let (script, bill) = billing(1000.0);
    venue.model = ModelServer::start_with(script, Duration::from_millis(latency), None, 0).unwrap();
    fs::write(venue.folder.join("settings.toml"), PRICES).unwrap();
    (venue, bill)
}

fn workers(venue: &Venue, names: &[&str]) -> Vec<Worker> {
    names
        .iter()
        .map(|name| venue.worker(name, "store", &venue.allowed()))
        .collect()
}

/// The batch, as `precedent batches` shows it.
pub(crate) fn state(venue: &Venue) -> Value {
    let shown = venue
        .command(&["batches", "--json", "--database", &venue.database.url()])
        .output()
        .unwrap();
    let all: Value = serde_json::from_slice(&shown.stdout).unwrap();
    all[0].clone()
}

#[test]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
fn workers_together_keep_the_budget_of_a_batch_to_the_cent() {
    let (mut venue, bill) = billed("fleet-budget", 8, 20);
    // No worker loses a paper on a busy machine: its calls in flight would be billed twice.
    venue.lease = "60";
    let workers = workers(&venue, &WORKERS);
    let output = ended(venue.shared_with("shared", "0", &["--batch-budget", "60"]), 6);
    let text = stdout(&output);
    assert!(text.contains("the budget of the batch is used up"), "{text}");
    let paid = *bill.lock().unwrap();
    assert!(paid <= 60.0, "${paid}");
    let first = state(&venue);
    assert!(
        (first["dollars"].as_f64().unwrap() - paid).abs() < 0.005,
        "${paid}: {first}"
    );
    assert!(first["failed"].as_u64().unwrap() > 0, "{first}");
    assert!(paid > 40.0, "the budget was not used: ${paid}");

    // More money continues it, and pays for no answer again.
    ended(venue.shared_with("shared", "0", &["--batch-budget", "1000"]), 0);
    assert_eq!(venue.model.asked_again().len(), 0, "{:?}", venue.model.asked_again());
    let paid = *bill.lock().unwrap();
    let last = state(&venue);
    assert_eq!(last["done"], 8, "{last}");
    assert!(
        (last["dollars"].as_f64().unwrap() - paid).abs() < 0.005,
        "${paid}: {last}"
    );
    for worker in workers {
        worker.drain();
    }
}

#[test]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
fn batches_of_a_user_keep_the_budget_of_the_user_to_the_cent() {
    let (mut venue, bill) = billed("fleet-user", 5, 20);
    venue.lease = "60";
    let users = |arguments: &[&str]| -> Value {
        let url = venue.database.url();
        let all = [&["batches"], arguments, &["--json", "--database", &url]].concat();
        let output = ended(venue.command(&all).spawn().unwrap(), 0);
        serde_json::from_slice(&output.stdout).unwrap()
    };
    users(&["budget", "ada", "60"]);
    let workers = workers(&venue, &WORKERS);
    let start = || {
        let first = venue.shared_with("first", "0", &["--user", "ada"]);
        [
            first,
            venue.shared_with("second", "0", &["--user", "ada", "--seed", "2"]),
        ]
    };
    // A batch whose papers had all been started has partial reports instead.
    let printed = start().map(|batch| stdout(&ended(batch, 6)));
    let is_used_up = |text: &String| text.contains("the budget of the user ada is used up");
    assert!(printed.iter().any(is_used_up), "{printed:?}");
    let paid = *bill.lock().unwrap();
    let shown = &users(&["users"])[0];
    assert!(paid <= 60.0 && paid > 40.0, "${paid}: {shown}");
    assert!(
        (shown["dollars"].as_f64().unwrap() - paid).abs() < 0.005,
        "${paid}: {shown}"
    );
    assert_eq!(
        (&shown["name"], &shown["batches"]),
        (&Value::from("ada"), &Value::from(2))
    );

    // Its costs cannot be moved to somebody else.
    let output = ended(venue.shared_with("second", "0", &["--user", "bob", "--seed", "2"]), 2);
    let text = crate::support::stderr(&output);
    assert!(text.contains("counts towards the budget of the user ada"), "{text}");

    users(&["budget", "ada", "none"]);
    for batch in start() {
        ended(batch, 0);
    }
    assert_eq!(venue.model.asked_again().len(), 0, "{:?}", venue.model.asked_again());
    for worker in workers {
        worker.drain();
    }
}

#[test]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
fn killed_workers_do_not_exceed_the_budget_of_a_batch() {
    let (venue, bill) = billed("fleet-budget-kill", 6, 200);
    let batch = venue.shared_with("shared", "0", &["--batch-budget", "60"]);
    let mut running = workers(&venue, &WORKERS[..3]);
    venue.wait_for_questions(8);
    running.pop().unwrap().kill();
    ended(batch, 6);
    let paid = *bill.lock().unwrap();
    assert!(paid <= 60.0, "${paid}");
    ended(venue.shared_with("shared", "0", &["--batch-budget", "1000"]), 0);
    let last = state(&venue);
    assert_eq!(last["done"], 6, "{last}");
    // Only calls that were in flight when the worker was killed are on the bill alone.
    let paid = *bill.lock().unwrap();
    let alone = paid - last["dollars"].as_f64().unwrap();
    assert!(paid <= 1000.0 && alone > -0.005, "${paid}: {last}");
    for worker in running {
        worker.drain();
    }
}

#[test]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
fn papers_whose_calls_failed_are_run_again_without_a_new_command() {
    let mut venue = Venue::new("fleet-retry", 3, 0);
    let is_down = Arc::new(AtomicBool::new(true));
    let down = Arc::clone(&is_down);
    let script = move |question: &Question| match question.body.contains("boats1") && down.load(Ordering::Relaxed) {
        true => Say::Status(503, "{}".to_owned()),
        false => plain(question),
    };
    venue.model = ModelServer::start_with(script, Duration::ZERO, None, 0).unwrap();
    fs::write(
        venue.folder.join("settings.toml"),
        "[providers.openai]\noutage_seconds = 1\n",
    )
    .unwrap();
    let batch = venue.shared("shared", "0");
    let worker = venue.worker("w1", "store", &venue.allowed());
    worker.wait_for("it is run again in 3 s");
    is_down.store(false, Ordering::Relaxed);
    ended(batch, 0);
    let log = worker.drain();
    assert_eq!(log.matches("boats1.md: started").count(), 2, "{log}");
    assert_eq!(state(&venue)["done"], 3);
}
