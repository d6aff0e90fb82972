//! A server with users: tokens, sessions, and what belongs to whom.

use std::path::Path;

use serde_json::{Value, json};

use super::client::{Answer, Server, fresh_folder, program, root};

/// Adds a user to a data folder and returns the token.
pub(crate) fn add_user(data: &Path, name: &str, more: &[&str]) -> String {
    let added = program()
        .args(["users", "add", name, "--data"])
        .arg(data)
        .args(more)
        .output()
        .unwrap();
    assert!(added.status.success(), "{}", String::from_utf8_lossy(&added.stderr));
    String::from_utf8(added.stdout).unwrap().trim().to_owned()
}

/// A user of a server.
pub(crate) struct Person<'s> {
    server: &'s Server,
    bearer: String,
}

impl<'s> Person<'s> {
    pub(crate) fn new(server: &'s Server, token: &str) -> Self {
        Self {
            server,
            bearer: format!("Bearer {token}"),
        }
    }

    pub(crate) fn send(&self, method: &str, path: &str, body: &[u8]) -> Answer {
        let headers = [
            ("Authorization", self.bearer.as_str()),
            ("Content-Type", "application/json"),
        ];
        self.server.send(method, path, &headers, body)
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send("GET", path, b"")
    }

    fn upload(&self) -> String {
        let bytes = std::fs::read(root().join("examples/paper.pdf")).unwrap();
        let answer = self.send("POST", "/api/v1/inputs?name=paper.pdf", &bytes);
        assert_eq!(answer.status, 201, "{}", answer.text());
        answer.json()["sha256"].as_str().unwrap().to_owned()
    }

    fn start(&self, request: &Value) -> Value {
        let answer = self.send("POST", "/api/v1/runs", request.to_string().as_bytes());
        assert_eq!(answer.status, 202, "{}", answer.text());
        answer.json()
    }

