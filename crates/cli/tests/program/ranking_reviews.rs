//! Rankings of ideas that are reviewed first.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use precedent_report::ranking_schema;
use precedent_scripted::{ModelServer, plain};
use serde_json::Value;

use crate::reviews::IDEA;
use crate::support::{fresh_folder, precedent_with, stderr};

const OTHER: &str = "Predict slack intervals of mooring ropes from barometers alone. Moored buoys lack power for radio clocks. \
A lookup table of pressure and slack would be filled during one season and evaluated on recordings from buoys in heavy swell.";
const PRICES: &str =
    "[prices]\nas_of = '2026-11-01'\n[[prices.price]]\nmodel = 'compatible:scripted'\ninput = 100.0\noutput = 800.0\n";

const REVIEWED: [&str; 8] = [
    "--corpus",
    "examples/works",
    "--as-of",
    "2026-06",
    "--board",
    "2",
    "--rounds",
    "1",
];

fn report(out: &Path) -> Value {
    serde_json::from_slice(&fs::read(out.join("ranking.json")).unwrap()).unwrap()
}

/// Two ideas in a folder, and a model that ranks them.
struct Pair {
    folder: PathBuf,
    server: ModelServer,
}

impl Pair {
    fn new(name: &str) -> Self {
        let folder = fresh_folder(name);
        fs::create_dir_all(&folder).unwrap();
        for (file, text) in [("swell.txt", IDEA), ("barometers.txt", OTHER), ("prices.toml", PRICES)] {
            fs::write(folder.join(file), text).unwrap();
        }
        let server = ModelServer::start(plain).unwrap();
        Self { folder, server }
    }

    fn path(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    /// `precedent compare` with these arguments and environment variables.
    fn run(&self, more: &[&str], variables: &[(&str, &str)]) -> Output {
        let base = format!("{}/v1", self.server.base());
        let files = ["swell.txt", "barometers.txt", "prices.toml"].map(|name| self.path(name));
        let mut all = vec!["compare", &files[0], &files[1], "--settings", &files[2]];
        all.extend(["--model", "compatible:scripted", "--model-url", &base]);
        all.extend(more);
        precedent_with(&all, variables)
    }
}

#[test]
fn ideas_are_reviewed_then_ranked_and_an_interrupted_run_repeats_no_call() {
    let pair = Pair::new("ranking-reviews");
    let (folder, server) = (&pair.folder, &pair.server);
    let path = |name: &str| pair.path(name);
    let with = |more: &[&str]| pair.run(&[&REVIEWED, more].concat(), &[]);

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
        let confidence = &own["meta"]["decision_confidence"]["level"];
        assert!(
            confidence.is_string() && *confidence == idea["review"]["confidence"],
            "{idea}"
        );
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
}

#[test]
fn without_reviews_the_judge_sees_only_the_texts_and_options_of_reviews_are_refused() {
    let pair = Pair::new("ranking-texts");
    let (folder, server) = (&pair.folder, &pair.server);
    let path = |name: &str| pair.path(name);
    let run = |more: &[&str]| pair.run(more, &[]);
    for more in [
        &["--corpus", "examples/works", "--text-only"][..],
        &["--as-of", "2026-06", "--text-only"],
        &["--as-of", "2026-06"],
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
    let texts = pair.run(&["--text-only", "--out", &path("texts")], &from_environment);
    assert_eq!(texts.status.code(), Some(0), "{}", stderr(&texts));
    assert!(server.asked().iter().all(|question| question.prompt == "rank.group"));
    let markdown = fs::read_to_string(path("texts/ranking.md")).unwrap();
    assert!(
        markdown.contains("The judge saw only the texts of the ideas"),
        "{markdown}"
    );
    assert!(report(&folder.join("texts"))["evidence"].is_null());
}

#[test]
fn a_request_of_two_reviews_is_counted_once_and_a_review_without_documents_has_a_warning() {
    let pair = Pair::new("ranking-requests");
    let path = |name: &str| pair.path(name);
    let run = |more: &[&str]| pair.run(more, &[]);
    let online = |output: Output| {
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
        &[
            "review",
            &path("swell.txt"),
            "--sources",
            "openalex",
            "--estimate",
            "--json",
        ],
        &[],
    ));
    assert!(
        (of_both - of_one).abs() < 1e-9,
        "{of_both} and {of_one} seconds for each request"
    );

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
