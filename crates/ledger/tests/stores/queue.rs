//! What a worker of a shared batch may rely on.

use std::time::Duration;

use precedent_ledger::{
    BudgetChunk, Claim, JobQueue, QueuedBatch, QueuedPaper, RunCost, Settlement, SettlementOutcome,
};
use precedent_scripted::PostgresServer;

use crate::hash;

const LEASE: Duration = Duration::from_secs(2);

fn batch(id: &str, papers: usize) -> QueuedBatch {
    let paper = |number| QueuedPaper {
        folder: format!("paper-{number}"),
        name: format!("{number}.pdf"),
        input: "{}".to_owned(),
    };
    QueuedBatch {
        user: None,
        budget: None,
        id: id.to_owned(),
        name: "venue".to_owned(),
        request: "{}".to_owned(),
        papers: (0..papers).map(paper).collect(),
    }
}

fn done() -> Settlement {
    Settlement::Done {
        status: "complete".to_owned(),
        complete: true,
        dollars: 0.25,
        may_pass: false,
    }
}

fn failed() -> Settlement {
    Settlement::Failed {
        kind: "input".to_owned(),
        error: "not a paper".to_owned(),
        may_pass: false,
    }
}

async fn states(queue: &JobQueue, batch: &str) -> Vec<String> {
    let papers = queue.papers(batch).await.unwrap();
    papers.into_iter().map(|paper| paper.state).collect()
}

/// Until the lease of a worker without a sign of life has ended.
async fn let_lease_end() {
    tokio::time::sleep(LEASE + Duration::from_millis(300)).await;
}

#[tokio::test]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
async fn papers_are_taken_once_in_order_and_only_failed_ones_wait_again() {
    let server = PostgresServer::start().unwrap();
    // Two processes that start at the same time create the tables once.
    let url = server.url();
    let (queue, other) = tokio::join!(JobQueue::connect(&url, LEASE), JobQueue::connect(&url, LEASE));
    let (queue, other) = (queue.unwrap(), other.unwrap());
    let three = batch("b", 3);
    queue.add(&three).await.unwrap();
    // The same batch again adds nothing.
    other.add(&three).await.unwrap();
    let (a, b) = (
        queue.new_worker("a").await.unwrap(),
        other.new_worker("b").await.unwrap(),
    );
    assert_ne!(a, queue.new_worker("a").await.unwrap());
    let first = queue.take(&a, "b").await.unwrap().unwrap();
    let second = other.take(&b, "b").await.unwrap().unwrap();
    let third = queue.take(&a, "b").await.unwrap().unwrap();
    assert_eq!(
        [&first.folder, &second.folder, &third.folder],
        ["paper-0", "paper-1", "paper-2"]
    );
    assert!(queue.take(&a, "b").await.unwrap().is_none());
    assert_eq!(
        queue.settle(&first, &done(), None).await.unwrap(),
        SettlementOutcome::Finally
    );
    assert_eq!(
        other.settle(&second, &failed(), None).await.unwrap(),
        SettlementOutcome::Finally
    );
    // A worker that could not run a paper gives it back, and that counts as no attempt.
    queue.give_back(&third, None).await.unwrap();
    let third = other.take(&b, "b").await.unwrap().unwrap();
    assert_eq!((third.folder.as_str(), third.attempts), ("paper-2", 1));
    assert_eq!(
        other.settle(&third, &done(), None).await.unwrap(),
        SettlementOutcome::Finally
    );
    assert_eq!(states(&queue, "b").await, ["done", "failed", "done"]);
    assert!(queue.open_batches(None).await.unwrap().is_empty());

    queue.add(&three).await.unwrap();
    let again = queue.take(&a, "b").await.unwrap().unwrap();
    assert_eq!((again.folder.as_str(), again.round), ("paper-1", 2));
    assert_eq!(
        queue.settle(&again, &done(), None).await.unwrap(),
        SettlementOutcome::Finally
    );
    let counts = queue.counts(Some("b")).await.unwrap();
    assert_eq!((counts[0].papers["done"], counts[0].dollars), (3, 0.75));
    // The rate of a batch that began a moment ago is not that of ten minutes.
    assert_eq!(counts[0].lately, 3);
    assert!(
        counts[0].lately_minutes > 0.0 && counts[0].lately_minutes < 10.0,
        "{counts:?}"
    );
}

