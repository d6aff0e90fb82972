//! Limits that all workers of a batch keep together.

use std::fs;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use precedent_scripted::{ModelServer, Question, Say, plain};

use crate::databases_fleet::with_a_server::{Venue, ended};

const WORKERS: [&str; 4] = ["w1", "w2", "w3", "w4"];

/// A model that notes when each request arrives. The request `slow` gets the answer to wait for `REST`.
fn noting(slow: Option<usize>) -> (ModelServer, Arc<Mutex<Vec<Instant>>>) {
    let arrived: Arc<Mutex<Vec<Instant>>> = Arc::default();
    let noted = Arc::clone(&arrived);
    let script = move |question: &Question| {
        let mut noted = noted.lock().unwrap();
        noted.push(Instant::now());
        match Some(noted.len()) == slow {
            true => Say::Wait(429, u32::try_from(REST.as_secs()).unwrap()),
            false => plain(question),
        }
    };
    (
        ModelServer::start_with(script, Duration::from_millis(50), None, 0).unwrap(),
        arrived,
    )
}

const REST: Duration = Duration::from_secs(8);

#[test]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
fn workers_together_keep_the_limit_of_a_host() {
    let mut venue = Venue::new("fleet-limit", 8, 0);
    let (model, arrived) = noting(None);
    venue.model = model;
    fs::write(
        venue.folder.join("settings.toml"),
        "[providers.openai]\nrequests_per_minute = 600\n",
    )
    .unwrap();
    let workers = WORKERS.map(|name| venue.worker(name, "store", &venue.allowed()));
    ended(venue.shared("shared", "0"), 0);
    for worker in workers {
        worker.drain();
    }
    let arrived = arrived.lock().unwrap();
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
    let mut venue = Venue::new("fleet-rest", 8, 0);
    let (model, arrived) = noting(Some(12));
    venue.model = model;
    let workers = WORKERS.map(|name| venue.worker(name, "store", &venue.allowed()));
    ended(venue.shared("shared", "0"), 0);
    for worker in workers {
        let log = worker.drain();
        assert!(log.contains("asks to slow down"), "{log}");
    }
    let arrived = arrived.lock().unwrap();
    let asked = arrived[11];
    // A worker looks once a second.
    let during = |at: &&Instant| (asked + REST / 2..asked + REST).contains(*at);
    assert_eq!(arrived.iter().filter(during).count(), 0);
    assert!(arrived.iter().filter(|at| **at >= asked + REST).count() > 8);
}
