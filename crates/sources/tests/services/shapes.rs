use precedent_domain::{DateOrigin, Extent};
use precedent_http::Mode;
use precedent_ledger::Ledger;
use precedent_scripted::literature::{LiteratureServer, SERVICES};
use precedent_sources::{Relation, ServiceSettings, ServiceSource, Source, WorkName, fuse, merge, service};

use crate::support::{gateway, library, query, settings, source};

#[tokio::test]
async fn every_service_returns_works_with_only_the_known_date_precision() {
    let server = LiteratureServer::start(library()).unwrap();
    for id in SERVICES {
        let ledger = Ledger::in_memory().await.unwrap();
        let source = source(&server, id, &ledger, Mode::Live);
        let hits = source
            .search(&query("Find papers about rope creep decoding at sea"), None, 50)
            .await
            .unwrap();
        let work = &hits
            .iter()
            .find(|hit| hit.work.title == "Rope creep decoding at sea")
            .unwrap()
            .work;
        assert_eq!(hits[0].work.title, work.title, "{id}: best first");
        assert!(hits.windows(2).all(|pair| pair[0].score > pair[1].score));
        assert_eq!(
            work.authors
                .iter()
                .map(|author| author.name.as_str())
                .collect::<Vec<_>>(),
            ["Ann Lee", "José Núñez"],
            "{id}"
        );
        let dates: Vec<String> = work.dates.iter().map(|dated| dated.date.to_string()).collect();
        let wanted: &[&str] = match *id {
            "dblp" => &["2022"],
            // The printed month, without the day on which the DOI was registered.
            "crossref" => &["2022-12"],
            "openalex" | "semantic-scholar" | "arxiv" | "europe-pmc" | "openreview" | "openreview-v1" => {
                &["2022-12-31"]
            }
            other => panic!("{other}"),
        };
        // The arXiv id adds its own month, if the service gives one.
        let dates: Vec<&str> = dates
            .iter()
            .map(String::as_str)
            .filter(|date| *date != "2022-12" || wanted == ["2022-12"])
            .collect();
        assert_eq!(dates, wanted, "{id}");
        assert!(
            work.dates.iter().all(
                |dated| dated.origin == DateOrigin::Record((*id).to_owned()) || dated.origin == DateOrigin::ArxivId
            ),
            "{id}"
        );
        match *id {
            "dblp" => assert_eq!(work.extent, Extent::TitleOnly),
            _ => {
                let summary = work.summary.as_deref().unwrap();
                assert!(summary.contains("naïve & stiff, whose"), "{id}: {summary}");
                assert_eq!(work.extent, Extent::Abstract);
            }
        }
        if !id.starts_with("openreview") {
            assert_eq!(
                work.identifiers.doi.as_ref().unwrap().as_str(),
                "10.5555/rope.1005",
                "{id}"
            );
        }
        if matches!(*id, "openalex" | "semantic-scholar" | "arxiv") {
            assert_eq!(work.identifiers.arxiv.as_ref().unwrap().as_str(), "2212.01005", "{id}");
        }
        let document = source.document(work).await.unwrap().unwrap();
        assert!(document.text.starts_with("Rope creep decoding at sea"));
    }
}

#[tokio::test]
async fn later_works_are_dropped_and_a_preprint_counts_from_its_first_day() {
    let server = LiteratureServer::start(library()).unwrap();
    let as_of = Some("2022-06-30".parse().unwrap());
    for id in SERVICES {
        let ledger = Ledger::in_memory().await.unwrap();
        let source = source(&server, id, &ledger, Mode::Live);
        let hits = source.search(&query("rope creep decoding"), as_of, 50).await.unwrap();
        let titles: Vec<&str> = hits.iter().map(|hit| hit.work.title.as_str()).collect();
        assert!(titles.contains(&"Rope creep decoding"), "{id}: {titles:?}");
        assert!(!titles.contains(&"Rope creep decoding revisited"), "{id}: {titles:?}");
        // Published in February 2023 and on arXiv since March 2022: the date of the preprint keeps it.
        let keeps = titles.contains(&"Rope creep decoding for decoders");
        let tells = matches!(
            *id,
            "openalex" | "semantic-scholar" | "arxiv" | "openreview" | "openreview-v1"
        );
        assert_eq!(keeps, tells, "{id}: {titles:?}");
    }
}

