//! Watches of runs and ideas, with services played by mock servers on loopback and with corpora that grow.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::Duration;

use precedent_scripted::literature::LibraryRecord;
use serde_json::Value;

use crate::internet::{Internet, folder, library};
use crate::support::{fresh_folder, json, precedent, stderr, stdout};

const IDEA: &str = "Place every symbol of rope-line telemetry into a taut interval that both buoys predict from the recent swell. \
A spring model of the rope with drifting stiffness would give the interval.";

fn watch(root: &Path, arguments: &[&str]) -> Output {
    let mut all = vec!["watch", "--watches", root.to_str().unwrap()];
    all.extend(arguments);
    precedent(&all)
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

/// A paper of the week after the run that states a claim of the sample in nearly the same words.
fn scoop() -> LibraryRecord {
    LibraryRecord {
        key: "2001".into(),
        title: "Taut intervals as slots <script>alert(1)</script>".into(),
        summary: "We propose slack-aware coding, a line code that places every symbol into a taut interval that both ends predict from the recent swell without exchanging a clock. Ropes in heavy swell need it.".into(),
        authors: vec![("Eva".into(), "New".into())],
        day: "2026-06-05".into(),
        doi: "10.5555/rope.2001".into(),
        arxiv: "2606.02001".into(),
        venue: "Journal of Moored Systems".into(),
        ..LibraryRecord::default()
    }
}

/// An old paper on the topic that no source returned before.
fn old() -> LibraryRecord {
    LibraryRecord {
        key: "2002".into(),
        title: "Swell statistics for rope telemetry in fjords".into(),
        summary: "We count waves in two fjords for a year and report their heights for ropes.".into(),
        authors: vec![("Old".into(), "Hand".into())],
        day: "2011-02-01".into(),
        doi: "10.5555/rope.2002".into(),
        venue: "Journal of Moored Systems".into(),
        ..LibraryRecord::default()
    }
}

/// A finished run of `assess` with two services.
fn assessed(internet: &Internet, name: &str) -> PathBuf {
    let out = folder(name);
    let output = precedent(&internet.assess(&out, "openalex,arxiv", &[]));
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    out
}

#[test]
fn a_paper_that_appears_later_is_reported_once_and_old_papers_are_not() {
    let internet = Internet::start("watch-run");
    let run = assessed(&internet, "watch-run");
    let root = fresh_folder("watches");
    let output = watch(&root, &["add", run.to_str().unwrap(), "--name", "mine"]);
    assert_eq!(
        (code(&output), stdout(&output).trim()),
        (0, "mine"),
        "{}",
        stderr(&output)
    );

    let output = watch(&root, &["run", "--as-of", "2026-06-01"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).contains("mine: nothing new"), "{}", stdout(&output));

    // A week later the services have two more papers.
    let later = Internet::with("watch-later", [library(), vec![scoop(), old()]].concat(), Vec::new());
    fs::copy(&later.settings, &internet.settings).unwrap();
    let output = watch(&root, &["run", "--as-of", "2026-06-04", "--json"]);
    assert_eq!(
        (code(&output), stdout(&output).as_str()),
        (0, ""),
        "not due before seven days have passed"
    );
    let output = watch(&root, &["run", "--as-of", "2026-06-10", "--json"]);
    assert_eq!(code(&output), 8, "{}", stderr(&output));
    let found = json(&output);
    let papers = found["papers"].as_array().unwrap();
    assert_eq!(papers.len(), 1, "{found:#}");
    assert!(
        papers[0]["title"].as_str().unwrap().starts_with("Taut intervals"),
        "{found:#}"
    );
    assert_eq!(
        (&papers[0]["change"], &papers[0]["matches"][0]["of"]),
        (&"new".into(), &"claim 1".into())
    );
    assert!(
        papers[0]["matches"][0]["passage"]["text"]
            .as_str()
            .unwrap()
            .contains("slack-aware coding")
    );

    // The same again: the run is not repeated, and nothing is new.
    let asked = later.requests().len();
    let output = watch(&root, &["run", "mine", "--as-of", "2026-06-10"]);
    assert_eq!(
        (code(&output), later.requests().len()),
        (0, asked),
        "{}",
        stderr(&output)
    );
    assert!(stdout(&output).contains("nothing new"), "{}", stdout(&output));

    let feed = fs::read_to_string(root.join("mine/feed.xml")).unwrap();
    assert_eq!(feed.matches("<entry>").count(), 1, "{feed}");
    assert!(
        feed.contains("<updated>2026-06-10T00:00:00Z</updated>") && !feed.contains("<script"),
        "{feed}"
    );
    let page = fs::read_to_string(root.join("mine/watch.html")).unwrap();
    assert!(
        page.contains("Taut intervals") && !page.contains("<script>alert"),
        "the title is not escaped"
    );
}

#[test]
fn an_unreachable_service_is_an_error_and_nothing_is_recorded() {
    let internet = Internet::start("watch-down");
    let run = assessed(&internet, "watch-down");
    let root = fresh_folder("watches");
    assert_eq!(
        code(&watch(&root, &["add", run.to_str().unwrap(), "--name", "mine"])),
        0
    );
    let before = fs::read(root.join("mine/state.json")).unwrap();
    let internet = internet.without_servers();
    assert!(internet.servers.is_empty());
    let output = watch(&root, &["run", "--as-of", "2026-06-01"]);
    assert_eq!(code(&output), 5, "{}", stderr(&output));
    assert_eq!(before, fs::read(root.join("mine/state.json")).unwrap());
}

#[test]
fn an_idea_starts_from_its_first_check_and_a_corpus_that_grows_is_searched_again() {
    let root = fresh_folder("watches");
    let corpus = fresh_folder("watch-corpus").with_extension("jsonl");
    let works = fs::read_to_string(crate::support::root().join("examples/works/abstracts.jsonl")).unwrap();
    fs::write(&corpus, &works).unwrap();
    let add = [
        "add",
        IDEA,
        "--corpus",
        corpus.to_str().unwrap(),
        "--name",
        "Rope idea",
        "--every",
        "day",
    ];
    assert_eq!(code(&watch(&root, &add)), 0);
    let output = watch(&root, &["run", "--as-of", "2026-06-01", "--json"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(
        (&json(&output)["first"], &json(&output)["papers"]),
        (&true.into(), &Value::Array(Vec::new()))
    );

    let new = serde_json::json!({
        "id": "rope:new", "title": "Taut intervals for rope-line telemetry", "date": "2026-06-02",
        "abstract": "Every symbol of rope-line telemetry is placed into a taut interval that both buoys predict from the recent swell. A spring model of the rope with drifting stiffness gives the interval."
    });
    fs::write(&corpus, format!("{works}{new}\n")).unwrap();
    let output = watch(&root, &["run", "--as-of", "2026-06-03", "--json"]);
    assert_eq!(code(&output), 8, "{}{}", stdout(&output), stderr(&output));
    let found = json(&output);
    let ids: Vec<&str> = found["papers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["rope:new"], "{found:#}");

    let output = watch(&root, &["list"]);
    assert!(
        stdout(&output).contains("Rope idea") && stdout(&output).contains("2026-06-03"),
        "{}",
        stdout(&output)
    );
    assert_eq!(code(&watch(&root, &["remove", "Rope idea"])), 0);
    assert_eq!(stdout(&watch(&root, &["list"])), "");
}

#[test]
fn errors_of_watches_say_what_to_do() {
    let root = fresh_folder("watches");
    let output = watch(&root, &["run", "nobody"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("no watch is called nobody") && stderr(&output).contains("watch list"));
    let add = ["add", IDEA, "--corpus", "examples/works", "--name", "same"];
    assert_eq!(code(&watch(&root, &add)), 0);
    let output = watch(&root, &add);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("--name"), "{}", stderr(&output));
    let output = watch(&root, &["add", "missing.pdf"]);
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    let points = fresh_folder("watch-points");
    let arguments = [
        "points",
        "examples/paper.pdf",
        "--corpus",
        "examples/works",
        "--out",
        points.to_str().unwrap(),
    ];
    assert_eq!(code(&precedent(&arguments)), 0);
    let output = watch(&root, &["add", points.to_str().unwrap()]);
    assert_eq!(code(&output), 2);
    assert!(
        stderr(&output).contains("a run of points cannot be watched"),
        "{}",
        stderr(&output)
    );
}

/// A copy of a folder of watches without runs.
fn copy_of(root: &Path, name: &str) -> PathBuf {
    let copy = fresh_folder(name);
    fs::create_dir_all(copy.join("mine")).unwrap();
    fs::copy(root.join("mine/state.json"), copy.join("mine/state.json")).unwrap();
    copy
}

/// `watch run` until 10 June, as a process.
fn start_check(root: &Path) -> std::process::Child {
    let arguments = [
        "watch",
        "--watches",
        root.to_str().unwrap(),
        "run",
        "--as-of",
        "2026-06-10",
        "--json",
    ];
    let mut command = crate::support::command(&crate::support::root(), &arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn a_killed_check_is_repeated_and_an_alert_is_neither_lost_nor_doubled() {
    let before = Internet::start("watch-kill-run");
    let run = assessed(&before, "watch-kill-run");
    let root = fresh_folder("watches");
    assert_eq!(
        code(&watch(&root, &["add", run.to_str().unwrap(), "--name", "mine"])),
        0
    );
    let internet = Internet::with("watch-kill", [library(), vec![scoop(), old()]].concat(), Vec::new());
    // Services that take their time, so that there is a moment for each kill.
    let settings = fs::read_to_string(&internet.settings).unwrap();
    fs::write(&before.settings, settings.replace("between_ms = 0", "between_ms = 60")).unwrap();

    let whole = copy_of(&root, "watch-kill-whole");
    let output = start_check(&whole).wait_with_output().unwrap();
    assert_eq!(code(&output), 8, "{}", stdout(&output));
    let expected: Value = serde_json::from_slice(&output.stdout).unwrap();
    let report = |root: &Path| fs::read(root.join("mine/watch.json")).unwrap();
    let asked = internet.requests().len();

    let kills = 6;
    // OpenAlex may have three requests on their way and arXiv one. The answer before each may not be stored yet.
    let on_their_way = 2 * (3 + 1);
    assert!(
        asked > 3 * on_their_way,
        "{asked} requests are too few to see that answers are kept"
    );
    for kill in 1..=kills {
        let own = copy_of(&root, "watch-kill-own");
        let sent_before = internet.requests().len();
        let mut child = start_check(&own);
        while internet.requests().len() - sent_before < asked * kill / (kills + 1) {
            assert!(child.try_wait().unwrap().is_none(), "the check ended before its kill");
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        let killed = child.wait_with_output().unwrap();
        let repeated = start_check(&own).wait_with_output().unwrap();
        // What was answered before the kill is not asked for again.
        assert!(
            internet.requests().len() - sent_before <= asked + on_their_way,
            "after {kill} of {kills} parts"
        );
        let printed: Vec<Value> = [stdout(&killed), stdout(&repeated)]
            .iter()
            .flat_map(|text| text.lines())
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(printed.len(), 1, "after {kill} of {kills} parts: {printed:#?}");
        let without_folder = |value: &Value| {
            let mut value = value.clone();
            value["folder"] = Value::Null;
            value
        };
        assert_eq!(without_folder(&printed[0]), without_folder(&expected));
        assert!(
            report(&own) == report(&whole),
            "after {kill} of {kills} parts: watch.json differs"
        );
        let output = watch(&own, &["run", "mine", "--as-of", "2026-06-11", "--json"]);
        assert_eq!((code(&output), &json(&output)["papers"]), (0, &serde_json::json!([])));
    }

    // Killed between the record and the output: the next call shows it, due or not.
    let state = whole.join("mine/state.json");
    let mut recorded: Value = serde_json::from_slice(&fs::read(&state).unwrap()).unwrap();
    assert!(recorded.get("unreported").is_none());
    recorded["unreported"] = true.into();
    fs::write(&state, recorded.to_string()).unwrap();
    let sent_before = internet.requests().len();
    let output = watch(&whole, &["run", "--as-of", "2026-06-12", "--json"]);
    assert_eq!((code(&output), &json(&output)["papers"]), (8, &expected["papers"]));
    let output = watch(&whole, &["run", "--as-of", "2026-06-12", "--json"]);
    assert_eq!((code(&output), stdout(&output).as_str()), (0, ""));
    assert_eq!(internet.requests().len(), sent_before, "nothing was due");
}