    /// Waits until a run has ended, and returns it.
    fn ended(&self, id: &str) -> Value {
        let start = std::time::Instant::now();
        loop {
            let run = self.get(&format!("/api/v1/runs/{id}")).json();
            if run["state"] != "queued" && run["state"] != "running" {
                return run;
            }
            assert!(start.elapsed() < super::client::PATIENCE, "{run:#}");
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
}

fn idea() -> Value {
    json!({ "job": "idea", "text": "A rope telegraph that sends pulses over mooring lines between ships in a harbour.", "corpora": ["works"] })
}

#[test]
fn nobody_gets_anything_without_a_token() {
    let data = fresh_folder("no-token");
    let token = add_user(&data, "ada", &[]);
    let server = Server::start_in(&data, &[]);
    let ada = Person::new(&server, &token);
    let document: Value = ada.get("/api/v1/openapi.json").json();
    let mut checked = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        if path == "/api/v1/health" {
            continue;
        }
        let path = path
            .replace("{id}", "x")
            .replace("{sha256}", "x")
            .replace("{name}", "x")
            .replace("{folder}", "x");
        let path = path.replace("{claim}", "1").replace("{paper}", "1");
        for method in methods.as_object().unwrap().keys() {
            for bearer in ["", "Bearer ", "Bearer precedent-x", "Basic YTpi"] {
                let answer = server.send(&method.to_uppercase(), &path, &[("Authorization", bearer)], b"{}");
                assert_eq!(answer.status, 401, "{method} {path} {bearer:?}");
                assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
                checked += 1;
            }
        }
    }
    assert!(checked > 80, "{checked}");
    let pages = [
        "/",
        "/runs",
        "/runs/x",
        "/corpora",
        "/corpora/x",
        "/match",
        "/verify",
        "/watches",
        "/watches/x",
        "/watches/x/feed",
        "/shared-batches/x",
    ];
    let posts = [
        "/new",
        "/runs/x/start",
        "/runs/x/delete",
        "/runs/x/share",
        "/match",
        "/verify",
        "/corpora",
        "/new-corpus",
        "/corpora/x/add",
        "/corpora/x/delete",
        "/shared-batches/x/pause",
    ];
    let both = pages
        .map(|path| ("GET", path))
        .into_iter()
        .chain(posts.map(|path| ("POST", path)));
    for (method, path) in both {
        let answer = server.send(method, path, &[], b"");
        assert_eq!(answer.status, 303, "{method} {path}");
        assert!(
            answer.header("location").unwrap().starts_with("/sign-in"),
            "{method} {path}"
        );
    }
    for path in ["/api/v1/health", "/assets/app.css", "/sign-in"] {
        assert_eq!(server.get(path).status, 200, "{path}");
    }
    assert_eq!(ada.get("/api/v1/runs").json()["total"], 0);
}

#[test]
fn a_run_belongs_to_the_user_who_started_it() {
    let data = fresh_folder("owners");
    let (ada, bob) = (add_user(&data, "ada", &[]), add_user(&data, "bob", &[]));
    let server = Server::start_in(&data, &[]);
    let (ada, bob) = (Person::new(&server, &ada), Person::new(&server, &bob));
    let input = ada.upload();
    let request = json!({ "job": "assess", "input": input, "corpora": ["works"] });
    let id = ada.start(&request)["id"].as_str().unwrap().to_owned();
    assert_eq!(ada.ended(&id)["state"], "finished");
    // Bob cannot even find out that the file was uploaded.
    assert_eq!(bob.get(&format!("/api/v1/inputs/{input}")).status, 404);
    let refused = bob.send("POST", "/api/v1/runs", request.to_string().as_bytes());
    assert_eq!(refused.status, 404, "{}", refused.text());
    let of_run = format!("/api/v1/runs/{id}");
    for (method, path) in [
        ("GET", of_run.clone()),
        ("DELETE", of_run.clone()),
        ("POST", format!("{of_run}/stop")),
        ("POST", format!("{of_run}/resume")),
        ("POST", format!("{of_run}/share")),
        ("DELETE", format!("{of_run}/share")),
        ("GET", format!("{of_run}/events")),
        ("GET", format!("{of_run}/requests")),
        ("GET", format!("{of_run}/files/report.json")),
        ("GET", format!("{of_run}/claims/1/papers/1")),
        ("GET", format!("/runs/{id}")),
        ("POST", format!("/runs/{id}/delete")),
    ] {
        assert_eq!(bob.send(method, &path, b"").status, 404, "{method} {path}");
    }
    assert_eq!(bob.get("/api/v1/runs").json()["total"], 0);
    assert_eq!(ada.get("/api/v1/runs").json()["total"], 1);
    // The same request of Bob is a run of his own, with the same report.
    bob.upload();
    let own = bob.start(&request)["id"].as_str().unwrap().to_owned();
    assert_eq!(bob.ended(&own)["state"], "finished");
    let report = format!("/api/v1/runs/{own}/files/report.md");
    assert_eq!(
        bob.get(&report).body,
        ada.get(&format!("{of_run}/files/report.md")).body
    );
    assert_eq!(bob.send("DELETE", &format!("/api/v1/runs/{own}"), b"").status, 204);
    assert_eq!(ada.get(&of_run).status, 200);
    assert!(ada.get(&format!("/runs/{id}")).text().contains("Sign out"));
}

#[test]
fn a_browser_exchanges_the_token_for_a_cookie_once() {
    let data = fresh_folder("cookie");
    let token = add_user(&data, "ada", &[]);
    let server = Server::start_in(&data, &[]);
    let wrong = server.form("/sign-in", &[("token", "precedent-wrong")]);
    assert_eq!(wrong.status, 401);
    assert!(wrong.header("set-cookie").is_none());
    let answer = server.form("/sign-in", &[("token", &token), ("next", "/runs")]);
    assert_eq!((answer.status, answer.header("location")), (303, Some("/runs")));
    let set = answer.header("set-cookie").unwrap().to_owned();
    assert!(set.contains("HttpOnly") && set.contains("SameSite=Strict"), "{set}");
    assert!(!set.contains(&token));
    let cookie = set.split(';').next().unwrap();
    let page = server.send("GET", "/runs", &[("Cookie", cookie)], b"");
    assert_eq!(page.status, 200);
    assert!(page.text().contains("<span>ada</span>"), "{}", page.text());
    // The cookie alone is not enough for a request that another site makes.
    let attack = [("Cookie", cookie), ("Origin", "https://evil.example")];
    assert_eq!(server.send("POST", "/api/v1/runs", &attack, b"{}").status, 403);
    let away = server.form("/sign-in", &[("token", &token), ("next", "//evil.example")]);
    assert_eq!(away.header("location"), Some("/"));
    let own = [("Cookie", cookie), ("Sec-Fetch-Site", "same-origin")];
    assert_eq!(server.send("POST", "/sign-out", &own, b"").status, 303);
    assert_eq!(server.send("GET", "/runs", &[("Cookie", cookie)], b"").status, 303);
}

/// Waits until a request gets this status: the server looks for changes of the users every second.
fn becomes(status: u16, request: impl Fn() -> Answer) {
    let start = std::time::Instant::now();
    while request().status != status {
        assert!(start.elapsed() < super::client::PATIENCE, "not {status}");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

/// The cookie of a browser that has sent this token.
fn session(server: &Server, token: &str) -> String {
    let answer = server.form("/sign-in", &[("token", token)]);
    let cookie = answer.header("set-cookie").unwrap();
    cookie.split(';').next().unwrap().to_owned()
}

#[test]
fn a_new_token_ends_the_sessions_of_the_old_one() {
    let data = fresh_folder("new-token");
    let old = add_user(&data, "ada", &[]);
    let server = Server::start_in(&data, &[]);
    let cookie = session(&server, &old);
    let page = || server.send("GET", "/runs", &[("Cookie", &cookie)], b"");
    assert_eq!(page().status, 200);
    let removed = program()
        .args(["users", "remove", "ada", "--data"])
        .arg(&data)
        .output()
        .unwrap();
    assert!(removed.status.success());
    let new = add_user(&data, "ada", &[]);
    becomes(200, || Person::new(&server, &new).get("/api/v1/runs"));
    assert_eq!(page().status, 303);
    assert_eq!(Person::new(&server, &old).get("/api/v1/runs").status, 401);
    // A proxy may send credentials of its own.
    let cookie = session(&server, &new);
    let both = [("Authorization", "Basic YTpi"), ("Cookie", cookie.as_str())];
    assert_eq!(server.send("GET", "/runs", &both, b"").status, 200);
}

#[test]
fn users_are_added_and_removed_while_the_server_runs() {
    let data = fresh_folder("changes");
    let first = add_user(&data, "ada", &[]);
    let server = Server::start_in(&data, &[]);
    let later = add_user(&data, "bob", &[]);
    becomes(200, || Person::new(&server, &later).get("/api/v1/runs"));
    let removed = program()
        .args(["users", "remove", "ada", "--data"])
        .arg(&data)
        .output()
        .unwrap();
    assert!(removed.status.success());
    becomes(401, || Person::new(&server, &first).get("/api/v1/runs"));
    let listed = program().args(["users", "list", "--data"]).arg(&data).output().unwrap();
    assert_eq!(
        String::from_utf8(listed.stdout).unwrap(),
        "bob: no budget, all models\n"
    );
    let again = program()
        .args(["users", "add", "bob", "--data"])
        .arg(&data)
        .output()
        .unwrap();
    assert_eq!(again.status.code(), Some(2));
}

#[test]
fn a_link_shows_the_report_and_nothing_else() {
    let data = fresh_folder("links");
    let token = add_user(&data, "ada", &[]);
    let server = Server::start_in(&data, &[]);
    let ada = Person::new(&server, &token);
    let id = ada.start(&idea())["id"].as_str().unwrap().to_owned();
    let run = ada.ended(&id);
    let files: Vec<&str> = run["files"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let report = files.iter().find(|name| name.ends_with(".html")).unwrap();
    let shared = ada.send("POST", &format!("/api/v1/runs/{id}/share"), b"").json();
    let secret = shared["shared"].as_str().unwrap().to_owned();
    let again = ada.send("POST", &format!("/api/v1/runs/{id}/share"), b"").json();
    assert_eq!(again["shared"], secret, "a link that was passed on stays valid");
    let page = server.get(&format!("/shared/{secret}/{report}"));
    assert_eq!(page.status, 200);
    assert!(page.header("content-security-policy").unwrap().starts_with("sandbox"));
    for name in ["job.json", "request.json", "ledger.sqlite", "..%2fjob.json", "x"] {
        assert_eq!(server.get(&format!("/shared/{secret}/{name}")).status, 404, "{name}");
    }
    for wrong in ["", "x", &secret[1..], &"0".repeat(64)] {
        assert_eq!(server.get(&format!("/shared/{wrong}/{report}")).status, 404, "{wrong}");
    }
    assert!(
        ada.get(&format!("/runs/{id}"))
            .text()
            .contains(&format!("/shared/{secret}/{report}"))
    );
    ada.send("DELETE", &format!("/api/v1/runs/{id}/share"), b"");
    assert_eq!(server.get(&format!("/shared/{secret}/{report}")).status, 404);
}

#[test]
fn limits_of_a_user_hold() {
    let data = fresh_folder("user-limits");
    let local = add_user(&data, "local", &["--local-only"]);
    let spent = add_user(&data, "spent", &["--budget", "2"]);
    let few = add_user(&data, "few", &["--models", "openai:gpt-5-mini"]);
    let folder = data.join("users/spent");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("spent.json"), r#"{"deleted_runs_dollars": 2.5}"#).unwrap();
    let server = Server::start_in(&data, &["--model", "openai:gpt-5-mini,openai:gpt-5"]);
    let start = |person: &Person<'_>, more: Value| {
        let mut request = idea();
        for (name, value) in more.as_object().unwrap() {
            request[name] = value.clone();
        }
        person.send("POST", "/api/v1/runs", request.to_string().as_bytes())
    };
    let local = Person::new(&server, &local);
    let offered = local.send("GET", "/api/v1/corpora", b"").json();
    assert_eq!(offered["models"], json!([]), "{offered:#}");
    for more in [
        json!({ "sources": ["openalex"] }),
        json!({ "corpora": ["works", "works"] }),
        json!({ "budget": -1 }),
        json!({ "model": "openai:gpt-5-mini" }),
    ] {
        let answer = start(&local, more.clone());
        assert!(
            (400..500).contains(&answer.status),
            "{more}: {} {}",
            answer.status,
            answer.text()
        );
    }
    let few = Person::new(&server, &few);
    let answer = start(&few, json!({ "model": "openai:gpt-5" }));
    assert_eq!(answer.status, 403, "{}", answer.text());
    let spent = Person::new(&server, &spent);
    assert_eq!(spent.send("GET", "/api/v1/corpora", b"").json()["budget"], json!(0.0));
    assert!(spent.send("GET", "/", b"").text().contains("your budget is spent"));
    let answer = start(&spent, json!({ "model": "openai:gpt-5-mini" }));
    assert_eq!(answer.status, 202, "{}", answer.text());
    let run = spent.ended(answer.json()["id"].as_str().unwrap());
    assert_eq!(
        (run["state"].as_str(), run["problem"]["kind"].as_str()),
        (Some("stopped"), Some("budget")),
        "{run:#}"
    );
    // Without a model it costs nothing.
    let answer = start(&spent, json!({}));
    let run = spent.ended(answer.json()["id"].as_str().unwrap());
    assert_eq!(run["state"], "finished");
}
