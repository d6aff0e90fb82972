//! Rankings of ideas by a judge that sees them in several orders.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use precedent_scripted::{ModelServer, Question, Say, plain};
use serde_json::{Value, json};

use crate::support::{fresh_folder, precedent, precedent_in, stderr, stdout};

const IDEAS: [(&str, &str); 3] = [
    (
        "1-oral.txt",
        "Place every symbol of rope-line telemetry into a taut interval that both buoys predict from the recent swell, by a spring model with drifting stiffness.",
    ),
    (
        "2-poster.txt",
        "Predict slack intervals of mooring ropes from barometers alone.",
    ),
    ("3-reject.txt", "Ropes are good."),
];

fn folder(name: &str) -> PathBuf {
    let folder = fresh_folder(&format!("ranking-{name}"));
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn ideas(folder: &Path) -> Vec<String> {
    let write = |(name, text): &(&str, &str)| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    IDEAS.iter().map(write).collect()
}

fn server(script: impl Fn(&Question) -> Say + Send + Sync + 'static) -> (ModelServer, String) {
    let server = ModelServer::start(script).unwrap();
    let base = format!("{}/v1", server.base());
    (server, base)
}

fn arguments<'a>(command: &'a str, ideas: &[&'a str], base: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut all = vec![command];
    all.extend(ideas);
    all.extend(["--model", "compatible:scripted", "--model-url", base]);
    all.extend(more);
    all
}

#[test]
fn the_order_of_arguments_does_not_matter_and_a_replay_gives_the_same_bytes() {
    let folder = folder("order");
    let files = ideas(&folder);
    let asked = Arc::new(Mutex::new(Vec::new()));
    let mut reports = Vec::new();
    let mut base = String::new();
    for (run, order) in [[2, 0, 1], [0, 1, 2]].into_iter().enumerate() {
        let received = Arc::clone(&asked);
        let (_server, here) = server(move |question| {
            received.lock().unwrap().push(question.body.clone());
            plain(question)
        });
        base = here;
        let out = folder.join(format!("run-{run}")).display().to_string();
        let typed: Vec<&str> = order.iter().map(|at| files[*at].as_str()).collect();
        let output = precedent(&arguments("rank", &typed, &base, &["--out", &out]));
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let shown = stdout(&output);
        assert!(
            shown.contains("  1  1-oral.txt") && shown.contains("  3  3-reject.txt"),
            "{shown}"
        );
        reports.push(fs::read_to_string(format!("{out}/ranking.json")).unwrap());
    }
    // The server's URL and the cached tokens are not part of the ranking.
    let ranking = |report: &String| {
        let mut report: Value = serde_json::from_str(report).unwrap();
        report
            .as_object_mut()
            .unwrap()
            .retain(|name, _| name != "sent" && name != "models");
        report
    };
    assert_eq!(ranking(&reports[0]), ranking(&reports[1]));
    let asked = std::mem::take(&mut *asked.lock().unwrap());
    // Four orders in both directions, and two prompts with the shorter ideas repeated.
    assert_eq!(asked.len(), 20);
    assert!(asked.iter().all(|body| !body.contains("-oral")
        && !body.contains("-poster")
        && !body.contains("-reject")
        && !body.contains(".txt")));
    let mut first = asked[..10].to_vec();
    let mut second = asked[10..].to_vec();
    first.sort();
    second.sort();
    assert_eq!(first, second);
    let out = folder.join("run-1").display().to_string();
    let typed: Vec<&str> = files.iter().map(String::as_str).collect();
    let output = precedent(&arguments("rank", &typed, &base, &["--out", &out, "--replay"]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let again = fs::read_to_string(format!("{out}/ranking.json")).unwrap();
    assert!(again == reports[1], "the replay differs");
}

#[test]
fn a_ranking_is_a_run_that_can_be_estimated_listed_resumed_and_replayed() {
    let folder = folder("run");
    let files = ideas(&folder);
    let (server, base) = server(plain);
    let typed: Vec<&str> = files.iter().map(String::as_str).collect();
    let estimate = precedent_in(&folder, &arguments("rank", &typed, &base, &["--estimate", "--json"]));
    assert_eq!(estimate.status.code(), Some(0), "{}", stderr(&estimate));
    let estimate: Value = serde_json::from_slice(&estimate.stdout).unwrap();
    assert_eq!((&estimate["asks"], server.asked().len()), (&json!(10), 0));
    assert!(!folder.join("runs").exists(), "an estimate makes no run");
    let first = precedent_in(&folder, &arguments("rank", &typed, &base, &["--json"]));
    assert_eq!(first.status.code(), Some(0), "{}", stderr(&first));
    assert_eq!(server.asked().len(), 10);
    let listed = precedent_in(&folder, &["runs", "list", "--json"]);
    let run: Value = serde_json::from_slice(&listed.stdout).unwrap();
    assert_eq!(
        (&run["title"], &run["status"]["state"]),
        (&json!("3 ideas"), &json!("complete"))
    );
    let id = run["run"].as_str().unwrap();
    let written = fs::read(folder.join("runs").join(id).join("ranking.json")).unwrap();
    assert!(first.stdout == written, "--json prints the file");
    for again in [
        vec!["runs", "resume", id, "--json"],
        arguments("rank", &typed, &base, &["--json", "--replay"]),
    ] {
        let output = precedent_in(&folder, &again);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(output.stdout == first.stdout, "{again:?}");
    }
    assert_eq!(server.asked().len(), 10);
    // A folder of the first version has a record and no manifest. A failed replay keeps the record.
    let dir = folder.join("runs").join(id);
    fs::remove_file(dir.join("manifest.json")).unwrap();
    let empty = folder.join("empty.txt").display().to_string();
    fs::write(&empty, "").unwrap();
    let nowhere = [typed[0], empty.as_str()];
    let out = dir.display().to_string();
    let failed = precedent_in(
        &folder,
        &arguments("compare", &nowhere, &base, &["--replay", "--out", &out]),
    );
    assert_eq!(failed.status.code(), Some(3), "{}", stderr(&failed));
    assert!(!dir.join("manifest.json").exists());
    let replayed = precedent_in(
        &folder,
        &arguments("rank", &typed, &base, &["--json", "--replay", "--out", &out]),
    );
    assert_eq!(replayed.status.code(), Some(0), "{}", stderr(&replayed));
    assert!(replayed.stdout == first.stdout);
}

#[test]
fn many_ideas_are_ranked_in_windows_within_the_estimate_and_an_interrupted_ranking_continues() {
    let folder = folder("windows");
    let words = [
        "slack", "swell", "buoy", "winch", "knot", "creep", "tide", "hook", "splice", "drift", "load", "spray",
    ];
    let files: Vec<String> = (0..words.len())
        .map(|at| {
            let path = folder.join(format!("idea-{at:02}.txt"));
            fs::write(&path, format!("Moor ropes by {}.", words[at..].join(" and "))).unwrap();
            path.display().to_string()
        })
        .collect();
    let typed: Vec<&str> = files.iter().map(String::as_str).collect();
    let settings = folder.join("prices.toml").display().to_string();
    let price = "[prices]\nas_of = '2026-11-01'\n[[prices.price]]\nmodel = 'compatible:scripted'\ninput = 100.0\noutput = 800.0\n";
    fs::write(&settings, price).unwrap();
    let (server, base) = server(plain);
    let run = |more: &[&str]| {
        let mut all = arguments("rank", &typed, &base, &["--settings", &settings]);
        all.extend(more);
        precedent(&all)
    };
    let estimate = run(&["--estimate", "--json"]);
    let estimate: Value = serde_json::from_slice(&estimate.stdout).unwrap();
    // Six orders in two windows, each also in reverse, and the test of lengths.
    assert_eq!((&estimate["asks"], server.asked().len()), (&json!(28), 0));
    let out = |name: &str| folder.join(name).display().to_string();
    let whole = run(&["--out", &out("whole")]);
    assert_eq!(whole.status.code(), Some(0), "{}", stderr(&whole));
    let shown = stdout(&whole);
    assert!(
        shown.contains("  1  idea-00.txt (position 1") && shown.contains("Windows: each prompt"),
        "{shown}"
    );
    let calls = server.asked().len();
    assert!(calls <= 28, "{calls}");
    let manifest: Value =
        serde_json::from_slice(&fs::read(format!("{}/manifest.json", out("whole"))).unwrap()).unwrap();
    let dollars = manifest["models"][0]["dollars"].as_f64().unwrap();
    let capped = run(&["--out", &out("part"), "--budget", &format!("{:.6}", dollars * 0.6)]);
    assert_eq!(capped.status.code(), Some(6), "{}", stderr(&capped));
    let paid = server.asked().len() - calls;
    assert!(paid > 0 && paid < calls, "{paid}");
    let rest = run(&["--out", &out("part")]);
    assert_eq!(rest.status.code(), Some(0), "{}", stderr(&rest));
    assert_eq!(server.asked().len(), 2 * calls, "no call is repeated");
    let places = |name: &str| {
        let report: Value = serde_json::from_slice(&fs::read(format!("{}/ranking.json", out(name))).unwrap()).unwrap();
        report["overall"].clone()
    };
    assert_eq!(places("part"), places("whole"));
}

#[test]
fn a_judge_with_position_bias_gets_no_ranking() {
    let folder = folder("bias");
    let files = ideas(&folder);
    let (_server, base) = server(|question| {
        let Say::Text(text) = plain(question) else {
            return Say::Refusal;
        };
        let mut printed: Value = serde_json::from_str(&text).unwrap();
        let count = printed["order"].as_array().unwrap().len();
        let shown: Vec<usize> = (1..=count).collect();
        printed["order"] = json!(shown);
        printed["dimensions"]
            .as_array_mut()
            .unwrap()
            .iter_mut()
            .for_each(|one| one["order"] = json!(shown));
        Say::Text(printed.to_string())
    });
    for (command, count) in [("rank", 3), ("compare", 2)] {
        let typed: Vec<&str> = files.iter().take(count).map(String::as_str).collect();
        let out = folder.join(command).display().to_string();
        let output = precedent(&arguments(command, &typed, &base, &["--out", &out]));
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(
            stdout(&output).contains("no ranking: the answers follow the order of presentation"),
            "{}",
            stdout(&output)
        );
        let report: Value = serde_json::from_slice(&fs::read(format!("{out}/ranking.json")).unwrap()).unwrap();
        assert_eq!(report["overall"]["outcome"], json!({"kind": "position_bias"}));
        assert!(
            fs::read_to_string(format!("{out}/ranking.md"))
                .unwrap()
                .contains("No ranking")
        );
        let page = fs::read_to_string(format!("{out}/ranking.html")).unwrap();
        assert!(page.contains("No ranking"));
    }
}

#[test]
fn a_custom_dimension_is_in_the_prompt_the_answer_and_the_report() {
    let folder = folder("dimension");
    let files = ideas(&folder);
    let own = folder.join("own");
    fs::create_dir_all(&own).unwrap();
    let care = "+++\nid = \"care\"\nname = \"Care for seals\"\n+++\n=== question ===\nDoes the rope hurt seals?\n=== scale ===\n6-10: No.\n0-5: Yes.\n";
    fs::write(own.join("care.md"), care).unwrap();
    let asked = Arc::new(Mutex::new(String::new()));
    let received = Arc::clone(&asked);
    let (_server, base) = server(move |question| {
        received.lock().unwrap().push_str(&question.system);
        plain(question)
    });
    let own = own.display().to_string();
    let out = folder.join("run").display().to_string();
    let output = precedent(&arguments(
        "compare",
        &[&files[0], &files[1]],
        &base,
        &["--dimensions", &own, "--out", &out],
    ));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(asked.lock().unwrap().contains("Does the rope hurt seals?"));
    assert!(stdout(&output).contains("Care for seals"));
    let report: Value = serde_json::from_slice(&fs::read(format!("{out}/ranking.json")).unwrap()).unwrap();
    assert_eq!(report["dimensions"][5]["id"], "care");
    assert_eq!(report["orders"][0]["answer"]["dimensions"][5]["id"], "care");
    assert!(
        fs::read_to_string(format!("{out}/ranking.md"))
            .unwrap()
            .contains("Care for seals")
    );
    fs::write(folder.join("own/care.md"), care.replace("0-5", "1-5")).unwrap();
    let typed = arguments("compare", &[&files[0], &files[1]], &base, &["--dimensions", &own]);
    let output = precedent_in(&folder, &typed);
    assert_eq!(output.status.code(), Some(3));
    assert!(
        stderr(&output).contains("care.md") && stderr(&output).contains("does not go down to 0"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn failed_rankings_have_the_right_exit_code_and_a_hint() {
    let folder = folder("codes");
    let files = ideas(&folder);
    let output = precedent_in(&folder, &["compare", &files[0], &files[1]]);
    assert_eq!(output.status.code(), Some(4));
    assert!(stderr(&output).contains("--model"), "{}", stderr(&output));
    let (_server, base) = server(|_| Say::Text("the first".to_owned()));
    let output = precedent_in(&folder, &arguments("compare", &[&files[0], &files[1]], &base, &[]));
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("0 of 14 answers") && stdout(&output).is_empty(),
        "{}",
        stderr(&output)
    );
    // An unreachable server is distinguished from unusable answers.
    let settings = folder.join("settings.toml");
    fs::write(&settings, "[providers.compatible]\noutage_seconds = 1\n").unwrap();
    let more = ["--settings", settings.to_str().unwrap()];
    let typed = arguments("compare", &[&files[0], &files[1]], "http://127.0.0.1:9/v1", &more);
    let output = precedent_in(&folder, &typed);
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    assert!(stderr(&output).contains("not reached: 14"), "{}", stderr(&output));
    assert!(stderr(&output).contains("repeat the command"), "{}", stderr(&output));
    for (typed, why) in [
        (vec![files[0].as_str(), files[0].as_str()], "are the same text"),
        (vec![files[0].as_str(), "nowhere.txt"], "nowhere.txt"),
    ] {
        let output = precedent_in(&folder, &arguments("compare", &typed, &base, &[]));
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    }
}

#[test]
fn bench_innoeval_measures_pairs_and_groups_and_reuses_responses() {
    let folder = folder("bench");
    let paper = |id: &str, at: usize, decision: &str| json!({"paper_id": id, "title": format!("Study {id}"), "abstract": IDEAS[at].1, "decision": decision});
    let pairs = json!([
        {"group_id": "a", "difficulty": "easy", "paper_a": paper("p", 2, "Reject"), "paper_b": paper("q", 0, "Accept (Oral)")},
        {"group_id": "b", "difficulty": "easy", "paper_a": paper("r", 0, "Reject"), "paper_b": paper("s", 2, "Accept (Poster)")},
    ]);
    let groups = json!([{"query": paper("p", 0, ""), "query_category": "oral", "matches": {
        "reject": {"paper": {"id": "q", "title": "Q", "abstract": IDEAS[2].1}, "category": "reject"},
        "poster": {"paper": {"id": "r", "title": "R", "abstract": IDEAS[1].1}, "category": "poster"}}}]);
    let (pair_file, group_file) = (folder.join("pairs.json"), folder.join("groups.json"));
    fs::write(&pair_file, pairs.to_string()).unwrap();
    fs::write(&group_file, groups.to_string()).unwrap();
    let asked = Arc::new(Mutex::new(0));
    let received = Arc::clone(&asked);
    let (_server, base) = server(move |question| {
        *received.lock().unwrap() += 1;
        assert!(!question.body.contains("Accept (") && !question.body.contains("Reject"));
        plain(question)
    });
    let (pair_file, group_file) = (pair_file.display().to_string(), group_file.display().to_string());
    let out = folder.join("run").display().to_string();
    let more = ["--pairs", &pair_file, "--groups", &group_file, "--out", &out, "--json"];
    let with = |more: &[&str]| {
        let mut typed = vec![
            "bench",
            "innoeval",
            "--model",
            "compatible:scripted",
            "--model-url",
            &base,
        ];
        typed.extend(more);
        let output = precedent(&typed);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    let run = || with(&more);
    let shown = run();
    let found: Vec<Value> = shown.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(found[0]["set"], "pairs.json, easy");
    assert_eq!(
        (&found[0]["tasks"], &found[0]["best"]["value"]),
        (&json!(2), &json!(0.5))
    );
    assert_eq!(
        (&found[1]["tasks"], &found[1]["exact"]["value"]),
        (&json!(1), &json!(1.0))
    );
    assert_eq!(found[0]["as_published"], false);
    let published = with(&["--pairs", &pair_file, "--out", &out, "--as-published"]);
    assert!(
        published.contains("ranked by compatible:scripted, texts alone, first answer only;"),
        "{published}"
    );
    let before = *asked.lock().unwrap();
    assert_eq!(
        (run(), *asked.lock().unwrap()),
        (shown, before),
        "recorded responses are reused"
    );
}

#[test]
fn bench_innoeval_judges_from_reviews_if_there_is_something_to_search() {
    let folder = folder("bench-reviews");
    let paper = |id: &str, at: usize, decision: &str| json!({"paper_id": id, "title": format!("Study {id}"), "abstract": IDEAS[at].1, "decision": decision});
    let pairs = json!([
        {"group_id": "a", "paper_a": paper("p", 2, "Reject"), "paper_b": paper("q", 0, "Accept (Oral)")},
        {"group_id": "b", "paper_a": paper("p", 2, "Reject"), "paper_b": paper("r", 1, "Accept (Poster)")},
    ]);
    let (pair_file, corpus) = (folder.join("pairs.json"), folder.join("works.jsonl"));
    fs::write(&pair_file, pairs.to_string()).unwrap();
    let work = json!({"id": "w", "title": "Slack of mooring ropes", "abstract": "Barometers and swell predict slack intervals of mooring ropes. Buoys send telemetry.", "year": 2015});
    fs::write(&corpus, work.to_string()).unwrap();
    let (pair_file, corpus) = (pair_file.display().to_string(), corpus.display().to_string());
    let out = folder.join("run").display().to_string();
    let prompts = Arc::new(Mutex::new(Vec::new()));
    let received = Arc::clone(&prompts);
    let (_server, base) = server(move |question| {
        received
            .lock()
            .unwrap()
            .push((question.prompt.clone(), question.body.clone()));
        plain(question)
    });
    let run = |more: &[&str]| {
        let mut typed = vec![
            "bench",
            "innoeval",
            "--pairs",
            &pair_file,
            "--model",
            "compatible:scripted",
        ];
        typed.extend(["--model-url", &base]);
        typed.extend(more);
        precedent(&typed)
    };
    let reviewed = [
        "--corpus",
        &corpus,
        "--as-of",
        "2024-06-01",
        "--rounds",
        "1",
        "--out",
        &out,
    ];
    let output = run(&reviewed);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let shown = stdout(&output);
    assert!(
        shown.contains("2 tasks ranked by compatible:scripted, from reviews;"),
        "{shown}"
    );
    let asked = prompts.lock().unwrap().len();
    let all = prompts.lock().unwrap().clone();
    assert!(all.iter().all(|(prompt, _)| prompt != "rank.group"));
    let judged: Vec<_> = all.iter().filter(|(prompt, _)| prompt == "rank.reviewed").collect();
    assert_eq!(judged.len(), 4, "both orders of two pairs");
    assert!(judged.iter().all(|(_, body)| body.contains("Slack of mooring ropes")));
    assert_eq!(stdout(&run(&reviewed)), shown);
    assert_eq!(prompts.lock().unwrap().len(), asked, "recorded responses are reused");
    let output = run(&["--corpus", &corpus, "--text-only"]);
    assert!(stdout(&output).contains("ranked by compatible:scripted, texts alone;"));
    for option in [["--as-of", "2024-06-01"], ["--rounds", "1"]] {
        let output = run(&option);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        let refused = format!("{} is for reviews, and no paper is reviewed", option[0]);
        assert!(stderr(&output).contains(&refused), "{}", stderr(&output));
    }
}

#[test]
fn bench_innoeval_compares_reviews_of_single_papers_with_venue_decisions() {
    let folder = folder("points");
    let write = |name: &str, text: String| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let paper = |id: &str, at: usize, decision: &str| {
        json!({"paper_id": id, "title": format!("Study {id}"), "abstract": IDEAS[at].1, "decision": decision, "keywords": "[]"}).to_string()
    };
    let points = write(
        "points.jsonl",
        [
            paper("p", 0, "Accept (Oral)"),
            paper("q", 1, "Reject"),
            paper("r", 2, "Reject"),
            paper("s", 1, "Reject"),
        ]
        .join("\n"),
    );
    let record = write("record.jsonl", "{\"id\": \"p\", \"decision\": \"Oral\"}\n{\"id\": \"q\", \"decision\": \"Poster\"}\n{\"id\": \"r\", \"decision\": \"Reject\"}".to_owned());
    let works: Vec<String> = (0..6)
        .map(|at| json!({"id": format!("w{at}"), "title": format!("Slack of mooring ropes, part {at}"), "abstract": "Barometers and swell predict slack intervals of mooring ropes. Buoys send telemetry.", "year": 2015}).to_string())
        .collect();
    let corpus = write("works.jsonl", works.join("\n"));
    let out = folder.join("run").display().to_string();
    let asked = Arc::new(Mutex::new(0));
    let received = Arc::clone(&asked);
    let (_server, base) = server(move |question| {
        *received.lock().unwrap() += 1;
        assert!(!question.body.contains("Accept (") && !question.body.contains("\"Reject\""));
        plain(question)
    });
    let run = |more: &[&str]| {
        let mut typed = vec![
            "bench",
            "innoeval",
            "--model",
            "compatible:scripted",
            "--model-url",
            &base,
            "--points",
            &points,
            "--rounds",
            "1",
        ];
        typed.extend(more);
        precedent(&typed)
    };
    let all = [
        "--record",
        &record,
        "--corpus",
        &corpus,
        "--as-of",
        "2024-06-01",
        "--out",
        &out,
        "--json",
    ];
    let output = run(&all);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let lines: Vec<Value> = stdout(&output)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 3, "two papers and a summary");
    assert_eq!((&lines[0]["paper"], &lines[0]["label"]), (&json!("p"), &json!("oral")));
    assert!(
        lines[0]["scored"]["score"]
            .as_f64()
            .is_some_and(|score| (0.0..=10.0).contains(&score)),
        "{}",
        lines[0]
    );
    let sum = &lines[2];
    assert_eq!(
        (
            &sum["contradicted"],
            &sum["not_on_record"],
            &sum["papers"],
            &sum["scored"]
        ),
        (&json!(1), &json!(1), &json!(2), &json!(2))
    );
    assert!(
        sum["binary"]["accuracy"]["low"].is_number() && sum["confusion"].as_array().is_some_and(|rows| rows.len() == 2)
    );
    let before = *asked.lock().unwrap();
    assert_eq!(
        (stdout(&run(&all)), *asked.lock().unwrap()),
        (stdout(&output), before),
        "recorded responses are reused"
    );
    let readable = stdout(&run(&[
        "--record",
        &record,
        "--corpus",
        &corpus,
        "--as-of",
        "2024-06-01",
        "--out",
        &out,
    ]));
    for words in [
        "2 papers reviewed with compatible:scripted, 2 scored",
        "ternary macro F1",
        "Spearman",
        "excluded: 1 paper whose label contradicts the venue's record, 1 not",
    ] {
        assert!(readable.contains(words), "{words}: {readable}");
    }
    // Missing sources are reported before any request.
    let output = run(&[]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("--corpus"), "{}", stderr(&output));
    let output = run(&["--corpus", &corpus, "--record", "nowhere.jsonl"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
}