#[tokio::test]
async fn further_pages_are_requested_until_there_are_enough_works() {
    let server = LiteratureServer::start(library()).unwrap();
    for id in SERVICES {
        let ledger = Ledger::in_memory().await.unwrap();
        let settings = ServiceSettings {
            page: Some(2),
            ..settings(&server, id)
        };
        let source = ServiceSource::new(service(id).unwrap(), settings, gateway(&ledger, Mode::Live), false);
        let hits = source.search(&query("rope creep"), None, 5).await.unwrap();
        let mut ids: Vec<&str> = hits.iter().map(|hit| hit.work.id.as_str()).collect();
        ids.dedup();
        // Two services get one request, whose page is long enough in practice.
        let wanted = if ["europe-pmc", "dblp"].contains(id) { 2 } else { 5 };
        assert_eq!(ids.len(), wanted, "{id}: {ids:?}");
    }
}

#[tokio::test]
async fn the_same_works_from_all_services_are_merged() {
    let server = LiteratureServer::start(library()).unwrap();
    let mut rankings = Vec::new();
    for id in SERVICES {
        let ledger = Ledger::in_memory().await.unwrap();
        rankings.push(
            source(&server, id, &ledger, Mode::Live)
                .search(&query("rope creep"), None, 50)
                .await
                .unwrap()
                .hits,
        );
    }
    assert_eq!(rankings.iter().map(Vec::len).collect::<Vec<_>>(), [7; 8]);
    let merged = merge(fuse(&rankings));
    let titles: Vec<(&str, usize)> = merged
        .iter()
        .map(|one| (one.work.title.as_str(), one.found_by.len()))
        .collect();
    assert_eq!(merged.len(), 7, "{titles:#?}");
    assert!(
        merged.iter().all(|one| one.found_by.len() == SERVICES.len()),
        "{titles:#?}"
    );
}

#[tokio::test]
async fn a_retracted_work_is_marked_and_its_notice_is_not_a_work() {
    let mut works = library();
    works[1].retracted = true;
    let server = LiteratureServer::start(works).unwrap();
    for id in ["openalex", "crossref"] {
        let ledger = Ledger::in_memory().await.unwrap();
        let source = source(&server, id, &ledger, Mode::Live);
        let hits = source.search(&query("rope creep decoding"), None, 50).await.unwrap();
        let retracted: Vec<&str> = hits
            .iter()
            .filter(|hit| hit.work.is_retracted())
            .map(|hit| hit.work.title.as_str())
            .collect();
        assert_eq!(retracted, ["Decoding of rope creep in harbours"], "{id}");
        assert!(hits.iter().all(|hit| !hit.work.title.starts_with("Notice")), "{id}");
    }
}

#[tokio::test]
async fn four_services_say_how_often_a_work_is_cited() {
    let mut works = library();
    works[0].key = "417".into();
    let server = LiteratureServer::start(works).unwrap();
    for (id, expected) in [
        ("openalex", Some(417)),
        ("semantic-scholar", Some(419)),
        ("crossref", Some(417)),
        ("europe-pmc", Some(417)),
        ("arxiv", None),
    ] {
        let ledger = Ledger::in_memory().await.unwrap();
        let source = source(&server, id, &ledger, Mode::Live);
        let hits = source.search(&query("rope creep decoding"), None, 50).await.unwrap();
        let mut found = hits.iter().filter(|hit| hit.work.title == "Rope creep decoding");
        assert_eq!(found.next().unwrap().work.cited_by, expected, "{id}");
    }
}

#[tokio::test]
async fn repositories_have_their_stars() {
    let server = LiteratureServer::start(library()).unwrap();
    let ledger = Ledger::in_memory().await.unwrap();
    let source = source(&server, "github", &ledger, Mode::Live);
    let hits = source.search(&query("rope creep"), None, 50).await.unwrap();
    assert!(!hits.is_empty());
    assert!(
        hits.iter()
            .all(|hit| hit.work.stars == Some(1) && hit.work.cited_by.is_none())
    );
}

#[tokio::test]
async fn archive_ids_are_read_from_every_field() {
    let mut works = library();
    works[0].pmc = "PMC7000001".into();
    works[0].acl = "2018.acl-long.7".into();
    let server = LiteratureServer::start(works).unwrap();
    for (id, acl) in [("semantic-scholar", true), ("europe-pmc", false)] {
        let ledger = Ledger::in_memory().await.unwrap();
        let source = source(&server, id, &ledger, Mode::Live);
        let hits = source.search(&query("rope creep decoding"), None, 50).await.unwrap();
        let ids = &hits
            .iter()
            .find(|hit| hit.work.title == "Rope creep decoding")
            .unwrap()
            .work
            .identifiers;
        assert_eq!(ids.pmc.as_ref().unwrap().as_str(), "PMC7000001", "{id}");
        assert_eq!(ids.acl.is_some(), acl, "{id}");
    }
}

