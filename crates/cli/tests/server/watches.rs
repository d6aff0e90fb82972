//! Watches: added, checked by the queue, shown on pages, and continued after a kill.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::{PATIENCE, Server, fresh_folder, root};

const IDEA: &str = "Place every symbol of rope-line telemetry into a taut interval that both buoys predict from the recent swell. \
A spring model of the rope with drifting stiffness would give the interval.";

/// A corpus that can grow: the records of the example.
fn corpus(name: &str) -> PathBuf {
    let file = fresh_folder(name).with_extension("jsonl");
    fs::copy(root().join("examples/works/abstracts.jsonl"), &file).unwrap();
    file
}

/// Adds an old paper that states the idea, with markup in its title.
fn add_similar(corpus: &Path) {
    let paper = json!({
        "id": "rope:new", "title": "Taut intervals <script>alert(1)</script>", "date": "2020-06-02", "url": "javascript:alert(1)",
        "abstract": "Every symbol of rope-line telemetry is placed into a taut interval that both buoys predict from the recent swell. A spring model of the rope with drifting stiffness gives the interval."
    });
    let text = fs::read_to_string(corpus).unwrap();
    fs::write(corpus, format!("{text}{paper}\n")).unwrap();
}

fn start(data: &Path, corpus: &Path) -> Server {
    Server::start_in(data, &["--corpus", corpus.to_str().unwrap()])
}

fn name_of(corpus: &Path) -> &str {
    corpus.file_name().unwrap().to_str().unwrap()
}

/// A finished run of the idea.
fn idea_run(server: &Server, corpus: &Path) -> String {
    let body = json!({ "job": "idea", "text": IDEA, "corpora": [name_of(corpus)] });
    let answer = server.post("/api/v1/runs", &body);
    let id = answer.json()["id"].as_str().unwrap().to_owned();
    server.wait_for(&id, "finished");
    id
}

/// Checks the watch and waits for the end. Returns the id of the check's run.
fn check(server: &Server, watch: &str) -> String {
    let answer = server.post(&format!("/api/v1/watches/{watch}/check"), &Value::Null);
    assert_eq!(answer.status, 202, "{}", answer.text());
    let id = answer.json()["id"].as_str().unwrap().to_owned();
    server.wait_for(&id, "finished");
    id
}

