//! What finds pages and repositories: dates only where they are told, one identity a page, nothing later than asked for.

use precedent_domain::{DateOrigin, EvidenceKind, Extent};
use precedent_http::Mode;
use precedent_ledger::Ledger;
use precedent_scripted::literature::{FINDERS, LibraryRecord, LiteratureServer, SERVICES};
use precedent_sources::{ServiceSettings, ServiceSource, Source, SourceError, fuse, merge, service};

use crate::support::{door, library, query, settings, source};

const WEB: [&str; 4] = ["brave", "serper", "tavily", "searxng"];

/// The library, and a page with an age alone.
fn with_a_young_page() -> Vec<LibraryRecord> {
    let mut works = library();
    works.push(LibraryRecord {
        day: String::new(),
        key: "1008".into(),
        title: "Rope creep decoding, live from the harbour".into(),
        ..works[0].clone()
    });
    works
}

#[tokio::test]
async fn every_finder_gives_pages_or_repositories_with_dates_as_they_are_told() {
    let server = LiteratureServer::start(with_a_young_page()).unwrap();
    for id in FINDERS {
        let ledger = Ledger::in_memory().await.unwrap();
        let source = source(&server, id, &ledger, Mode::Live);
        assert_eq!(
            source.kind(),
            if *id == "github" {
                EvidenceKind::Code
            } else {
                EvidenceKind::Web
            }
        );
        let hits = source
            .search(&query("rope creep decoding at sea"), None, 20)
            .await
            .unwrap();
        let work = &hits
            .iter()
            .find(|hit| hit.work.id.as_str().ends_with("1005"))
            .unwrap()
            .work;
        assert_eq!(hits[0].work.id, work.id, "{id}: best first");
        let dates: Vec<_> = work
            .dates
            .iter()
            .map(|dated| (dated.date.to_string(), dated.origin.clone()))
            .collect();
        match *id {
            "tavily" => assert!(dates.is_empty(), "{dates:?}"),
            _ => assert_eq!(
                dates,
                [("2022-12-31".to_owned(), DateOrigin::Record((*id).to_owned()))],
                "{id}"
            ),
        }
        let words = work.summary.as_deref().unwrap();
        assert!(words.contains("naïve & stiff, whose"), "{id}: {words}");
        assert_eq!(work.extent, Extent::Abstract);
        let (name, address) = match *id {
            "github" => ("github:rope-lab/rope-1005", "https://github.com/rope-lab/rope-1005"),
            _ => ("page:pages.example/ropes/1005", "https://www.pages.example/ropes/1005"),
        };
        assert_eq!((work.id.as_str(), work.url.as_deref()), (name, Some(address)), "{id}");
        if *id != "github" {
            let young = hits.iter().find(|hit| hit.work.id.as_str().ends_with("1008")).unwrap();
            assert!(young.work.dates.is_empty(), "{id}: an age is no date");
        }
    }
    for id in SERVICES {
        let ledger = Ledger::in_memory().await.unwrap();
        assert_eq!(
            source(&server, id, &ledger, Mode::Live).kind(),
            EvidenceKind::Literature,
            "{id}"
        );
    }
}

#[tokio::test]
async fn nothing_surely_later_comes_through_and_what_has_no_date_stays() {
    let server = LiteratureServer::start(with_a_young_page()).unwrap();
    let as_of = Some("2022-06-30".parse().unwrap());
    for id in FINDERS {
        let ledger = Ledger::in_memory().await.unwrap();
        let hits = source(&server, id, &ledger, Mode::Live)
            .search(&query("rope creep decoding"), as_of, 20)
            .await
            .unwrap();
        let has = |key: &str| hits.iter().find(|hit| hit.work.id.as_str().ends_with(key));
        assert!(has("1001").is_some(), "{id}");
        match *id {
            // It dates nothing, and here it does not keep to the filter either: what is shown is undated.
            "tavily" => assert!(hits.iter().all(|hit| hit.work.dates.is_empty())),
            "github" => {
                // Begun in March 2022, changed in February 2023: no date that could be held to another.
                assert!(has("1006").unwrap().work.dates.is_empty());
                assert!(has("1005").is_none() && has("1007").is_none());
            }
            _ => assert!(
                has("1005").is_none() && has("1006").is_none() && has("1007").is_none(),
                "{id}"
            ),
        }
        for hit in hits.iter() {
            assert!(
                hit.work
                    .dates
                    .iter()
                    .all(|dated| dated.date.to_string().as_str() < "2022-06-30"),
                "{id}"
            );
        }
    }
    // Without a date to hold it to, a repository has that of its last change.
    let ledger = Ledger::in_memory().await.unwrap();
    let hits = source(&server, "github", &ledger, Mode::Live)
        .search(&query("rope creep decoding"), None, 20)
        .await
        .unwrap();
    let changed = hits.iter().find(|hit| hit.work.id.as_str().ends_with("1006")).unwrap();
    assert_eq!(changed.work.dates[0].date.to_string(), "2023-02-03");
}