#[tokio::test]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
async fn a_worker_that_was_stopped_changes_nothing_when_it_wakes() {
    let server = PostgresServer::start().unwrap();
    let queue = JobQueue::connect(&server.url(), LEASE).await.unwrap();
    queue.add(&batch("b", 1)).await.unwrap();
    let (a, b) = (
        queue.new_worker("a").await.unwrap(),
        queue.new_worker("b").await.unwrap(),
    );
    let stopped = queue.take(&a, "b").await.unwrap().unwrap();
    // While it shows signs of life, nobody gets its paper.
    queue.beat(&[], &["b".to_owned()]).await.unwrap();
    assert!(queue.take(&b, "b").await.unwrap().is_none());
    let_lease_end().await;
    queue.beat(&[], &["b".to_owned()]).await.unwrap();
    let taken = queue.take(&b, "b").await.unwrap().unwrap();
    assert_eq!((taken.folder.as_str(), taken.attempts), ("paper-0", 2));
    assert_eq!(
        queue.settle(&stopped, &failed(), None).await.unwrap(),
        SettlementOutcome::ByOther
    );
    queue.give_back(&stopped, None).await.unwrap();
    assert_eq!(states(&queue, "b").await, ["running"]);
    assert!(queue.take(&a, "b").await.unwrap().is_none());
    assert_eq!(
        queue.settle(&taken, &done(), None).await.unwrap(),
        SettlementOutcome::Finally
    );
    assert_eq!(states(&queue, "b").await, ["done"]);
}

#[tokio::test]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
async fn a_paper_whose_workers_all_end_is_parked_and_can_be_tried_again() {
    let server = PostgresServer::start().unwrap();
    let queue = JobQueue::connect(&server.url(), LEASE).await.unwrap();
    queue.add(&batch("b", 2)).await.unwrap();
    let mut last = String::new();
    for attempt in 1..=3 {
        last = queue.new_worker("host").await.unwrap();
        let taken = queue.take(&last, "b").await.unwrap().unwrap();
        assert_eq!((taken.folder.as_str(), taken.attempts), ("paper-0", attempt));
        let_lease_end().await;
        queue.beat(&[], &["b".to_owned()]).await.unwrap();
    }
    let worker = queue.new_worker("host").await.unwrap();
    // The next one gets the paper after it.
    let taken = queue.take(&worker, "b").await.unwrap().unwrap();
    assert_eq!(taken.folder, "paper-1");
    assert_eq!(
        queue.settle(&taken, &done(), None).await.unwrap(),
        SettlementOutcome::Finally
    );
    let papers = queue.papers("b").await.unwrap();
    let reason = format!("3 workers ended while they ran it, the last one was {last}");
    assert_eq!(
        (papers[0].state.as_str(), papers[0].error.as_ref()),
        ("parked", Some(&reason))
    );
    assert!(queue.open_batches(None).await.unwrap().is_empty());
    queue.add(&batch("b", 2)).await.unwrap();
    let again = queue.take(&worker, "b").await.unwrap().unwrap();
    assert_eq!((again.folder.as_str(), again.attempts, again.round), ("paper-0", 1, 2));
}

#[tokio::test]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
async fn a_batch_is_paused_resumed_and_cancelled() {
    let server = PostgresServer::start().unwrap();
    let queue = JobQueue::connect(&server.url(), LEASE).await.unwrap();
    queue.add(&batch("b", 2)).await.unwrap();
    let worker = queue.new_worker("host").await.unwrap();
    let running = queue.take(&worker, "b").await.unwrap().unwrap();
    assert!(queue.set_state("b", "paused").await.unwrap());
    assert!(queue.open_batches(None).await.unwrap().is_empty());
    // Also for a worker that saw it open a moment ago.
    assert!(queue.take(&worker, "b").await.unwrap().is_none());
    assert!(queue.set_state("b", "open").await.unwrap());
    assert_eq!(queue.open_batches(Some("b")).await.unwrap().len(), 1);
    assert!(queue.set_state("b", "cancelled").await.unwrap());
    // What was running counts.
    assert_eq!(
        queue.settle(&running, &done(), None).await.unwrap(),
        SettlementOutcome::Finally
    );
    assert_eq!(states(&queue, "b").await, ["done", "cancelled"]);
    assert!(!queue.set_state("other", "paused").await.unwrap());
    queue.add(&batch("b", 2)).await.unwrap();
    assert_eq!(queue.take(&worker, "b").await.unwrap().unwrap().folder, "paper-1");
}