fn watch(server: &Server, id: &str) -> Value {
    let answer = server.get(&format!("/api/v1/watches/{id}"));
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

#[test]
fn a_paper_that_appears_later_is_on_the_page_and_in_the_feed() {
    let corpus = corpus("watched");
    let server = start(&fresh_folder("watches"), &corpus);
    let run = idea_run(&server, &corpus);
    assert!(server.get(&format!("/runs/{run}")).text().contains("Watch this run"));
    let form = [("every", "day"), ("level", "similar")];
    let added = server.form(&format!("/runs/{run}/watch"), &form);
    assert_eq!(added.status, 303, "{}", added.text());
    let page = added.header("location").unwrap().to_owned();
    let id = page.trim_start_matches("/watches/");
    // The same request is the same watch, and its run leads to it.
    let again = server.post("/api/v1/watches", &json!({ "run": run, "every": "month" }));
    assert_eq!((again.status, &again.json()["id"]), (200, &json!(id)));
    assert!(server.get(&format!("/runs/{run}")).text().contains(&page));
    assert_eq!(
        (&watch(&server, id)["next_due"], &watch(&server, id)["every"]),
        (&Value::Null, &json!("day"))
    );

    let first = check(&server, id);
    let known = watch(&server, id);
    assert_eq!(
        (&known["last"]["noticed"], &known["last"]["run"]),
        (&json!(0), &json!(first)),
        "{known:#}"
    );
    assert!(known["next_due"].as_str().unwrap() > known["last"]["date"].as_str().unwrap());

    add_similar(&corpus);
    let second = check(&server, id);
    assert_ne!(second, first, "the corpus has changed");
    let known = watch(&server, id);
    assert_eq!(
        (&known["alert"], &known["papers"], &known["report"]["papers"][0]["id"]),
        (&json!(true), &json!(1), &json!("rope:new")),
        "{known:#}"
    );
    assert!(known["report"]["papers"][0]["url"].is_null(), "{known:#}");

    // A repetition on the same day belongs to the same check, so that the page still shows what is new.
    assert_eq!(check(&server, id), second);
    let known = watch(&server, id);
    assert_eq!(known["report"]["checks"].as_array().unwrap().len(), 2);
    assert_eq!((&known["alert"], &known["papers"]), (&json!(true), &json!(1)));

    let shown = server.get(&page).text();
    for part in [
        "Alert.",
        "Taut intervals &#60;script",
        "Similar to mechanism",
        "A spring model of the rope with drifting stiffness gives",
        &format!("/runs/{second}"),
        &format!("{page}/feed"),
        "Search now",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(
        !shown.contains("<script>alert") && !shown.contains("javascript:"),
        "{shown}"
    );
    let feed = server.get(&format!("{page}/feed"));
    assert!(feed.header("content-type").unwrap().starts_with("application/atom+xml"));
    assert_eq!(feed.text().matches("<entry>").count(), 1, "{}", feed.text());
    let list = server.get("/watches").text();
    assert!(list.contains("Alert.") && list.contains(&page), "{list}");
    assert_eq!(server.get("/api/v1/watches").json().as_array().unwrap().len(), 1);

    // It goes with the runs of its checks, and the run that it began with stays.
    let removed = server.form(&format!("{page}/remove"), &[]);
    assert_eq!(removed.header("location"), Some("/watches"), "{}", removed.text());
    assert_eq!(server.get(&format!("/api/v1/runs/{second}")).status, 404);
    assert_eq!(server.run(&run)["state"], "finished");
    assert_eq!(server.get(&page).status, 404);
    assert!(fs::read_dir(server.data.join("watches")).unwrap().next().is_none());
}

#[test]
fn an_input_stays_as_long_as_a_watch_needs_it() {
    let server = Server::start("watch-input");
    let run = server.assess_example();
    let input = server.run(&run)["request"]["input"].as_str().unwrap().to_owned();
    server.wait_for(&run, "finished");
    let added = server.post("/api/v1/watches", &json!({ "run": run, "level": "anticipated" }));
    let id = added.json()["id"].as_str().unwrap().to_owned();
    assert!(id.starts_with("slack-aware-coding"), "{id}");
    let address = format!("/api/v1/inputs/{input}");
    assert_eq!(
        server.send("DELETE", &format!("/api/v1/runs/{run}"), &[], b"").status,
        204
    );
    assert_eq!(server.get(&address).status, 200);
    let refused = server.send("DELETE", &address, &[], b"");
    assert_eq!(refused.status, 409, "{}", refused.text());
    assert!(refused.text().contains("remove the watch first"));
    // Without its run, the watch is checked, and only what the run could not know is new: the run searched until the paper's date.
    check(&server, &id);
    for paper in watch(&server, &id)["report"]["papers"].as_array().unwrap() {
        assert!(
            paper["date"].as_str().is_some_and(|date| date > "2026-05-14"),
            "{paper:#}"
        );
    }
    let removed = server.send("DELETE", &format!("/api/v1/watches/{id}"), &[], b"");
    assert_eq!(removed.status, 204, "{}", removed.text());
    assert_eq!(server.get(&address).status, 404);
}

#[test]
fn what_cannot_be_watched_is_refused() {
    let server = Server::start("watch-refused");
    let input = server.upload_example();
    let points = json!({ "request": { "job": "points", "input": input, "corpora": ["works"] } });
    for (body, status, words) in [
        (json!({}), 400, "either a run or a request"),
        (json!({ "run": "nothing" }), 404, "no such run"),
        (json!({ "run": "../../etc" }), 404, "no such run"),
        (json!({ "run": "x", "every": "hour" }), 400, "hour"),
        (points, 400, "a run of points cannot be watched"),
        (
            json!({ "request": { "job": "idea", "text": "x", "corpora": ["other"] } }),
            400,
            "no corpus other",
        ),
    ] {
        let answer = server.post("/api/v1/watches", &body);
        assert_eq!(answer.status, status, "{body}: {}", answer.text());
        assert!(answer.text().contains(words), "{body}: {}", answer.text());
    }
    let fields: [(&str, &str, &[u8]); 3] = [
        ("job", "", b"idea"),
        ("text", "", b"Kelp farms."),
        ("corpus", "", b"works"),
    ];
    let draft = server.multipart("/new", &fields);
    let id = draft
        .header("location")
        .unwrap()
        .trim_start_matches("/runs/")
        .to_owned();
    let answer = server.post("/api/v1/watches", &json!({ "run": id }));
    assert_eq!(answer.status, 409, "{}", answer.text());
    assert_eq!(server.get("/api/v1/watches").json(), json!([]));
    for path in ["nothing", "..%2Fruns", "%2e%2e"] {
        let path = format!("/api/v1/watches/{path}");
        assert_eq!(server.get(&path).status, 404, "{path}");
        assert_eq!(server.send("DELETE", &path, &[], b"").status, 404, "{path}");
        assert_eq!(
            server.post(&format!("{path}/check"), &Value::Null).status,
            404,
            "{path}"
        );
    }
    assert_eq!(server.get("/watches/nothing/feed").status, 404);
    // Another site cannot make a browser search.
    let other = [
        ("Sec-Fetch-Site", "cross-site"),
        ("Origin", "https://elsewhere.example"),
    ];
    assert_eq!(server.send("POST", "/watches/nothing/check", &other, b"").status, 403);
    let named = json!({ "request": { "job": "idea", "text": IDEA, "corpora": ["works"] }, "name": "../Mine" });
    assert_eq!(server.post("/api/v1/watches", &named).json()["id"], "mine");
    let named = json!({ "request": { "job": "idea", "text": "Other ropes.", "corpora": ["works"] }, "name": "mine" });
    assert_eq!(server.post("/api/v1/watches", &named).status, 409);
}

/// The only run of the server, once there is one.
fn only_run(server: &Server) -> Value {
    let start = Instant::now();
    loop {
        let list = server.get("/api/v1/runs").json();
        if list["total"] == 1 {
            return list["runs"][0].clone();
        }
        assert!(start.elapsed() < PATIENCE, "{list:#}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_due_watch_is_checked_without_a_user_and_a_killed_check_counts_once() {
    let corpus = corpus("due");
    let data = fresh_folder("watch-due");
    let body = json!({ "request": { "job": "idea", "text": IDEA, "corpora": [name_of(&corpus)] }, "name": "mine" });
    let mut server = start(&data, &corpus);
    assert_eq!(server.post("/api/v1/watches", &body).status, 201);
    assert_eq!(server.get("/api/v1/runs").json()["total"], 0);
    // A server that starts looks for watches that are due. It is killed at different moments of the check.
    for pause in [0, 50, 200, 600, 1_200] {
        server.kill();
        server = start(&data, &corpus);
        assert!(only_run(&server)["id"].as_str().unwrap().ends_with("-watch-mine"));
        std::thread::sleep(Duration::from_millis(pause));
    }
    let run = only_run(&server)["id"].as_str().unwrap().to_owned();
    server.wait_for(&run, "finished");
    let known = watch(&server, "mine");
    let checks = known["report"]["checks"].as_array().unwrap();
    assert_eq!((checks.len(), &checks[0]["first"]), (1, &json!(true)), "{known:#}");
    // Checked today, so not due.
    server.kill();
    let server = start(&data, &corpus);
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(server.get("/api/v1/runs").json()["total"], 1);
    assert_eq!(server.run(&run)["state"], "finished");

    // Killed after the check was recorded, and before the server knew: recorded once.
    add_similar(&corpus);
    let second = check(&server, "mine");
    let before = watch(&server, "mine")["report"].clone();
    assert_eq!(before["papers"].as_array().unwrap().len(), 1, "{before:#}");
    server.kill();
    let file = data.join("runs").join(&second).join("job.json");
    let mut record: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    record["state"] = "running".into();
    fs::write(&file, record.to_string()).unwrap();
    let server = start(&data, &corpus);
    server.wait_for(&second, "finished");
    assert_eq!(watch(&server, "mine")["report"], before);
}

#[test]
fn a_watch_searches_no_more_than_the_server_offers_now() {
    let data = fresh_folder("watch-narrower");
    let server = Server::start_in(&data, &["--local-only"]);
    let refused = json!({ "request": { "job": "idea", "text": IDEA, "sources": ["openalex"] } });
    assert!(server.post("/api/v1/watches", &refused).status >= 400);
    server.kill();
    let server = Server::start_in(&data, &[]);
    assert_eq!(server.post("/api/v1/watches", &refused).status, 201);
    let id = server.get("/api/v1/watches").json()[0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(server.get(&format!("/watches/{id}")).text().contains("Search now"));
    server.kill();
    let server = Server::start_in(&data, &["--local-only"]);
    let page = server.get(&format!("/watches/{id}")).text();
    assert!(
        page.contains("cannot be checked") && !page.contains("Search now"),
        "{page}"
    );
    assert!(server.post(&format!("/api/v1/watches/{id}/check"), &Value::Null).status >= 400);
    assert_eq!(server.get("/api/v1/runs").json()["total"], 0);
}
