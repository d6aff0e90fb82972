//! A queue with many papers. It prints how long things take, and checks only what must hold.
#![expect(clippy::print_stdout, reason = "its numbers are read")]

use std::time::{Duration, Instant};

use precedent_ledger::{JobQueue, PaperFilter, QueuedBatch, QueuedPaper, RunCost, Settlement, SettlementOutcome};
use precedent_scripted::PostgresServer;
use sqlx::{Connection, PgConnection};

/// Papers of the batch. A usual test needs few; `PRECEDENT_QUEUE_PAPERS=30000` is a venue.
const PAPERS: usize = 200;
const WORKERS: usize = 4;
const LEASE: Duration = Duration::from_secs(60);
/// Papers that one worker of the fleet holds.
const AT_ONCE: usize = 64;
/// Most papers that are worked off at the beginning, and then again.
const MEASURED: usize = 600;

fn venue(papers: usize, budget: Option<f64>) -> QueuedBatch {
    let paper = |number| QueuedPaper {
        folder: format!("{number:08}-0123456789abcdef"),
        name: format!("submission-{number}.pdf"),
        input: format!("{{\"tree\":\"{number:064x}\",\"named\":{{}}}}"),
    };
    QueuedBatch {
        id: "batch-0123456789abcdef".to_owned(),
        name: "venue".to_owned(),
        request: "{}".to_owned(),
        user: budget.map(|_| "chair".to_owned()),
        budget,
        papers: (0..papers).map(paper).collect(),
    }
}

async fn megabytes(database: &mut PgConnection) -> f64 {
    let bytes: i64 = sqlx::query_scalar("SELECT pg_database_size(current_database())")
        .fetch_one(database)
        .await
        .unwrap();
    f64::from(i32::try_from(bytes / 1024).unwrap()) / 1024.0
}

async fn timed<T>(what: &str, work: impl Future<Output = T>) -> T {
    let start = Instant::now();
    let done = work.await;
    println!("{what}: {:.0} ms", start.elapsed().as_secs_f64() * 1e3);
    done
}

/// Takes, reserves for and settles papers until `most` are done or none is left. Returns how many, and the seconds of each step.
async fn work(url: String, batch: String, most: usize) -> (usize, [f64; 3]) {
    let queue = JobQueue::connect(&url, LEASE).await.unwrap();
    let worker = queue.new_worker("w").await.unwrap();
    let (mut done, mut seconds) = (0, [0.0; 3]);
    while done < most {
        let mut held = Vec::new();
        let start = Instant::now();
        while held.len() < AT_ONCE.min(most - done) {
            let Some(paper) = queue.take(&worker, &batch).await.unwrap() else {
                break;
            };
            held.push(paper);
        }
        seconds[0] += start.elapsed().as_secs_f64();
        if held.is_empty() {
            break;
        }
        for paper in held {
            let start = Instant::now();
            queue.reserve(&paper, 0.0, 0.0, 0.02).await.unwrap().unwrap();
            seconds[1] += start.elapsed().as_secs_f64();
            let start = Instant::now();
            let end = Settlement::Done {
                status: "complete".to_owned(),
                complete: true,
                dollars: 0.01,
                may_pass: false,
            };
            let cost = RunCost {
                used: 0.01,
                unknown: 0.0,
                live: 0.01,
            };
            let settled = queue.settle(&paper, &end, Some(cost)).await.unwrap();
            assert_eq!(settled, SettlementOutcome::Finally);
            seconds[2] += start.elapsed().as_secs_f64();
            done += 1;
        }
    }
    queue.close().await;
    (done, seconds)
}

async fn all_work(url: &str, batch: &str, most: usize) -> usize {
    let start = Instant::now();
    let workers: Vec<_> = (0..WORKERS)
        .map(|_| tokio::spawn(work(url.to_owned(), batch.to_owned(), most)))
        .collect();
    let (mut all, mut steps) = (0, [0.0; 3]);
    for worker in workers {
        let (done, seconds) = worker.await.unwrap();
        all += done;
        for (sum, one) in steps.iter_mut().zip(seconds) {
            *sum += one;
        }
    }
    let count = f64::from(u32::try_from(all).unwrap());
    let [take, reserve, settle] = steps.map(|sum| sum / count * 1e3);
    println!(
        "{all} papers by {WORKERS} workers: {:.0} a second; each: taken {take:.1} ms, reserved {reserve:.1} ms, settled {settle:.1} ms",
        count / start.elapsed().as_secs_f64()
    );
    all
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
async fn a_large_queue_is_worked_off_and_counted() {
    let papers = std::env::var("PRECEDENT_QUEUE_PAPERS").map_or(PAPERS, |number| number.parse().unwrap());
    let server = PostgresServer::start().unwrap();
    // Without a budget if the variable is set.
    let budget = std::env::var_os("PRECEDENT_QUEUE_UNLIMITED").is_none().then_some(1e6);
    let (url, batch) = (server.url(), venue(papers, budget));
    let queue = JobQueue::connect(&url, LEASE).await.unwrap();
    queue.set_user_budget("chair", Some(2e6)).await.unwrap();
    let mut database = PgConnection::connect(&url).await.unwrap();
    let before = megabytes(&mut database).await;
    timed("add", queue.add(&batch)).await.unwrap();
    println!("{:.1} MB more", megabytes(&mut database).await - before);

    let most = (papers / 2).min(MEASURED) / WORKERS;
    let half = all_work(&url, &batch.id, most).await;
    assert_eq!(half, most * WORKERS);
    let counts = timed("status", queue.counts(Some(&batch.id))).await.unwrap();
    assert_eq!(counts[0].papers.get("done").copied(), u64::try_from(half).ok());
    let page = PaperFilter {
        skip: u32::try_from(papers).unwrap().saturating_sub(50),
        most: Some(50),
        ..PaperFilter::default()
    };
    let last = timed("the last page", queue.some_papers(&batch.id, page))
        .await
        .unwrap();
    assert_eq!(last.len(), 50);
    let all = timed("all papers", queue.papers(&batch.id)).await.unwrap();
    assert_eq!(all.len(), papers);
    timed("users", queue.users()).await.unwrap();

    let rest = all_work(&url, &batch.id, most).await;
    assert_eq!(rest, half);
    println!("{:.1} MB more than at first", megabytes(&mut database).await - before);
    let counts = timed("status", queue.counts(None)).await.unwrap();
    assert_eq!(counts[0].papers.get("done").copied(), u64::try_from(half + rest).ok());
}
