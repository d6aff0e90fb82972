use std::time::{Duration, Instant};

use precedent_http::Mode;
use precedent_ledger::Ledger;
use precedent_scripted::literature::{Act, FINDERS, HOSTED, LiteratureServer, SERVICES};
use precedent_sources::{MOST_WORDS, ServiceSettings, ServiceSource, Source, SourceError, Words, service, services};
use proptest::prelude::*;
use tokio::task::JoinSet;

use crate::support::{KEY, gateway, library, query, settings, source};

#[tokio::test]
async fn a_manuscript_is_never_sent() {
    let server = LiteratureServer::start(library()).unwrap();
    for id in SERVICES.iter().chain(HOSTED).chain(FINDERS) {
        let ledger = Ledger::in_memory().await.unwrap();
        let source = source(&server, id, &ledger, Mode::Live);
        assert!(!source.is_local(), "{id}");
        for text in ["rope ".repeat(MOST_WORDS + 1), "r".repeat(401), "x".repeat(2_000_000)] {
            let error = source.search(&query(&text), None, 10).await.unwrap_err();
            assert!(matches!(error, SourceError::TooLong { .. }), "{id}: {error}");
            assert!(source.would_send(&query(&text), None).is_err());
        }
        assert!(
            source.search(&query("*** !!"), None, 10).await.unwrap().is_empty(),
            "{id}: no request without words"
        );
        assert_eq!(source.sent(), None);
    }
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn would_send_predicts_the_requests_sent() {
    let server = LiteratureServer::start(library()).unwrap();
    let as_of = Some("2024-05-17".parse().unwrap());
    for id in SERVICES.iter().chain(HOSTED).chain(FINDERS) {
        let ledger = Ledger::in_memory().await.unwrap();
        let source = source(&server, id, &ledger, Mode::Live);
        let predicted = source
            .would_send(&query("Find papers about rope creep decoding"), as_of)
            .unwrap();
        source
            .search(&query("Find papers about rope creep decoding"), as_of, 3)
            .await
            .unwrap();
        let received: Vec<String> = server
            .requests()
            .into_iter()
            .filter(|one| one.service == *id)
            .map(|one| match one.body.as_str() {
                "" => format!("{}{}", server.base(id), one.target),
                body => format!("POST {}{} {body}", server.base(id), one.target),
            })
            .collect();
        assert_eq!(received, predicted[..1], "{id}");
        assert!(!predicted.concat().contains(KEY));
    }
    let with_key: Vec<String> = server
        .requests()
        .into_iter()
        .filter(|one| one.head.contains(KEY))
        .map(|one| one.service)
        .collect();
    assert_eq!(
        with_key,
        [
            "openalex",
            "semantic-scholar",
            "opensearch",
            "google-scholar",
            "brave",
            "serper",
            "tavily",
            "searxng",
            "github",
            "kaggle",
            "kaggle-notebooks"
        ],
        "a key goes to those that take one"
    );
}

#[tokio::test]
async fn a_wrong_key_or_a_used_up_allowance_stops_a_run_and_a_later_run_may_retry() {
    for (id, act) in [
        ("openalex", Act::BadKey),
        ("openalex", Act::Spent),
        ("openreview", Act::LockedOut),
        ("openreview-v1", Act::LockedOut),
        ("semantic-scholar", Act::BadKey),
        ("brave", Act::BadKey),
        ("brave", Act::Spent),
        ("serper", Act::Spent),
        ("google-scholar", Act::Spent),
        ("kaggle", Act::BadKey),
        ("tavily", Act::LockedOut),
        ("github", Act::BadKey),
    ] {
        let server = LiteratureServer::start(library()).unwrap();
        server.set(id, act);
        let ledger = Ledger::in_memory().await.unwrap();
        let live = source(&server, id, &ledger, Mode::Live);
        let start = Instant::now();
        live.search(&query("rope creep"), None, 10).await.unwrap_err();
        for text in ["rope decoding", "slow creep", "rope at sea"] {
            let error = live.search(&query(text), None, 10).await.unwrap_err();
            assert!(matches!(error, SourceError::GivenUp { .. }), "{id} {act:?}: {error}");
        }
        assert_eq!(server.requests().len(), 1, "{id} {act:?}");
        assert!(start.elapsed() < Duration::from_secs(3), "{id} {act:?}");
        assert_eq!(live.sent().unwrap().requests, 1);
        // With the right key on the next day, the failed request is sent again, with the same record.
        server.set(id, Act::Well);
        let later = source(&server, id, &ledger, Mode::Live);
        assert!(
            !later.search(&query("rope creep"), None, 10).await.unwrap().is_empty(),
            "{id} {act:?}"
        );
    }
}

#[tokio::test]
async fn a_run_does_not_exceed_its_budget() {
    let server = LiteratureServer::start(library()).unwrap();
    let ledger = Ledger::in_memory().await.unwrap();
    let settings = ServiceSettings {
        budget: Some(3_000),
        ..settings(&server, "openalex")
    };
    let live = ServiceSource::new(
        service("openalex").unwrap(),
        settings.clone(),
        gateway(&ledger, Mode::Live),
        false,
    );
    let mut outcomes = Vec::new();
    for text in ["rope", "creep", "decoding", "harbours", "load"] {
        outcomes.push(live.search(&query(text), None, 1).await);
    }
    assert_eq!(
        outcomes.iter().map(Result::is_ok).collect::<Vec<_>>(),
        [true, true, true, false, false]
    );
    assert_eq!(server.requests().len(), 3);
    // Recorded answers are free, so a second run gets as far again.
    let again = ServiceSource::new(
        service("openalex").unwrap(),
        settings,
        gateway(&ledger, Mode::Live),
        false,
    );
    for text in ["rope", "creep", "decoding", "harbours"] {
        again.search(&query(text), None, 1).await.unwrap();
    }
    assert_eq!(server.requests().len(), 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_requests_do_not_exceed_the_budget() {
    for (id, act, asked) in [
        // It allows three concurrent requests: these are in flight when the first is answered.
        ("openalex", Act::BadKey, 3),
        ("openalex", Act::Spent, 3),
        ("semantic-scholar", Act::BadKey, 1),
        // The budget is enough for four.
        ("openalex", Act::Well, 4),
    ] {
        let server = LiteratureServer::start_with(library(), Duration::from_millis(20)).unwrap();
        server.set(id, act);
        let ledger = Ledger::in_memory().await.unwrap();
        let settings = ServiceSettings {
            budget: Some(4_000),
            between: Some(Duration::ZERO),
            ..settings(&server, id)
        };
        let source = ServiceSource::new(service(id).unwrap(), settings, gateway(&ledger, Mode::Live), false);
        let source = std::sync::Arc::new(source);
        let mut running = JoinSet::new();
        for text in ["rope", "creep", "decoding", "harbours", "load", "ropes", "slow", "sea"] {
            let source = std::sync::Arc::clone(&source);
            running.spawn(async move { source.search(&query(text), None, 1).await.is_ok() });
        }
        let answered = running.join_all().await.into_iter().filter(|ok| *ok).count();
        let received = server.requests().len();
        if act == Act::Well {
            assert_eq!((answered, received), (asked, asked), "{id}");
        } else {
            assert!(
                answered == 0 && (1..=asked).contains(&received),
                "{id} {act:?}: {answered}, {received}"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_source_has_its_own_pace() {
    let server = LiteratureServer::start_with(library(), Duration::from_millis(30)).unwrap();
    let slow = LiteratureServer::start_with(library(), Duration::from_millis(30)).unwrap();
    let mut running = JoinSet::new();
    let start = Instant::now();
    let between = Duration::from_millis(250);
    for (place, id) in [(&slow, "arxiv"), (&server, "openalex")] {
        let ledger = Ledger::in_memory().await.unwrap();
        let settings = ServiceSettings {
            between: (id == "arxiv").then_some(between),
            deadline: Some(Duration::from_secs(20)),
            ..settings(place, id)
        };
        let source = std::sync::Arc::new(ServiceSource::new(
            service(id).unwrap(),
            settings,
            gateway(&ledger, Mode::Live),
            false,
        ));
        for n in 0..6 {
            let source = std::sync::Arc::clone(&source);
            running.spawn(async move {
                source
                    .search(&query(&format!("rope {n}")), None, 1)
                    .await
                    .unwrap()
                    .len()
            });
        }
    }
    while let Some(found) = running.join_next().await {
        found.unwrap();
    }
    let times: Vec<Duration> = slow.requests().into_iter().map(|one| one.at).collect();
    assert!(
        times
            .windows(2)
            .all(|pair| pair[1] - pair[0] >= between - Duration::from_millis(60)),
        "{times:?}"
    );
    let least = between * u32::try_from(times.len() - 1).unwrap();
    assert!(
        start.elapsed() < least + Duration::from_secs(4),
        "{:?} for {least:?}",
        start.elapsed()
    );
}

#[tokio::test]
async fn a_service_that_reports_no_remaining_allowance_gets_no_more_requests() {
    let server = LiteratureServer::start(library()).unwrap();
    server.set("openalex", Act::LastOne);
    let ledger = Ledger::in_memory().await.unwrap();
    let live = source(&server, "openalex", &ledger, Mode::Live);
    assert!(!live.search(&query("rope creep"), None, 1).await.unwrap().is_empty());
    let error = live.search(&query("slow creep"), None, 1).await.unwrap_err();
    assert!(
        error.to_string().contains("used up, according to the service"),
        "{error}"
    );
    assert_eq!(server.requests().len(), 1, "before it had to refuse");
}

/// Eight services on separate hosts, at a tenth of their real latencies and paces: twelve queries take as long as the slowest service requires.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twelve_queries_to_eight_services_take_as_long_as_the_slowest_and_a_second_run_is_free() {
    const SCALE: u32 = 10;
    let latencies = [200, 1_000, 3_000, 700, 400, 500, 900, 2_000];
    let paces = [150, 1_100, 3_000, 1_050, 250, 1_500, 1_000, 1_000];
    assert_eq!(SERVICES.len(), 8);
    let ledger = Ledger::in_memory().await.unwrap();
    let gateway = gateway(&ledger, Mode::Live);
    let millis = |ms: u32| Duration::from_millis(u64::from(ms / SCALE));
    let mut places = Vec::new();
    for ((id, latency), pace) in SERVICES.iter().zip(latencies).zip(paces) {
        let server = LiteratureServer::start_with(library(), millis(latency)).unwrap();
        let settings = ServiceSettings {
            between: Some(millis(pace)),
            deadline: Some(Duration::from_secs(60)),
            ..settings(&server, id)
        };
        let source = ServiceSource::new(service(id).unwrap(), settings, std::sync::Arc::clone(&gateway), false);
        // These values are from the files of the services.
        assert_eq!(source.least_time(1), millis(pace), "{id}");
        places.push((server, std::sync::Arc::new(source), millis(latency), millis(pace)));
    }
    let topics = [
        "lamp", "winch", "buoy", "kelp", "harbour", "signal", "spring", "tension", "sensor", "channel", "mooring",
        "antenna",
    ];
    for run in 0..2 {
        let start = Instant::now();
        let mut running = JoinSet::new();
        for (_, source, ..) in &places {
            for topic in topics {
                let source = std::sync::Arc::clone(source);
                running.spawn(async move {
                    source
                        .search(&query(&format!("rope creep {topic}")), None, 100)
                        .await
                        .unwrap()
                        .len()
                });
            }
        }
        while let Some(found) = running.join_next().await {
            assert!(found.unwrap() > 0);
        }
        let took = start.elapsed();
        let requests: Vec<u32> = places
            .iter()
            .map(|(server, ..)| u32::try_from(server.requests().len()).unwrap())
            .collect();
        let forced = places
            .iter()
            .zip(&requests)
            .map(|((_, _, latency, pace), requests)| (*pace).max(*latency) * *requests)
            .max()
            .unwrap();
        assert!(requests.iter().all(|requests| *requests >= 12), "{requests:?}");
        let most = if run == 0 {
            forced + Duration::from_secs(3)
        } else {
            Duration::from_secs(3)
        };
        assert!(took < most, "{took:?}, {forced:?} forced by {requests:?}");
        if run == 1 {
            assert_eq!(
                places.iter().map(|(server, ..)| server.requests().len()).sum::<usize>(),
                requests.iter().sum::<u32>() as usize
            );
        }
    }
    let total: usize = places.iter().map(|(server, ..)| server.requests().len()).sum();
    let first: usize = ledger.everything_sent().await.unwrap().len();
    assert_eq!(total, first, "the second run costs no request");
}

#[tokio::test]
async fn a_key_with_a_line_break_is_refused_and_not_shown() {
    let server = LiteratureServer::start(library()).unwrap();
    let ledger = Ledger::in_memory().await.unwrap();
    let settings = ServiceSettings {
        key: Some(precedent_http::Secret::new("abc123\r\nX-Evil: 1")),
        ..settings(&server, "semantic-scholar")
    };
    let source = ServiceSource::new(
        service("semantic-scholar").unwrap(),
        settings,
        gateway(&ledger, Mode::Live),
        false,
    );
    let error = source.search(&query("rope"), None, 1).await.unwrap_err();
    let cause = std::error::Error::source(&error).unwrap().to_string();
    assert!(cause.contains("cannot be sent") && !cause.contains("abc123"), "{cause}");
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn a_trial_reports_limits_and_errors() {
    let server = LiteratureServer::start(library()).unwrap();
    for id in SERVICES.iter().chain(HOSTED).chain(FINDERS) {
        let ledger = Ledger::in_memory().await.unwrap();
        let trial = source(&server, id, &ledger, Mode::Live).trial().await.unwrap();
        let tells = matches!(*id, "openalex" | "crossref" | "brave" | "github");
        assert_eq!(!trial.limits.is_empty(), tells, "{id}: {trial:?}");
        server.set(id, Act::BadKey);
        let ledger = Ledger::in_memory().await.unwrap();
        assert!(source(&server, id, &ledger, Mode::Live).trial().await.is_err(), "{id}");
    }
}

proptest! {
    /// Whatever a paper contains, a service only receives words: each wording contains the query's own words and, between them, only the operators
    /// added by its file. The address has the same parameters, with one value each.
    #[test]
    fn nothing_in_a_query_is_an_operator(text in "\\PC{0,60}|[a-zA-Z \"'()|!&*~:^,.\\[\\]{}\\\\/<>=+#%?@;-]{0,60}") {
        let words = Words::of(&text);
        for service in services() {
            for wording in service.wordings(&words) {
                let parts = wording.split([' ', '|']).filter(|part| !part.is_empty() && !matches!(*part, "AND" | "OR"));
                for part in parts {
                    let word = part.strip_prefix("all:").unwrap_or(part);
                    prop_assert!(word.chars().all(char::is_alphanumeric), "{}: {wording}", service.id());
                    prop_assert!(words.spaced().split(' ').any(|own| own == word), "{}: {wording}", service.id());
                    prop_assert!(!matches!(word, "AND" | "OR" | "NOT" | "ANDNOT" | "TO"), "{}: {wording}", service.id());
                }
            }
        }
    }
}