#[tokio::test]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
async fn papers_of_a_cancelled_batch_end_when_nobody_runs_them() {
    let server = PostgresServer::start().unwrap();
    let queue = JobQueue::connect(&server.url(), LEASE).await.unwrap();
    queue.add(&batch("b", 3)).await.unwrap();
    let (a, b, c) = (
        queue.new_worker("a").await.unwrap(),
        queue.new_worker("b").await.unwrap(),
        queue.new_worker("c").await.unwrap(),
    );
    let given = queue.take(&a, "b").await.unwrap().unwrap();
    queue.take(&b, "b").await.unwrap().unwrap();
    let held = queue.take(&c, "b").await.unwrap().unwrap();
    assert!(queue.set_state("b", "cancelled").await.unwrap());
    assert_eq!(states(&queue, "b").await, ["running", "running", "running"]);
    queue.give_back(&given, None).await.unwrap();
    assert_eq!(states(&queue, "b").await, ["cancelled", "running", "running"]);
    let_lease_end().await;
    let held = [held];
    queue.beat(&held, &["b".to_owned()]).await.unwrap();
    assert_eq!(states(&queue, "b").await, ["cancelled", "cancelled", "running"]);
    // A cancelled batch is neither paused nor resumed.
    assert!(!queue.set_state("b", "open").await.unwrap());
    assert_eq!(queue.state("b").await.unwrap().as_deref(), Some("cancelled"));
    // When it is started again, each paper has one job.
    queue.add(&batch("b", 3)).await.unwrap();
    for paper in ["paper-0", "paper-1"] {
        assert_eq!(queue.take(&a, "b").await.unwrap().unwrap().folder, paper);
    }
    assert!(queue.take(&a, "b").await.unwrap().is_none());
}

#[tokio::test]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
async fn a_paper_whose_result_was_lost_is_run_again_in_another_round() {
    let server = PostgresServer::start().unwrap();
    let queue = JobQueue::connect(&server.url(), LEASE).await.unwrap();
    queue.add(&batch("b", 1)).await.unwrap();
    let worker = queue.new_worker("host").await.unwrap();
    let paper = queue.take(&worker, "b").await.unwrap().unwrap();
    assert_eq!(
        queue.settle(&paper, &done(), None).await.unwrap(),
        SettlementOutcome::Finally
    );
    assert!(queue.run_again("b", "paper-0", 1).await.unwrap());
    // Another process saw the same loss.
    assert!(!queue.run_again("b", "paper-0", 1).await.unwrap());
    let again = queue.take(&worker, "b").await.unwrap().unwrap();
    assert_eq!((again.round, again.attempts), (2, 1));
    assert!(queue.take(&worker, "b").await.unwrap().is_none());
}

#[tokio::test]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
async fn a_paper_that_its_process_does_not_know_is_free_when_its_lease_ends() {
    let server = PostgresServer::start().unwrap();
    let queue = JobQueue::connect(&server.url(), LEASE).await.unwrap();
    queue.add(&batch("b", 2)).await.unwrap();
    let name = queue.new_worker("host").await.unwrap();
    // The answer to this was lost, so the process goes on under another name.
    queue.take(&format!("{name}.1"), "b").await.unwrap().unwrap();
    let held = [queue.take(&format!("{name}.2"), "b").await.unwrap().unwrap()];
    let_lease_end().await;
    queue.beat(&held, &["b".to_owned()]).await.unwrap();
    let freed = queue.take(&format!("{name}.2"), "b").await.unwrap().unwrap();
    assert_eq!((freed.folder.as_str(), freed.attempts), ("paper-0", 2));
    assert!(queue.take(&format!("{name}.2"), "b").await.unwrap().is_none());
}