/// Three hundred works on four topics: some without a DOI, some with a preprint a year earlier, some with the same title by other people, some in
/// parts.
fn many() -> Vec<precedent_scripted::literature::LibraryRecord> {
    let topics = ["telemetry", "mooring", "swell", "aquaculture"];
    let things = [
        "decoder",
        "survey",
        "benchmark",
        "sensor",
        "protocol",
        "simulator",
        "controller",
        "dataset",
        "model",
        "network",
        "antenna",
        "winch",
    ];
    let manners = [
        "adaptive",
        "robust",
        "naïve",
        "sparse",
        "passive",
        "distributed",
        "β-weighted",
    ];
    let given = ["Ann", "Bob", "Chidi", "Dana", "Elin", "Faruk", "Gita", "Hugo", "Ines"];
    let family = [
        "Lee",
        "Núñez",
        "Okafor",
        "Brun",
        "Marsh",
        "Demir",
        "Rao",
        "Weiß",
        "Costa",
        "Ødegård",
        "Tanaka",
    ];
    (0..300)
        .map(|n: usize| {
            let (topic, n) = (topics[n % 4], n / 4);
            let title = match n % 25 {
                // The same title by other people, years apart.
                0 => format!("A survey of {topic} at sea"),
                // Parts of a work are separate works.
                1 => format!("On {topic}, part {}", 1 + n / 25),
                _ => format!(
                    "A {} {} for {topic} in harbours of kind {n}",
                    manners[n % manners.len()],
                    things[n % things.len()]
                ),
            };
            let key = format!("{:04}", 4 * n + topics.iter().position(|one| *one == topic).unwrap());
            let person = |at: usize| {
                (
                    given[(n + at) % given.len()].to_owned(),
                    family[(3 * n + 5 * at) % family.len()].to_owned(),
                )
            };
            let year = 2008 + (n * 7) % 15;
            let preprint = (n % 5 == 0).then(|| format!("{}-0{}-11", year - 1, 1 + n % 9));
            let arxiv_of = |year: usize, month: usize| format!("{:02}{month:02}.{key}", year % 100);
            precedent_scripted::literature::LibraryRecord {
                title,
                summary: format!("We look at {topic} of kind {n}."),
                authors: (0..1 + n % 4).map(person).collect(),
                day: format!("{year}-0{}-{:02}", 1 + n % 9, 1 + n % 28),
                doi: if n % 3 == 0 {
                    String::new()
                } else {
                    format!("10.5555/many.{key}")
                },
                arxiv: match &preprint {
                    Some(_) => arxiv_of(year - 1, 1 + n % 9),
                    None => String::new(),
                },
                preprint,
                venue: format!("Proceedings of {topic}"),
                key,
                ..Default::default()
            }
        })
        .collect()
}

/// The same works as a service prints them: titles with other case, punctuation and typos, names reduced to initials.
fn printed(
    service: &str,
    works: Vec<precedent_scripted::literature::LibraryRecord>,
) -> Vec<precedent_scripted::literature::LibraryRecord> {
    let initials = |(given, family): &(String, String)| {
        let first: String = given.chars().take(1).collect();
        (format!("{first}."), family.clone())
    };
    let respell = |(at, mut work): (usize, precedent_scripted::literature::LibraryRecord)| {
        match service {
            "openalex" => work.title = work.title.to_uppercase(),
            "semantic-scholar" => {
                work.title = work.title.replace("naïve", "naive").replace(" for ", "  for ");
                // One letter is missing in every tenth long title.
                if at % 10 == 3 && work.title.contains("harbours") {
                    work.title = work.title.replace("harbours", "habours");
                }
            }
            "crossref" => {
                work.title = work
                    .title
                    .replace("β-", "\u{3b2}\u{2010}")
                    .replace(", part", " \u{2013} part");
                work.authors = work.authors.iter().map(initials).collect();
            }
            _ => work.authors = work.authors.iter().map(initials).collect(),
        }
        work
    };
    works.into_iter().enumerate().map(respell).collect()
}

#[tokio::test]
async fn three_hundred_works_from_four_services_merge_to_three_hundred() {
    let mut rankings = Vec::new();
    for id in ["openalex", "semantic-scholar", "crossref", "dblp"] {
        let server = LiteratureServer::start(printed(id, many())).unwrap();
        let ledger = Ledger::in_memory().await.unwrap();
        let source = source(&server, id, &ledger, Mode::Live);
        for topic in ["telemetry", "mooring", "swell", "aquaculture"] {
            rankings.push(source.search(&query(topic), None, 100).await.unwrap().hits);
        }
    }
    let records: usize = rankings.iter().map(Vec::len).sum();
    assert!(records > 1_000, "{records}");
    let merged = merge(fuse(&rankings));
    assert!((297..=303).contains(&merged.len()), "{} works", merged.len());
    // No wrong merge: all records of a work have the same key, which ends every id.
    for one in &merged {
        let keys: std::collections::BTreeSet<String> = one
            .members
            .iter()
            .map(|(_, id)| {
                id.as_str()
                    .chars()
                    .rev()
                    .take(4)
                    .collect::<Vec<_>>()
                    .into_iter()
                    .rev()
                    .collect()
            })
            .collect();
        assert_eq!(keys.len(), 1, "{:?}", one.members);
    }
}

