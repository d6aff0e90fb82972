//! `precedent match`: papers that state a claim.

use std::fs;

use serde_json::Value;

use crate::internet::{Internet, library};
use crate::support::{json, precedent, precedent_in, root, stderr, stdout};

const SAMPLE_CLAIM: &str =
    "We propose a line code that puts each symbol into a taut interval that both buoys predict from the swell.";

fn works() -> String {
    root().join("examples/works").display().to_string()
}

#[test]
fn a_claim_finds_its_papers_with_passages_of_their_texts() {
    let verbatim = "We re-estimate the stiffness of the rope from pilot tugs in every frame.";
    let found = json(&precedent(&["match", verbatim, "--corpus", &works(), "--json"]));
    assert_eq!(found["results"][0]["level"], "anticipated");
    let claim = "Pilot tugs tell our receiver how stiff the rope has become.";
    let found = json(&precedent(&[
        "match",
        claim,
        "--corpus",
        &works(),
        "--limit",
        "3",
        "--json",
    ]));
    let results = found["results"].as_array().unwrap();
    assert_eq!(results.len(), 3);
    assert!(found.get("id").is_none());
    let first = &results[0];
    assert_eq!(first["title"], "Decoding Tension Symbols Under Rope Creep");
    assert_eq!(
        (&first["level"], &first["compared"]),
        (&"similar".into(), &"full_text".into())
    );
    assert_eq!(
        (&first["year"], &first["missing"]),
        (&2021.into(), &Value::Array(vec![]))
    );
    // The passage is where `read` says it is.
    let file = root().join("examples/works/full-texts/osei-2021-creep-compensated-decoding.md");
    let text = json(&precedent(&["read", file.to_str().unwrap(), "--json"]))["document"]["text"].clone();
    let range = first["passage"]["range"].as_array().unwrap();
    let at = |index: usize| usize::try_from(range[index].as_u64().unwrap()).unwrap();
    assert_eq!(
        text.as_str().unwrap().get(at(0)..at(1)),
        first["passage"]["text"].as_str()
    );
    let probabilities: Vec<f64> = results.iter().map(|one| one["probability"].as_f64().unwrap()).collect();
    assert!(
        probabilities.is_sorted_by(|a, b| a >= b) && probabilities[0] <= 1.0,
        "{probabilities:?}"
    );
    let shown = stdout(&precedent(&["match", claim, "--corpus", &works()]));
    assert!(
        shown.contains("Similar: needs review") && shown.contains("shared: "),
        "{shown}"
    );
}

