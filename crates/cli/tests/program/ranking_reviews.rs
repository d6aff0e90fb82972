//! Rankings of ideas that are reviewed first.

use std::fs;
use std::path::Path;

use precedent_report::ranking_schema;
use precedent_scripted::{ModelServer, plain};
use serde_json::Value;

use crate::reviews::IDEA;
use crate::support::{fresh_folder, precedent_with, stderr};

const OTHER: &str = "Predict slack intervals of mooring ropes from barometers alone. Moored buoys lack power for radio clocks. \
A lookup table of pressure and slack would be filled during one season and evaluated on recordings from buoys in heavy swell.";
const PRICES: &str =
    "[prices]\nas_of = '2026-11-01'\n[[prices.price]]\nmodel = 'compatible:scripted'\ninput = 100.0\noutput = 800.0\n";

fn report(out: &Path) -> Value {
    serde_json::from_slice(&fs::read(out.join("ranking.json")).unwrap()).unwrap()
}

#[test]
fn ideas_are_reviewed_then_ranked_and_an_interrupted_run_repeats_no_call() {
    let folder = fresh_folder("ranking-reviews");
    fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).display().to_string();
    let (one, other, prices) = (path("swell.txt"), path("barometers.txt"), path("prices.toml"));
    fs::write(&one, IDEA).unwrap();
    fs::write(&other, OTHER).unwrap();
    fs::write(&prices, PRICES).unwrap();
    let server = ModelServer::start(plain).unwrap();
    let base = format!("{}/v1", server.base());
    let run_with = |more: &[&str], variables: &[(&str, &str)]| {
        let mut all = vec![
            "compare",
            &one,
            &other,
            "--model",
            "compatible:scripted",
            "--model-url",
            &base,
        ];
        all.extend(["--settings", &prices]);
        all.extend(more);
        precedent_with(&all, variables)
    };
    let run = |more: &[&str]| run_with(more, &[]);
    let reviewed = [
        "--corpus",
        "examples/works",
        "--as-of",
        "2026-06",
        "--board",
        "2",
        "--rounds",
        "1",
    ];
    let with = |more: &[&str]| run(&[&reviewed, more].concat());

    let estimate = with(&["--estimate", "--json"]);
    assert_eq!(estimate.status.code(), Some(0), "{}", stderr(&estimate));
    let estimate: Value = serde_json::from_slice(&estimate.stdout).unwrap();
    assert_eq!(server.asked().len(), 0, "an estimate sends nothing");
    let prompts: Vec<&str> = estimate["stages"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["prompt"].as_str())
        .collect();
    for wanted in ["review.parts", "review.board", "rank.reviewed", "rank.pair"] {
        assert!(prompts.iter().any(|prompt| prompt.starts_with(wanted)), "{prompts:?}");
    }

    // A request that the reviews of both ideas send is counted once.
    let online = |output: std::process::Output| {
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        let source = found["sources"][0].clone();
        let list = |name: &str| source[name].as_array().unwrap().clone();
        let (asked, perhaps) = (list("asked"), list("perhaps"));
        assert!(
            !asked.is_empty() && perhaps.iter().all(|one| !asked.contains(one)),
            "{source}"
        );
        source["least_seconds"].as_f64().unwrap() / (asked.len() + perhaps.len()) as f64
    };
    let of_both = online(run(&["--sources", "openalex", "--estimate", "--json"]));
    let of_one = online(precedent_with(
        &["review", &one, "--sources", "openalex", "--estimate", "--json"],
        &[],
    ));
    assert!(
        (of_both - of_one).abs() < 1e-9,
        "{of_both} and {of_one} seconds for each request"
    );

    let whole = with(&["--out", &path("whole")]);
    assert_eq!(whole.status.code(), Some(0), "{}", stderr(&whole));
    let calls = server.asked().len();
    let found = report(&folder.join("whole"));
    assert!(jsonschema::validator_for(&ranking_schema()).unwrap().is_valid(&found));
    assert!(!found["evidence"].as_array().unwrap().is_empty());
    assert!(!found["comparison"]["statements"].as_array().unwrap().is_empty());
    for idea in found["ideas"].as_array().unwrap() {
        let number = idea["number"].as_u64().unwrap();
        let own: Value =
            serde_json::from_slice(&fs::read(path(&format!("whole/review-{number}.json"))).unwrap()).unwrap();
        assert_eq!(own["meta"]["score"], idea["review"]["score"], "{idea}");
        assert!(Path::new(&path(&format!("whole/review-{number}.html"))).exists());
        for one in found["evidence"].as_array().unwrap() {
            let known = own["knowledge"].as_array().unwrap();
            assert!(one["idea"] != idea["number"] || known.contains(&one["piece"]), "{one}");
        }
    }
    let markdown = fs::read_to_string(path("whole/ranking.md")).unwrap();
    assert!(
        markdown.contains("## Comparison") && markdown.contains("Evidence cited"),
        "{markdown}"
    );
    let manifest: Value = serde_json::from_slice(&fs::read(path("whole/manifest.json")).unwrap()).unwrap();
    let models = manifest["models"].as_array().unwrap();
    let counted: u64 = models.iter().map(|one| one["questions"].as_u64().unwrap()).sum();
    assert_eq!(counted, calls as u64, "the report counts the calls of the reviews");

    // The same command again asks nothing, and neither does a replay.
    for more in [&["--out", &path("whole")][..], &["--out", &path("whole"), "--replay"]] {
        let again = with(more);
        assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
        assert_eq!(report(&folder.join("whole")), found);
    }
    assert_eq!(server.asked().len(), calls);

    // A run that its budget stops during the reviews, then during the ranking, continues.
    let dollars: f64 = models.iter().map(|one| one["dollars"].as_f64().unwrap()).sum();
    for share in [0.3, 0.9] {
        let capped = with(&["--out", &path("part"), "--budget", &format!("{:.6}", dollars * share)]);
        assert_eq!(capped.status.code(), Some(6), "{}", stderr(&capped));
    }
    let rest = with(&["--out", &path("part")]);
    assert_eq!(rest.status.code(), Some(0), "{}", stderr(&rest));
    assert_eq!(server.asked().len(), 2 * calls, "no call is repeated");
    assert_eq!(report(&folder.join("part"))["overall"], found["overall"]);

    let before = server.asked().len();
    let texts = with(&["--text-only", "--out", &path("texts")]);
    assert_eq!(
        texts.status.code(),
        Some(2),
        "a cutoff date without reviews: {}",
        stderr(&texts)
    );
    for more in [
        &["--corpus", "examples/works", "--text-only"][..],
        &["--text-only", "--board", "2"],
        &["--board", "2"],
        &["--rounds", "1"],
        &["--keep", "3"],
        &["--personas", "examples"],
        &["--refresh"],
    ] {
        let refused = run(more);
        assert_eq!(refused.status.code(), Some(2), "{more:?}: {}", stderr(&refused));
    }
    let from_environment = [("PRECEDENT_CORPUS", "examples/works")];
    let texts = run_with(&["--text-only", "--out", &path("texts")], &from_environment);
    assert_eq!(texts.status.code(), Some(0), "{}", stderr(&texts));
    assert!(
        server
            .asked()
            .iter()
            .skip(before)
            .all(|question| question.prompt == "rank.group")
    );
    let markdown = fs::read_to_string(path("texts/ranking.md")).unwrap();
    assert!(
        markdown.contains("The judge saw only the texts of the ideas"),
        "{markdown}"
    );
    assert!(report(&folder.join("texts"))["evidence"].is_null());

    let bread = path("bread.jsonl");
    fs::write(
        &bread,
        "{\"id\": \"1\", \"title\": \"Sourdough\", \"abstract\": \"Loaves.\"}\n",
    )
    .unwrap();
    let nothing = run(&["--corpus", &bread, "--out", &path("nothing")]);
    let warning = "warning: no document was found for swell.txt; its review has no evidence";
    assert!(stderr(&nothing).contains(warning), "{}", stderr(&nothing));
}
