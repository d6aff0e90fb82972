//! Citation chaining with mock services on loopback, and exclusion of the paper itself under all its identifiers.

use std::fs;
use std::path::Path;

use precedent_scripted::literature::{Act, LibraryRecord};
use serde_json::Value;

use crate::internet::{Internet, PAPER, report};
use crate::support::{json, precedent_in, root, stderr};

fn record(key: &str, title: &str, authors: &[(&str, &str)], day: &str, cites: &[&str]) -> LibraryRecord {
    LibraryRecord {
        key: key.into(),
        title: title.into(),
        summary: format!(
            "We study {} on moored buoys in heavy swell, and what ropes do to it.",
            title.to_lowercase()
        ),
        authors: authors
            .iter()
            .map(|(given, family)| ((*given).to_owned(), (*family).to_owned()))
            .collect(),
        day: day.into(),
        doi: format!("10.5555/rope.{key}"),
        venue: "Journal of Moored Systems".into(),
        cites: cites.iter().map(|key| (*key).to_owned()).collect(),
        ..LibraryRecord::default()
    }
}

/// The sample itself, three of its references, a paper that only looks like a reference, and papers that these cite.
fn fixed_source() -> Vec<LibraryRecord> {
    let mut own = record(
        "2000",
        "Slack-aware coding for rope-line telemetry in heavy swell",
        &[("Elin", "Marsh"), ("Tomas", "Quill"), ("Ngozi", "Abara")],
        "2026-05-14",
        &["2001", "2002", "2003", "2004"],
    );
    own.arxiv = "2605.00001".into();
    vec![
        own,
        record(
            "2001",
            "Attenuation of Tension Pulses in Wet Synthetic Ropes",
            &[("Petra", "Voss")],
            "2010-03-01",
            &["2005", "2006"],
        ),
        record(
            "2002",
            "Swell as Noise: Spectral Models for Tension Channels",
            &[("Lena", "Brun"), ("Mei", "Tanaka")],
            "2014-06-01",
            &["2005", "2001"],
        ),
        record(
            "2003",
            "Multi-Level Tugging: More Bits per Pull",
            &[("Carla", "Vidal"), ("Jon", "Reik")],
            "2021-01-05",
            &["2005", "2006", "2007"],
        ),
        // The title of a reference, but with other authors and another year.
        record(
            "2004",
            "A Survey of Rope-Line Telemetry",
            &[("Zed", "Other")],
            "1999-01-01",
            &[],
        ),
        record(
            "2005",
            "Slack as a fading channel: rope-line telemetry in swell",
            &[("Ida", "Holm")],
            "2008-02-03",
            &[],
        ),
        record(
            "2006",
            "Line codes for channels that fade in heavy swell",
            &[("Omar", "Said")],
            "2009-09-09",
            &[],
        ),
        record(
            "2007",
            "Winches and how they wear",
            &[("Una", "Kerr")],
            "2007-07-07",
            &[],
        ),
    ]
}

fn internet(name: &str) -> Internet {
    let pdf = fs::read(root().join(PAPER)).unwrap();
    Internet::with(name, fixed_source(), vec![("/pdf/2605.00001".into(), pdf)])
}

fn assess(internet: &Internet, place: &Path, paper: &str, sources: &str, more: &[&str]) -> std::process::Output {
    let mut arguments = vec!["assess", paper, "--sources", sources, "--out", "one", "--json"];
    arguments.extend(["--full-texts", "0", "--settings", internet.settings.to_str().unwrap()]);
    arguments.extend(more);
    precedent_in(place, &arguments)
}

fn candidate<'r>(found: &'r Value, title: &str) -> &'r Value {
    let all = found["references"]["candidates"].as_array().unwrap();
    all.iter()
        .find(|one| one["work"]["title"] == title)
        .unwrap_or_else(|| panic!("{title} is no candidate"))
}

