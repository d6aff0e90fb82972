//! Corpora that users make from uploads.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::{Answer, PATIENCE, Server, fresh_folder, program, root};
use super::users::{Person, add_user};

/// A record with a title that a search finds.
fn record(id: &str) -> String {
    format!(
        "{{\"id\": \"rope:{id}\", \"title\": \"Mooring ropes as telegraphs {id}\", \"abstract\": \"We send pulses over mooring ropes between ships in a harbour.\", \"year\": 2019}}\n"
    )
}

fn create(server: &Server, name: &str) -> Answer {
    server.post("/api/v1/corpora", &json!({ "name": name }))
}

fn upload(server: &Server, corpus: &str, name: &str, content: &[u8]) -> Answer {
    server.send(
        "POST",
        &format!("/api/v1/corpora/{corpus}/files?name={name}"),
        &[],
        content,
    )
}

/// What the server knows about a corpus without opening it.
fn own(server: &Server, corpus: &str) -> Value {
    let offered = server.get("/api/v1/corpora").json();
    let mut all = offered["own"].as_array().unwrap().iter();
    all.find(|one| one["name"] == corpus).unwrap().clone()
}

/// Waits until a corpus has this state.
fn wait_for(server: &Server, corpus: &str, state: &str) -> Value {
    let start = Instant::now();
    loop {
        let found = own(server, corpus);
        if found["state"] == state {
            return found;
        }
        assert!(start.elapsed() < PATIENCE, "not {state}: {found:#}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The address of a file of a run, once it has finished.
fn report_of(server: &Server, run: &str, ending: &str) -> String {
    let files = server.wait_for(run, "finished")["files"].clone();
    let mut names = files.as_array().unwrap().iter().filter_map(Value::as_str);
    let name = names.find(|name| name.ends_with(ending)).unwrap();
    format!("/api/v1/runs/{run}/files/{name}")
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "not as expected: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The program, started through a script with these lines before it. `$*` are the arguments.
#[cfg(unix)]
fn through_script(folder: &Path, lines: &str) -> Command {
    use std::os::unix::fs::PermissionsExt;

    fs::create_dir_all(folder).unwrap();
    let script = folder.join("precedent");
    let text = format!(
        "#!/bin/sh\n{lines}\nexec '{}' \"$@\"\n",
        env!("CARGO_BIN_EXE_precedent")
    );
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = program();
    command.env("PRECEDENT_PROGRAM", &script);
    command
}

#[test]
fn a_corpus_is_made_filled_searched_and_deleted() {
    let server = Server::start("corpora");
    assert_eq!(create(&server, "ropes").status, 201);
    let paper = fs::read(root().join("examples/paper.pdf")).unwrap();
    let records = format!("{}no record\n{}", record("a"), record("b"));
    for (name, content) in [
        ("records.jsonl", records.as_bytes()),
        ("paper.pdf", &paper),
        ("table.xlsx", b"PK"),
    ] {
        let answer = upload(&server, "ropes", name, content);
        assert_eq!(answer.status, 202, "{}", answer.text());
    }
    let made = wait_for(&server, "ropes", "ready");
    assert_eq!(made["papers"], 3, "{made:#}");
    let imports = made["imports"].as_array().unwrap();
    let all = |name: &str| -> Vec<Value> {
        imports
            .iter()
            .flat_map(|one| one[name].as_array().unwrap().clone())
            .collect()
    };
    let left_out = all("left_out");
    assert_eq!(left_out.len(), 1, "{made:#}");
    assert!(
        left_out[0]["file"] == "records.jsonl" && left_out[0]["position"] == 2,
        "{left_out:?}"
    );
    assert_eq!(all("skipped"), ["table.xlsx"]);
    // Nothing is kept of the uploads.
    let kept = fs::read_dir(server.data.join("corpora/ropes/waiting")).unwrap();
    assert_eq!(kept.count(), 0);

    // More of the same changes nothing; a new record is one more.
    upload(
        &server,
        "ropes",
        "records.jsonl",
        format!("{}{}", record("a"), record("c")).as_bytes(),
    );
    let more = wait_for(&server, "ropes", "ready");
    assert_eq!(
        (&more["papers"], &more["imports"][0]["unchanged"]),
        (&json!(4), &json!(1)),
        "{more:#}"
    );

    let offered = server.get("/api/v1/corpora").json();
    assert_eq!(offered["corpora"], json!(["works", "ropes"]));
    assert_eq!(offered["own"][0]["name"], "ropes");
    let query = json!({ "query": "pulses over mooring ropes", "corpora": ["ropes"] });
    let found = server.post("/api/v1/search", &query);
    assert!(found.text().contains("rope:a"), "{}", found.text());
    assert_eq!(server.get("/api/v1/corpora/ropes").json()["works"], 4);
    let run = server.post(
        "/api/v1/runs",
        &json!({ "job": "idea", "text": "A telegraph that sends pulses over mooring ropes between ships.", "corpora": ["ropes"] }),
    );
    let run = run.json()["id"].as_str().unwrap().to_owned();
    let report_file = report_of(&server, &run, ".md");
    let report = server.get(&report_file).text();
    assert!(
        report.contains("corpus:ropes") && !report.contains("states"),
        "{report}"
    );

    assert_eq!(server.send("DELETE", "/api/v1/corpora/ropes", &[], b"").status, 204);
    assert_eq!(server.get("/api/v1/corpora/ropes").status, 404);
    assert_eq!(server.post("/api/v1/search", &query).status, 400);
    assert_eq!(server.get(&report_file).status, 200);
    assert_eq!(fs::read_dir(server.data.join("corpora")).unwrap().count(), 0);
}

#[test]
fn a_corpus_of_the_server_is_neither_shadowed_nor_changed() {
    let server = Server::start("corpora-server");
    for name in ["works", "WORKS", "../ropes", "a/b", "", "ropes.jsonl", ".hidden"] {
        let refused = create(&server, name).status;
        assert_eq!(refused, if name == "works" { 409 } else { 400 }, "{name}");
    }
    assert_eq!(create(&server, "ropes").status, 201);
    assert_eq!(create(&server, "ropes").status, 409);
    assert_eq!(upload(&server, "works", "a.jsonl", record("a").as_bytes()).status, 403);
    assert_eq!(server.send("DELETE", "/api/v1/corpora/works", &[], b"").status, 403);
    assert_eq!(upload(&server, "none", "a.jsonl", record("a").as_bytes()).status, 404);
    // One without papers cannot be searched, and is not among those that a form offers.
    let idea = json!({ "job": "idea", "text": "A telegraph over ropes.", "corpora": ["ropes"] });
    assert_eq!(server.post("/api/v1/runs", &idea).status, 409);
    assert!(!server.get("/").text().contains("value=\"ropes\""));
    // A server that starts later with a corpus of this name uses its own, and the other can still be deleted.
    upload(&server, "ropes", "a.jsonl", record("a").as_bytes());
    wait_for(&server, "ropes", "ready");
    let data = server.kill();
    let of_server = data.join("ropes");
    fs::create_dir(&of_server).unwrap();
    fs::write(
        of_server.join("records.jsonl"),
        record("server").replace("rope:", "server:"),
    )
    .unwrap();
    let server = Server::start_in(&data, &["--corpus", of_server.to_str().unwrap()]);
    assert_eq!(own(&server, "ropes")["hidden"], true);
    let found = server.post(
        "/api/v1/search",
        &json!({ "query": "mooring ropes", "corpora": ["ropes"] }),
    );
    assert!(
        found.text().contains("server:server") && !found.text().contains("rope:a"),
        "{}",
        found.text()
    );
    assert_eq!(server.send("DELETE", "/api/v1/corpora/ropes", &[], b"").status, 204);
    assert!(of_server.join("records.jsonl").is_file());
}

#[test]
fn a_corpus_belongs_to_the_user_who_made_it() {
    let data = fresh_folder("corpora-users");
    let (ada, bob) = (add_user(&data, "ada", &[]), add_user(&data, "bob", &[]));
    let server = Server::start_in(&data, &[]);
    let (ada, bob) = (Person::new(&server, &ada), Person::new(&server, &bob));
    assert_eq!(
        ada.send("POST", "/api/v1/corpora", b"{\"name\": \"ropes\"}").status,
        201
    );
    let files = "/api/v1/corpora/ropes/files?name=a.jsonl";
    assert_eq!(ada.send("POST", files, record("a").as_bytes()).status, 202);
    wait_until("the corpus is ready", || {
        ada.send("GET", "/api/v1/corpora/ropes", b"").json()["own"]["state"] == "ready"
    });
    for (method, path) in [
        ("GET", "/api/v1/corpora/ropes"),
        ("DELETE", "/api/v1/corpora/ropes"),
        ("POST", files),
        ("GET", "/corpora/ropes"),
        ("POST", "/corpora/ropes/delete"),
    ] {
        assert_eq!(bob.send(method, path, b"x").status, 404, "{method} {path}");
    }
    assert_eq!(
        bob.send("GET", "/api/v1/corpora", b"").json()["corpora"],
        json!(["works"])
    );
    let idea = json!({ "job": "idea", "text": "A telegraph over ropes.", "corpora": ["ropes"] });
    assert_eq!(
        bob.send("POST", "/api/v1/runs", idea.to_string().as_bytes()).status,
        400
    );
    // He can have one of the same name.
    assert_eq!(
        bob.send("POST", "/api/v1/corpora", b"{\"name\": \"ropes\"}").status,
        201
    );
    assert_eq!(bob.send("DELETE", "/api/v1/corpora/ropes", b"").status, 204);
    assert_eq!(ada.send("GET", "/api/v1/corpora/ropes", b"").json()["works"], 1);
}

/// Killed while it imports, with a corpus that has a paper already.
#[cfg(unix)]
#[test]
fn a_killed_server_leaves_the_corpus_as_before_and_repeats_the_import() {
    let data = fresh_folder("corpora-killed");
    let server = Server::start_in(&data, &[]);
    create(&server, "ropes");
    upload(&server, "ropes", "a.jsonl", record("a").as_bytes());
    wait_for(&server, "ropes", "ready");
    server.kill();

    // The first waits before it imports; the second is killed after it has written the new state.
    let marker = data.join("written");
    let hang = "case \"$*\" in *--import*) exec cat >/dev/null;; esac".to_owned();
    let written = format!(
        "case \"$*\" in *--import*) '{}' \"$@\" >/dev/null; touch '{}'; exec cat >/dev/null;; esac",
        env!("CARGO_BIN_EXE_precedent"),
        marker.display()
    );
    for (at, lines) in [hang, written].iter().enumerate() {
        let server = Server::start_with(&data, &[], through_script(&data.join(format!("script-{at}")), lines));
        if at == 0 {
            upload(&server, "ropes", "b.jsonl", record("b").as_bytes());
        }
        let importing = wait_for(&server, "ropes", "importing");
        wait_until("the new state is written", || at == 0 || marker.exists());
        assert_eq!(
            (&importing["papers"], &importing["files"]),
            (&json!(1), &json!(["b.jsonl"])),
            "{importing:#}"
        );
        // Requests get what was there before.
        let query = json!({ "query": "pulses over mooring ropes", "corpora": ["ropes"] });
        let found = server.post("/api/v1/search", &query).text();
        assert!(found.contains("rope:a") && !found.contains("rope:b"), "{found}");
        // No run is started with a corpus that changes.
        let idea = json!({ "job": "idea", "text": "A telegraph over ropes.", "corpora": ["ropes"] });
        assert_eq!(server.post("/api/v1/runs", &idea).status, 409);
        server.kill();
    }
    let server = Server::start_in(&data, &[]);
    let done = wait_for(&server, "ropes", "ready");
    assert_eq!(done["papers"], 2, "{done:#}");
    server.kill();
    // The states of the interrupted imports are gone, and so is the one that was replaced.
    let server = Server::start_in(&data, &[]);
    assert_eq!(fs::read_dir(data.join("corpora/ropes/states")).unwrap().count(), 1);
    assert_eq!(own(&server, "ropes")["papers"], 2);
}

#[cfg(unix)]
#[test]
fn an_import_that_crashes_is_shown_and_changes_nothing() {
    let data = fresh_folder("corpora-crash");
    let lines = format!(
        "case \"$*\" in *--read*bomb.pdf) kill -SEGV $$;; *--import*) test -e '{}' && kill -SEGV $$;; esac",
        data.join("crash").display()
    );
    let server = Server::start_with(&data, &[], through_script(&data, &lines));
    create(&server, "ropes");
    // The reader of one paper crashes: that paper is left out. Each is read in a process of its own.
    let paper = fs::read(root().join("examples/paper.pdf")).unwrap();
    let form: [(&str, &str, &[u8]); 2] = [("file", "paper.pdf", &paper), ("file", "bomb.pdf", b"%PDF-1.7")];
    assert_eq!(server.multipart("/corpora/ropes/add", &form).status, 303);
    let done = wait_for(&server, "ropes", "ready");
    let left_out = &done["imports"][0]["left_out"];
    assert!(done["papers"] == 1 && left_out[0]["file"] == "bomb.pdf", "{done:#}");
    assert!(
        left_out[0]["reason"].as_str().unwrap().contains("without an answer"),
        "{left_out}"
    );
    assert_eq!(done["imports"][0]["left_out_count"], 1, "{done:#}");

    fs::write(data.join("crash"), "").unwrap();
    upload(&server, "ropes", "b.jsonl", record("b").as_bytes());
    let failed = wait_for(&server, "ropes", "ready");
    assert_eq!(failed["papers"], 1, "{failed:#}");
    assert_eq!(failed["imports"][0]["problem"]["kind"], "input", "{failed:#}");
    assert!(
        server
            .get("/corpora/ropes")
            .text()
            .contains("The corpus is as it was before.")
    );
}

#[cfg(unix)]
#[test]
fn an_import_waits_for_the_runs_that_use_the_corpus() {
    let data = fresh_folder("corpora-runs");
    let lines = format!(
        "case \"$*\" in *--import*) while test -e '{}'; do sleep 0.05; done;; *'/runs/'*) while test -e '{}'; do sleep 0.05; done;; esac",
        data.join("no-imports").display(),
        data.join("no-runs").display()
    );
    let server = Server::start_with(&data, &[], through_script(&data, &lines));
    create(&server, "ropes");
    upload(&server, "ropes", "a.jsonl", record("a").as_bytes());
    wait_for(&server, "ropes", "ready");
    fs::write(data.join("no-runs"), "").unwrap();
    let idea = |text: &str| json!({ "job": "idea", "text": text, "corpora": ["ropes"] });
    let run = server.post("/api/v1/runs", &idea("A telegraph over mooring ropes."));
    let run = run.json()["id"].as_str().unwrap().to_owned();
    server.wait_for(&run, "running");
    let used = server.send("DELETE", "/api/v1/corpora/ropes", &[], b"");
    assert!(
        used.status == 409 && used.text().contains("uses this corpus"),
        "{}",
        used.text()
    );
    // A place is free, but the import waits.
    upload(&server, "ropes", "b.jsonl", record("b").as_bytes());
    // A run that comes later gets the place.
    let later = json!({ "job": "idea", "text": "A telegraph over mooring ropes.", "corpora": ["works"] });
    let later = server.post("/api/v1/runs", &later).json()["id"].clone();
    server.wait_for(later.as_str().unwrap(), "running");
    assert_eq!(own(&server, "ropes")["state"], "waiting");
    assert!(
        server
            .get("/corpora/ropes")
            .text()
            .contains("waits for 1 run that uses")
    );
    let refused = server.post("/api/v1/runs", &idea("Another telegraph over mooring ropes."));
    assert!(
        refused.status == 409 && refused.text().contains("ropes"),
        "{}",
        refused.text()
    );
    fs::write(data.join("no-imports"), "").unwrap();
    fs::remove_file(data.join("no-runs")).unwrap();
    server.wait_for(&run, "finished");
    wait_for(&server, "ropes", "importing");
    // An import is ended with its corpus.
    assert_eq!(server.send("DELETE", "/api/v1/corpora/ropes", &[], b"").status, 204);
    assert_eq!(fs::read_dir(data.join("corpora")).unwrap().count(), 0);
    assert_eq!(server.run(&run)["state"], "finished");
}

#[cfg(unix)]
#[test]
fn a_search_and_a_queued_run_keep_the_papers_that_they_began_with() {
    let data = fresh_folder("corpora-held");
    let (called, no_calls, no_runs) = (data.join("called"), data.join("no-calls"), data.join("no-runs"));
    let lines = format!(
        "case \"$*\" in *--call*) touch '{}'; while test -e '{}'; do sleep 0.05; done;; *'/runs/'*) while test -e '{}'; do sleep 0.05; done;; esac",
        called.display(),
        no_calls.display(),
        no_runs.display()
    );
    let server = Server::start_with(&data, &["--jobs", "1"], through_script(&data, &lines));
    create(&server, "ropes");
    upload(&server, "ropes", "a.jsonl", record("a").as_bytes());
    wait_for(&server, "ropes", "ready");
    let states = || fs::read_dir(data.join("corpora/ropes/states")).unwrap().count();

    // Its process has begun, and opens the corpus when the import has ended.
    fs::write(&no_calls, "").unwrap();
    let query = json!({ "query": "pulses over mooring ropes", "corpora": ["ropes"] });
    let found = std::thread::scope(|scope| {
        let search = scope.spawn(|| server.post("/api/v1/search", &query));
        wait_until("the search has begun", || called.exists());
        upload(&server, "ropes", "b.jsonl", record("b").as_bytes());
        assert_eq!(wait_for(&server, "ropes", "ready")["papers"], 2);
        assert_eq!(states(), 2);
        fs::remove_file(&no_calls).unwrap();
        search.join().unwrap()
    });
    assert_eq!(found.status, 200, "{}", found.text());
    assert!(
        found.text().contains("rope:a") && !found.text().contains("rope:b"),
        "{}",
        found.text()
    );
    assert!(server.post("/api/v1/search", &query).text().contains("rope:b"));
    wait_until("the old state is deleted", || states() == 1);

    // A run that waits is done before the import that came later.
    fs::write(&no_runs, "").unwrap();
    let start = |corpus: &str| {
        let idea = json!({ "job": "idea", "text": "A telegraph over mooring ropes.", "corpora": [corpus] });
        let run = server.post("/api/v1/runs", &idea);
        run.json()["id"].as_str().unwrap().to_owned()
    };
    let (first, queued) = (start("works"), start("ropes"));
    server.wait_for(&first, "running");
    upload(&server, "ropes", "c.jsonl", record("c").as_bytes());
    assert_eq!(server.run(&queued)["state"], "queued");
    fs::remove_file(&no_runs).unwrap();
    let report = server.get(&report_of(&server, &queued, ".json")).text();
    assert_eq!(wait_for(&server, "ropes", "ready")["papers"], 3);
    assert!(report.contains("rope:b") && !report.contains("rope:c"), "{report}");
}

#[test]
fn the_pages_of_corpora_work_without_a_script() {
    let server = Server::start("corpora-pages");
    let records = format!("{}no record\n", record("a"));
    let form: [(&str, &str, &[u8]); 2] = [("name", "", b"ropes"), ("file", "records.jsonl", records.as_bytes())];
    let made = server.multipart("/new-corpus", &form);
    assert_eq!(
        (made.status, made.header("location")),
        (303, Some("/corpora/ropes")),
        "{}",
        made.text()
    );
    let first = server.get("/corpora/ropes").text();
    assert!(
        first.contains("http-equiv=\"refresh\"") || first.contains("1 added"),
        "{first}"
    );
    wait_for(&server, "ropes", "ready");
    let page = server.get("/corpora/ropes").text();
    for part in [
        "1 added, 0 updated, 0 unchanged, 1 could not be used",
        "records.jsonl, record 2:",
        "<dt>Papers</dt><dd>1</dd>",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("http-equiv=\"refresh\""));
    let list = server.get("/corpora").text();
    assert!(
        list.contains("href=\"/corpora/ropes\"") && list.contains("action=\"/new-corpus\""),
        "{list}"
    );
    assert!(server.get("/").text().contains("name=\"corpus\" value=\"ropes\""));
    assert_eq!(server.multipart("/corpora/ropes/add", &[("file", "", b"")]).status, 400);
    let wrong: [(&str, &str, &[u8]); 1] = [("name", "", b"../x")];
    assert_eq!(server.multipart("/new-corpus", &wrong).status, 400);
    assert_eq!(
        server.form("/corpora/ropes/delete", &[]).header("location"),
        Some("/corpora")
    );
    assert_eq!(server.get("/corpora/ropes").status, 404);
}