#[tokio::test]
async fn a_service_that_breaks_its_promise_about_dates_is_held_to_them_all_the_same() {
    // SearXNG has no filter at all, so it stands for those that promise one and do not keep it.
    let server = LiteratureServer::start(library()).unwrap();
    let ledger = Ledger::in_memory().await.unwrap();
    let live = source(&server, "searxng", &ledger, Mode::Live);
    let all = live.search(&query("rope creep"), None, 50).await.unwrap();
    let then = live
        .search(&query("rope creep"), Some("2020-02-29".parse().unwrap()), 50)
        .await
        .unwrap();
    assert_eq!((all.len(), then.len()), (7, 3));
}

#[tokio::test]
async fn pages_of_lists_are_turned_as_far_as_is_wanted_and_as_they_go() {
    let server = LiteratureServer::start(library()).unwrap();
    for (id, wanted) in [
        ("brave", 5),
        ("serper", 5),
        ("tavily", 2),
        ("searxng", 5),
        ("github", 5),
    ] {
        let ledger = Ledger::in_memory().await.unwrap();
        let settings = ServiceSettings {
            // The pages of this one are as long as they are.
            page: (id != "searxng").then_some(2),
            ..settings(&server, id)
        };
        let source = ServiceSource::new(service(id).unwrap(), settings, door(&ledger, Mode::Live), false);
        let hits = source.search(&query("rope creep"), None, 5).await.unwrap();
        let mut ids: Vec<&str> = hits.iter().map(|hit| hit.work.id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), wanted, "{id}: {ids:?}");
    }
    let ledger = Ledger::in_memory().await.unwrap();
    let before = server.heard().len();
    let hits = source(&server, "searxng", &ledger, Mode::Live)
        .search(&query("rope creep"), None, 7)
        .await
        .unwrap();
    assert_eq!(
        (hits.len(), server.heard().len() - before),
        (7, 2),
        "its own pages have four"
    );
}

#[tokio::test]
async fn a_page_that_several_find_is_one_page() {
    let server = LiteratureServer::start(library()).unwrap();
    let mut rankings = Vec::new();
    for id in WEB {
        let mut works = library();
        // Each shows a title of its own, as they do.
        for work in &mut works {
            work.title = format!("{} | {id}", work.title);
        }
        let own = LiteratureServer::start(works).unwrap();
        let ledger = Ledger::in_memory().await.unwrap();
        rankings.push(
            source(&own, id, &ledger, Mode::Live)
                .search(&query("rope creep"), None, 7)
                .await
                .unwrap()
                .hits,
        );
    }
    drop(server);
    let merged = merge(fuse(&rankings));
    assert_eq!(merged.len(), 7);
    assert!(merged.iter().all(|one| one.found_by.len() == WEB.len()), "{merged:#?}");
}

#[tokio::test]
async fn engines_that_are_all_silent_found_nothing_that_could_be_called_nothing() {
    let silent = vec![LibraryRecord::default()];
    let server = LiteratureServer::start(silent).unwrap();
    let ledger = Ledger::in_memory().await.unwrap();
    let error = source(&server, "searxng", &ledger, Mode::Live)
        .search(&query("rope"), None, 5)
        .await
        .unwrap_err();
    assert!(
        matches!(&error, SourceError::Unreadable { why, .. } if why.contains("google (Suspended: CAPTCHA), bing (timeout)")),
        "{error}"
    );
}

#[tokio::test]
async fn paid_questions_are_counted_and_end_with_what_a_run_may_spend() {
    let server = LiteratureServer::start(library()).unwrap();
    for (id, price) in [("brave", 5_000), ("serper", 1_000), ("tavily", 8_000)] {
        let ledger = Ledger::in_memory().await.unwrap();
        let settings = ServiceSettings {
            budget: Some(2 * price),
            ..settings(&server, id)
        };
        let live = ServiceSource::new(service(id).unwrap(), settings, door(&ledger, Mode::Live), false);
        assert_eq!(live.price(10), 10 * price);
        let mut answered = Vec::new();
        for text in ["rope", "creep", "decoding"] {
            answered.push(live.search(&query(text), None, 1).await.is_ok());
        }
        assert_eq!(answered, [true, true, false], "{id}");
    }
}
