use std::sync::Arc;
use std::time::{Duration, Instant};

use precedent_domain::Hit;
use precedent_http::{HttpError, Mode};
use precedent_ledger::Ledger;
use precedent_scripted::literature::{Act, FINDERS, LiteratureServer, SERVICES};
use precedent_sources::{Source, SourceError, Trouble, services};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::support::{KEY, library, query, source_within};

type Outcome = Result<Vec<Hit>, SourceError>;

#[test]
fn every_service_of_the_registry_is_played() {
    let mut registered: Vec<&str> = services().into_iter().map(precedent_sources::Service::id).collect();
    let mut played = [SERVICES, FINDERS].concat();
    registered.sort_unstable();
    played.sort_unstable();
    assert_eq!(registered, played);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_service_survives_everything_in_time_and_says_what_happened() {
    let mut running = JoinSet::new();
    // Not all at once: what is timed must not wait for the machine.
    let at_once = Arc::new(Semaphore::new(28));
    for act in Act::ALL {
        for id in SERVICES.iter().chain(FINDERS) {
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
    assert_eq!(done, Act::ALL.len() * (SERVICES.len() + FINDERS.len()));
}

/// One service under one behaviour: asked, asked again, replayed without a server.
async fn one(id: &'static str, act: Act) {
    let at = format!("{id} {act:?}");
    let server = LiteratureServer::start(library()).unwrap();
    server.set(id, act);
    let ledger = Ledger::in_memory().await.unwrap();
    // Who never answers is waited for; who does, may take its time on a busy machine.
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
    let requests = server.heard().len();
    assert!(requests <= 12, "{at}: {requests} requests");
    if first.is_ok() {
        let again = source(Mode::Live).search(&query("rope creep decoding"), None, 50).await;
        assert_eq!(told(&first), told(&again), "{at}");
        assert_eq!(server.heard().len(), requests, "{at}: a second run costs no request");
        assert!(live.sent().is_some(), "{at}: what was sent is told");
    }
    let replay = source(Mode::Replay);
    drop(server);
    let replayed = replay.search(&query("rope creep decoding"), None, 50).await;
    assert_eq!(told(&first), told(&replayed), "{at}");
    assert_eq!(live.sent(), replay.sent(), "{at}");
    for sent in ledger.everything_sent().await.unwrap() {
        assert!(!format!("{sent:?}").contains(KEY), "{at}: {sent:?}");
        assert!(sent.host == "127.0.0.1", "{at}: {sent:?}");
    }
}

/// What came of it, with the whole chain of causes.
fn told(outcome: &Outcome) -> String {
    match outcome {
        Ok(hits) => format!("{hits:?}"),
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
    let trouble = |wanted: &dyn Fn(&Trouble) -> bool| matches!(outcome, Err(SourceError::Trouble { trouble, .. }) if wanted(trouble));
    let unreached = |wanted: &dyn Fn(&HttpError) -> bool| matches!(outcome, Err(SourceError::Unreached { source, .. }) if wanted(source));
    let unreadable = matches!(outcome, Err(SourceError::Unreadable { .. }));
    let busy = |trouble: &Trouble| match id {
        "semantic-scholar" => *trouble == Trouble::SharedPool,
        _ => *trouble == Trouble::TooFast,
    };
    let fits = match act {
        Act::Well | Act::Stumbles | Act::TooFast | Act::Nulls | Act::Latin1 | Act::Hostile => outcome
            .as_ref()
            .is_ok_and(|hits| !hits.is_empty() && hits.iter().all(|hit| is_sound(hit, id))),
        // A wider wording is not asked for any more where the first brought little.
        Act::LastOne if id == "openalex" => {
            matches!(outcome, Err(SourceError::GivenUp { why, .. }) if why.contains("used up, as it says itself"))
        }
        Act::LastOne => outcome.as_ref().is_ok_and(|hits| !hits.is_empty()),
        Act::Empty => outcome.as_ref().is_ok_and(Vec::is_empty),
        Act::BadKey => match id {
            // A filter that wants a plan has this status there, a wrong key another.
            "openalex" => trouble(&|one| matches!(one, Trouble::Key { said } if said.contains("API key not found"))),
            "openreview" | "openreview-v1" => trouble(&|one| matches!(one, Trouble::Challenge { .. })),
            "searxng" => trouble(&|one| matches!(one, Trouble::Key { said } if said.contains("search.formats"))),
            _ => trouble(&|one| matches!(one, Trouble::Key { .. })),
        },
        Act::TooMany => trouble(&busy) || unreached(&|error| matches!(error, HttpError::TimedOut { .. })),
        Act::Spent => match id {
            "openalex" => {
                trouble(&|one| matches!(one, Trouble::Spent { said } if said.contains("Insufficient budget")))
            }
            "brave" | "serper" | "tavily" => trouble(
                &|one| matches!(one, Trouble::Spent { said } if said.contains("limit") || said.contains("credits")),
            ),
            "github" | "searxng" => trouble(&busy) || unreached(&|error| matches!(error, HttpError::TimedOut { .. })),
            _ => trouble(&busy),
        },
        Act::LockedOut => match id {
            "openreview" | "openreview-v1" => trouble(&|one| *one == Trouble::LockedOut { seconds: 1808 }),
            "brave" | "tavily" => trouble(&|one| matches!(one, Trouble::Spent { said } if !said.is_empty())),
            _ => trouble(&busy) || unreached(&|error| matches!(error, HttpError::TimedOut { .. })),
        },
        Act::Down => trouble(&|one| matches!(one, Trouble::Down { status: 503, .. })),
        Act::Html | Act::CutShort | Act::NotText | Act::Unfolding => unreadable,
        Act::Truncated | Act::Hangup => unreached(&|error| matches!(error, HttpError::Unreachable { .. })),
        Act::Drip | Act::Hang => unreached(&|error| matches!(error, HttpError::TimedOut { .. })),
        Act::RedirectInside | Act::RedirectFile => unreached(&|error| matches!(error, HttpError::NotAllowed { .. })),
        Act::Huge | Act::Bomb => unreached(&|error| matches!(error, HttpError::TooLarge { .. })),
    };
    assert!(fits, "{at}: {outcome:.600?}");
}

/// Whether everything that a service said is bounded and plain.
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
