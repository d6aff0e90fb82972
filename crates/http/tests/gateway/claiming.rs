//! Processes that share a ledger: a request that may be billed is sent once.

use std::path::Path;
use std::time::Duration;

use precedent_http::{Effort, HttpGateway, Lost, Mode, NetworkPolicy, Request};
use precedent_ledger::{Claim, Ledger};

use crate::server::{Act, Server, answer, gateway, gateway_with, ledger};

/// The client of a process with a ledger of its own and the shared one.
async fn process(shared: &Path) -> (HttpGateway, Ledger) {
    let own = ledger().await;
    let shared = Ledger::open(shared).await.unwrap();
    (gateway(&own.clone().sharing(shared)).await, own)
}

fn billed(server: &Server) -> Request {
    server.get("/answer").billed()
}

#[tokio::test]
async fn the_same_request_of_two_processes_is_sent_once() {
    let dir = tempfile::tempdir().unwrap();
    let shared = dir.path().join("shared.sqlite");
    let server = Server::start(|_, _| Act::SayLate(Duration::from_millis(600), answer(200, "", "well"))).await;
    let ((a, own_a), (b, own_b)) = (process(&shared).await, process(&shared).await);
    let request = billed(&server);
    let (first, second) = tokio::join!(a.send(&request), b.send(&request));
    let (first, second) = (first.unwrap(), second.unwrap());
    assert_eq!((first.text().as_ref(), second.text().as_ref()), ("well", "well"));
    assert_eq!(server.requests().len(), 1);
    assert_eq!(usize::from(first.recorded) + usize::from(second.recorded), 1);
    // Both replay from their own ledgers, and only one has sent something.
    let mut sent = 0;
    for own in [own_a, own_b] {
        let replay = gateway_with(&own, Mode::Replay, NetworkPolicy::Anywhere).await;
        assert_eq!(replay.send(&request).await.unwrap().text().as_ref(), "well");
        sent += own.everything_sent().await.unwrap().len();
    }
    assert_eq!(sent, 1);
}

#[tokio::test]
async fn a_request_whose_sender_died_is_sent_again_when_its_lease_ends() {
    let dir = tempfile::tempdir().unwrap();
    let shared = dir.path().join("shared.sqlite");
    let server = Server::saying(answer(200, "", "well")).await;
    let request = billed(&server);
    let killed = Ledger::open(&shared).await.unwrap();
    let lease = Duration::from_millis(700);
    let start = std::time::Instant::now();
    assert!(matches!(
        killed.claim(&request.key(), lease).await.unwrap(),
        Claim::Ours(_)
    ));
    let (gateway, _) = process(&shared).await;
    assert_eq!(gateway.send(&request).await.unwrap().text().as_ref(), "well");
    // The lease began after `start`, so this holds on a machine of any speed.
    assert!(start.elapsed() >= lease, "{:?}", start.elapsed());
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn an_answer_that_comes_after_the_lease_ended_gives_way_to_that_of_the_next_process() {
    let dir = tempfile::tempdir().unwrap();
    let shared = dir.path().join("shared.sqlite");
    let server = Server::start(|n, _| match n {
        0 => Act::SayLate(Duration::from_millis(1_500), answer(200, "", "late")),
        _ => Act::SayLate(Duration::from_millis(2_000), answer(200, "", "next")),
    })
    .await;
    // A lease that has ended at once is that of a process that does not run.
    let (a, own) = process(&shared).await;
    let (a, (b, _)) = (a.leasing(Duration::ZERO), process(&shared).await);
    let request = billed(&server);
    let mut effort = Effort::default();
    let late = async {
        while server.requests().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        b.send(&request).await
    };
    let (stopped, next) = tokio::join!(a.attempt(&request, &mut effort), late);
    assert_eq!(next.unwrap().text().as_ref(), "next");
    assert_eq!(stopped.outcome.unwrap().text().as_ref(), "next");
    assert_eq!(stopped.lost, [Lost::Answer("late".to_owned())], "it is accounted for");
    assert_eq!(server.requests().len(), 2);
    let kept = own.answer(&request.key()).await.unwrap().unwrap();
    assert_eq!(kept.body, b"next");
}

#[tokio::test]
async fn a_request_that_costs_nothing_is_not_claimed() {
    let dir = tempfile::tempdir().unwrap();
    let shared = dir.path().join("shared.sqlite");
    let server = Server::saying(answer(200, "", "well")).await;
    let other = Ledger::open(&shared).await.unwrap();
    let request = server.get("/works");
    let minute = Duration::from_secs(60);
    assert!(matches!(
        other.claim(&request.key(), minute).await.unwrap(),
        Claim::Ours(_)
    ));
    let (gateway, _) = process(&shared).await;
    assert_eq!(gateway.send(&request).await.unwrap().status, 200);
}