#[test]
fn claims_from_a_file_are_answered_in_order_without_the_excluded_papers() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("claims.jsonl");
    let line = |id: &str, exclude: &[&str]| {
        format!(
            "{}\n",
            serde_json::json!({"id": id, "text": SAMPLE_CLAIM, "exclude": exclude})
        )
    };
    fs::write(
        &file,
        line("with", &[]) + &line("without", &["rope:preprint-2025"]) + "{\"id\": 3, \"text\": \"x\"}\n",
    )
    .unwrap();
    let arguments = [
        "match",
        "--claims",
        file.to_str().unwrap(),
        "--corpus",
        &works(),
        "--json",
    ];
    let printed = stdout(&precedent(&arguments));
    let lines: Vec<Value> = printed
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let ids: Vec<&Value> = lines.iter().map(|line| &line["id"]).collect();
    assert_eq!(ids, [&Value::from("with"), &Value::from("without"), &Value::from(3)]);
    let papers = |line: &Value| -> Vec<String> {
        let results = line["results"].as_array().unwrap().iter();
        results.map(|one| one["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(papers(&lines[0])[0], "rope:preprint-2025");
    let unknown = precedent(&[
        "match",
        SAMPLE_CLAIM,
        "--corpus",
        &works(),
        "--exclude",
        "preprint-2025",
    ]);
    assert!(
        stderr(&unknown).contains("no paper has the id preprint-2025"),
        "{}",
        stderr(&unknown)
    );
    assert!(!papers(&lines[1]).contains(&"rope:preprint-2025".to_owned()));
    assert!(
        lines[2]["results"]
            .as_array()
            .unwrap()
            .iter()
            .all(|one| one["level"] == "not_assessable")
    );
    assert_eq!(stdout(&precedent(&arguments)), printed, "the same bytes twice");
}

#[test]
fn wrong_claims_and_missing_corpora_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bad.jsonl"), "{\"id\": 1}\n").unwrap();
    fs::write(
        folder.path().join("blank.jsonl"),
        "{\"id\": 1, \"text\": \"Ropes creep.\"}\n{\"id\": 7, \"text\": \" \"}\n",
    )
    .unwrap();
    fs::write(
        folder.path().join("typo.jsonl"),
        "{\"id\": 1, \"text\": \"Ropes creep.\", \"excludes\": []}\n",
    )
    .unwrap();
    fs::write(folder.path().join("works.jsonl"), "{\"id\": \"a\", \"title\": \"T\"}\n").unwrap();
    let cases: &[(&[&str], i32, &str)] = &[
        (&["match", "We knot ropes."], 5, "--corpus"),
        (&["match", " ", "--corpus", "works.jsonl"], 2, "the claim is empty"),
        (
            &["match", "--claims", "bad.jsonl", "--corpus", "works.jsonl"],
            3,
            "line 1",
        ),
        (&["match", "We knot ropes.", "--corpus", "nowhere"], 3, "nowhere"),
        (&["match", "--corpus", "works.jsonl"], 2, "--claims"),
        (
            &["match", "--claims", "blank.jsonl", "--corpus", "works.jsonl"],
            3,
            "id 7",
        ),
        (
            &["match", "--claims", "typo.jsonl", "--corpus", "works.jsonl"],
            3,
            "excludes",
        ),
    ];
    for (arguments, code, says) in cases {
        let output = precedent_in(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(*code), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(says), "{arguments:?}: {}", stderr(&output));
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn services_get_a_short_query_for_a_claim_and_their_papers_are_matched() {
    let internet = Internet::start("match");
    let settings = internet.settings.display().to_string();
    let claim =
        "We study a creep-compensated decoder for mooring ropes and report what ropes, buoys and swell do to it.";
    let online = [
        "match",
        claim,
        "--sources",
        "openalex,crossref",
        "--settings",
        &settings,
        "--json",
    ];
    let output = precedent(&online);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found = json(&output);
    assert_eq!(found["results"][0]["title"], library()[1].title);
    assert_eq!(found["results"][0]["level"], "anticipated");
    // No more than six words of the claim leave the machine, and the terminal says which.
    let sent = found["sent"].as_str().unwrap();
    assert!((2..=6).contains(&sent.split_whitespace().count()), "{sent}");
    let stated = stderr(&output);
    assert!(stated.contains(&format!("query sent to services: {sent}")), "{stated}");
    assert!(
        stated.contains("127.0.0.1") && stated.contains("to search openalex"),
        "{stated}"
    );
    let asked: Vec<String> = internet.requests().into_iter().map(|(_, target)| target).collect();
    assert!(
        !asked.is_empty() && asked.iter().all(|one| !one.contains("report+what")),
        "{asked:?}"
    );
    // A corpus and services together; a paper that is excluded, and a later one, are not shown.
    let id = found["results"][0]["id"].as_str().unwrap();
    let works = works();
    let more = ["--corpus", works.as_str(), "--exclude", id, "--as-of", "2020-12-31"];
    let found = json(&precedent(&[online.as_slice(), &more].concat()));
    let titles: Vec<&str> = found["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["title"].as_str().unwrap())
        .collect();
    assert!(
        !titles.is_empty() && !titles.contains(&library()[1].title.as_str()),
        "{titles:?}"
    );
    // Without services, nothing is sent. Services that do not respond are an error if there is no corpus.
    let asked = internet.requests().len();
    assert!(
        json(&precedent(&["match", claim, "--corpus", &works, "--json"]))
            .get("sent")
            .is_none()
    );
    assert_eq!(internet.requests().len(), asked);
    let internet = internet.without_servers();
    let settings = internet.settings.display().to_string();
    let output = precedent(&["match", claim, "--sources", "openalex", "--settings", &settings]);
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
}
