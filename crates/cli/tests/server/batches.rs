//! Several papers at once: a batch is a named set of runs.

use std::fs;

use serde_json::{Value, json};

use super::client::{Answer, PATIENCE, Server, fresh_folder, program, root};
use super::users::{Person, add_user};

/// A paper that differs from the sample and has claims.
fn note(number: usize) -> String {
    format!(
        "# Ropes That Do Not Creep, Part {number}\n\nAbstract\n\nWe propose a creep-compensated decoder that re-estimates the stiffness of the rope \
         from pilot tugs in every frame.\n\n# 1 Introduction\n\nOur contributions are as follows. We introduce a creep-compensated decoder that \
         re-estimates the stiffness of the rope from pilot tugs in every frame. We release a data set of tension recordings from nine moored buoys.\n"
    )
}

fn upload(server: &Server, name: &str, bytes: &[u8]) -> String {
    let answer = server.send("POST", &format!("/api/v1/inputs?name={name}"), &[], bytes);
    assert_eq!(answer.status, 201, "{}", answer.text());
    answer.json()["sha256"].as_str().unwrap().to_owned()
}

/// Waits until all runs of a batch have finished.
fn finished(server: &Server, id: &str, papers: usize) -> Value {
    let start = std::time::Instant::now();
    loop {
        let batch = server.get(&format!("/api/v1/batches/{id}")).json();
        if batch["states"] == json!({ "finished": papers }) {
            return batch;
        }
        assert!(start.elapsed() < PATIENCE, "{batch:#}");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

fn location(answer: &Answer) -> String {
    assert_eq!(answer.status, 303, "{}", answer.text());
    answer.header("location").unwrap().to_owned()
}

#[test]
fn several_files_become_a_batch_with_the_table_of_the_command_line() {
    let server = Server::start("batch-page");
    let papers = fresh_folder("batch-papers");
    fs::create_dir_all(&papers).unwrap();
    let sample = fs::read(root().join("examples/paper.pdf")).unwrap();
    fs::write(papers.join("a.pdf"), &sample).unwrap();
    fs::write(papers.join("b.md"), note(1)).unwrap();
    let text = note(1);
    let fields: [(&str, &str, &[u8]); 6] = [
        ("batch", "", b"Session 4"),
        ("file", "a.pdf", &sample),
        ("file", "b.md", text.as_bytes()),
        ("file", "same.pdf", &sample),
        ("job", "", b"assess"),
        ("corpus", "", b"works"),
    ];
    let page = location(&server.multipart("/new", &fields));
    let id = page.trim_start_matches("/batches/").to_owned();
    let draft = server.get(&page).text();
    for part in [
        "Nothing leaves this machine",
        "Start the batch",
        "2 not started",
        "a.pdf, same.pdf",
        "<h1 dir=\"auto\">Session 4</h1>",
    ] {
        assert!(draft.contains(part), "{part}: {draft}");
    }
    assert_eq!(server.get("/api/v1/runs").json()["total"], 0);
    assert_eq!(location(&server.form(&format!("{page}/start"), &[])), page);
    let batch = finished(&server, &id, 2);
    let done = server.get(&page).text();
    for part in [
        "Slack-Aware Coding",
        "Ropes That Do Not Creep",
        "Anticipated",
        "Decoding Tension Symbols",
        "table class=\"index sortable\"",
        "Claims as CSV",
    ] {
        assert!(done.contains(part), "{part}: {done}");
    }
    assert!(server.get("/batches").text().contains(&page));
    let run = batch["papers"][0]["run"].as_str().unwrap();
    assert!(server.get(&format!("/runs/{run}")).text().contains(&page));

    // The same lines as on the command line, but for the address of the report.
    let out = fresh_folder("batch-cli");
    let assessed = program()
        .args(["batch"])
        .arg(&papers)
        .args(["--corpus", "examples/works", "--quiet", "--out"])
        .arg(&out)
        .output()
        .unwrap();
    assert!(
        assessed.status.success(),
        "{}",
        String::from_utf8_lossy(&assessed.stderr)
    );
    let csv = server.get(&format!("/api/v1/batches/{id}/summary.csv"));
    assert!(csv.header("content-type").unwrap().starts_with("text/csv"));
    let lines = |text: &str| -> Vec<String> {
        let lines = text
            .lines()
            .map(|line| line.split("report.html").next().unwrap().to_owned());
        let folder = |line: String| {
            line.rsplit_once(",\"")
                .map_or(line.clone(), |(start, _)| start.to_owned())
        };
        lines.map(folder).collect()
    };
    let served = csv.text();
    assert!(
        served.contains(&format!("/api/v1/runs/{run}/files/report.html")),
        "{served}"
    );
    // The folder has the first file once.
    assert_eq!(
        lines(&served.replace("a.pdf, same.pdf", "a.pdf")),
        lines(&fs::read_to_string(out.join("summary.csv")).unwrap())
    );
    assert!(served.lines().count() > 4);

    // Deleted with its runs and inputs.
    assert_eq!(location(&server.form(&format!("{page}/delete"), &[])), "/batches");
    assert_eq!(server.get(&format!("/api/v1/batches/{id}")).status, 404);
    assert_eq!(server.get("/api/v1/runs").json()["total"], 0);
    assert_eq!(fs::read_dir(server.data.join("inputs")).unwrap().count(), 0);
}

#[test]
fn a_run_that_was_there_before_a_batch_stays_when_the_batch_is_deleted() {
    let server = Server::start("batch-older");
    let inputs: Vec<String> = (1..3)
        .map(|number| upload(&server, &format!("n{number}.md"), note(number).as_bytes()))
        .collect();
    let request = json!({ "job": "assess", "input": inputs[0], "corpora": ["works"] });
    let older = server.post("/api/v1/runs", &request).json()["id"]
        .as_str()
        .unwrap()
        .to_owned();
    server.wait_for(&older, "finished");
    let body = json!({ "inputs": inputs, "request": { "job": "assess", "corpora": ["works"] } });
    let first = server.post("/api/v1/batches", &body).json();
    let first = first["id"].as_str().unwrap().to_owned();
    finished(&server, &first, 2);
    let second = server.post(
        "/api/v1/batches",
        &json!({ "name": "again", "inputs": inputs, "request": body["request"] }),
    );
    let second = second.json()["id"].as_str().unwrap().to_owned();
    let left = |batch: &str| {
        assert_eq!(
            server
                .send("DELETE", &format!("/api/v1/batches/{batch}"), &[], b"")
                .status,
            204
        );
        server.get("/api/v1/runs").json()["total"].as_u64().unwrap()
    };
    assert_eq!([left(&first), left(&second)], [2, 1]);
    // It is found by its file as well as by its title.
    assert_eq!(server.get("/api/v1/runs?q=N1.MD").json()["runs"][0]["id"], json!(older));
}

#[test]
fn a_batch_is_stopped_continued_after_a_kill_and_kept() {
    let data = fresh_folder("batch-kill");
    let server = Server::start_in(&data, &["--jobs", "1"]);
    let inputs: Vec<String> = (1..4)
        .map(|number| upload(&server, "n.md", note(number).as_bytes()))
        .collect();
    let asked = json!({ "name": "Session 4", "inputs": inputs, "request": { "job": "assess", "corpora": ["works"] } });
    let started = server.post("/api/v1/batches", &asked);
    assert_eq!(started.status, 202, "{}", started.text());
    let id = started.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(started.header("location").unwrap(), format!("/api/v1/batches/{id}"));
    let stopped = server.post(&format!("/api/v1/batches/{id}/stop"), &json!({}));
    assert_eq!(stopped.status, 202, "{}", stopped.text());
    let data = server.kill();

    let server = Server::start_in(&data, &["--jobs", "1"]);
    let batch = server.get(&format!("/api/v1/batches/{id}")).json();
    assert_eq!(
        (&batch["name"], batch["papers"].as_array().unwrap().len()),
        (&json!("Session 4"), 3)
    );
    assert!(batch["states"]["stopped"].as_u64().unwrap() >= 2, "{batch:#}");
    assert_eq!(
        server.post(&format!("/api/v1/batches/{id}/resume"), &json!({})).status,
        202
    );
    // Killed while they run, and started by nobody.
    let data = server.kill();
    let server = Server::start_in(&data, &[]);
    let batch = finished(&server, &id, 3);
    assert_eq!(
        batch["summary"]["papers"][2]["title"],
        "Ropes That Do Not Creep, Part 3"
    );
    // The same request is the same batch.
    assert_eq!(server.post("/api/v1/batches", &asked).json()["id"], json!(id));
    assert_eq!(server.get("/api/v1/batches").json().as_array().unwrap().len(), 1);
    // The page says what a report lacks.
    let alone = json!({ "inputs": [inputs[1], inputs[2]], "request": { "job": "assess" } });
    let alone = server.post("/api/v1/batches", &alone).json()["id"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(finished(&server, &alone, 2)["name"], "n.md and 1 more");
    let page = server.get(&format!("/batches/{alone}")).text();
    assert!(page.contains("nothing was searched"), "{page}");
    assert_eq!(server.form(&format!("/batches/{alone}/delete"), &[]).status, 303);
    // A run of two batches stays with the other.
    let other = json!({ "inputs": [inputs[0]], "request": { "job": "assess", "corpora": ["works"] } });
    let other = server.post("/api/v1/batches", &other).json();
    assert_eq!(
        server.send("DELETE", &format!("/api/v1/batches/{id}"), &[], b"").status,
        204
    );
    let left = server.get("/api/v1/runs").json();
    assert_eq!(
        (&left["total"], &left["runs"][0]["id"]),
        (&json!(1), &other["papers"][0]["run"])
    );
}

#[test]
fn a_batch_with_a_wrong_paper_adds_nothing_and_belongs_to_one_user() {
    let server = Server::start("batch-wrong");
    let good = upload(&server, "n.md", note(1).as_bytes());
    let request = json!({ "job": "assess", "corpora": ["works"] });
    for (body, status) in [
        (json!({ "inputs": [good, "0".repeat(64)], "request": request }), 404),
        (json!({ "inputs": [], "request": request }), 400),
        (json!({ "inputs": vec![good.clone(); 101], "request": request }), 400),
        (
            json!({ "inputs": [good], "request": { "job": "points", "corpora": ["works"] } }),
            400,
        ),
        (
            json!({ "inputs": [good], "request": { "job": "assess", "input": good } }),
            400,
        ),
        (
            json!({ "inputs": [good], "request": { "job": "assess", "corpora": ["nothing"] } }),
            400,
        ),
        (json!({ "inputs": ["../../etc/passwd"], "request": request }), 404),
    ] {
        let answer = server.post("/api/v1/batches", &body);
        assert_eq!(answer.status, status, "{body}: {}", answer.text());
    }
    let many: Vec<(&str, &str, &[u8])> = vec![("file", "n.md", b"x"); 101];
    let answer = server.multipart("/new", &many);
    assert!(
        answer.status == 400 && answer.text().contains("at most 100 files"),
        "{}",
        answer.text()
    );
    // Other jobs take one paper.
    let (one, two) = (note(1), note(2));
    let fields: [(&str, &str, &[u8]); 3] = [
        ("file", "1.md", one.as_bytes()),
        ("file", "2.md", two.as_bytes()),
        ("job", "", b"points"),
    ];
    let answer = server.multipart("/new", &fields);
    assert!(
        answer.status == 400 && answer.text().contains("its job is assess"),
        "{}",
        answer.text()
    );
    assert_eq!(server.get("/api/v1/runs?status=draft").json()["total"], 0);
    assert_eq!(server.get("/api/v1/batches").json(), json!([]));
    for path in [
        "/batches/nothing",
        "/api/v1/batches/nothing",
        "/api/v1/batches/..%2fruns/summary.csv",
    ] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    drop(server);

    let data = fresh_folder("batch-users");
    let (ada, bob) = (add_user(&data, "ada", &[]), add_user(&data, "bob", &[]));
    let server = Server::start_in(&data, &[]);
    let (ada, bob) = (Person::new(&server, &ada), Person::new(&server, &bob));
    let stored = ada.send("POST", "/api/v1/inputs?name=n.md", note(1).as_bytes());
    let body = json!({ "inputs": [stored.json()["sha256"]], "request": request }).to_string();
    assert_eq!(bob.send("POST", "/api/v1/batches", body.as_bytes()).status, 404);
    let batch = ada.send("POST", "/api/v1/batches", body.as_bytes()).json();
    let path = format!("/api/v1/batches/{}", batch["id"].as_str().unwrap());
    assert_eq!(ada.send("GET", &path, b"").status, 200);
    for (method, path) in [
        ("GET", path.clone()),
        ("DELETE", path.clone()),
        ("POST", format!("{path}/stop")),
        ("GET", format!("{path}/summary.csv")),
    ] {
        assert_eq!(bob.send(method, &path, b"").status, 404, "{path}");
    }
}
