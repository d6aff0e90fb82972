//! What is stored, what is replayed, and what is never recorded.

use precedent_http::{
    HostLimits, HttpError, HttpGateway, Mode, NetworkPolicy, Pace, Request, Secret, Settings, SharedAnswers,
};
use precedent_ledger::Ledger;

use crate::server::{Act, Server, answer, gateway, gateway_with, ledger, quick};

#[tokio::test]
async fn a_recorded_answer_opens_no_socket() {
    let server = Server::saying(answer(404, "x-ratelimit-remaining: 7\r\n", "no such work")).await;
    let ledger = ledger().await;
    let live = gateway(&ledger).await;
    let first = live.send(&server.get("/w")).await.unwrap();
    let again = live.send(&server.get("/w")).await.unwrap();
    let replayed = gateway_with(&ledger, Mode::Replay, NetworkPolicy::Anywhere)
        .await
        .send(&server.get("/w"))
        .await
        .unwrap();
    assert_eq!(server.requests().len(), 1);
    assert!(!first.recorded && again.recorded && replayed.recorded);
    assert_eq!(
        (first.status, &first.headers, &first.body),
        (replayed.status, &replayed.headers, &replayed.body)
    );
    assert_eq!(replayed.header("x-ratelimit-remaining"), Some("7"));
}

