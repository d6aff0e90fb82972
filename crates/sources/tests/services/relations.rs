use std::sync::Arc;
use std::time::Duration;

use precedent_domain::{QueryContent, SentContent, SentRecord, Work};
use precedent_http::{HttpError, Mode};
use precedent_ledger::Ledger;
use precedent_scripted::literature::{Act, LibraryRecord, LiteratureServer, SERVICES};
use precedent_sources::{
    Ability, Relation, ServiceSettings, ServiceSource, Source, SourceError, WHOLE_WORDS, WorkName, service, services,
};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::support::{KEY, gateway, library, query, settings, source, source_within};

const TEXT: &str = "Rope creep: (decoding) AND \"swell\" at sea. We treat the rope as a spring!";

/// Seven works on ropes, each of which cites the earlier ones.
fn fixed_source() -> Vec<LibraryRecord> {
    let mut works = library();
    let keys: Vec<String> = works.iter().map(|work| work.key.clone()).collect();
    for (at, work) in works.iter_mut().enumerate() {
        work.cites = keys[..at].to_vec();
    }
    works
}

fn name(text: &str) -> WorkName {
    WorkName::Record(text.parse().unwrap())
}

/// The fifth work by its name at a service.
fn fifth(id: &str) -> WorkName {
    match id {
        "openalex" => name("openalex:W1005"),
        _ => WorkName::Doi("10.5555/rope.1005".parse().unwrap()),
    }
}

fn with(ability: Ability) -> Vec<&'static str> {
    let all = services().into_iter();
    all.filter(|one| one.relations().is_some_and(|relations| relations.can(ability)))
        .map(|one| one.id())
        .collect()
}

/// The outcome in one line.
async fn asked(source: &ServiceSource, ability: Ability) -> Result<String, SourceError> {
    let of = fifth(source.name());
    let relation = match ability {
        Ability::Passages => Relation::Passages(TEXT),
        Ability::Titled => Relation::Titled("Rope creep decoding at sea"),
        Ability::Recommended => Relation::Recommended(&of),
        Ability::Citing => Relation::Citing(&of),
        Ability::References => {
            let found = source.references(&[of.clone(), fifth("openalex")]).await?;
            return Ok(format!("{found:?}"));
        }
        _ => {
            let stranger = WorkName::Doi("10.5555/none".parse().unwrap());
            let found = source.look_up(&[of.clone(), stranger]).await?;
            return Ok(format!("{found:?}"));
        }
    };
    let hits = source.related(&relation, None, 50).await?;
    Ok(format!("{hits:?}"))
}

fn titles(works: &[Work]) -> Vec<&str> {
    works.iter().map(|work| work.title.as_str()).collect()
}

#[tokio::test]
async fn an_unsupported_relation_is_an_error_and_sends_nothing() {
    let server = LiteratureServer::start(fixed_source()).unwrap();
    for id in SERVICES {
        let ledger = Ledger::in_memory().await.unwrap();
        let source = source(&server, id, &ledger, Mode::Live);
        for ability in Ability::ALL {
            if source.can(ability) {
                continue;
            }
            let error = asked(&source, ability).await.unwrap_err();
            assert!(matches!(error, SourceError::Unable { .. }), "{id} {ability:?}: {error}");
            assert!(error.to_string().contains("it cannot"), "{error}");
        }
        assert_eq!(
            server.requests().iter().filter(|one| one.service == *id).count(),
            0,
            "{id}"
        );
    }
    for ability in Ability::ALL {
        assert!(with(ability).contains(&"semantic-scholar"), "{ability:?}");
    }
}

