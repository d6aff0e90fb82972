//! Full texts of works that services found.

use std::fs;

use serde_json::Value;

use crate::internet::{Internet, PAPER, folder, library, messages, report};
use crate::support::{json, precedent, precedent_with, stderr, stdout};

/// A page of a paper as archives show it.
fn page(title: &str, said: &str) -> Vec<u8> {
    let filling = "Buoys were moored along the coast, and the line was read once an hour by a lamp. ".repeat(45);
    format!(
        "<!DOCTYPE html><html><head><title>{title}</title></head><body><article><h1>{title}</h1><p>Ann Lee, Bob Roy</p>\
<h6>Abstract</h6><p>We look at ropes and what swell does to them.</p><h2>1 Introduction</h2><p>{filling}</p><p>{said}</p>\
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
fn the_text_of_a_found_work_is_read_and_stands_against_a_claim() {
    let out = folder("abstracts");
    let internet = Internet::start("abstracts");
    let output = precedent(&internet.assess(&out, "openalex,arxiv", &["--full-texts", "0"]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(internet.fetched.lock().unwrap().is_empty(), "none was wanted");
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
            // What comes in this one's place is some other paper that says the same.
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
    let said = messages(&found).join("\n");
    assert!(
        said.contains("; 1 came.") && said.contains("some other text when it came"),
        "{said}"
    );
    // Only the first version is asked for: what was added later must not stand against the paper.
    let fetched = internet.fetched.lock().unwrap().clone();
    let of_arxiv: Vec<&String> = fetched.iter().filter(|path| !path.starts_with("/works/doi:")).collect();
    assert!(
        !of_arxiv.is_empty() && of_arxiv.iter().all(|path| path.ends_with("v1")),
        "{fetched:?}"
    );
    // What was sent is told, and foretold.
    let sent = found["metadata"]["sent"].as_array().unwrap();
    let texts = sent
        .iter()
        .find(|one| one["what"].as_str().unwrap().contains("fetch their texts"));
    assert_eq!(texts.unwrap()["requests"], fetched.len());
    // Once more: not one request. With nobody there: the same bytes.
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
fn what_would_be_fetched_is_told_beforehand() {
    let internet = Internet::start("foretold");
    let out = folder("foretold");
    let told = |sources: &str, more: &[&str]| {
        let mut more = more.to_vec();
        more.push("--show-egress");
        json(&precedent(&internet.assess(&out, sources, &more)))["full_texts"].clone()
    };
    let usual = told("openalex", &[]);
    assert_eq!(
        (&usual["works"], usual["archives"].as_array().unwrap().len()),
        (&30.into(), 3)
    );
    assert_eq!(usual["open_copies_by"].as_array().unwrap().len(), 1);
    assert_eq!(
        told("arxiv", &["--full-texts", "3"])["open_copies_by"],
        serde_json::json!([])
    );
    // Who gives an address is answered by Unpaywall too, and it is no secret that it is asked.
    let asked = internet.assess(&out, "openalex", &["--show-egress"]);
    let with_address = precedent_with(&asked, &[("PRECEDENT_MAILTO", "reader@example.org")]);
    let indexes = json(&with_address)["full_texts"]["open_copies_by"].clone();
    assert_eq!(indexes.as_array().unwrap().len(), 2, "{indexes}");
    assert!(told("arxiv", &["--full-texts", "0"]).is_null());
    assert!(internet.fetched.lock().unwrap().is_empty());
    let settings = internet.settings.to_str().unwrap();
    let estimate = precedent(&["estimate", PAPER, "--sources", "arxiv", "--settings", settings]);
    assert!(
        stdout(&estimate).contains("full texts: of at most 30 works"),
        "{}",
        stdout(&estimate)
    );
    let lonely = precedent(&["assess", PAPER, "--full-texts", "3"]);
    assert_eq!(lonely.status.code(), Some(2), "{}", stderr(&lonely));
}
