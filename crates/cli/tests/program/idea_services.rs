//! Ideas compared with results of literature services, played by mock servers on loopback.

use std::fs;
use std::path::Path;

use precedent_scripted::literature::Act;
use serde_json::Value;

use crate::internet::{Internet, folder};
use crate::support::{json, precedent, stderr, stdout};

const IDEA: &str = "Place every symbol of rope-line telemetry into a taut interval that both buoys predict from the recent swell. \
A spring model of the rope with drifting stiffness would give the interval. It would be evaluated on recordings from moored buoys in heavy swell.";
/// Consecutive key words that only the query for the whole idea contains.
const WHOLE: &str = "place+predict+recent+recordings+rope";
/// Consecutive words of the idea, one more than may be sent.
const RUN: &str = "taut+interval+that+both+buoys+predict+from";

fn arguments<'a>(internet: &'a Internet, out: &'a Path, sources: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec![
        "idea",
        IDEA,
        "--sources",
        sources,
        "--out",
        out.to_str().unwrap(),
        "--json",
    ];
    arguments.extend(["--settings", internet.settings.to_str().unwrap()]);
    arguments.extend(more);
    arguments
}

fn report(out: &Path) -> Value {
    serde_json::from_slice(&fs::read(out.join("idea.json")).unwrap()).unwrap()
}

fn targets(internet: &Internet, part: &str) -> Vec<String> {
    let received = internet.requests().into_iter().map(|(_, target)| target);
    received.filter(|target| target.contains(part)).collect()
}