#[test]
fn references_are_followed_and_candidates_show_how_they_were_found() {
    for sources in ["semantic-scholar", "openalex,semantic-scholar"] {
        let internet = internet("citations");
        let place = tempfile::tempdir().unwrap();
        let output = assess(&internet, place.path(), "arXiv:2605.00001", sources, &[]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let found = report(&place.path().join("one"));
        let came = |title: &str| candidate(&found, title)["came_by"].clone();
        let reference = came("Swell as Noise: Spectral Models for Tension Channels");
        assert_eq!(
            reference[0],
            serde_json::json!({"kind": "reference", "number": 10}),
            "{sources}"
        );
        let second = came("Slack as a fading channel: rope-line telemetry in swell");
        assert_eq!(
            second[0],
            serde_json::json!({"kind": "cited_by_references", "count": 3}),
            "{sources}"
        );
        // A paper that only shares its title with a reference is not that reference.
        let all = found["references"]["candidates"].as_array().unwrap();
        let stranger = all
            .iter()
            .find(|one| one["work"]["title"] == "A Survey of Rope-Line Telemetry");
        let is_bound = |one: &Value| {
            one["came_by"].to_string().contains("reference\"") || one["came_by"].to_string().contains("cited_by")
        };
        assert!(!stranger.is_some_and(is_bound), "{stranger:?}");
        // The page shows recommendations and how each candidate was found.
        let beside = all
            .iter()
            .filter(|one| one["came_by"].to_string().contains("recommended_by_references"));
        assert!(beside.count() > 0, "{sources}");
        let written = fs::read_to_string(place.path().join("one/report.html")).unwrap();
        assert!(
            written.contains("cited by 3 of the papers that this paper cites"),
            "{sources}"
        );
        assert!(
            written.contains("recommended for this paper&#39;s references by a service")
                || written.contains("recommended for this paper's references by a service"),
            "{sources}"
        );
        // The paper itself is not a candidate.
        assert!(
            all.iter()
                .all(|one| !one["work"]["title"].as_str().unwrap().starts_with("Slack-aware coding"))
        );
        let printed = found["metadata"]["not_searched"].to_string();
        assert!(
            printed.contains("Of the paper's 18 references, 3 matched a known paper with certainty"),
            "{printed}"
        );
        let sent = found["metadata"]["sent"].to_string();
        assert!(sent.contains("names of works"), "{sent}");
        // The download of the paper by name is also listed.
        assert!(sent.contains("name of the paper ("), "{sent}");
        let manifest: Value =
            serde_json::from_slice(&fs::read(place.path().join("one/manifest.json")).unwrap()).unwrap();
        assert!(
            manifest["sent"]
                .as_array()
                .unwrap()
                .iter()
                .any(|one| one["who"] == "paper"),
            "{manifest:#}"
        );
        // A repeated run sends no requests. Without servers, a replay gives the same bytes.
        let before = fs::read(place.path().join("one/report.json")).unwrap();
        let requests = internet.requests().len();
        assert_eq!(
            assess(&internet, place.path(), "arXiv:2605.00001", sources, &[])
                .status
                .code(),
            Some(0)
        );
        assert_eq!(internet.requests().len(), requests);
        let nobody = internet.without_servers();
        let output = assess(&nobody, place.path(), "arXiv:2605.00001", sources, &["--replay"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(before, fs::read(place.path().join("one/report.json")).unwrap());
    }
}

#[test]
fn show_egress_lists_the_requests_for_citations() {
    let internet = internet("citations-foretold");
    let place = tempfile::tempdir().unwrap();
    // Downloads the paper.
    assert_eq!(
        assess(&internet, place.path(), "arXiv:2605.00001", "crossref", &[])
            .status
            .code(),
        Some(0)
    );
    let predicted = json(&assess(
        &internet,
        place.path(),
        "arXiv:2605.00001",
        "semantic-scholar",
        &["--show-egress"],
    ));
    let one = &predicted["egress"][0];
    let asked = one["asked"].to_string();
    assert!(asked.contains("/graph/v1/paper/ARXIV:2605.00001/references"), "{asked}");
    assert!(asked.contains("/graph/v1/paper/ARXIV:2605.00001/citations"), "{asked}");
    assert!(
        asked.contains("/recommendations/v1/papers/forpaper/ARXIV:2605.00001"),
        "{asked}"
    );
    assert!(asked.contains("/graph/v1/snippet/search"), "{asked}");
    let perhaps = one["perhaps"].to_string();
    assert!(
        perhaps.contains("papers that the paper cites according to") && perhaps.contains("cite most often"),
        "{perhaps}"
    );
    let sent_before = internet.requests().len();
    assert_eq!(
        assess(&internet, place.path(), "arXiv:2605.00001", "semantic-scholar", &[])
            .status
            .code(),
        Some(0)
    );
    let requests = one["asked"].as_array().unwrap().len() + one["perhaps"].as_array().unwrap().len();
    assert!(internet.requests().len() - sent_before <= requests, "{one:#}");
}

#[test]
fn a_service_that_fails_during_citation_chaining_is_reported() {
    let internet = internet("citations-broken");
    internet.set("semantic-scholar", Act::Down);
    let place = tempfile::tempdir().unwrap();
    let output = assess(
        &internet,
        place.path(),
        "arXiv:2605.00001",
        "openalex,semantic-scholar",
        &[],
    );
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found = report(&place.path().join("one"));
    let printed = found["metadata"]["not_searched"].to_string();
    assert!(
        printed.contains("semantic-scholar failed") && printed.contains("(503"),
        "{printed}"
    );
}

/// Records of one paper from every service, with its arXiv id, DOI, forum id or other spellings of its title.
#[test]
fn the_paper_itself_is_excluded_under_all_identifiers_and_spellings() {
    let (arxiv, doi) = ("2605.00001", "10.5555/rope.2000");
    let sample = root().join(PAPER).to_str().unwrap().to_owned();
    let guises = [
        // Only the title matches, with other capitalisation, punctuation or a typo.
        (
            "SLACK AWARE CODING FOR ROPE LINE TELEMETRY IN HEAVY SWELL",
            "",
            "",
            sample.as_str(),
            "all",
        ),
        (
            "Slack-Aware Coding for Rope\u{2010}Line Telemetry in Heavy Swell.",
            "",
            "",
            &sample,
            "all",
        ),
        (
            "Slack-aware coding for rope-line telemetery in heavy swell",
            "",
            "",
            &sample,
            "all",
        ),
        // Another title, but a matching identifier from the paper's name.
        (
            "Slack codes for telemetry on ropes in swell",
            arxiv,
            "",
            "arXiv:2605.00001",
            "arxiv,openalex,semantic-scholar",
        ),
        (
            "Slack codes for telemetry on ropes in swell",
            arxiv,
            doi,
            "CorpusId:2000",
            "crossref,arxiv,openalex,semantic-scholar",
        ),
        (
            "Slack codes for telemetry on ropes in swell",
            "",
            "",
            "openreview:0000002000",
            "openreview",
        ),
        (
            "Slack codes for telemetry on ropes in swell",
            "",
            doi,
            "doi:10.5555/rope.2000",
            "crossref,openalex,semantic-scholar",
        ),
        (
            "Slack codes for telemetry on ropes in swell",
            "",
            "",
            "2026.acl-long.1",
            "semantic-scholar",
        ),
    ];
    for (title, arxiv, doi, paper, sources) in guises {
        let at = format!("{title} {paper}");
        let mut own = fixed_source().swap_remove(0);
        own.title = title.into();
        own.summary = String::new();
        own.arxiv = arxiv.into();
        own.doi = doi.into();
        own.acl = if paper.contains("acl-long") {
            paper.into()
        } else {
            String::new()
        };
        let mut library = fixed_source();
        library[0] = own;
        let pdf = fs::read(root().join(PAPER)).unwrap();
        let pages = vec![
            ("/pdf/2605.00001".into(), pdf.clone()),
            ("/pdf?id=0000002000".into(), pdf.clone()),
            ("/2026.acl-long.1.pdf".into(), pdf),
            // The open copy of the DOI is in an archive, which is queried by its own id.
            (
                "/works/doi:10.5555/rope.2000?select=id,best_oa_location,locations".into(),
                br#"{"id":"https://openalex.org/W2000","best_oa_location":{"pdf_url":"https://arxiv.org/pdf/2605.00001"},"locations":[]}"#.to_vec(),
            ),
        ];
        let internet = Internet::with("guises", library, pages);
        let place = tempfile::tempdir().unwrap();
        let output = assess(&internet, place.path(), paper, sources, &[]);
        assert_eq!(output.status.code(), Some(0), "{at}: {}", stderr(&output));
        let found = report(&place.path().join("one"));
        for one in found["references"]["candidates"].as_array().unwrap() {
            let ids = one["work"]["also"].to_string() + one["work"]["id"].as_str().unwrap();
            assert!(!ids.contains("2000"), "{at}: {one:#}");
        }
        let aside = found["references"]["set_aside"].as_array().unwrap();
        let same = aside.iter().any(|one| one["reason"] == "same_work");
        assert!(same, "{at}: {aside:#?}");
    }
}