#[tokio::test]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
async fn papers_share_a_budget_and_that_of_a_killed_worker_comes_back() {
    let server = PostgresServer::start().unwrap();
    let queue = JobQueue::connect(&server.url(), LEASE).await.unwrap();
    let of = |dollars| QueuedBatch {
        budget: Some(dollars),
        ..batch("b", 4)
    };
    queue.add(&of(10.0)).await.unwrap();
    let (a, b) = (
        queue.new_worker("a").await.unwrap(),
        queue.new_worker("b").await.unwrap(),
    );
    let killed = queue.take(&a, "b").await.unwrap().unwrap();
    let other = queue.take(&b, "b").await.unwrap().unwrap();
    let chunk = |dollars, may_grow| Some(BudgetChunk { dollars, may_grow });
    let reserved = queue.reserve(&killed, 0.0, 0.0, 6.0).await.unwrap();
    assert_eq!(reserved, chunk(6.0, false));
    // Too little is left until the first one gives something back. A small request gets a share of what is left.
    assert_eq!(queue.reserve(&other, 0.0, 0.0, 5.0).await.unwrap(), chunk(0.0, true));
    assert_eq!(
        queue.reserve(&other, 1.0, 0.5, 0.001).await.unwrap(),
        chunk(2.5 / 256.0, true)
    );
    for _ in 0..3 {
        tokio::time::sleep(LEASE / 2).await;
        queue
            .beat(std::slice::from_ref(&other), &["b".to_owned()])
            .await
            .unwrap();
    }
    // Nobody runs the first one now. What it reserved may have been spent.
    assert_eq!(queue.reserve(&other, 1.0, 0.0, 5.0).await.unwrap(), chunk(3.0, false));
    let again = queue.take(&a, "b").await.unwrap().unwrap();
    assert_eq!(again.folder, killed.folder);
    assert_eq!(queue.reserve(&killed, 0.0, 0.0, 1.0).await.unwrap(), None);
    let cost = RunCost {
        used: 2.0,
        unknown: 0.5,
        live: 2.5,
    };
    assert_eq!(
        queue.settle(&again, &done(), Some(cost)).await.unwrap(),
        SettlementOutcome::Finally
    );
    assert_eq!(queue.reserve(&other, 1.0, 0.0, 5.0).await.unwrap(), chunk(5.0, false));
    queue.use_up("b").await.unwrap();
    assert_eq!(states(&queue, "b").await, ["done", "running", "failed", "failed"]);
    queue.give_back(&other, None).await.unwrap();
    assert_eq!(states(&queue, "b").await, ["done", "failed", "failed", "failed"]);
    let papers = queue.papers("b").await.unwrap();
    assert_eq!(papers[3].kind.as_deref(), Some("budget"));
    // What a paper that was given back had reserved may have been spent, too.
    queue.add(&of(20.0)).await.unwrap();
    let other = queue.take(&b, "b").await.unwrap().unwrap();
    assert_eq!(queue.reserve(&other, 0.0, 0.0, 11.0).await.unwrap(), chunk(11.0, false));
    assert_eq!(queue.reserve(&other, 0.0, 0.0, 12.0).await.unwrap(), chunk(11.5, false));
    // Without a budget, only what was spent and is in flight counts towards one that is set later.
    let endless = QueuedBatch {
        budget: None,
        ..of(0.0)
    };
    queue.add(&endless).await.unwrap();
    assert_eq!(
        queue.reserve(&other, 1.0, 2.0, 12.0).await.unwrap(),
        chunk(f64::INFINITY, false)
    );
    queue.add(&of(20.0)).await.unwrap();
    let next = queue.take(&a, "b").await.unwrap().unwrap();
    // The others: 2.5 paid, 6 from before and 3 now.
    assert_eq!(queue.reserve(&next, 0.0, 0.0, 9.0).await.unwrap(), chunk(0.0, true));
    assert_eq!(queue.reserve(&next, 0.0, 0.0, 8.5).await.unwrap(), chunk(8.5, true));
}