#[tokio::test]
async fn passages_are_searched_with_plain_words_and_their_works_are_looked_up() {
    let server = LiteratureServer::start(fixed_source()).unwrap();
    let as_of = Some("2022-06-30".parse().unwrap());
    for id in with(Ability::Passages) {
        let ledger = Ledger::in_memory().await.unwrap();
        let source = source(&server, id, &ledger, Mode::Live);
        let predicted = source.would_ask(&Relation::Passages(TEXT), as_of, 50).unwrap();
        let hits = source.related(&Relation::Passages(TEXT), as_of, 50).await.unwrap();
        let works: Vec<Work> = hits.into_iter().map(|hit| hit.work).collect();
        let found = titles(&works);
        assert!(found.contains(&"Rope creep decoding"), "{id}: {found:?}");
        // Dates come from the look-up: the preprint of March 2022 stays, later works are dropped.
        assert!(found.contains(&"Rope creep decoding for decoders"), "{id}: {found:?}");
        assert!(!found.contains(&"Rope creep decoding revisited"), "{id}: {found:?}");
        assert!(
            works
                .iter()
                .all(|work| work.summary.is_some() && !work.dates.is_empty()),
            "{id}"
        );
        let received: Vec<_> = server.requests().into_iter().filter(|one| one.service == id).collect();
        assert_eq!(received.len(), predicted.len(), "{id}: {predicted:?}");
        for (one, predicted) in received.iter().zip(&predicted) {
            assert!(
                predicted.contains(&one.target) && !predicted.contains(KEY),
                "{id}: {predicted}"
            );
        }
        let sent = source.sent().unwrap();
        assert!(sends(&sent, QueryContent::Text), "{sent:?}");
        if id == "opensearch" {
            // It receives the vector of the text instead of its words.
            assert!(
                received[0].body.contains("\"knn\"") && !received[0].body.contains("rope"),
                "{}",
                received[0].body
            );
            continue;
        }
        assert!(
            received[0].target.contains("rope+creep+decoding+and+swell+at+sea"),
            "{}",
            received[0].target
        );
        // However long the text is, only a limited number of words is sent.
        let long = "rope creep ".repeat(5_000);
        source.related(&Relation::Passages(&long), None, 5).await.unwrap();
        let last = server
            .requests()
            .into_iter()
            .rfind(|one| one.target.matches("rope").count() > 50)
            .unwrap();
        assert!(
            last.target.len() < 4_000 && last.target.matches('+').count() < WHOLE_WORDS,
            "{id}"
        );
    }
}

#[tokio::test]
async fn recommendations_references_and_citations_are_found_by_name() {
    let server = LiteratureServer::start(fixed_source()).unwrap();
    for id in with(Ability::References) {
        let ledger = Ledger::in_memory().await.unwrap();
        let source = source(&server, id, &ledger, Mode::Live);
        let doi = |key: &str| WorkName::Doi(format!("10.5555/rope.{key}").parse().unwrap());
        // One name, and many names including an unknown one and a duplicate.
        let alone = source.references(&[doi("1003")]).await.unwrap();
        let lists = source
            .references(&[doi("1003"), doi("9999"), doi("1005"), doi("1003")])
            .await
            .unwrap();
        assert_eq!(alone[0], lists[0], "{id}");
        assert_eq!(lists[0], lists[3], "{id}");
        assert_eq!(lists[0].as_ref().unwrap().len(), 2, "{id}");
        assert!(lists[1].is_none(), "{id}");
        let cited = lists[2].clone().unwrap();
        let works: Vec<Work> = source.look_up(&cited).await.unwrap().into_iter().flatten().collect();
        assert_eq!(
            titles(&works),
            [
                "Rope creep decoding",
                "Decoding of rope creep in harbours",
                "Rope creep under load",
                "Slow rope creep decoding"
            ],
            "{id}"
        );
        let citing = source.related(&Relation::Citing(&doi("1005")), None, 50).await.unwrap();
        assert_eq!(citing.len(), 2, "{id}");
        let before = Some("2023-01-01".parse().unwrap());
        let citing = source
            .related(&Relation::Citing(&doi("1005")), before, 50)
            .await
            .unwrap();
        assert_eq!(citing.len(), 1, "{id}: nothing later");
        let titled = source
            .related(&Relation::Titled("Rope Creep Decoding at Sea"), None, 5)
            .await
            .unwrap();
        assert_eq!(titled[0].work.title, "Rope creep decoding at sea", "{id}");
        let nothing = source
            .related(&Relation::Titled("Zebra quilts"), None, 5)
            .await
            .unwrap();
        assert!(nothing.is_empty(), "{id}");
        assert!(sends(&source.sent().unwrap(), QueryContent::Names), "{id}");
    }
    let ledger = Ledger::in_memory().await.unwrap();
    let source = source(&server, "semantic-scholar", &ledger, Mode::Live);
    let seed = WorkName::Arxiv("2212.01005".parse().unwrap());
    let hits = source.related(&Relation::Recommended(&seed), None, 100).await.unwrap();
    assert_eq!(hits.len(), 6, "all others");
    let stranger = WorkName::Arxiv("1001.00001".parse().unwrap());
    let none = source
        .related(&Relation::Recommended(&stranger), None, 100)
        .await
        .unwrap();
    assert!(none.is_empty());
}

