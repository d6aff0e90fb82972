use std::sync::Arc;
use std::time::{Duration, Instant};

use precedent_domain::Hit;
use precedent_http::{HttpError, Mode, Secret};
use precedent_ledger::Ledger;
use precedent_scripted::literature::{
    Act, FINDERS, HOSTED, LibraryRecord, LiteratureServer, ReceivedRequest, SERVICES,
};
use precedent_sources::{
    SearchResults, ServiceError, ServiceSettings, ServiceSource, Source, SourceError, service, services,
};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::support::{KEY, gateway, library, query, record, settings, source, source_within};

type Outcome = Result<SearchResults, SourceError>;

#[test]
fn every_registered_service_has_a_test_server() {
    let mut registered: Vec<&str> = services().into_iter().map(precedent_sources::Service::id).collect();
    let mut played = [SERVICES, HOSTED, FINDERS].concat();
    registered.sort_unstable();
    played.sort_unstable();
    assert_eq!(registered, played);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_service_survives_every_behaviour_in_time_and_reports_it() {
    let mut running = JoinSet::new();
    // Not all at once: the machine must not delay what is timed.
    let at_once = Arc::new(Semaphore::new(28));
    for act in Act::ALL {
        for id in SERVICES.iter().chain(HOSTED).chain(FINDERS) {
            let at_once = Arc::clone(&at_once);
            running.spawn(async move {
                let _turn = at_once.acquire().await.unwrap();
                one(id, act).await;
            });
        }
    }
    let mut done = 0;
    while let Some(ended) = running.join_next().await {
        ended.unwrap();
        done += 1;
    }
    assert_eq!(done, Act::ALL.len() * (SERVICES.len() + HOSTED.len() + FINDERS.len()));
}

/// Runs one service under one behaviour: a first run, a second run, and a replay without a server.
async fn one(id: &'static str, act: Act) {
    let at = format!("{id} {act:?}");
    let server = LiteratureServer::start(library()).unwrap();
    server.set(id, act);
    let ledger = Ledger::in_memory().await.unwrap();
    // A server that never answers has a deadline; one that does may take its time on a busy machine.
    let endless = matches!(act, Act::Drip | Act::Hang | Act::TooMany | Act::Spent | Act::LockedOut);
    let deadline = Duration::from_secs(if endless { 8 } else { 40 });
    let source = |mode| source_within(&server, id, &ledger, mode, deadline);
    let live = source(Mode::Live);
    let start = Instant::now();
    let first = live.search(&query("rope creep decoding"), None, 50).await;
    assert!(
        start.elapsed() < deadline + Duration::from_secs(15),
        "{at}: {:?}",
        start.elapsed()
    );
    expected(&at, id, act, &first);
    let requests = server.requests().len();
    assert!(requests <= 12, "{at}: {requests} requests");
    if first.as_ref().is_ok_and(|found| found.failure.is_none()) {
        let again = source(Mode::Live).search(&query("rope creep decoding"), None, 50).await;
        assert_eq!(described(&first), described(&again), "{at}");
        assert_eq!(server.requests().len(), requests, "{at}: a second run costs no request");
        assert!(live.sent().is_some(), "{at}: what was sent is recorded");
    }
    let replay = source(Mode::Replay);
    drop(server);
    let replayed = replay.search(&query("rope creep decoding"), None, 50).await;
    assert_eq!(described(&first), described(&replayed), "{at}");
    assert_eq!(live.sent(), replay.sent(), "{at}");
    for sent in ledger.everything_sent().await.unwrap() {
        assert!(!format!("{sent:?}").contains(KEY), "{at}: {sent:?}");
        assert!(sent.host == "127.0.0.1", "{at}: {sent:?}");
    }
}

/// The outcome with the whole chain of causes.
fn described(outcome: &Outcome) -> String {
    match outcome {
        Ok(found) => format!("{found:?}"),
        Err(error) => {
            let mut text = error.to_string();
            let mut cause = std::error::Error::source(error);
            while let Some(inner) = cause {
                text.push_str(&format!(": {inner}"));
                cause = inner.source();
            }
            assert!(
                text.len() < 600 && !text.contains(KEY) && !text.contains('\n'),
                "{text}"
            );
            text
        }
    }
}

fn expected(at: &str, id: &str, act: Act, outcome: &Outcome) {
    let trouble = |wanted: &dyn Fn(&ServiceError) -> bool| matches!(outcome, Err(SourceError::ServiceError { trouble, .. }) if wanted(trouble));
    let unreached = |wanted: &dyn Fn(&HttpError) -> bool| matches!(outcome, Err(SourceError::Unreached { source, .. }) if wanted(source));
    let unreadable = matches!(outcome, Err(SourceError::Unreadable { .. }));
    // Users with a key do not share a pool.
    let busy = |trouble: &ServiceError| *trouble == ServiceError::TooFast;
    let fits = match act {
        // The result of the first request is kept if a later one fails.
        Act::FirstAlone => outcome.as_ref().is_ok_and(|found| !found.is_empty()),
        Act::Well | Act::Stumbles | Act::TooFast | Act::DamagedOnce | Act::Nulls | Act::Latin1 | Act::Hostile => {
            outcome
                .as_ref()
                .is_ok_and(|hits| !hits.is_empty() && hits.iter().all(|hit| is_sound(hit, id)))
        }
        // No wider wording is sent if the narrower one found little.
        Act::LastOne if id == "openalex" => matches!(
            outcome,
            Ok(SearchResults { hits, failure: Some(SourceError::GivenUp { why, .. }), .. })
                if !hits.is_empty() && why.contains("used up, according to the service")
        ),
        Act::LastOne => outcome.as_ref().is_ok_and(|hits| !hits.is_empty()),
        Act::Empty => outcome.as_ref().is_ok_and(|found| found.is_empty()),
        Act::BadKey => match id {
            // There, a filter that requires a plan has this status, and a wrong key another one.
            "openalex" => {
                trouble(&|one| matches!(one, ServiceError::Key { message } if message.contains("API key not found")))
            }
            "openreview" | "openreview-v1" => trouble(&|one| matches!(one, ServiceError::Challenge { .. })),
            "searxng" => {
                trouble(&|one| matches!(one, ServiceError::Key { message } if message.contains("search.formats")))
            }
            _ => trouble(&|one| matches!(one, ServiceError::Key { .. })),
        },
        Act::TooMany => trouble(&busy) || unreached(&|error| matches!(error, HttpError::TimedOut { .. })),
        Act::Spent => match id {
            "openalex" => trouble(
                &|one| matches!(one, ServiceError::Spent { message } if message.contains("Insufficient budget")),
            ),
            "brave" | "serper" | "google-scholar" | "tavily" => trouble(
                &|one| matches!(one, ServiceError::Spent { message } if message.contains("limit") || message.contains("credits")),
            ),
            "github" | "searxng" => trouble(&busy) || unreached(&|error| matches!(error, HttpError::TimedOut { .. })),
            _ => trouble(&|one| *one == ServiceError::LockedOut { seconds: 43_200 }),
        },
        Act::LongPause => trouble(&|one| *one == ServiceError::LockedOut { seconds: 3_600 }),
        Act::LockedOut => match id {
            "openreview" | "openreview-v1" => trouble(&|one| *one == ServiceError::LockedOut { seconds: 1808 }),
            "brave" | "tavily" => trouble(&|one| matches!(one, ServiceError::Spent { message } if !message.is_empty())),
            _ => trouble(&busy) || unreached(&|error| matches!(error, HttpError::TimedOut { .. })),
        },
        Act::Down => trouble(&|one| matches!(one, ServiceError::Down { status: 503, .. })),
        Act::Html | Act::CutShort | Act::NotText | Act::Unfolding => unreadable,
        Act::Truncated | Act::Hangup => unreached(&|error| matches!(error, HttpError::Unreachable { .. })),
        Act::Drip | Act::Hang => unreached(&|error| matches!(error, HttpError::TimedOut { .. })),
        Act::RedirectInside | Act::RedirectFile => unreached(&|error| matches!(error, HttpError::NotAllowed { .. })),
        Act::Huge | Act::Bomb => unreached(&|error| matches!(error, HttpError::TooLarge { .. })),
    };
    assert!(fits, "{at}: {outcome:.600?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn results_before_a_failure_are_kept_and_a_rerun_requests_only_the_rest() {
    let mut cut_short = 0;
    // The only work with the word "tides". Europe PMC answers each of two wordings in one page, so a second work only appears if the two wordings
    // (all words, any word) list different works first.
    let tides = LibraryRecord {
        summary: "Rope creep, and its decoding".into(),
        ..record("1008", "Tides", "2019-01-01")
    };
    let works: Vec<LibraryRecord> = library().into_iter().chain([tides]).collect();
    for id in SERVICES.iter().chain(HOSTED).chain(FINDERS) {
        let server = LiteratureServer::start(works.clone()).unwrap();
        server.set(id, Act::FirstAlone);
        let ledger = Ledger::in_memory().await.unwrap();
        let one_a_page = |mode| {
            let settings = ServiceSettings {
                page: Some(1),
                deadline: Some(Duration::from_secs(30)),
                ..settings(&server, id)
            };
            ServiceSource::new(
                service(id).unwrap(),
                settings,
                gateway(&ledger, mode),
                mode == Mode::Replay,
            )
        };
        let topic = query(match *id {
            "europe-pmc" => "rope creep decoding tides",
            _ => "rope creep decoding",
        });
        let first = one_a_page(Mode::Live).search(&topic, None, 50).await.unwrap();
        assert!(!first.is_empty(), "{id}");
        let different = |received: &[ReceivedRequest]| {
            let mut all: Vec<_> = received
                .iter()
                .map(|one| (one.target.clone(), one.body.clone()))
                .collect();
            all.dedup();
            all
        };
        let asked = different(&server.requests());
        // Services with more than one page or wording send another request, which fails.
        assert_eq!(first.failure.is_some(), asked.len() > 1, "{id}: {:?}", first.failure);
        if let Some(failure) = &first.failure {
            cut_short += 1;
            let is_down = matches!(
                failure,
                SourceError::ServiceError {
                    trouble: ServiceError::Down { status: 504, .. },
                    ..
                }
            );
            assert!(is_down, "{id}: {failure}");
        }
        let replayed = one_a_page(Mode::Replay).search(&topic, None, 50).await;
        assert_eq!(described(&Ok(first)), described(&replayed), "{id}");
        // In a later run, recorded answers are not requested again, and the rest is added.
        server.set(id, Act::Well);
        let before = server.requests().len();
        let again = one_a_page(Mode::Live).search(&topic, None, 50).await.unwrap();
        assert!(again.failure.is_none(), "{id}: {:?}", again.failure);
        let newly = different(&server.requests()[before..]);
        assert!(newly.iter().all(|one| *one != asked[0]), "{id}: {newly:?}");
        assert_eq!(newly.first(), asked.get(1), "{id}: the failed request comes first");
        assert!(asked.len() < 2 || again.len() > 1, "{id}: {}", again.len());
    }
    assert!(cut_short >= SERVICES.len(), "{cut_short}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_pause_stops_a_service_for_the_run_and_the_message_says_what_to_do() {
    for id in SERVICES.iter().chain(HOSTED).chain(FINDERS) {
        let server = LiteratureServer::start(library()).unwrap();
        server.set(id, Act::LongPause);
        let ledger = Ledger::in_memory().await.unwrap();
        let live = source(&server, id, &ledger, Mode::Live);
        let start = Instant::now();
        let topics = ["rope creep", "rope decoding", "slow creep", "rope at sea", "harbours"];
        let mut reasons = Vec::new();
        for topic in topics {
            reasons.push(described(&live.search(&query(topic), None, 10).await));
        }
        assert_eq!(server.requests().len(), 1, "{id}");
        assert!(start.elapsed() < Duration::from_secs(5), "{id}: no waiting");
        reasons.dedup();
        let [reason] = reasons.as_slice() else {
            panic!("{id}: {reasons:?}")
        };
        assert!(
            reason.contains("a pause of 60 min") && reason.contains("repeat the command after that"),
            "{id}: {reason}"
        );
        let replay = source(&server, id, &ledger, Mode::Replay);
        for topic in topics {
            assert_eq!(
                described(&replay.search(&query(topic), None, 10).await),
                *reason,
                "{id}"
            );
        }
    }
}

#[tokio::test]
async fn users_with_a_key_are_not_advised_to_get_one() {
    let server = LiteratureServer::start(library()).unwrap();
    server.set("semantic-scholar", Act::TooMany);
    for (key, hint) in [(None, true), (Some(Secret::new(KEY)), false)] {
        let ledger = Ledger::in_memory().await.unwrap();
        let settings = ServiceSettings {
            key,
            deadline: Some(Duration::from_secs(2)),
            ..settings(&server, "semantic-scholar")
        };
        let id = service("semantic-scholar").unwrap();
        let source = ServiceSource::new(id, settings, gateway(&ledger, Mode::Live), false);
        let reason = described(&source.search(&query("rope creep"), None, 10).await);
        assert_eq!(reason.contains("key"), hint, "{reason}");
    }
}

/// Whether all text from a service is limited in length and plain.
fn is_sound(hit: &Hit, id: &str) -> bool {
    let work = &hit.work;
    let plain = |text: &str, most: usize| {
        text.chars().count() <= most && !text.chars().any(|c| c.is_control() || c == '\u{202e}')
    };
    hit.source == id
        && plain(&work.title, 600)
        && !work.title.contains("<script>")
        && work
            .summary
            .as_deref()
            .is_none_or(|summary| plain(summary, 12_000) && !summary.contains("<img"))
        && work.authors.len() <= 300
        && work
            .authors
            .iter()
            .all(|author| plain(&author.name, 120) && !author.name.is_empty())
        && work
            .url
            .as_deref()
            .is_none_or(|url| url.starts_with("http") && !url.contains(['"', '<', ' ']))
        && !work.id.as_str().contains(char::is_whitespace)
        && work.dates.iter().all(|dated| dated.date.year() < 2030)
}