#[test]
fn key_words_of_the_whole_idea_are_sent_only_to_named_services() {
    let internet = Internet::start("idea-default");
    let out = folder("idea-default");
    let output = precedent(&arguments(&internet, &out, "default", &[]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(!internet.requests().is_empty() && targets(&internet, WHOLE).is_empty());
    assert!(!stderr(&output).contains("the whole idea"), "{}", stderr(&output));
    let found = report(&out);
    let asked_whole = |found: &Value, name: &str| {
        let all = found["metadata"]["sources"].as_array().unwrap();
        let one = all.iter().find(|one| one["name"] == name).unwrap();
        one["own_text"] == true
    };
    assert!(!asked_whole(&found, "semantic-scholar"));

    let internet = Internet::start("idea-named");
    let out = folder("idea-named");
    let sources = "openalex,semantic-scholar,crossref";
    let output = precedent(&arguments(&internet, &out, sources, &[]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("key words of the whole idea will be sent"),
        "{}",
        stderr(&output)
    );
    let whole = targets(&internet, WHOLE);
    assert_eq!(whole.len(), 2, "{whole:?}");
    assert!(targets(&internet, RUN).is_empty());
    assert!(
        whole
            .iter()
            .any(|target| target.starts_with("/graph/v1/snippet/search"))
    );
    assert!(whole.iter().any(|target| target.contains("search.semantic=")));
    let found = report(&out);
    assert!(asked_whole(&found, "semantic-scholar") && asked_whole(&found, "openalex"));
    assert!(!asked_whole(&found, "crossref"));
    let sent = found["metadata"]["sent"].as_array().unwrap();
    let predicted: Vec<&str> = sent.iter().map(|one| one["what"].as_str().unwrap()).collect();
    assert_eq!(
        predicted
            .iter()
            .filter(|what| what.contains("key words of a text"))
            .count(),
        2,
        "{predicted:?}"
    );
    // A repeated run sends no requests. Without servers, a replay gives the same bytes.
    let before = fs::read(out.join("idea.json")).unwrap();
    let requests = internet.requests().len();
    assert_eq!(
        precedent(&arguments(&internet, &out, sources, &[])).status.code(),
        Some(0)
    );
    assert_eq!(internet.requests().len(), requests);
    let nobody = internet.without_servers();
    let output = precedent(&arguments(&nobody, &out, sources, &["--replay"]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(before, fs::read(out.join("idea.json")).unwrap());
}

#[test]
fn recommendations_are_requested_for_seed_papers_by_id_and_by_title() {
    let internet = Internet::start("idea-seeds");
    let out = folder("idea-seeds");
    let more = [
        "--seed-paper",
        "arXiv:1805.01001",
        "--seed-paper",
        "Line codes that are aware of slack",
        "--seed-paper",
        "arXiv:0101.00001",
    ];
    let output = precedent(&arguments(&internet, &out, "semantic-scholar", &more));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let recommended = targets(&internet, "/recommendations/");
    // Known seeds are requested by their record. An unknown seed is requested by its given id, in both ways, without results.
    for one in [
        "forpaper/0000000000000000000000000000000000001001?",
        "forpaper/0000000000000000000000000000000000001004?",
    ] {
        assert_eq!(
            recommended.iter().filter(|target| target.contains(one)).count(),
            1,
            "{recommended:#?}"
        );
    }
    assert!(
        recommended.iter().all(|target| target.contains("limit=100")),
        "{recommended:#?}"
    );
    // One batch for all seeds, and one for the papers of passages.
    assert_eq!(targets(&internet, "/paper/batch").len(), 2);
    assert_eq!(targets(&internet, "/paper/search/match").len(), 1);
    let found = report(&out);
    let limits = found["metadata"]["not_searched"].to_string();
    assert!(limits.contains("has the seed paper arXiv:0101.00001"), "{limits}");
    // The seed is prior work like any other.
    let works = found["works"].to_string();
    assert!(works.contains("Rope-line telemetry through heavy swell"), "{works}");
    let bad = precedent(&arguments(
        &internet,
        &out,
        "semantic-scholar",
        &["--seed-paper", "https://example.org/x.pdf"],
    ));
    assert_eq!(bad.status.code(), Some(2), "{}", stderr(&bad));
}

#[test]
fn a_service_that_fails_on_the_whole_idea_is_reported_and_the_run_continues() {
    let internet = Internet::start("idea-fails");
    internet.set("semantic-scholar", Act::BadKey);
    let out = folder("idea-fails");
    let output = precedent(&arguments(&internet, &out, "semantic-scholar,openalex", &[]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let limits = report(&out)["metadata"]["not_searched"].to_string();
    assert!(
        limits.contains("semantic-scholar failed") && limits.contains("denied access"),
        "{limits}"
    );
    let asked = internet
        .requests()
        .iter()
        .filter(|(service, _)| service == "semantic-scholar")
        .count();
    assert_eq!(asked, 1, "after a wrong key no more requests are sent");
    // When the service works again, only its requests are repeated.
    internet.set("semantic-scholar", Act::Well);
    let others = internet.requests().len() - asked;
    let output = precedent(&arguments(&internet, &out, "semantic-scholar,openalex", &[]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let received = internet.requests();
    let openalex = received.iter().filter(|(service, _)| service == "openalex").count();
    assert_eq!(openalex, others, "recorded responses are not requested again");
}

#[test]
fn estimate_lists_the_requests_for_an_idea() {
    let internet = Internet::start("idea-estimate");
    let out = folder("idea-estimate");
    let sources = "openalex,semantic-scholar";
    let seeds = [
        "--seed-paper",
        "arXiv:1805.01001",
        "--seed-paper",
        "Line codes that are aware of slack",
    ];
    let mut more = seeds.to_vec();
    more.push("--estimate");
    let output = precedent(&arguments(&internet, &out, sources, &more));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(internet.requests().is_empty() && !out.exists());
    let predicted = json(&output)["sources"].clone();
    let addresses = predicted.to_string();
    let output = precedent(&arguments(&internet, &out, sources, &seeds));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for (service, target) in internet.requests() {
        // The record id and title of a seed are only known from responses.
        let of_title = ["heavy+swell&", "heavy+OR+swell&", "through+heavy"];
        if !target.contains("/forpaper/") && !of_title.iter().any(|words| target.contains(words)) {
            assert!(
                addresses.contains(&target),
                "{service}: {target} is not in the estimate {addresses}"
            );
        }
    }
    let requests = |one: &Value| one["asked"].as_array().unwrap().len() + one["perhaps"].as_array().unwrap().len();
    for one in predicted.as_array().unwrap() {
        let received = internet
            .requests()
            .into_iter()
            .filter(|(service, _)| one["source"] == service.as_str());
        assert!(received.count() <= requests(one), "{one:#}");
    }
    let mut plain = arguments(&internet, &out, sources, &["--estimate"]);
    plain.retain(|argument| *argument != "--json");
    assert!(stdout(&precedent(&plain)).contains("semantic-scholar: "));
    assert_eq!(precedent(&["idea", IDEA, "--estimate"]).status.code(), Some(2));
}