#[tokio::test]
async fn names_that_escape_a_path_or_a_filter_are_never_sent() {
    let server = LiteratureServer::start(fixed_source()).unwrap();
    for id in with(Ability::Citing) {
        let ledger = Ledger::in_memory().await.unwrap();
        let source = source(&server, id, &ledger, Mode::Live);
        for doi in ["10.5555/a/../../../author/1", "10.5555/./x"] {
            let name = WorkName::Doi(doi.parse().unwrap());
            source.related(&Relation::Citing(&name), None, 5).await.unwrap();
        }
        for doi in ["10.5555/a,cites:W1", "10.5555/a|10.5555/b", "10.5555/a?x=1#y"] {
            let name = WorkName::Doi(doi.parse().unwrap());
            drop(source.look_up(std::slice::from_ref(&name)).await);
            drop(source.related(&Relation::Citing(&name), None, 5).await);
        }
        for record in ["openalex:W1,cites:W2", "openalex:Wx", "semantic-scholar:../../x"] {
            drop(source.look_up(&[name(record)]).await);
        }
    }
    for one in server.requests() {
        let (path, query) = one.target.split_once('?').unwrap_or((&one.target, ""));
        assert!(!path.contains("/author/") && !path.contains(".."), "{path}");
        for bad in ["x=1", "cites%3AW1", "W1%2C", "a%7C10"] {
            assert!(!query.contains(bad), "{bad}: {query}");
        }
    }
}

