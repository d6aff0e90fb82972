//! Full texts of papers found by services.

use std::fs;

use serde_json::Value;

use crate::internet::{Internet, PAPER, folder, library, messages, report};
use crate::support::{json, precedent, precedent_with, stderr, stdout};

/// An HTML page of a paper, as archives serve it.
pub(crate) fn page(title: &str, printed: &str) -> Vec<u8> {
    let filling = "Buoys were moored along the coast, and the line was read once an hour by a lamp. ".repeat(45);
    format!(
        "<!DOCTYPE html><html><head><title>{title}</title></head><body><article><h1>{title}</h1><p>Ann Lee, Bob Roy</p>\
<h6>Abstract</h6><p>We look at ropes and what swell does to them.</p><h2>1 Introduction</h2><p>{filling}</p><p>{printed}</p>\
<h2>2 Method</h2><p>{filling}</p></article></body></html>"
    )
    .into_bytes()
}

fn candidate<'r>(report: &'r Value, title: &str) -> &'r Value {
    let all = report["references"]["candidates"].as_array().unwrap();
    let found = all.iter().find(|one| one["work"]["title"] == title);
    found.unwrap_or_else(|| panic!("{title} is no candidate"))
}

#[test]
fn the_full_text_of_a_found_paper_can_refute_a_claim() {
    let out = folder("abstracts");
    let internet = Internet::start("abstracts");
    let output = precedent(&internet.assess(&out, "openalex,arxiv", &["--full-texts", "0"]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        internet.fetched.lock().unwrap().is_empty(),
        "no full texts were requested"
    );
    let without = report(&out);
    let claim = without["contribution_analysis"]["contributions"][0]["claim"]["text"]
        .as_str()
        .unwrap()
        .to_owned();
    let statuses = |report: &Value| {
        let all = report["contribution_analysis"]["comparisons"].as_array().unwrap();
        all.iter().filter(|one| one["status"] == "can_refute").count()
    };
    assert_eq!(statuses(&without), 0);

    let works = library();
    let (whole, other) = (&works[1], &works[0]);
    let internet = Internet::with_texts(
        "texts",
        vec![
            (format!("/html/{}v1", whole.arxiv), page(&whole.title, &claim)),
            // The archive returns another paper that contains the same claim.
            (
                format!("/pdf/{}v1", other.arxiv),
                page("Tea Prices and the Moon", &claim),
            ),
            (
                format!("/html/{}v1", other.arxiv),
                page("Tea Prices and the Moon", &claim),
            ),
        ],
    );
    let out = folder("texts");
    let output = precedent(&internet.assess(&out, "openalex,arxiv", &[]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found = report(&out);
    assert_eq!(candidate(&found, &whole.title)["work"]["extent"], "full_text");
    assert_eq!(candidate(&found, &other.title)["work"]["extent"], "abstract");
    assert_eq!(
        statuses(&found),
        1,
        "{:#}",
        found["contribution_analysis"]["comparisons"]
    );
    let printed = messages(&found).join("\n");
    assert!(
        printed.contains("Full text was fetched for 1 of the") && printed.contains("with the wrong text"),
        "{printed}"
    );
    // Only first versions are requested, because later additions do not count as prior work.
    let fetched = internet.fetched.lock().unwrap().clone();
    let of_arxiv: Vec<&String> = fetched.iter().filter(|path| !path.starts_with("/works/doi:")).collect();
    assert!(
        !of_arxiv.is_empty() && of_arxiv.iter().all(|path| path.ends_with("v1")),
        "{fetched:?}"
    );
    // The report lists what was sent.
    let sent = found["metadata"]["sent"].as_array().unwrap();
    let texts = sent
        .iter()
        .find(|one| one["what"].as_str().unwrap().contains("fetch their texts"));
    assert_eq!(texts.unwrap()["requests"], fetched.len());
    // A repeated run sends no requests. Without servers, a replay gives the same bytes.
    let before = fs::read(out.join("report.json")).unwrap();
    assert_eq!(
        precedent(&internet.assess(&out, "openalex,arxiv", &[])).status.code(),
        Some(0)
    );
    assert_eq!(internet.fetched.lock().unwrap().len(), fetched.len());
    let nobody = internet.without_servers();
    let output = precedent(&nobody.assess(&out, "openalex,arxiv", &["--replay"]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(before, fs::read(out.join("report.json")).unwrap());
}

#[test]
fn show_egress_and_estimate_list_the_full_text_requests() {
    let internet = Internet::start("foretold");
    let out = folder("foretold");
    let predicted = |sources: &str, more: &[&str]| {
        let mut more = more.to_vec();
        more.push("--show-egress");
        json(&precedent(&internet.assess(&out, sources, &more)))["full_texts"].clone()
    };
    let usual = predicted("openalex", &[]);
    assert_eq!(
        (&usual["works"], usual["archives"].as_array().unwrap().len()),
        (&30.into(), 4)
    );
    assert_eq!(usual["open_copies_by"].as_array().unwrap().len(), 1);
    assert_eq!(
        predicted("arxiv", &["--full-texts", "3"])["open_copies_by"],
        serde_json::json!([])
    );
    // With an e-mail address, Unpaywall is also queried and listed.
    let asked = internet.assess(&out, "openalex", &["--show-egress"]);
    let with_address = precedent_with(&asked, &[("PRECEDENT_MAILTO", "reader@example.org")]);
    let indexes = json(&with_address)["full_texts"]["open_copies_by"].clone();
    assert_eq!(indexes.as_array().unwrap().len(), 2, "{indexes}");
    assert!(predicted("arxiv", &["--full-texts", "0"]).is_null());
    assert!(internet.fetched.lock().unwrap().is_empty());
    let settings = internet.settings.to_str().unwrap();
    let estimate = precedent(&["estimate", PAPER, "--sources", "arxiv", "--settings", settings]);
    let shown = stdout(&estimate);
    assert!(shown.contains("full texts: at most 30 papers"), "{shown}");
    // Without a model there is no table of calls.
    assert!(shown.starts_with("no model is called"), "{shown}");
    assert!(!shown.contains("tokens") && !shown.contains("$0.00"), "{shown}");
    let lonely = precedent(&["assess", PAPER, "--full-texts", "3"]);
    assert_eq!(lonely.status.code(), Some(2), "{}", stderr(&lonely));
}

/// The first claim that is extracted from the sample.
fn claim_of_the_sample() -> String {
    let out = folder("claim");
    let internet = Internet::start("claim");
    let output = precedent(&internet.assess(&out, "openalex", &["--full-texts", "0"]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found = report(&out);
    let text = found["contribution_analysis"]["contributions"][0]["claim"]["text"].as_str();
    text.unwrap().to_owned()
}

/// The library with DOIs as the only identifiers.
fn of_doi_alone() -> Vec<precedent_scripted::literature::LibraryRecord> {
    let mut works = library();
    for work in &mut works {
        work.arxiv = String::new();
    }
    works
}

#[test]
fn unpaywall_links_to_archives_are_followed_but_never_to_local_addresses() {
    let works = of_doi_alone();
    let whole = works[1].clone();
    let doi = &whole.doi;
    let places = format!(
        r#"{{"doi":"{doi}","is_oa":true,"best_oa_location":{{"url_for_pdf":"http://127.0.0.1:9/admin.pdf"}},
        "oa_locations":[{{"url_for_pdf":"file:///etc/passwd"}},{{"url_for_pdf":"https://arxiv.org/pdf/2103.01002"}}]}}"#
    );
    let pages = vec![
        (
            format!("/works/doi:{doi}?select=id,best_oa_location,locations"),
            br#"{"id":"https://openalex.org/W1002","best_oa_location":null,"locations":[]}"#.to_vec(),
        ),
        (format!("/v2/{doi}?email=reader%40example.org"), places.into_bytes()),
        (
            "/html/2103.01002v1".into(),
            page(&whole.title, "The decoder follows the rope."),
        ),
    ];
    let internet = Internet::with("unpaywall", works, pages);
    let out = folder("unpaywall");
    let asked = internet.assess(&out, "openalex,crossref", &[]);
    let output = precedent_with(&asked, &[("PRECEDENT_MAILTO", "reader@example.org")]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found = report(&out);
    assert_eq!(candidate(&found, &whole.title)["work"]["extent"], "full_text");
    // A link to an archive is requested from the archive: first version, never as sources.
    let fetched = internet.fetched.lock().unwrap().clone();
    let of_archive: Vec<&String> = fetched.iter().filter(|path| path.contains("2103.01002")).collect();
    assert_eq!(of_archive, ["/pdf/2103.01002v1", "/html/2103.01002v1"], "{fetched:?}");
    // The user's e-mail address is not in the reports.
    let manifest = fs::read_to_string(out.join("manifest.json")).unwrap();
    assert!(!manifest.contains("reader@example.org") && !found.to_string().contains("reader@example.org"));
    assert!(manifest.contains("/v2/") || found["metadata"]["sent"].to_string().contains("fetch their texts"));
    // Without an e-mail address, Unpaywall is not queried.
    let internet = Internet::with("no-unpaywall", of_doi_alone(), Vec::new());
    let output = precedent(&internet.assess(&folder("no-unpaywall"), "openalex", &[]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        internet
            .fetched
            .lock()
            .unwrap()
            .iter()
            .all(|path| !path.starts_with("/v2/"))
    );
}

/// A JATS article, as life-science archives serve it.
fn article(title: &str, printed: &str) -> Vec<u8> {
    let filling = "Buoys were moored along the coast, and the line was read once an hour by a lamp. ".repeat(45);
    format!(
        r#"<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Archiving and Interchange DTD v1.3 20210610//EN" "JATS-archivearticle1-3.dtd">
<article xmlns:xlink="http://www.w3.org/1999/xlink" article-type="research-article"><front><article-meta>
<title-group><article-title>{title}</article-title></title-group><contrib-group><contrib contrib-type="author"><name><surname>Lee</surname><given-names>Ann</given-names></name></contrib></contrib-group>
<abstract><p>We look at ropes and what swell does to them.</p></abstract></article-meta></front>
<body><sec><title>Introduction</title><p>{filling}</p><p>{printed}</p></sec><sec><title>Methods</title><p>{filling}</p></sec></body></article>"#
    )
    .into_bytes()
}

#[test]
fn full_texts_from_pubmed_central_are_read_and_an_entity_bomb_is_harmless() {
    let claim = claim_of_the_sample();
    let mut works = of_doi_alone();
    works[1].pmc = "PMC7000001".into();
    works[0].pmc = "PMC7000002".into();
    works[3].pmc = "PMC7000003".into();
    let mut bomb = String::from("<!DOCTYPE article [<!ENTITY a0 \"ha\"><!ENTITY file SYSTEM \"file:///etc/hostname\">");
    for n in 1..30 {
        bomb.push_str(&format!("<!ENTITY a{n} \"{}\">", format!("&a{};", n - 1).repeat(10)));
    }
    bomb.push_str(&format!(
        "]><article><front><article-meta><title-group><article-title>{}</article-title></title-group></article-meta></front><body><p>&a29;&file;</p></body></article>",
        works[0].title
    ));
    let title = works[1].title.clone();
    let pages = vec![
        ("/PMC7000001/fullTextXML".into(), article(&title, &claim)),
        ("/PMC7000002/fullTextXML".into(), bomb.into_bytes()),
        (
            "/PMC7000003/fullTextXML".into(),
            b"<!doctype html><html><body>please log in</body></html>".to_vec(),
        ),
    ];
    let internet = Internet::with("pmc", works.clone(), pages);
    let out = folder("pmc");
    let output = precedent(&internet.assess(&out, "europe-pmc", &[]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found = report(&out);
    assert_eq!(candidate(&found, &title)["work"]["extent"], "full_text");
    assert_eq!(candidate(&found, &title)["work"]["identifiers"]["pmc"], "PMC7000001");
    for other in [&works[0].title, &works[3].title] {
        assert_eq!(candidate(&found, other)["work"]["extent"], "abstract", "{other}");
    }
    let refuting = found["contribution_analysis"]["comparisons"].as_array().unwrap();
    let refuting = refuting.iter().filter(|one| one["status"] == "can_refute").count();
    assert_eq!(refuting, 1, "the downloaded text contains the claim");
    let host = fs::read_to_string("/etc/hostname").unwrap_or_default();
    assert!(host.trim().len() < 4 || !found.to_string().contains(host.trim()));
    let markdown = fs::read_to_string(out.join("report.md")).unwrap();
    assert!(
        markdown.contains("PMC7000001") || markdown.contains("10.5555/rope.1002"),
        "{markdown}"
    );
}

/// Metadata from services decide which papers may refute a claim.
#[test]
fn a_disputed_paper_refutes_nothing_and_a_retracted_one_is_marked() {
    let claim = claim_of_the_sample();
    let works = library();
    let whole = works[1].clone();
    let pages = || vec![(format!("/html/{}v1", whole.arxiv), page(&whole.title, &claim))];
    let comparison = |found: &Value| -> Value {
        let number = candidate(found, &whole.title)["number"].clone();
        let all = found["contribution_analysis"]["comparisons"].as_array().unwrap();
        all.iter()
            .find(|one| one["candidate"] == number && one["contribution"] == 1)
            .unwrap()
            .clone()
    };
    // Another service has another paper by other authors under the same DOI.
    let of_service = |id: &str| {
        let mut works = library();
        if id == "crossref" {
            works[1].title = "Tea prices and the rope trade in swell".into();
            works[1].authors = vec![("Cy".into(), "Tan".into())];
            works[1].day = "2003-01-02".into();
        }
        works
    };
    let internet = Internet::each("disputed", of_service, pages());
    let out = folder("disputed");
    let output = precedent(&internet.assess(&out, "openalex,crossref", &[]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found = report(&out);
    let one = comparison(&found);
    assert_eq!(one["status"], "unclear", "{one:#}");
    assert!(
        one["downgraded"].as_str().unwrap().contains("disagree on its title"),
        "{one:#}"
    );
    let all = found["contribution_analysis"]["comparisons"].as_array().unwrap();
    assert!(all.iter().all(|one| one["status"] != "can_refute"));
    let markdown = fs::read_to_string(out.join("report.md")).unwrap();
    let html = fs::read_to_string(out.join("report.html")).unwrap();
    for written in [&markdown, &html] {
        assert!(
            written.contains("crossref and openalex disagree on its title"),
            "{written}"
        );
    }
    assert!(
        messages(&found)
            .iter()
            .any(|printed| printed.starts_with("Sources disagree on which paper an identifier names"))
    );

    for sources in ["openalex,arxiv", "crossref,arxiv"] {
        let retracted = |_: &str| {
            let mut works = library();
            works[1].retracted = true;
            works
        };
        let internet = Internet::each("retracted", retracted, pages());
        let out = folder("retracted");
        let output = precedent(&internet.assess(&out, sources, &[]));
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let found = report(&out);
        let one = comparison(&found);
        let who = sources.split(',').next().unwrap();
        assert_eq!(
            one["status"], "can_refute",
            "a retracted paper is still prior art: {one:#}"
        );
        let note = one["note"].as_str().unwrap();
        assert!(
            note.contains(&format!("The candidate was retracted, according to {who}.")),
            "{note}"
        );
        assert!(
            messages(&found)
                .iter()
                .any(|printed| printed.starts_with("Retracted: ")),
            "{sources}"
        );
        let markdown = fs::read_to_string(out.join("report.md")).unwrap();
        assert!(
            markdown
                .to_lowercase()
                .contains(&format!("retracted according to {who}")),
            "{markdown}"
        );
        assert!(!found["references"]["candidates"].to_string().contains("Notice on"));
    }
}