#[tokio::test]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
async fn files_that_cannot_be_read_for_the_same_reason_are_counted_together() {
    let server = PostgresServer::start().unwrap();
    let queue = JobQueue::connect(&server.url(), LEASE).await.unwrap();
    queue.add(&batch("b", 3)).await.unwrap();
    let worker = queue.new_worker("w").await.unwrap();
    while let Some(paper) = queue.take(&worker, "b").await.unwrap() {
        let end = Settlement::Failed {
            kind: "input".to_owned(),
            error: format!("failed to read {}: it has no text", paper.name),
            may_pass: false,
        };
        queue.settle(&paper, &end, None).await.unwrap();
    }
    let counts = queue.counts(Some("b")).await.unwrap();
    assert_eq!(
        counts[0].failures,
        [("failed to read it: it has no text".to_owned(), 3)]
    );
}

#[tokio::test]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
async fn batches_of_a_user_share_a_budget() {
    let server = PostgresServer::start().unwrap();
    let queue = JobQueue::connect(&server.url(), LEASE).await.unwrap();
    let of = |id: &str, user: &str, budget| {
        let mut one = QueuedBatch {
            user: Some(user.to_owned()),
            budget,
            ..batch(id, 2)
        };
        for paper in &mut one.papers {
            paper.folder = format!("{id}-{}", paper.folder);
        }
        one
    };
    for one in [of("a", "ada", None), of("b", "ada", Some(4.0)), of("c", "bob", None)] {
        queue.add(&one).await.unwrap();
    }
    queue.set_user_budget("ada", Some(10.0)).await.unwrap();
    queue.set_user_budget("eve", Some(1.0)).await.unwrap();
    let worker = queue.new_worker("w").await.unwrap();
    let mut taken = Vec::new();
    for id in ["a", "b", "c"] {
        taken.push(queue.take(&worker, id).await.unwrap().unwrap());
    }
    let [a, b, c] = taken.try_into().unwrap();
    let chunk = |dollars, may_grow| Some(BudgetChunk { dollars, may_grow });
    assert_eq!(queue.reserve(&a, 0.0, 0.0, 7.0).await.unwrap(), chunk(7.0, false));
    // Its own batch has enough, but the user has not, and may get something back.
    assert_eq!(queue.reserve(&b, 0.0, 0.0, 3.5).await.unwrap(), chunk(0.0, true));
    // Its own batch has not, and never will.
    assert_eq!(queue.reserve(&b, 0.0, 0.0, 4.5).await.unwrap(), chunk(3.0, false));
    // Somebody else is not limited by it.
    assert_eq!(
        queue.reserve(&c, 0.0, 0.0, 99.0).await.unwrap(),
        chunk(f64::INFINITY, false)
    );
    let end = |dollars| Settlement::Done {
        status: "complete".to_owned(),
        complete: true,
        dollars,
        may_pass: false,
    };
    for (paper, dollars) in [(&a, 7.0), (&b, 2.0)] {
        let cost = RunCost {
            used: dollars,
            unknown: 0.0,
            live: dollars,
        };
        queue.settle(paper, &end(dollars), Some(cost)).await.unwrap();
    }
    // Of ada's budget $1 is left, and of that of the batch $2.
    let next = queue.take(&worker, "b").await.unwrap().unwrap();
    assert_eq!(queue.reserve(&next, 0.0, 0.0, 1.5).await.unwrap(), chunk(1.0, false));
    queue.give_back(&next, Some(RunCost::default())).await.unwrap();
    queue.use_up("b").await.unwrap();
    let error = queue.papers("b").await.unwrap()[1].error.clone().unwrap();
    assert!(error.contains("the budget of the user ada is used up"), "{error}");
    assert_eq!(states(&queue, "a").await, ["done", "waiting"]);
    let users = queue.users().await.unwrap();
    let found: Vec<_> = users
        .iter()
        .map(|user| {
            assert!((user.taken - user.dollars).abs() < 1e-9, "{user:?}");
            (user.name.as_str(), user.budget, user.dollars, user.batches)
        })
        .collect();
    let expected = [
        ("ada", Some(10.0), 9.0, 2),
        ("bob", None, 0.0, 1),
        ("eve", Some(1.0), 0.0, 0),
    ];
    assert_eq!(found, expected);
    // A larger one continues it, and then the batch is what is short.
    queue.set_user_budget("ada", None).await.unwrap();
    queue.add(&of("b", "ada", Some(4.0))).await.unwrap();
    let b = queue.take(&worker, "b").await.unwrap().unwrap();
    assert_eq!(queue.reserve(&b, 0.0, 0.0, 3.0).await.unwrap(), chunk(2.0, false));
    queue.give_back(&b, None).await.unwrap();
    queue.use_up("b").await.unwrap();
    let error = queue.papers("b").await.unwrap()[1].error.clone().unwrap();
    assert!(error.contains("--batch-budget"), "{error}");
}