#[tokio::test]
async fn relations_stop_at_the_budget_and_a_second_run_is_free() {
    let server = LiteratureServer::start(fixed_source()).unwrap();
    let ledger = Ledger::in_memory().await.unwrap();
    let open = |budget| {
        let settings = ServiceSettings {
            budget: Some(budget),
            ..settings(&server, "openalex")
        };
        ServiceSource::new(
            service("openalex").unwrap(),
            settings,
            gateway(&ledger, Mode::Live),
            false,
        )
    };
    // Three lists of a hundred each.
    let live = open(300);
    let doi = |key: u32| WorkName::Doi(format!("10.5555/rope.{key}").parse().unwrap());
    let mut outcomes = Vec::new();
    for key in 1001..1006 {
        outcomes.push(live.look_up(&[doi(key)]).await.is_ok());
    }
    assert_eq!(outcomes, [true, true, true, false, false]);
    assert_eq!(server.requests().len(), 3);
    let again = open(300);
    for key in 1001..1004 {
        again.look_up(&[doi(key)]).await.unwrap();
    }
    assert_eq!(server.requests().len(), 3);
    assert!(live.sent().unwrap().requests == 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_relation_survives_every_behaviour_in_time_and_replays_the_same() {
    let mut running = JoinSet::new();
    let at_once = Arc::new(Semaphore::new(28));
    for ability in Ability::ALL {
        for id in with(ability) {
            for act in Act::ALL {
                let at_once = Arc::clone(&at_once);
                running.spawn(async move {
                    let _turn = at_once.acquire().await.unwrap();
                    one(id, ability, act).await;
                });
            }
        }
    }
    while let Some(ended) = running.join_next().await {
        ended.unwrap();
    }
}

async fn one(id: &'static str, ability: Ability, act: Act) {
    let at = format!("{id} {ability:?} {act:?}");
    let server = LiteratureServer::start(fixed_source()).unwrap();
    server.set(id, act);
    let ledger = Ledger::in_memory().await.unwrap();
    let endless = matches!(act, Act::Drip | Act::Hang | Act::TooMany | Act::Spent | Act::LockedOut);
    let deadline = Duration::from_secs(if endless { 3 } else { 40 });
    let live = source_within(&server, id, &ledger, Mode::Live, deadline);
    let first = asked(&live, ability).await;
    let fits = match act {
        Act::LastOne => first.is_ok() || id == "openalex" && matches!(first, Err(SourceError::GivenUp { .. })),
        // Whether anything was answered depends on how many requests the relation takes.
        Act::FirstAlone => true,
        Act::DamagedOnce
        | Act::Well
        | Act::Stumbles
        | Act::TooFast
        | Act::Nulls
        | Act::Latin1
        | Act::Hostile
        | Act::Empty => first.is_ok(),
        Act::Html | Act::CutShort | Act::NotText | Act::Unfolding => {
            matches!(first, Err(SourceError::Unreadable { .. }))
        }
        Act::BadKey | Act::Down => matches!(first, Err(SourceError::ServiceError { .. })),
        Act::TooMany | Act::Spent | Act::LockedOut | Act::LongPause => first.is_err(),
        Act::Truncated | Act::Hangup => {
            matches!(&first, Err(SourceError::Unreached { source, .. }) if matches!(source, HttpError::Unreachable { .. }))
        }
        Act::Drip | Act::Hang => {
            matches!(&first, Err(SourceError::Unreached { source, .. }) if matches!(source, HttpError::TimedOut { .. }))
        }
        Act::RedirectInside | Act::RedirectFile => {
            matches!(&first, Err(SourceError::Unreached { source, .. }) if matches!(source, HttpError::NotAllowed { .. }))
        }
        Act::Huge | Act::Bomb => {
            matches!(&first, Err(SourceError::Unreached { source, .. }) if matches!(source, HttpError::TooLarge { .. }))
        }
    };
    assert!(fits, "{at}: {first:.600?}");
    let described = |outcome: &Result<String, SourceError>| match outcome {
        Ok(text) => text.clone(),
        Err(error) => error.to_string(),
    };
    assert!(!described(&first).contains(KEY), "{at}");
    let requests = server.requests().len();
    if first.as_ref().is_ok_and(|text| !text.contains("failure: Some")) {
        let again = asked(&source_within(&server, id, &ledger, Mode::Live, deadline), ability).await;
        assert_eq!(described(&first), described(&again), "{at}");
        assert_eq!(server.requests().len(), requests, "{at}: a second run costs no request");
    }
    let replay = source_within(&server, id, &ledger, Mode::Replay, deadline);
    drop(server);
    assert_eq!(described(&first), described(&asked(&replay, ability).await), "{at}");
    assert_eq!(live.sent(), replay.sent(), "{at}");
}

#[tokio::test]
async fn a_short_query_is_sent_to_semantic_search_and_longer_texts_are_not() {
    let server = LiteratureServer::start(fixed_source()).unwrap();
    for id in with(Ability::Passages) {
        let ledger = Ledger::in_memory().await.unwrap();
        let source = source(&server, id, &ledger, Mode::Live);
        let near = Relation::Near("Rope creep: (decoding) at sea");
        let predicted = source.would_ask(&near, None, 50).unwrap();
        let hits = source.related(&near, None, 50).await.unwrap();
        assert!(!hits.is_empty(), "{id}");
        let received: Vec<_> = server.requests().into_iter().filter(|one| one.service == id).collect();
        assert_eq!(received.len(), predicted.len(), "{id}: {predicted:?}");
        assert!(
            predicted[0].ends_with(received[0].target.as_str()),
            "{id}: {predicted:?}"
        );
        let sent = source.sent().unwrap();
        assert!(sends(&sent, QueryContent::Words), "{id}: {sent:?}");
        assert!(!sends(&sent, QueryContent::Text), "{id}: {sent:?}");
        // A long sentence is not a query for any relation.
        let long = "rope ".repeat(41);
        let error = source.related(&Relation::Near(&long), None, 50).await.unwrap_err();
        assert!(matches!(error, SourceError::TooLong { .. }), "{id}: {error}");
        assert!(source.would_ask(&Relation::Near(&long), None, 50).is_err(), "{id}");
        let asked = server.requests().iter().filter(|one| one.service == id).count();
        assert_eq!(asked, received.len(), "{id}");
        // The start of a clause without spaces is enough: the ninth letter is not sent.
        let clause = "用双语词典增强低资源语言";
        let near = source.would_ask(&Relation::Near(clause), None, 50).unwrap();
        let short = source.would_send(&query(clause), None).unwrap();
        let sent: Vec<&String> = near.iter().chain(&short).collect();
        assert!(
            sent.iter().any(|one| one.contains("%E4%BD%8E") || one.contains('低')),
            "{id}: {sent:?}"
        );
        let whole = |one: &&&String| one.contains("%E8%B5%84") || one.contains('资');
        assert_eq!(sent.iter().find(whole), None, "{id}");
    }
}

#[tokio::test]
async fn recommendations_for_several_works_take_one_request() {
    let server = LiteratureServer::start(fixed_source()).unwrap();
    for id in with(Ability::Recommended) {
        let ledger = Ledger::in_memory().await.unwrap();
        let source = source(&server, id, &ledger, Mode::Live);
        let names: Vec<WorkName> = [1001, 1002, 1002]
            .iter()
            .map(|key| WorkName::Doi(format!("10.5555/rope.{key}").parse().unwrap()))
            .collect();
        let as_of = Some("2022-06-30".parse().unwrap());
        let hits = source
            .related(&Relation::RecommendedBeside(&names), as_of, 50)
            .await
            .unwrap();
        let works: Vec<Work> = hits.into_iter().map(|hit| hit.work).collect();
        let found = titles(&works);
        assert!(found.contains(&"Rope creep under load"), "{id}: {found:?}");
        assert!(
            !found.contains(&"Rope creep decoding"),
            "{id}: not those given: {found:?}"
        );
        assert!(
            !found.contains(&"Rope creep decoding revisited"),
            "{id}: nothing later: {found:?}"
        );
        let received = server.requests();
        assert_eq!(received.len(), 1);
        assert_eq!(
            received[0].body.matches("10.5555/rope.1002").count(),
            1,
            "{}",
            received[0].body
        );
        let none = source
            .related(&Relation::RecommendedBeside(&[]), as_of, 50)
            .await
            .unwrap();
        assert!(none.is_empty() && server.requests().len() == 1);
    }
}

/// Whether the record has content of this kind.
fn sends(record: &SentRecord, content: QueryContent) -> bool {
    matches!(&record.content, Some(SentContent::Queries { kinds, .. }) if kinds.contains_key(&content))
}
