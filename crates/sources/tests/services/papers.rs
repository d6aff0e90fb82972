//! Papers by name: resolution, and the hosts and keys of the requests.

use precedent_http::{Mode, Secret};
use precedent_ledger::Ledger;
use precedent_scripted::literature::LiteratureServer;
use precedent_sources::{FetchLimits, PaperName, PaperPlaces, Source, fetch, forms, other_names, titled};

use crate::support::{KEY, gateway, library, query, source};

fn places(server: &LiteratureServer) -> PaperPlaces {
    PaperPlaces {
        pmc: server.base("europe-pmc"),
        works: server.base("openalex"),
        works_key: Some(Secret::new(KEY)),
        ..PaperPlaces::default()
    }
}

#[tokio::test]
async fn a_page_of_pubmed_resolves_to_the_full_text_and_the_doi() {
    let mut works = library();
    works[0].pmc = "PMC7000001".into();
    let server = LiteratureServer::start(works).unwrap();
    let ledger = Ledger::in_memory().await.unwrap();
    let gateway = gateway(&ledger, Mode::Live);
    for (typed, expected) in [
        (
            "https://pubmed.ncbi.nlm.nih.gov/1001/",
            vec!["PMC7000001", "10.5555/rope.1001"],
        ),
        ("PMID:1002", vec!["10.5555/rope.1002"]),
        ("PMID:4711", vec![]),
    ] {
        let name = PaperName::parse(typed).unwrap();
        let names = other_names(&name, &places(&server), FetchLimits::PAPER, &gateway)
            .await
            .unwrap();
        let expected: Vec<PaperName> = expected
            .into_iter()
            .map(|name| PaperName::parse(name).unwrap())
            .collect();
        assert_eq!(names, expected, "{typed}");
    }
}

#[tokio::test]
async fn every_request_to_openalex_has_the_key() {
    let server = LiteratureServer::start(library()).unwrap();
    let ledger = Ledger::in_memory().await.unwrap();
    let gateway = gateway(&ledger, Mode::Live);
    titled(
        "Rope creep decoding at sea",
        &places(&server),
        FetchLimits::PAPER,
        &gateway,
    )
    .await
    .unwrap();
    // The test server has no list of open copies, so this fails after the request.
    let doi = PaperName::parse("10.5555/rope.1001").unwrap();
    forms(&doi, &places(&server), FetchLimits::PAPER, &gateway)
        .await
        .unwrap_err();
    let received = server.requests();
    assert_eq!(received.len(), 2);
    assert!(
        received.iter().all(|one| one.head.contains(&format!("Bearer {KEY}"))),
        "{received:?}"
    );
    let recorded = format!("{:?}", ledger.everything_sent().await.unwrap());
    assert!(!recorded.contains(KEY), "{recorded}");
}

#[tokio::test]
async fn texts_of_papers_found_are_fetched_from_arxivs_host_for_programs_and_never_as_sources() {
    let ledger = Ledger::in_memory().await.unwrap();
    let gateway = gateway(&ledger, Mode::Replay);
    let found = FetchLimits::text(std::time::Duration::from_secs(5));
    let places = PaperPlaces::default();
    for (id, limits, expected) in [
        (
            "2509.08755v1",
            found,
            ["html/2509.08755v1", "pdf/2509.08755v1"].as_slice(),
        ),
        ("1706.03762v1", found, &["pdf/1706.03762v1", "html/1706.03762v1"]),
        (
            "2509.08755",
            FetchLimits::PAPER,
            &["e-print/2509.08755", "html/2509.08755", "pdf/2509.08755"],
        ),
    ] {
        let forms = forms(&PaperName::parse(id).unwrap(), &places, limits, &gateway)
            .await
            .unwrap();
        let addresses: Vec<&str> = forms.iter().map(|form| form.address()).collect();
        let expected: Vec<String> = expected
            .iter()
            .map(|path| format!("https://export.arxiv.org/{path}"))
            .collect();
        assert_eq!(addresses, expected);
        assert!(
            fetch(&forms[0], limits, &gateway).await.is_err(),
            "nothing is sent in replay"
        );
    }
}

#[tokio::test]
async fn imported_records_of_openreview_have_the_identifier_that_they_link_to() {
    let mut works = library();
    works[0].imported = true;
    let server = LiteratureServer::start(works).unwrap();
    for id in ["openreview", "openreview-v1"] {
        let ledger = Ledger::in_memory().await.unwrap();
        let hits = source(&server, id, &ledger, Mode::Live)
            .search(&query("rope creep decoding"), None, 50)
            .await;
        let hits = hits.unwrap();
        let imported = hits.iter().find(|hit| hit.work.title == "Rope creep decoding").unwrap();
        assert_eq!(
            imported.work.identifiers.doi.as_ref().unwrap().as_str(),
            "10.5555/rope.1001",
            "{id}"
        );
        assert!(imported.work.url.as_ref().unwrap().contains("openreview.net"), "{id}");
    }
}

#[tokio::test]
async fn notices_are_no_results_of_any_service() {
    let mut works = library();
    works[1].title = "Retraction notice to “Rope creep decoding”".to_owned();
    works[2].title = "Erratum to: Rope creep decoding".to_owned();
    let server = LiteratureServer::start(works).unwrap();
    for id in precedent_scripted::literature::SERVICES {
        let ledger = Ledger::in_memory().await.unwrap();
        let hits = source(&server, id, &ledger, Mode::Live)
            .search(&query("rope creep decoding"), None, 50)
            .await;
        let hits = hits.unwrap();
        let titles: Vec<&str> = hits.iter().map(|hit| hit.work.title.as_str()).collect();
        assert_eq!(titles.len(), 5, "{id}: {titles:?}");
        assert!(
            !titles
                .iter()
                .any(|title| title.contains("notice") || title.contains("Erratum")),
            "{id}: {titles:?}"
        );
    }
}

#[tokio::test]
async fn dblp_and_arxiv_get_one_request_for_each_query() {
    let mut works = library();
    // Later works do not lead to further pages.
    for at in 0..400 {
        let mut later = works[6].clone();
        later.key = format!("{}", 2000 + at);
        works.push(later);
    }
    let server = LiteratureServer::start(works).unwrap();
    for id in ["dblp", "arxiv"] {
        let ledger = Ledger::in_memory().await.unwrap();
        let source = source(&server, id, &ledger, Mode::Live);
        let as_of = Some("2020-01-01".parse().unwrap());
        for text in ["rope creep decoding", "slow creep", "harbour ropes"] {
            source.search(&query(text), as_of, 10).await.unwrap();
        }
        let received = server.requests().iter().filter(|one| one.service == id).count();
        assert_eq!(received, 3, "{id}");
    }
}