#[tokio::test]
async fn replay_names_a_missing_answer_and_sends_nothing() {
    let server = Server::saying(answer(200, "", "well")).await;
    let ledger = ledger().await;
    let replay = gateway_with(&ledger, Mode::Replay, NetworkPolicy::Anywhere).await;
    let error = replay
        .send(&server.get("/works").parameter("search", "quotes"))
        .await
        .unwrap_err();
    assert!(
        matches!(&error, HttpError::NotRecorded { asked } if asked.ends_with("/works?search=quotes")),
        "{error}"
    );
    assert!(server.requests().is_empty());
    assert!(replay.everything_sent().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_failure_replays_as_it_was_and_a_live_run_tries_again() {
    let server = Server::start(|n, _| match n {
        0 => Act::Say(answer(503, "", "busy")),
        1 => Act::Say(b"nonsense".to_vec()),
        _ => Act::Say(answer(200, "", "well")),
    })
    .await;
    let ledger = ledger().await;
    let (live, replay) = (
        gateway(&ledger).await,
        gateway_with(&ledger, Mode::Replay, NetworkPolicy::Anywhere).await,
    );
    let request = server.get("/").tries(1);
    assert_eq!(live.send(&request).await.unwrap().status, 503);
    assert_eq!(replay.send(&request).await.unwrap().status, 503);
    let error = live.send(&request).await.unwrap_err();
    assert!(matches!(error, HttpError::Unreachable { .. }), "{error}");
    assert_eq!(replay.send(&request).await.unwrap_err().to_string(), error.to_string());
    assert_eq!(live.send(&request).await.unwrap().status, 200);
    assert!(replay.send(&request).await.unwrap().is_success());
}

#[tokio::test]
async fn a_key_is_sent_but_never_recorded() {
    let server = Server::start(|_, request| {
        let body = format!(
            "you sent {}",
            request.lines().find(|line| line.starts_with("authorization")).unwrap()
        );
        Act::Say(answer(401, "", &body))
    })
    .await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.sqlite");
    let ledger = Ledger::open(&path).await.unwrap();
    let request = server
        .get("/v1")
        .secret_header("Authorization", "Bearer ", Secret::new("sk-very-secret-1"))
        .secret_parameter("api_key", Secret::new("also-secret-2"));
    let gateway = gateway(&ledger).await;
    let output = gateway.send(&request).await.unwrap();
    assert_eq!(output.text(), "you sent authorization: Bearer [secret]");
    let requests = server.requests();
    assert!(
        requests[0].contains("sk-very-secret-1") && requests[0].starts_with("GET /v1?api_key=also-secret-2 "),
        "{requests:?}"
    );
    drop(gateway);
    ledger.close().await;
    let record = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
    assert!(record.contains("GET http://127.0.0.1"), "the request is recorded");
    assert!(
        !record.contains("very-secret") && !record.contains("also-secret"),
        "the keys are not recorded"
    );
}

#[tokio::test]
async fn the_error_for_a_key_with_a_line_break_has_its_name_but_not_its_value() {
    let ledger = ledger().await;
    let request = Request::get("test", "http://127.0.0.1:9/").unwrap().secret_header(
        "x-api-key",
        "",
        Secret::new("sk-one\nsk-two"),
    );
    let error = gateway(&ledger)
        .await
        .send(&quick(request))
        .await
        .unwrap_err()
        .to_string();
    assert!(error.contains("x-api-key") && !error.contains("sk-"), "{error}");
}

#[tokio::test]
async fn the_body_is_part_of_the_key_and_of_the_bytes_sent() {
    let server = Server::start(|_, request| {
        let body = request.split("\r\n\r\n").nth(1).unwrap().to_owned();
        Act::Say(answer(200, "", &body))
    })
    .await;
    let ledger = ledger().await;
    let gateway = gateway(&ledger).await;
    let ask = |text: &str| quick(Request::post_json("model", &server.address, &text).unwrap());
    assert_eq!(gateway.send(&ask("one")).await.unwrap().text(), "\"one\"");
    assert_eq!(gateway.send(&ask("two")).await.unwrap().text(), "\"two\"");
    assert!(gateway.send(&ask("one")).await.unwrap().recorded);
    let sent = gateway.everything_sent().await.unwrap();
    assert_eq!(sent.len(), 2);
    let address = format!("{}/", server.address);
    assert_eq!(
        (sent[0].who.as_str(), sent[0].bytes_out, sent[0].bytes_in),
        ("model", address.len() as u64 + 5, 5)
    );
}

#[tokio::test]
async fn secret_bodies_and_their_answers_are_never_recorded() {
    let server = Server::saying(answer(200, "", "{\"token\":\"token-12345\",\"for\":\"hush-12345678\"}")).await;
    let ledger = ledger().await;
    let live = gateway(&ledger).await;
    let fields = || {
        vec![
            ("id", Secret::new("ann@example.org")),
            ("password", Secret::new("hush-12345678")),
        ]
    };
    let request = || quick(Request::post_secrets("test", &format!("{}/login", server.address), fields()).unwrap());
    assert!(!format!("{:?}", request()).contains("12345678"));
    assert!(!live.is_settled(&request()).await.unwrap());
    for _ in 0..2 {
        let output = live.send(&request()).await.unwrap();
        assert_eq!(output.text(), "{\"token\":\"token-12345\",\"for\":\"[secret]\"}");
    }
    let requests = server.requests();
    assert_eq!(requests.len(), 2, "it is sent each time");
    assert!(
        requests[0].ends_with("{\"id\":\"ann@example.org\",\"password\":\"hush-12345678\"}"),
        "{}",
        requests[0]
    );
    let replay = gateway_with(&ledger, Mode::Replay, NetworkPolicy::Anywhere).await;
    assert!(replay.is_settled(&request()).await.unwrap(), "replay sends nothing");
    let error = replay.send(&request()).await.unwrap_err();
    assert!(matches!(error, HttpError::NotRecorded { .. }), "{error}");
    let sent = live.everything_sent().await.unwrap();
    assert_eq!((sent.len(), sent[0].bytes_out > 40), (2, true));
    assert!(!format!("{sent:?}").contains("12345678"));
}

#[tokio::test]
async fn a_rate_limit_header_slows_later_requests() {
    let server = Server::saying(answer(
        200,
        "x-rate-limit-limit: 5\r\nx-rate-limit-interval: 1s\r\n",
        "well",
    ))
    .await;
    let ledger = ledger().await;
    let live = gateway(&ledger).await;
    let start = std::time::Instant::now();
    for n in 0..4 {
        live.send(&server.get(&format!("/{n}"))).await.unwrap();
    }
    assert!(
        start.elapsed() >= std::time::Duration::from_millis(390),
        "{:?}",
        start.elapsed()
    );
}

/// A client of a new run with the answers in this folder, at this time.
async fn sharing(folder: &std::path::Path, now: u64) -> (HttpGateway, Ledger) {
    let (ledger, day) = (ledger().await, std::time::Duration::from_secs(24 * 60 * 60));
    let shared = SharedAnswers::new(folder.to_owned(), now, day);
    (gateway(&ledger).await.sharing(Some(shared)), ledger)
}

#[tokio::test]
async fn another_run_uses_a_shared_answer_until_it_is_too_old() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::saying(answer(200, "", "works")).await;
    let request = || server.get("/w?until=2020").shared();
    let (first, _) = sharing(folder.path(), 1_000_000).await;
    assert!(!first.send(&request()).await.unwrap().is_from_cache());
    let (second, its_record) = sharing(folder.path(), 1_050_000).await;
    assert!(second.is_settled(&request()).await.unwrap());
    let found = second.send(&request()).await.unwrap();
    assert!(found.is_from_cache() && found.recorded && found.body == b"works");
    assert_eq!(server.requests().len(), 1);
    assert!(
        second.everything_sent().await.unwrap().is_empty(),
        "this run sent nothing"
    );
    assert_eq!(found.address, request().address());
    // The cache does not have the words of the request.
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        assert!(!String::from_utf8_lossy(&bytes).contains("until=2020"));
    }
    // The run has its own record of the answer, also without the cache.
    let replay = gateway_with(&its_record, Mode::Replay, NetworkPolicy::Anywhere).await;
    let replayed = replay.send(&request()).await.unwrap();
    assert!(replayed.is_from_cache() && replayed.body == b"works");
    // Another date is another request, an unmarked request is never shared, and an old answer is not used.
    second.send(&server.get("/w?until=2021").shared()).await.unwrap();
    second
        .send(&server.get("/w?until=2020&unmarked").tries(1))
        .await
        .unwrap();
    assert_eq!(server.requests().len(), 3);
    let (third, _) = sharing(folder.path(), 1_050_000).await;
    third.send(&server.get("/w?until=2020&unmarked")).await.unwrap();
    assert_eq!(server.requests().len(), 4);
    let (later, _) = sharing(folder.path(), 1_100_000).await;
    assert!(!later.send(&request()).await.unwrap().is_from_cache());
    assert_eq!(server.requests().len(), 5);
}

