//! Papers with a wrong date in one service.

use precedent_scripted::literature::LibraryRecord;
use serde_json::Value;

use crate::full_texts::page;
use crate::internet::{Internet, folder, library, messages, report};
use crate::support::{precedent, stderr};

const SOURCES: &str = "arxiv,semantic-scholar,openalex,openreview";
/// The paper's date. A paper that makes its first claim appeared five months later.
const AS_OF: &str = "2022-06-15";
const APPEARED: &str = "2022-11-20";

/// The sample library, with the second paper dated after the sample.
fn works(imported: bool, day: &str) -> Vec<LibraryRecord> {
    let mut works = library();
    let one = &mut works[1];
    one.day = day.to_owned();
    one.imported = imported;
    one.arxiv = "2211.01002".to_owned();
    works
}

/// The report of a run where OpenReview has `of_openreview` and all other services have the correct date. The full text of the later paper contains
/// the claim.
fn run(name: &str, of_openreview: Vec<LibraryRecord>) -> Value {
    let title = works(false, APPEARED)[1].title.clone();
    let out = folder(&format!("{name}-claim"));
    let internet = Internet::start(&format!("{name}-claim"));
    let more = ["--full-texts", "0"];
    let output = precedent(&internet.assess(&out, "openalex", &more));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let claim = report(&out)["contribution_analysis"]["contributions"][0]["claim"]["text"]
        .as_str()
        .unwrap()
        .to_owned();
    let text = page(&title, &claim);
    let paths = ["/html/2211.01002v1", "/pdf/2211.01002v1", "/pdf?id=0000001002"];
    let pages = paths.map(|path| (path.to_owned(), text.clone())).to_vec();
    let each = |id: &str| match id {
        "openreview" => of_openreview.clone(),
        _ => works(false, APPEARED),
    };
    let internet = Internet::each(name, each, pages);
    let out = folder(name);
    let output = precedent(&internet.assess(&out, SOURCES, &["--as-of", AS_OF]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    report(&out)
}

fn refutations(report: &Value) -> usize {
    let all = report["contribution_analysis"]["comparisons"].as_array().unwrap();
    all.iter().filter(|one| one["status"] == "can_refute").count()
}

fn candidate<'r>(report: &'r Value, title: &str) -> Option<&'r Value> {
    let all = report["references"]["candidates"].as_array().unwrap();
    all.iter().find(|one| one["work"]["title"] == title)
}

/// OpenReview imports records of DBLP with 1 January as their day.
#[test]
fn an_imported_record_with_a_wrong_day_refutes_nothing() {
    let imported = works(true, APPEARED);
    let report = run("imported-date", imported.clone());
    assert_eq!(
        refutations(&report),
        0,
        "{:#}",
        report["contribution_analysis"]["comparisons"]
    );
    assert!(candidate(&report, &imported[1].title).is_none(), "it appeared later");
    let aside = report["references"]["set_aside"].as_array().unwrap();
    let later = aside.iter().find(|one| one["title"] == imported[1].title.as_str());
    assert_eq!(
        later.map(|one| &one["reason"]),
        Some(&Value::from("later")),
        "{aside:#?}"
    );
    for scope in report["metadata"]["funnel"]["scopes"].as_array().unwrap() {
        let of_scope = |one: &&Value| {
            one["scopes"]
                .as_array()
                .is_some_and(|all| all.contains(&scope["scope"]))
        };
        let later = aside
            .iter()
            .filter(of_scope)
            .filter(|one| one["reason"] == "later")
            .count();
        let dropped = scope["after_self"].as_u64().unwrap() - scope["after_date"].as_u64().unwrap();
        assert_eq!(dropped as usize, later, "{scope:#}");
    }
}

#[test]
fn a_date_that_three_other_services_contradict_is_doubtful_and_refutes_nothing() {
    let early = works(false, "2022-01-05");
    let report = run("disputed-date", early.clone());
    assert_eq!(
        refutations(&report),
        0,
        "{:#}",
        report["contribution_analysis"]["comparisons"]
    );
    let one = candidate(&report, &early[1].title).expect("it is shown");
    assert_eq!(one["timing"], "concurrent", "{one:#}");
    let doubt = &one["work"]["doubts"][0];
    assert_eq!(doubt["kind"], "date", "{one:#}");
    assert_eq!(doubt["earlier"], serde_json::json!(["openreview"]), "{doubt:#}");
    let printed = messages(&report).join("\n");
    assert!(
        printed.contains("Sources disagree on when these papers appeared"),
        "{printed}"
    );
}
