//! The report of a watch follows its schema, shows only the latest check first, and its feed is well-formed whatever a title contains.

use precedent_domain::{PartialDate, SectionKind};
use precedent_report::{
    ClaimLevel, WatchChange, WatchCheck, WatchMatch, WatchReport, WatchedPaper, render, watch_schema,
};

use crate::fixture::build::{document, quote};

const SCHEMA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schema/watch-1.json");
const HOSTILE: &str = "A <script>alert(1)</script> & \"title\" ]]> \u{1b}[31m \u{202e}with marks";

fn day(text: &str) -> PartialDate {
    text.parse().unwrap()
}

fn paper(title: &str, noticed: &str, level: ClaimLevel) -> WatchedPaper {
    let sentence = "We place every symbol of the rope into a taut interval. It works.";
    let text = document("Ropes", &[("Abstract", SectionKind::Abstract, &[sentence])]);
    let similar = level <= ClaimLevel::Similar;
    WatchedPaper {
        id: format!("arxiv:{}", title.len()).parse().unwrap(),
        title: title.into(),
        alias: "Lee 2026".into(),
        date: Some(day("2026-12-01")),
        url: Some("javascript:alert(1)".into()),
        found_by: vec!["openalex".into()],
        noticed: day(noticed),
        change: WatchChange::New,
        level,
        matches: similar
            .then(|| WatchMatch {
                of: "claim 1".into(),
                text: "We put symbols <b>into</b> taut intervals.".into(),
                level,
                probability: Some(0.54),
                passage: Some(quote(&text, "every symbol of the rope into a taut interval")),
            })
            .into_iter()
            .collect(),
    }
}

fn check(date: &str, noticed: usize) -> WatchCheck {
    WatchCheck {
        date: day(date),
        compared: 20,
        noticed,
        first: false,
        failures: vec!["search arxiv: status 503".into()],
        run: None,
    }
}

fn report() -> WatchReport {
    let mut report = WatchReport::new("my paper", HOSTILE, ClaimLevel::Similar);
    report.checks = vec![check("2026-11-25", 1), check("2026-12-02", 2)];
    report.papers = vec![
        paper("An earlier paper", "2026-11-25", ClaimLevel::Similar),
        paper(HOSTILE, "2026-12-02", ClaimLevel::Similar),
        paper("Only the topic", "2026-12-02", ClaimLevel::None),
    ];
    report
}

#[test]
fn the_published_watch_schema_is_fresh_and_reports_match_it() {
    let fresh = format!("{}\n", serde_json::to_string_pretty(&watch_schema()).unwrap());
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(SCHEMA, &fresh).unwrap();
    }
    let published = std::fs::read_to_string(SCHEMA).unwrap_or_default();
    assert!(
        published == fresh,
        "docs/schema is stale: run UPDATE_SCHEMA=1 cargo test -p precedent-report"
    );
    let json: serde_json::Value = serde_json::from_slice(&render(&report(), "json").unwrap()).unwrap();
    assert!(jsonschema::validator_for(&watch_schema()).unwrap().is_valid(&json));
    // An address that is no web page is not even in the data.
    assert!(json["papers"][1].get("url").is_none());
}

#[test]
fn the_latest_check_comes_first_and_foreign_text_is_never_markup() {
    let report = report();
    assert!(report.is_alert());
    crate::look::write("watch", &report);
    let page = String::from_utf8(render(&report, "html").unwrap()).unwrap();
    assert!(
        !page.contains("<script>alert") && !page.contains("javascript:alert"),
        "{page}"
    );
    let (new, earlier) = (page.find("every symbol of the rope"), page.find("An earlier paper"));
    assert!(new.unwrap() < earlier.unwrap());
    let markdown = String::from_utf8(render(&report, "md").unwrap()).unwrap();
    assert!(
        markdown.contains("New on 2026-12-02: 2 papers, 1 similar."),
        "{markdown}"
    );
}

#[test]
fn the_feed_is_well_formed_and_the_same_twice() {
    let report = report();
    let feed = String::from_utf8(report.feed().unwrap()).unwrap();
    assert_eq!(feed, String::from_utf8(report.feed().unwrap()).unwrap());
    assert_eq!(feed.matches("<entry>").count(), 3);
    let text = feed
        .replace("&#38;", "")
        .replace("&#60;", "")
        .replace("&#62;", "")
        .replace("&#34;", "");
    assert!(
        !text.contains("<script") && !text.contains('&') && !text.chars().any(|c| c.is_control() && c != '\n'),
        "{feed}"
    );
    let ids: std::collections::BTreeSet<&str> = feed.lines().filter(|line| line.trim().starts_with("<id>")).collect();
    assert_eq!(ids.len(), 4);
}

#[test]
fn a_watch_without_checks_and_a_first_check_say_so() {
    let mut report = WatchReport::new("idea", "An idea", ClaimLevel::Anticipated);
    let words = |report: &WatchReport| String::from_utf8(render(report, "md").unwrap()).unwrap();
    assert!(words(&report).contains("Not checked yet."));
    report.checks.push(WatchCheck {
        first: true,
        failures: vec![],
        ..check("2026-11-25", 0)
    });
    assert!(
        words(&report).contains("First check on 2026-11-25: 20 papers noted."),
        "{}",
        words(&report)
    );
    assert!(!report.is_alert());
    // A similar paper is no alert if only an anticipated one is.
    report.checks.push(check("2026-12-02", 1));
    report.papers.push(paper("Similar", "2026-12-02", ClaimLevel::Similar));
    assert!(!report.is_alert());
}