#[tokio::test]
async fn opensearch_filters_by_date_keeps_undated_works_and_pages() {
    let mut works = library();
    works[2].day = String::new();
    let server = LiteratureServer::start(works).unwrap();
    let ledger = Ledger::in_memory().await.unwrap();
    let settings = ServiceSettings {
        page: Some(2),
        ..settings(&server, "opensearch")
    };
    let id = service("opensearch").unwrap();
    let source = ServiceSource::new(id, settings, gateway(&ledger, Mode::Live), false);
    let as_of = Some("2022-06-30".parse().unwrap());
    // An operator of a query string is a word here.
    let hits = source.search(&query("rope AND creep*"), as_of, 5).await.unwrap();
    let found: Vec<(&str, bool)> = hits
        .iter()
        .map(|hit| (hit.work.title.as_str(), hit.work.dates.is_empty()))
        .collect();
    assert!(found.contains(&("Rope creep decoding", false)), "{found:?}");
    assert!(
        found.iter().any(|(title, _)| *title == "Rope creep under load"),
        "{found:?}"
    );
    assert!(!found.iter().any(|(title, _)| title.contains("revisited")), "{found:?}");
    let bodies: Vec<serde_json::Value> = server
        .requests()
        .iter()
        .map(|one| serde_json::from_str(&one.body).unwrap())
        .collect();
    let starts: Vec<u64> = bodies.iter().map(|body| body["from"].as_u64().unwrap()).collect();
    assert_eq!(starts, [0, 2, 4]);
    let wanted = serde_json::json!({"bool": {
        "should": [
            {"match": {"title": {"query": "rope and creep", "boost": 2}}},
            {"match": {"abstract": {"query": "rope and creep"}}},
        ],
        "minimum_should_match": 1,
        "filter": {"bool": {
            "should": [
                {"range": {"date": {"lte": "2023-06-30", "format": "strict_date"}}},
                {"bool": {"must_not": {"exists": {"field": "date"}}}},
            ],
            "minimum_should_match": 1,
        }},
    }});
    assert_eq!(bodies[0]["query"], wanted);
}

#[tokio::test]
async fn opensearch_finds_a_work_by_title_and_by_identifier() {
    let server = LiteratureServer::start(library()).unwrap();
    let ledger = Ledger::in_memory().await.unwrap();
    let source = source(&server, "opensearch", &ledger, Mode::Live);
    let hits = source
        .related(&Relation::Titled("Rope creep: decoding at sea"), None, 5)
        .await
        .unwrap();
    assert_eq!(hits[0].work.title, "Rope creep decoding at sea");
    let names = [
        WorkName::Doi("10.5555/rope.1002".parse().unwrap()),
        WorkName::Record("opensearch:library:1003".parse().unwrap()),
        WorkName::Record("openalex:W1".parse().unwrap()),
        WorkName::Arxiv("2203.01006".parse().unwrap()),
    ];
    let found = source.look_up(&names).await.unwrap();
    let titles: Vec<Option<&str>> = found
        .iter()
        .map(|work| work.as_ref().map(|work| work.title.as_str()))
        .collect();
    let wanted = [
        Some("Decoding of rope creep in harbours"),
        Some("Rope creep under load"),
        None,
        Some("Rope creep decoding for decoders"),
    ];
    assert_eq!(titles, wanted);
}

#[tokio::test]
async fn an_answer_of_some_shards_is_used_and_reported_as_incomplete() {
    let mut works = library();
    works[1].title = String::new();
    let server = LiteratureServer::start(works).unwrap();
    let ledger = Ledger::in_memory().await.unwrap();
    let live = source(&server, "opensearch", &ledger, Mode::Live);
    let first = live.search(&query("rope creep"), None, 50).await.unwrap();
    assert_eq!(first.len(), 6);
    let output = first.failure.unwrap();
    assert!(
        output.may_pass() && output.to_string().contains("1 of 5 shards failed"),
        "{output}"
    );
    // Another run asks again, and a replay reports the same.
    live.search(&query("rope creep"), None, 50).await.unwrap();
    assert_eq!(server.requests().len(), 2);
    let replay = source(&server, "opensearch", &ledger, Mode::Replay);
    let again = replay.search(&query("rope creep"), None, 50).await.unwrap();
    assert_eq!(
        (again.len(), again.failure.unwrap().to_string()),
        (6, output.to_string())
    );
    assert_eq!(server.requests().len(), 2);
}
