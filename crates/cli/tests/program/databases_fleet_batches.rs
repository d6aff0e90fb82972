//! Workers of a shared batch that send their calls to the batch endpoint of a provider.

use std::collections::BTreeSet;
use std::fs;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use precedent_scripted::{BatchBehaviour, ModelServer};

use crate::databases_fleet::with_a_server::{Venue, ended};
use crate::databases_fleet_limits::{billing, state};

const PAPERS: usize = 3;
const SETTINGS: &str = "[providers.openai]\nbatch_wait_seconds = 0.2\n[prices]\nas_of = '2026-11-01'\n\
    [[prices.price]]\nmodel = 'openai:scripted'\ninput = 100.0\noutput = 100.0\n";

/// A venue whose provider answers in batches, and writes a bill in dollars at half the price.
fn venue(name: &str) -> (Venue, Arc<Mutex<f64>>) {
    let mut venue = Venue::new(name, PAPERS, 50);
    // 10,000 for a dollar at the price in the settings.
    let (script, bill) = billing(20_000.0);
    let behaviour = BatchBehaviour {
        polls: 1,
        ..BatchBehaviour::default()
    };
    venue.model = ModelServer::start_with_batches(script, behaviour).unwrap();
    fs::write(venue.folder.join("settings.toml"), SETTINGS).unwrap();
    (venue, bill)
}

fn wait_for_batches(venue: &Venue, count: usize) {
    while venue.model.batches().len() < count {
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Checks that every call was submitted once, and that the bill is what `precedent batches` shows.
fn paid_once(venue: &Venue, bill: &Mutex<f64>) {
    let batches = venue.model.batches();
    let keys: Vec<&String> = batches.iter().flat_map(|one| &one.calls).map(|(key, _)| key).collect();
    let different: BTreeSet<&&String> = keys.iter().collect();
    assert_eq!(different.len(), keys.len(), "a call was submitted twice");
    let paid = *bill.lock().unwrap();
    let state = state(venue);
    assert_eq!(state["done"], PAPERS, "{state}");
    assert!(
        (state["dollars"].as_f64().unwrap() - paid).abs() < 0.005,
        "${paid}: {state}"
    );
}

#[test]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
fn batches_of_killed_and_stopped_workers_are_collected_by_others_and_paid_once() {
    let (venue, bill) = venue("fleet-provider-batch");
    let batch = venue.shared_with("shared", "0", &["--provider-batch"]);
    let killed = venue.worker("w1", "store", &venue.allowed());
    let stopped = venue.worker("w2", "store", &venue.allowed());
    // Not while it submits one, because others would wait for the end of its claim.
    killed.stop_while(|log| log.trim_end().ends_with(" 0 done"));
    killed.kill();
    stopped.stop_while(|log| log.trim_end().ends_with(" 0 done"));
    let survivor = venue.worker("w3", "store", &venue.allowed());
    ended(batch, 0);
    stopped.signal("-CONT");
    stopped.drain();
    let log = survivor.drain();
    assert!(log.contains("waiting for the provider's batch"), "{log}");
    paid_once(&venue, &bill);
    let before = venue.reports("shared");
    let settings = venue.folder.join("settings.toml");
    let options = ["--provider-batch", "--settings", settings.to_str().unwrap()];
    venue.is_that_of_one_machine_with(&options, before);
}

#[test]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
fn a_database_that_loses_power_loses_no_batch_of_a_provider() {
    let (venue, bill) = venue("fleet-provider-batch-power");
    let batch = venue.shared_with("shared", "0", &["--provider-batch"]);
    let workers = ["w1", "w2"].map(|name| venue.worker(name, "store", &venue.allowed()));
    wait_for_batches(&venue, 3);
    venue.database.crash().unwrap();
    std::thread::sleep(Duration::from_secs(2));
    venue.database.resume().unwrap();
    ended(batch, 0);
    for worker in workers {
        worker.drain();
    }
    paid_once(&venue, &bill);
}