#[tokio::test]
async fn a_refreshed_run_asks_again_and_a_failure_is_not_shared() {
    let folder = tempfile::tempdir().unwrap();
    let server =
        Server::start(|n, _| Act::Say(answer(if n == 0 { 404 } else { 200 }, "", &format!("answer {n}")))).await;
    let request = || server.get("/w").shared();
    for (now, expected) in [(1_000, "answer 0"), (1_001, "answer 1"), (1_002, "answer 1")] {
        let (client, _) = sharing(folder.path(), now).await;
        assert_eq!(client.send(&request()).await.unwrap().text(), expected);
    }
    let fresh = SharedAnswers::new(folder.path().to_owned(), 1_003, std::time::Duration::from_secs(60)).refreshed();
    let client = gateway(&ledger().await).await.sharing(Some(fresh));
    assert_eq!(client.send(&request()).await.unwrap().text(), "answer 2");
    let (client, _) = sharing(folder.path(), 1_004).await;
    assert_eq!(
        client.send(&request()).await.unwrap().text(),
        "answer 2",
        "the new answer is kept"
    );
    // A cache that cannot be opened is the same as none.
    let nowhere = SharedAnswers::new("/dev/null/x".into(), 1_004, std::time::Duration::from_secs(60));
    let client = gateway(&ledger().await).await.sharing(Some(nowhere));
    assert_eq!(client.send(&request()).await.unwrap().text(), "answer 3");
}

#[tokio::test]
async fn processes_of_one_machine_share_the_pace_of_a_host() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::saying(answer(200, "", "well")).await;
    let between = std::time::Duration::from_millis(300);
    let start = std::time::Instant::now();
    for n in 0..3 {
        let settings = Settings {
            reach: NetworkPolicy::Anywhere,
            // Each process has limits of its own.
            limits: HostLimits::in_folder(folder.path().to_owned()),
            ..Settings::default()
        };
        let client = HttpGateway::new(settings, ledger().await).unwrap();
        let request = server.get(&format!("/{n}")).pace(Pace::one_every(between));
        client.send(&request).await.unwrap();
    }
    assert!(start.elapsed() >= 2 * between, "{:?}", start.elapsed());
    let settings = Settings {
        reach: NetworkPolicy::Anywhere,
        limits: HostLimits::in_folder(folder.path().to_owned()),
        ..Settings::default()
    };
    let client = HttpGateway::new(settings, ledger().await).unwrap();
    let hour = Pace::one_every(std::time::Duration::from_secs(300));
    client.send(&server.get("/first").pace(hour)).await.unwrap();
    let limits = HostLimits::in_folder(folder.path().to_owned());
    let settings = Settings {
        reach: NetworkPolicy::Anywhere,
        limits,
        ..Settings::default()
    };
    let other = HttpGateway::new(settings, ledger().await).unwrap();
    let request = server
        .get("/second")
        .pace(hour)
        .within(std::time::Duration::from_secs(2));
    let error = other.send(&request).await.unwrap_err().to_string();
    assert!(
        error.contains("other runs on this machine use up its rate limit"),
        "{error}"
    );
}
