//! Sources of pages and repositories: dates only if given, one identity per page, nothing later than requested.

use precedent_domain::{DateOrigin, EvidenceKind, Extent};
use precedent_http::Mode;
use precedent_ledger::Ledger;
use precedent_scripted::literature::{FINDERS, LibraryRecord, LiteratureServer, SERVICES};
use precedent_sources::{ServiceSettings, ServiceSource, Source, SourceError, fuse, merge, service};

use crate::support::{gateway, library, query, settings, source};

const WEB: [&str; 4] = ["brave", "serper", "tavily", "searxng"];

/// The library, and a page that only has an age.
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
async fn every_finder_returns_pages_or_repositories_with_only_known_dates() {
    let server = LiteratureServer::start(with_a_young_page()).unwrap();
    for id in FINDERS {
        let ledger = Ledger::in_memory().await.unwrap();
        let source = source(&server, id, &ledger, Mode::Live);
        assert_eq!(
            source.kind(),
            match *id {
                "github" | "kaggle" | "kaggle-notebooks" => EvidenceKind::Code,
                "google-scholar" => EvidenceKind::Literature,
                _ => EvidenceKind::Web,
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
            "google-scholar" => assert!(
                dates.contains(&("2022-12".to_owned(), DateOrigin::ArxivId)) && dates.len() == 1,
                "{dates:?}"
            ),
            _ => assert_eq!(
                dates,
                [("2022-12-31".to_owned(), DateOrigin::Record((*id).to_owned()))],
                "{id}"
            ),
        }
        // The list of notebooks has titles alone.
        let words = work.summary.as_deref().unwrap_or_default();
        assert_eq!(
            words.contains("naïve & stiff, whose"),
            *id != "kaggle-notebooks",
            "{id}: {words}"
        );
        assert_eq!(work.extent == Extent::Abstract, *id != "kaggle-notebooks");
        let (name, address) = match *id {
            "google-scholar" => ("google-scholar:gsAAAJ1005", "https://www.pages.example/ropes/1005"),
            "kaggle" => (
                "kaggle:rope-lab/rope-1005",
                "https://www.kaggle.com/datasets/rope-lab/rope-1005",
            ),
            "kaggle-notebooks" => (
                "kaggle-notebooks:rope-lab/rope-1005",
                "https://www.kaggle.com/code/rope-lab/rope-1005",
            ),
            "github" => ("github:rope-lab/rope-1005", "https://github.com/rope-lab/rope-1005"),
            _ => ("page:pages.example/ropes/1005", "https://www.pages.example/ropes/1005"),
        };
        assert_eq!((work.id.as_str(), work.url.as_deref()), (name, Some(address)), "{id}");
        // A preprint has the month of its arXiv id.
        if !matches!(*id, "github" | "google-scholar") {
            let young = hits.iter().find(|hit| hit.work.id.as_str().ends_with("1008")).unwrap();
            assert!(young.work.dates.is_empty(), "{id}: an age is not a date");
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
async fn certainly_later_results_are_dropped_and_undated_ones_stay() {
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
            // It gives no dates, and this server ignores the filter, so its results are undated.
            "tavily" => assert!(hits.iter().all(|hit| hit.work.dates.is_empty())),
            "github" => {
                // Created in March 2022 and changed in February 2023: it has no date within the limit.
                assert!(has("1006").unwrap().work.dates.is_empty());
                assert!(has("1005").is_none() && has("1007").is_none());
            }
            // Changed after the limit and begun on an unknown day: no date within the limit.
            "kaggle" | "kaggle-notebooks" => assert!(has("1006").unwrap().work.dates.is_empty()),
            // The address of a preprint on arXiv has its month; the record itself has only the year.
            "google-scholar" => assert!(
                has("1005").is_none() && has("1006").is_some() && has("1007").is_none(),
                "{id}"
            ),
            _ => assert!(
                has("1005").is_none() && has("1006").is_none() && has("1007").is_none(),
                "{id}"
            ),
        }
        for hit in hits.iter() {
            // A paper keeps the date of its later version.
            let dates = match *id {
                "google-scholar" => &hit.work.dates[..1],
                _ => &hit.work.dates,
            };
            assert!(
                dates.iter().all(|dated| dated.date.to_string().as_str() < "2022-06-30"),
                "{id}"
            );
        }
    }
    // Without a cutoff, a repository has the date of its last change.
    let ledger = Ledger::in_memory().await.unwrap();
    let hits = source(&server, "github", &ledger, Mode::Live)
        .search(&query("rope creep decoding"), None, 20)
        .await
        .unwrap();
    let changed = hits.iter().find(|hit| hit.work.id.as_str().ends_with("1006")).unwrap();
    assert_eq!(changed.work.dates[0].date.to_string(), "2023-02-03");
}

#[tokio::test]
async fn dates_are_checked_even_if_a_service_ignores_its_filter() {
    // SearXNG has no date filter, so it represents services that ignore theirs.
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
async fn further_pages_are_requested_until_there_are_enough_results() {
    let server = LiteratureServer::start(library()).unwrap();
    for (id, wanted) in [
        ("brave", 5),
        ("serper", 5),
        ("tavily", 2),
        ("searxng", 5),
        ("github", 5),
        ("google-scholar", 5),
        ("kaggle", 5),
        ("kaggle-notebooks", 5),
    ] {
        let ledger = Ledger::in_memory().await.unwrap();
        let settings = ServiceSettings {
            // Pages of this service vary in length.
            page: (id != "searxng").then_some(2),
            ..settings(&server, id)
        };
        let source = ServiceSource::new(service(id).unwrap(), settings, gateway(&ledger, Mode::Live), false);
        let hits = source.search(&query("rope creep"), None, 5).await.unwrap();
        let mut ids: Vec<&str> = hits.iter().map(|hit| hit.work.id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), wanted, "{id}: {ids:?}");
    }
    let ledger = Ledger::in_memory().await.unwrap();
    let before = server.requests().len();
    let hits = source(&server, "searxng", &ledger, Mode::Live)
        .search(&query("rope creep"), None, 7)
        .await
        .unwrap();
    assert_eq!(
        (hits.len(), server.requests().len() - before),
        (7, 2),
        "its own pages have four"
    );
}

#[tokio::test]
async fn a_page_found_by_several_services_is_one_work() {
    let server = LiteratureServer::start(library()).unwrap();
    let mut rankings = Vec::new();
    for id in WEB {
        let mut works = library();
        // Each shows its own title, as real services do.
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
async fn a_search_without_any_answering_engine_is_an_error() {
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
async fn paid_requests_are_counted_and_end_with_the_budget() {
    let server = LiteratureServer::start(library()).unwrap();
    for (id, price) in [
        ("brave", 5_000),
        ("serper", 1_000),
        ("google-scholar", 1_000),
        ("tavily", 8_000),
    ] {
        let ledger = Ledger::in_memory().await.unwrap();
        let settings = ServiceSettings {
            budget: Some(2 * price),
            ..settings(&server, id)
        };
        let live = ServiceSource::new(service(id).unwrap(), settings, gateway(&ledger, Mode::Live), false);
        assert_eq!(live.price(10), 10 * price);
        let mut answered = Vec::new();
        for text in ["rope", "creep", "decoding"] {
            answered.push(live.search(&query(text), None, 1).await.is_ok());
        }
        assert_eq!(answered, [true, true, false], "{id}");
    }
}
