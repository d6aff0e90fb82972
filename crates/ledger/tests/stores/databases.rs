use std::time::Duration;

use precedent_ledger::{Claim, DatabaseProblem, Ledger, LedgerError};
use precedent_scripted::PostgresServer;

use crate::{Place, cases, hash};

async fn problem(url: &str) -> DatabaseProblem {
    let error = Ledger::connect(url, "run").await.unwrap_err();
    let text = format!("{error} {error:?}");
    assert!(
        !text.contains(PostgresServer::PASSWORD) && !text.contains("secret"),
        "{text}"
    );
    match error {
        LedgerError::Database { problem, .. } => problem,
        other => panic!("{other:?}"),
    }
}

async fn execute(url: &str, statement: &'static str) {
    use sqlx::Connection;
    let mut connection = sqlx::PgConnection::connect(url).await.unwrap();
    sqlx::query(statement).execute(&mut connection).await.unwrap();
}

#[tokio::test]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
async fn a_database_passes_all_cases() {
    let server = PostgresServer::start().unwrap();
    cases::all(&Place::Database(server.url())).await;
}

#[tokio::test]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
async fn many_processes_create_the_tables_at_the_same_time() {
    let server = PostgresServer::start().unwrap();
    let url = server.url();
    let opened = (0..12).map(|_| Ledger::connect(&url, "run"));
    for ledger in futures_util::future::join_all(opened).await {
        let ledger = ledger.unwrap();
        ledger
            .keep_artifact("extract", 1, &hash("paper"), b"one")
            .await
            .unwrap();
        ledger.close().await;
    }
}

#[tokio::test]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
async fn processes_take_the_turns_of_a_host_in_one_queue_and_keep_its_rest() {
    const BETWEEN: Duration = Duration::from_secs(10);
    let server = PostgresServer::start().unwrap();
    let url = server.url();
    let opened = (0..8).map(|_| Ledger::connect(&url, "run"));
    let ledgers = futures_util::future::join_all(opened).await;
    let ledgers: Vec<Ledger> = ledgers.into_iter().map(Result::unwrap).collect();
    // Two turns for each process.
    let taken = ledgers.iter().map(|ledger| ledger.take_turns("h:1", BETWEEN, 2));
    let taken = futures_util::future::join_all(taken).await;
    let mut taken: Vec<Duration> = taken.into_iter().map(Result::unwrap).collect();
    taken.sort();
    for (at, wait) in (0_u32..).zip(&taken) {
        let latest = BETWEEN * 2 * at;
        assert!(*wait <= latest && *wait + BETWEEN > latest, "{taken:?}");
    }
    let [one, other, ..] = ledgers.as_slice() else {
        panic!("there are eight");
    };
    assert_eq!(other.host_rest("h:2").await.unwrap(), Duration::ZERO);
    one.rest_host("h:2", Duration::from_secs(900)).await.unwrap();
    // A shorter rest changes nothing.
    other.rest_host("h:2", Duration::from_secs(1)).await.unwrap();
    assert!(other.host_rest("h:2").await.unwrap() > Duration::from_secs(600));
    assert!(other.take_turns("h:2", BETWEEN, 1).await.unwrap() > Duration::from_secs(600));
    assert_eq!(other.host_rest("h:1").await.unwrap(), Duration::ZERO);
}

#[tokio::test]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
async fn a_lease_says_whether_another_process_may_have_sent_the_request() {
    let server = PostgresServer::start().unwrap();
    // The first process has it until it ends, and the second does not renew it.
    for (was_held, lease) in [
        (false, Duration::from_secs(60)),
        (true, Duration::ZERO),
        (true, Duration::ZERO),
    ] {
        let ledger = Ledger::connect(&server.url(), "run").await.unwrap();
        match ledger.claim(&hash("request"), lease).await.unwrap() {
            Claim::Ours(lease) => assert_eq!(lease.was_held(), was_held),
            other => panic!("{other:?}"),
        }
        ledger.close().await;
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
async fn errors_say_what_to_do_and_never_the_password() {
    let server = PostgresServer::start().unwrap();
    let (user, password) = (PostgresServer::USER, PostgresServer::PASSWORD);
    let wrong = server.url_of(user, "secret", PostgresServer::DATABASE);
    assert_eq!(problem(&wrong).await, DatabaseProblem::Refused);
    let missing = server.url_of(user, password, "venue");
    assert_eq!(problem(&missing).await, DatabaseProblem::NoSuchDatabase);
    // A user who may do nothing, until an administrator creates the schema.
    execute(&server.url(), "CREATE ROLE reader LOGIN PASSWORD 'secret'").await;
    let reader = server.url_of("reader", "secret", PostgresServer::DATABASE);
    assert_eq!(problem(&reader).await, DatabaseProblem::NotAllowed);
    execute(&server.url(), "CREATE SCHEMA precedent AUTHORIZATION reader").await;
    let ledger = Ledger::connect(&reader, "run").await.unwrap();
    assert!(!format!("{ledger:?}").contains("secret"));
    // A server elsewhere must have a valid certificate; this one has none.
    let plain = format!("{}?sslmode=verify-full", server.url());
    assert_eq!(problem(&plain).await, DatabaseProblem::NotEncrypted);
    execute(&server.url(), "UPDATE precedent.format SET version = 99").await;
    let newer = Ledger::connect(&server.url(), "run").await.unwrap_err();
    assert!(matches!(newer, LedgerError::Newer { found: 99, known: 6 }), "{newer:?}");
    server.crash().unwrap();
    assert_eq!(problem(&server.url()).await, DatabaseProblem::Away);
    server.resume().unwrap();
    // A ledger that was open finds the server again.
    assert_eq!(ledger.artifact_count().await.unwrap(), 0);
}

#[tokio::test]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
async fn a_settled_response_survives_a_crash_of_the_server() {
    let server = PostgresServer::start().unwrap();
    let url = server.url();
    let ledger = Ledger::connect(&url, "run").await.unwrap();
    let minute = Duration::from_secs(60);
    let Claim::Ours(lease) = ledger.claim(&hash("q"), minute).await.unwrap() else {
        panic!("held")
    };
    let answer = crate::answer(200, "one", true);
    assert!(ledger.settle(&lease, &answer).await.unwrap());
    server.crash().unwrap();
    server.resume().unwrap();
    assert_eq!(ledger.answer(&hash("q")).await.unwrap(), Some(answer));
}

#[tokio::test]
async fn a_url_that_cannot_be_used_is_explained_without_repeating_it() {
    for url in [
        "mysql://chair:secret@host/venue",
        "postgres://chair:secret@host",
        "postgres://chair:secret@/venue",
        "postgres://chair:se/secret@host/venue",
        "postgres://chair:sec ret@host:port/venue",
        "postgres://chair@host/venue?passwrd=secret",
        "postgres://chair@host/venue?password=secret",
    ] {
        let error = Ledger::connect(url, "run").await.unwrap_err();
        assert!(matches!(error, LedgerError::DatabaseUrl { .. }), "{error:?}");
        let text = format!("{error} {error:?}");
        assert!(!text.contains("secret") && !text.contains("chair"), "{text}");
    }
}