/// Batches `a` and `b` with the same paper, of a user who may spend $10.
async fn two_batches_of_ada() -> (PostgresServer, JobQueue) {
    let server = PostgresServer::start().unwrap();
    let queue = JobQueue::connect(&server.url(), LEASE).await.unwrap();
    for id in ["a", "b"] {
        let of_ada = QueuedBatch {
            user: Some("ada".to_owned()),
            ..batch(id, 1)
        };
        queue.add(&of_ada).await.unwrap();
    }
    queue.set_user_budget("ada", Some(10.0)).await.unwrap();
    (server, queue)
}

#[tokio::test]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
async fn the_same_paper_in_two_batches_of_a_user_is_paid_once() {
    let (_server, queue) = two_batches_of_ada().await;
    let worker = queue.new_worker("w").await.unwrap();
    let cost = |used, live| RunCost {
        used,
        unknown: 0.0,
        live,
    };
    let a = queue.take(&worker, "a").await.unwrap().unwrap();
    queue.settle(&a, &done(), Some(cost(6.0, 6.0))).await.unwrap();
    // Its recorded answers cost nothing again.
    let b = queue.take(&worker, "b").await.unwrap().unwrap();
    let chunk = |dollars| {
        Some(BudgetChunk {
            dollars,
            may_grow: false,
        })
    };
    assert_eq!(queue.reserve(&b, 0.0, 0.0, 5.0).await.unwrap(), chunk(4.0));
    assert_eq!(queue.reserve(&b, 6.0, 0.0, 5.0).await.unwrap(), chunk(4.0));
    assert_eq!(queue.reserve(&b, 7.0, 0.0, 3.0).await.unwrap(), chunk(3.0));
    // What a paper reserved beyond its cost is free when it is given back.
    queue.give_back(&b, Some(cost(7.0, 1.0))).await.unwrap();
    let users = queue.users().await.unwrap();
    assert!((users[0].taken - 7.0).abs() < 1e-9, "{users:?}");
}

#[tokio::test]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
async fn a_lost_paper_of_a_paused_batch_does_not_hold_the_budget_of_its_user_for_ever() {
    let (_server, queue) = two_batches_of_ada().await;
    let (lost, other) = (
        queue.new_worker("lost").await.unwrap(),
        queue.new_worker("other").await.unwrap(),
    );
    let a = queue.take(&lost, "a").await.unwrap().unwrap();
    queue.reserve(&a, 0.0, 0.0, 8.0).await.unwrap();
    queue.set_state("a", "paused").await.unwrap();
    let b = queue.take(&other, "b").await.unwrap().unwrap();
    let waits = queue.reserve(&b, 0.0, 0.0, 5.0).await.unwrap().unwrap();
    assert_eq!((waits.dollars, waits.may_grow), (0.0, true));
    for _ in 0..3 {
        tokio::time::sleep(LEASE / 2).await;
        queue.beat(std::slice::from_ref(&b), &["b".to_owned()]).await.unwrap();
    }
    let ends = queue.reserve(&b, 0.0, 0.0, 5.0).await.unwrap().unwrap();
    assert_eq!((ends.dollars, ends.may_grow), (2.0, false));
}

