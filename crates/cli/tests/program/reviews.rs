//! `precedent review` without a model and with a scripted one, on the sample and on real papers.

use std::fs;
use std::path::{Path, PathBuf};

use precedent_report::review_schema;
use precedent_scripted::{ModelServer, Say, plain};
use serde_json::{Value, json};

use crate::models::without_a_network;
use crate::real_papers::real;
use crate::support::{fresh_folder, json, precedent, stderr, stdout};

const PAPER: &str = "examples/paper.pdf";
const WORKS: &str = "examples/works";
pub(crate) const IDEA: &str = "Place every symbol of rope-line telemetry into a taut interval that both buoys predict from the recent swell. \
Clocks at sea drift, and exchanging them costs power that moored buoys lack. \
A spring model of the rope with drifting stiffness would give the interval. It would be evaluated on recordings from moored buoys in heavy swell.";
const FILES: [&str; 3] = ["review.json", "review.md", "review.html"];

fn folder(name: &str) -> PathBuf {
    fresh_folder(&format!("reviews-{name}"))
}

pub(crate) fn report(out: &Path) -> Value {
    serde_json::from_slice(&fs::read(out.join("review.json")).unwrap()).unwrap()
}

pub(crate) fn files(out: &Path) -> Vec<Vec<u8>> {
    FILES.iter().map(|name| fs::read(out.join(name)).unwrap()).collect()
}

pub(crate) fn list<'v>(value: &'v Value, at: &str) -> &'v Vec<Value> {
    value
        .pointer(at)
        .and_then(Value::as_array)
        .unwrap_or_else(|| panic!("{at}"))
}