#[tokio::test]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
async fn a_run_that_fails_keeps_what_a_killed_worker_paid_before() {
    let server = PostgresServer::start().unwrap();
    let queue = JobQueue::connect(&server.url(), LEASE).await.unwrap();
    let batch = QueuedBatch {
        budget: Some(10.0),
        ..batch("b", 2)
    };
    queue.add(&batch).await.unwrap();
    let (a, b) = (
        queue.new_worker("a").await.unwrap(),
        queue.new_worker("b").await.unwrap(),
    );
    let killed = queue.take(&a, "b").await.unwrap().unwrap();
    let chunk = |dollars, may_grow| Some(BudgetChunk { dollars, may_grow });
    assert_eq!(queue.reserve(&killed, 5.0, 0.0, 1.0).await.unwrap(), chunk(1.0, false));
    let other = queue.take(&b, "b").await.unwrap().unwrap();
    for _ in 0..3 {
        tokio::time::sleep(LEASE / 2).await;
        let held = std::slice::from_ref(&other);
        queue.beat(held, &["b".to_owned()]).await.unwrap();
    }
    let again = queue.take(&b, "b").await.unwrap().unwrap();
    assert_eq!(again.folder, killed.folder);
    // It used one recorded answer of the other worker before it failed.
    let cost = RunCost {
        used: 0.1,
        unknown: 0.0,
        live: 0.0,
    };
    assert_eq!(
        queue.settle(&again, &failed(), Some(cost)).await.unwrap(),
        SettlementOutcome::Finally
    );
    assert_eq!(queue.reserve(&other, 0.0, 0.0, 5.0).await.unwrap(), chunk(4.0, false));
    let counts = queue.counts(None).await.unwrap();
    assert_eq!(
        (counts[0].dollars, counts[0].workers),
        (0.1, 1),
        "what a failed run cost is shown"
    );
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
async fn the_runs_of_a_worker_share_its_few_connections_although_their_runtimes_end() {
    use sqlx::Connection;
    let server = PostgresServer::start().unwrap();
    let queue = JobQueue::connect(&server.url(), LEASE).await.unwrap();
    let mut runs = Vec::new();
    for number in 0..32 {
        let ledger = queue.ledger(&format!("run-{number}"));
        runs.push(std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                for round in 0..8 {
                    let key = hash(&format!("{number} {round}"));
                    let Claim::Ours(lease) = ledger.claim(&key, LEASE).await.unwrap() else {
                        panic!("no other run has this request");
                    };
                    ledger.release(&lease).await.unwrap();
                }
                ledger.close().await;
            });
        }));
    }
    let mut observer = sqlx::PgConnection::connect(&server.url()).await.unwrap();
    let mut most = 0;
    while runs.iter().any(|run| !run.is_finished()) {
        let open: i64 =
            sqlx::query_scalar("SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'")
                .fetch_one(&mut observer)
                .await
                .unwrap();
        most = most.max(open);
    }
    for run in runs {
        run.join().unwrap();
    }
    assert!((2..=10).contains(&most), "{most} connections, one of them of this test");
    // A connection that a run had opened on its own runtime would fail here.
    queue.add(&batch("b", 2)).await.unwrap();
    // Each thread of a worker takes papers under a name of its own.
    for thread in ["a-1.1", "a-1.2"] {
        assert!(queue.take(thread, "b").await.unwrap().is_some());
    }
    let counts = queue.counts(None).await.unwrap();
    assert_eq!((counts[0].papers["running"], counts[0].workers), (2, 1));
}