/// Checks that a review is valid under its schema, and that its quotes and references are correct.
pub(crate) fn holds(found: &Value) {
    let schema = review_schema();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let faults: Vec<String> = validator
        .iter_errors(found)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert_eq!(faults, Vec::<String>::new());
    let text = found["idea"]["document"]["text"].as_str().unwrap();
    for one in list(found, "/idea/statements") {
        let quote = &one["quote"];
        let span = |end: usize| usize::try_from(quote["span"][end].as_u64().unwrap()).unwrap();
        assert_eq!(&text[span(0)..span(1)], quote["text"].as_str().unwrap());
        assert!(!list(found, "/idea/missing").contains(&one["part"]), "{one}");
    }
    let role = |number: &Value| {
        let piece = list(found, "/knowledge").iter().find(|one| one["number"] == *number);
        piece.unwrap_or_else(|| panic!("no document {number}"))["role"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    for one in list(found, "/grounding") {
        assert!(!one["evidence"].as_array().unwrap().is_empty(), "{one}");
        assert_ne!(role(&one["piece"]), "suggests", "later work is used as evidence");
    }
    for reader in list(found, "/board") {
        for number in reader["seen"].as_array().unwrap() {
            assert_ne!(role(number), "suggests", "a reader sees later work");
        }
        for opinion in reader["opinions"].as_array().unwrap() {
            let score = opinion["score"].as_f64().unwrap();
            assert!((0.0..=10.0).contains(&score));
            for number in opinion["cited"].as_array().unwrap() {
                assert!(reader["seen"].as_array().unwrap().contains(number), "{opinion}");
            }
        }
    }
    for one in list(found, "/suggestions") {
        for number in one["pieces"].as_array().unwrap() {
            assert_eq!(role(number), "suggests");
        }
    }
    if let Some(meta) = found["meta"].as_object() {
        let score = meta["score"].as_f64().unwrap();
        let due = match score {
            score if score >= 8.0 => "oral",
            score if score >= 7.0 => "spotlight",
            score if score >= 6.0 => "poster",
            _ => "reject",
        };
        assert_eq!(meta["decision"], due, "{score}");
        for number in meta["key_evidence"].as_array().unwrap() {
            assert_eq!(role(number), "grounds");
        }
    }
}

#[test]
fn without_a_model_a_review_has_no_score() {
    let out = folder("offline");
    let run = |more: &[&str]| {
        let mut arguments = vec!["review", IDEA, "--corpus", WORKS, "--out", out.to_str().unwrap()];
        arguments.extend(more);
        precedent(&arguments)
    };
    let output = run(&["--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let answer = json(&output);
    assert_eq!(answer["status"], "complete");
    assert_eq!((&answer["score"], &answer["decision"]), (&Value::Null, &Value::Null));
    assert_eq!(answer["files"], json!(FILES));
    let found = report(&out);
    holds(&found);
    assert!(found["board"].as_array().unwrap().is_empty() && found["meta"].is_null());
    assert!(found["metadata"]["sent"].as_array().unwrap().is_empty());
    let parts: Vec<&str> = list(&found, "/idea/statements")
        .iter()
        .filter_map(|one| one["part"].as_str())
        .collect();
    assert!(
        parts.contains(&"method") && parts.contains(&"experimental_setting"),
        "{parts:?}"
    );
    // No rule assigns one of the sentences to a part, so any part may be in it.
    assert!(parts.contains(&"unclassified") && list(&found, "/idea/missing").is_empty());
    assert!(!list(&found, "/grounding").is_empty());
    assert!(
        list(&found, "/grounding")
            .iter()
            .all(|one| one.get("score").is_none_or(Value::is_null))
    );
    let stated = list(&found, "/metadata/not_searched");
    assert!(
        stated
            .iter()
            .any(|one| one["message"].as_str().unwrap().contains("needs a model")),
        "{stated:?}"
    );
    // A repeated run and a resumed run give the same bytes.
    let before = files(&out);
    let shown = stdout(&run(&[]));
    assert!(shown.contains("no scores: they need a model"), "{shown}");
    assert!(shown.contains("(Similar: needs review)"), "{shown}");
    assert!(shown.lines().count() <= 25, "{shown}");
    assert!(before == files(&out));
    let output = precedent(&["runs", "resume", out.to_str().unwrap(), "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(before == files(&out));
    // The folder belongs to this idea.
    let output = precedent(&[
        "review",
        "Another idea on ropes that creep in the sun.",
        "--out",
        out.to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    fs::remove_dir_all(&out).unwrap();
}

/// Checks that a review with the scripted model, a repeated run and replays give the same valid files. Returns the review and the number of requests.
fn comes_to_the_same_bytes(input: &str, works: &str, more: &[&str]) -> (Value, usize) {
    let server = ModelServer::start(plain).unwrap();
    let base = format!("{}/v1", server.base());
    let name: String = input.chars().filter(char::is_ascii_alphanumeric).take(40).collect();
    let out = folder(&name);
    let typed = out.to_str().unwrap().to_owned();
    let arguments = |replay: &[&'static str]| -> Vec<String> {
        let mut all = vec![
            "review",
            input,
            "--corpus",
            works,
            "--model",
            "compatible:scripted",
            "--model-url",
            &base,
        ];
        all.extend(["--out", &typed, "--json"]);
        all.extend(more);
        all.extend(replay);
        all.into_iter().map(str::to_owned).collect()
    };
    let run = |replay: &[&'static str]| {
        let all = arguments(replay);
        precedent(&all.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let output = run(&[]);
    assert_eq!(output.status.code(), Some(0), "{input}: {}", stderr(&output));
    let answer = json(&output);
    assert_eq!(answer["status"], "complete", "{input}");
    let found = report(&out);
    holds(&found);
    assert_eq!(answer["score"], found["meta"]["score"], "{input}");
    for question in server.asked() {
        let Say::Text(text) = plain(&question) else {
            panic!("{question:?}")
        };
        let schema = question.schema.as_ref().unwrap();
        let answer: Value = serde_json::from_str(&text).unwrap();
        assert!(
            jsonschema::validator_for(schema).unwrap().is_valid(&answer),
            "{}: {text}",
            question.prompt
        );
    }
    let again = server.asked_again();
    assert!(again.is_empty(), "{input}: {again:?}");
    let asked = server.asked().len();
    let before = files(&out);
    // From here on, no server is running.
    drop(server);
    for replay in [&[][..], &["--replay"]] {
        let output = run(replay);
        assert_eq!(output.status.code(), Some(0), "{input} {replay:?}: {}", stderr(&output));
        assert!(before == files(&out), "{input} {replay:?}");
    }
    let all = arguments(&["--replay"]);
    without_a_network(&all.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(before == files(&out), "{input} without a network");
    fs::remove_dir_all(&out).unwrap();
    (found, asked)
}

#[test]
fn a_board_reviews_the_sample_and_an_idea_reproducibly() {
    for (input, more) in [
        (PAPER, &[][..]),
        (IDEA, &["--as-of", "2024-06"]),
        (IDEA, &["--seed", "7", "--board", "3"]),
    ] {
        let (found, asked) = comes_to_the_same_bytes(input, WORKS, more);
        let board = list(&found, "/board");
        assert_eq!(board.len(), if more.contains(&"--board") { 3 } else { 5 });
        for reader in board {
            assert_eq!(reader["opinions"].as_array().unwrap().len(), 5, "{reader}");
        }
        assert!(found["meta"].is_object() && asked > 20, "{asked}");
        let later = list(&found, "/knowledge")
            .iter()
            .filter(|one| one["role"] == "suggests")
            .count();
        if more.contains(&"--as-of") {
            assert!(later > 0 && !list(&found, "/suggestions").is_empty(), "{later}");
        }
    }
}

#[test]
fn prior_art_for_one_step_of_the_method_is_found_and_quoted() {
    let out = folder("planted");
    let output = precedent(&[
        "review",
        PAPER,
        "--corpus",
        WORKS,
        "--out",
        out.to_str().unwrap(),
        "--formats",
        "json",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found = report(&out);
    let of_method = list(&found, "/grounding").iter().filter(|one| one["part"] == "method");
    let quotes: Vec<&str> = of_method
        .filter_map(|one| one["evidence"][0]["quote"]["text"].as_str())
        .collect();
    let planted = "introduce a creep-compensated decoder that re-estimates the stiffness of the rope";
    assert!(quotes.iter().any(|quote| quote.contains(planted)), "{quotes:?}");
    fs::remove_dir_all(&out).unwrap();
}

#[test]
#[ignore = "reads the development data: PRECEDENT_DEV_DATA names its folder"]
fn reviews_of_five_real_papers_are_valid_and_reproducible() {
    let (_folder, papers, works) = real(5);
    for paper in papers {
        let (found, asked) = comes_to_the_same_bytes(&paper, &works, &[]);
        let name = Path::new(&paper).file_stem().unwrap().to_string_lossy().into_owned();
        let tokens: u64 = list(&found, "/metadata/models")
            .iter()
            .map(|one| one["input_tokens"].as_u64().unwrap_or(0))
            .sum();
        eprintln!(
            "{name}: {asked} requests, {tokens} input tokens, {} statements, {} documents, {} groundings",
            list(&found, "/idea/statements").len(),
            list(&found, "/knowledge").len(),
            list(&found, "/grounding").len()
        );
    }
}

#[test]
fn as_published_changes_how_relevance_is_judged_and_needs_a_model() {
    for as_published in [false, true] {
        let server = ModelServer::start(plain).unwrap();
        let (base, out) = (
            format!("{}/v1", server.base()),
            folder(&format!("as-published-{as_published}")),
        );
        let mut arguments = vec!["review", IDEA, "--corpus", WORKS, "--out", out.to_str().unwrap()];
        arguments.extend(["--model", "compatible:scripted", "--model-url", &base]);
        arguments.extend(as_published.then_some("--as-published"));
        let output = precedent(&arguments);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let asked = server.asked();
        let mut relevance = asked.iter().filter(|one| one.prompt == "review.relevance").peekable();
        assert!(relevance.peek().is_some());
        for question in relevance {
            assert_eq!(question.whole().contains("more citations"), as_published);
        }
        let page = fs::read_to_string(out.join("review.md")).unwrap();
        assert_eq!(page.contains("as in the published system"), as_published);
    }
    let output = precedent(&["review", IDEA, "--corpus", WORKS, "--as-published"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("--as-published needs a model"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn custom_dimensions_and_readers_are_loaded_from_files() {
    let own = folder("own");
    let (dimensions, personas) = (own.join("dimensions"), own.join("personas"));
    fs::create_dir_all(&dimensions).unwrap();
    fs::create_dir_all(&personas).unwrap();
    fs::write(
        dimensions.join("care.md"),
        "+++\nid = \"care\"\nname = \"Care\"\n+++\n=== question ===\nDoes the idea think of those it could harm?\n=== scale ===\n6-10: It does.\n0-5: It does not.\n",
    )
    .unwrap();
    fs::write(
        personas.join("own.md"),
        "+++\nid = \"own\"\nname = \"Our reader\"\nliterature = 5\nmethodology = 5\napplication = 5\nfrontier = 5\n+++\n=== background ===\nRuns ropes.\n=== goal ===\nSee what parts.\n=== constraints ===\nTrusts hands.\n",
    )
    .unwrap();
    let more = [
        "--dimensions",
        dimensions.to_str().unwrap(),
        "--personas",
        personas.to_str().unwrap(),
        "--persona",
        "own",
        "--persona",
        "funder",
        "--board",
        "3",
    ];
    let (found, _) = comes_to_the_same_bytes(IDEA, WORKS, &more);
    let names: Vec<&str> = list(&found, "/board")
        .iter()
        .filter_map(|one| one["name"].as_str())
        .collect();
    assert!(
        names.len() == 3 && names.contains(&"Our reader") && names.contains(&"The funder"),
        "{names:?}"
    );
    assert!(
        list(&found, "/board")
            .iter()
            .all(|one| one["opinions"].as_array().unwrap().len() == 6)
    );
    let scored: Vec<&str> = list(&found, "/meta/dimensions")
        .iter()
        .filter_map(|one| one["dimension"].as_str())
        .collect();
    assert!(scored.contains(&"care"), "{scored:?}");
    let output = precedent(&["review", IDEA, "--persona", "own"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("the personas are adversarial-theorist, "),
        "{}",
        stderr(&output)
    );
    let output = precedent(&[
        "review",
        IDEA,
        "--persona",
        "funder",
        "--persona",
        "area-chair",
        "--board",
        "1",
    ]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let output = precedent(&["review", IDEA, "--dimensions", "/nonexistent"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    fs::write(dimensions.join("bad.md"), "no head").unwrap();
    let output = precedent(&["review", IDEA, "--dimensions", dimensions.to_str().unwrap()]);
    assert_ne!(output.status.code(), Some(0));
    assert!(stderr(&output).contains("bad.md"), "{}", stderr(&output));
    fs::remove_dir_all(&own).unwrap();
}

#[test]
fn invalid_reviews_fail_with_a_message_and_estimates_send_nothing() {
    for (arguments, code, wanted) in [
        (&["review", "  "][..], 3, "no words"),
        (&["review", "no/such/file.pdf"], 3, "file not found"),
        (&["review", IDEA, "--board", "0"], 2, "--board"),
        (&["review", IDEA, "--alpha", "101"], 2, "--alpha"),
        (&["review", IDEA, "--formats", "docx"], 2, "docx"),
        (&["review", IDEA, "--estimate"], 2, "nothing to estimate"),
        (
            &[
                "review",
                IDEA,
                "--corpus",
                WORKS,
                "--model",
                "openai:gpt-5-mini",
                "--local-only",
            ],
            2,
            "",
        ),
    ] {
        let output = precedent(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(wanted), "{arguments:?}: {}", stderr(&output));
    }
    // An estimate sends nothing.
    let output = precedent(&[
        "review",
        IDEA,
        "--corpus",
        WORKS,
        "--model",
        "openai:gpt-5-mini",
        "--estimate",
        "--json",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let counted = json(&output);
    assert!(counted["asks"].as_u64().unwrap() > 25, "{counted}");
    // For services it lists the queries, which contain neither a sentence nor the title of the idea.
    let idea = "# Tidal planning for island ferries\n\nWe propose a planner that shifts ferry departures by the predicted current.\n\nIt is tested on two years of logs from three ports.\n";
    let chinese = "我们提出一种根据潮汐预测调整渡轮出发时间的方法以节省燃料并减少乘客等待时间，并在三个港口两年的记录上进行测试。";
    for (idea, never) in [
        (idea, "tidal planning for island ferries"),
        (idea, "a planner that shifts"),
        (chinese, "并减少乘客等待时间"),
    ] {
        let folder = folder("egress");
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("idea.md");
        fs::write(&file, idea).unwrap();
        let output = precedent(&[
            "review",
            file.to_str().unwrap(),
            "--sources",
            "openalex,github",
            "--estimate",
            "--json",
        ]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let sources = json(&output)["sources"].clone();
        assert_eq!(sources.as_array().unwrap().len(), 2, "{sources}");
        let printed = percent_decoded(&sources.to_string()).to_lowercase();
        assert!(
            printed.contains("api.github.com") && printed.contains("openalex") && !printed.contains(never),
            "{printed}"
        );
        fs::remove_dir_all(&folder).unwrap();
    }
}

/// Decodes `%20` and `+`.
pub(crate) fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let hex = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        match (first, hex.and_then(|hex| u8::from_str_radix(hex, 16).ok())) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            (b'+', _) => {
                bytes.push(b' ');
                rest = after;
            }
            (byte, _) => {
                bytes.push(*byte);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn markdown_headings_and_latex_folders_are_read_correctly() {
    let own = folder("forms");
    fs::create_dir_all(own.join("tex")).unwrap();
    let idea = own.join("idea.md");
    fs::write(&idea, "# Tidal planning for ferries\n\nWe propose a planner that shifts ferry departures by the predicted current.\n\nIt is tested on two years of logs from three ports.\n").unwrap();
    fs::write(own.join("tex/main.tex"), "\\documentclass{article}\n\\title{Ropes That Creep}\n\\begin{document}\n\\maketitle\n\\begin{abstract}We propose a decoder that follows the creep of mooring ropes. It is evaluated on recordings of nine buoys in heavy swell.\\end{abstract}\n\\section{Introduction}Ropes creep, and decoders that were calibrated once fail after months at sea.\n\\end{document}\n").unwrap();
    for (input, title) in [
        (idea, "Tidal planning for ferries"),
        (own.join("tex"), "Ropes That Creep"),
    ] {
        let out = own.join("out");
        let output = precedent(&[
            "review",
            input.to_str().unwrap(),
            "--corpus",
            WORKS,
            "--out",
            out.to_str().unwrap(),
        ]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let found = report(&out);
        holds(&found);
        assert_eq!(found["idea"]["title"], title);
        let first = list(&found, "/idea/statements")
            .iter()
            .find(|one| one["part"] == "basic_idea")
            .unwrap();
        assert!(
            first["statement"].as_str().unwrap().starts_with("We propose a"),
            "{first}"
        );
        fs::remove_dir_all(&out).unwrap();
    }
    fs::remove_dir_all(&own).unwrap();
}