#[tokio::test]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
async fn a_paper_whose_failure_may_pass_is_run_again_after_growing_pauses_and_a_batch_of_higher_priority_comes_first() {
    let server = PostgresServer::start().unwrap();
    let lease = Duration::from_secs(1);
    let queue = JobQueue::connect(&server.url(), lease).await.unwrap();
    queue.add(&batch("b", 1)).await.unwrap();
    let overloaded = Settlement::Failed {
        kind: "model".to_owned(),
        error: "overloaded".to_owned(),
        may_pass: true,
    };
    let first = queue.take("a-1", "b").await.unwrap().unwrap();
    let settled = queue.settle(&first, &overloaded, None).await.unwrap();
    assert_eq!(settled, SettlementOutcome::Again(lease));
    assert_eq!(states(&queue, "b").await, ["waiting"]);
    let counts = queue.counts(Some("b")).await.unwrap();
    assert_eq!(counts[0].failures, [("overloaded".to_owned(), 1)]);
    assert_eq!(queue.take("a-1", "b").await.unwrap().map(|paper| paper.folder), None);
    tokio::time::sleep(Duration::from_millis(2200)).await;
    let second = queue.take("a-1", "b").await.unwrap().unwrap();
    assert_eq!((second.round, second.attempts, second.retries), (2, 1, 1));
    assert_eq!(queue.counts(Some("b")).await.unwrap()[0].failures, []);
    let incomplete = Settlement::Done {
        status: "incomplete".to_owned(),
        complete: false,
        dollars: 0.5,
        may_pass: true,
    };
    let settled = queue.settle(&second, &incomplete, None).await.unwrap();
    assert_eq!(settled, SettlementOutcome::Again(lease * 5));
    // Whoever starts the batch again does not wait for the pause, and the next failures have their pauses.
    queue.add(&batch("b", 1)).await.unwrap();
    let third = queue.take("a-1", "b").await.unwrap().unwrap();
    assert_eq!((third.round, third.retries), (3, 0));
    let mut last = third;
    for pause in [1, 5, 25] {
        let settled = queue.settle(&last, &overloaded, None).await.unwrap();
        assert_eq!(settled, SettlementOutcome::Again(lease * pause));
        skip_the_pause(&server).await;
        last = queue.take("a-1", "b").await.unwrap().unwrap();
    }
    let settled = queue.settle(&last, &incomplete, None).await.unwrap();
    assert_eq!(
        (settled, states(&queue, "b").await),
        (SettlementOutcome::Finally, vec!["partial".to_owned()])
    );

    queue.add(&batch("b", 1)).await.unwrap();
    queue.add(&batch("c", 1)).await.unwrap();
    let order = async || -> Vec<String> {
        let open = queue.open_batches(None).await.unwrap();
        open.into_iter().map(|batch| batch.id).collect()
    };
    assert_eq!(order().await, ["b", "c"]);
    assert!(queue.set_priority("c", 5).await.unwrap());
    assert_eq!(order().await, ["c", "b"]);
    assert!(!queue.set_priority("d", 5).await.unwrap());
    // A cancelled batch runs no paper again.
    let paper = queue.take("a-1", "b").await.unwrap().unwrap();
    assert!(queue.set_state("b", "cancelled").await.unwrap());
    let settled = queue.settle(&paper, &overloaded, None).await.unwrap();
    assert_eq!(
        (settled, states(&queue, "b").await),
        (SettlementOutcome::Finally, vec!["cancelled".to_owned()])
    );
    // What it has of a result is not lost.
    let paper = queue.take("a-1", "c").await.unwrap().unwrap();
    let settled = queue.settle(&paper, &incomplete, None).await.unwrap();
    assert_eq!(settled, SettlementOutcome::Again(lease));
    assert!(queue.set_state("c", "cancelled").await.unwrap());
    let papers = queue.papers("c").await.unwrap();
    assert_eq!((papers[0].state.as_str(), papers[0].round), ("partial", 1));
    // Nor if the last attempt fails.
    queue.add(&batch("c", 1)).await.unwrap();
    let paper = queue.take("a-1", "c").await.unwrap().unwrap();
    queue.settle(&paper, &incomplete, None).await.unwrap();
    skip_the_pause(&server).await;
    let paper = queue.take("a-1", "c").await.unwrap().unwrap();
    assert_eq!((paper.round, paper.retries), (3, 1));
    queue.settle(&paper, &failed(), None).await.unwrap();
    let papers = queue.papers("c").await.unwrap();
    assert_eq!((papers[0].state.as_str(), papers[0].round), ("partial", 2));
    assert_eq!(papers[0].error.as_deref(), Some("not a paper"));
}

/// Lets papers that wait for a pause be taken at once.
async fn skip_the_pause(server: &PostgresServer) {
    let pool = sqlx::PgPool::connect(&server.url()).await.unwrap();
    let skipped = sqlx::query("UPDATE apalis.jobs SET run_at = to_timestamp(1) WHERE status = 'Pending'");
    assert!(skipped.execute(&pool).await.unwrap().rows_affected() > 0);
    pool.close().await;
}
