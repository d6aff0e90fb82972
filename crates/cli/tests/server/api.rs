use std::fs;

use serde_json::{Value, json};

use super::client::{Server, fresh_folder, program, root};

#[test]
fn a_run_of_the_server_has_the_bytes_of_the_command_line() {
    let server = Server::start("bytes");
    let id = server.assess_example();
    let run = server.wait_for(&id, "finished");
    assert_eq!(run["status"], "complete");
    assert_eq!(
        run["title"],
        "Slack-Aware Coding for Rope-Line Telemetry in Heavy Swell"
    );

    let out = fresh_folder("bytes-cli");
    let assessed = program()
        .args([
            "assess",
            "examples/paper.pdf",
            "--corpus",
            "examples/works",
            "--quiet",
            "--out",
        ])
        .arg(&out)
        .output()
        .unwrap();
    assert!(assessed.status.success());
    for name in ["report.json", "report.md", "report.html"] {
        let served = server.get(&format!("/api/v1/runs/{id}/files/{name}"));
        assert_eq!(served.status, 200);
        assert!(served.body == fs::read(out.join(name)).unwrap(), "{name} differs");
    }

    // The same request is the same run, and is not executed again.
    assert_eq!(server.assess_example(), id);
    assert_eq!(server.run(&id)["executions"], 1);
    let list = server.get("/api/v1/runs").json();
    assert_eq!(
        (list["total"].as_u64(), list["runs"][0]["id"].as_str()),
        (Some(1), Some(id.as_str()))
    );
    assert_eq!(server.get("/api/v1/runs?status=failed").json()["total"], 0);
    assert_eq!(server.get("/api/v1/runs?q=slack-aware").json()["total"], 1);
    assert_eq!(server.get("/api/v1/runs?q=elsewhere").json()["total"], 0);
    // As the page's form sends it.
    assert_eq!(server.get("/api/v1/runs?status=&q=").json()["total"], 1);
    assert_eq!(server.get(&format!("/api/v1/runs/{id}/requests")).json(), json!([]));

    evidence(&server, &id);

    let metrics = server.get("/api/v1/metrics").text();
    assert!(metrics.contains("precedent_runs{state=\"finished\"} 1"), "{metrics}");
    assert_eq!(
        server.send("DELETE", &format!("/api/v1/runs/{id}"), &[], b"").status,
        204
    );
    assert_eq!(server.get(&format!("/api/v1/runs/{id}")).status, 404);
    assert!(!server.data.join("runs").join(&id).exists());
    // No other run names its input.
    assert_eq!(fs::read_dir(server.data.join("inputs")).unwrap().count(), 0);
}

/// Claim 2 of the example is anticipated by paper 15, word for word.
fn evidence(server: &Server, id: &str) {
    let found = server
        .get(&format!("/api/v1/runs/{id}/claims/2/papers/15?texts=true"))
        .json();
    assert_eq!(found["label"], "Anticipated");
    assert_eq!(found["title"], "Decoding Tension Symbols Under Rope Creep");
    assert!(!found["pairs"].as_array().unwrap().is_empty());
    for pair in found["pairs"].as_array().unwrap() {
        for side in ["own", "other"] {
            let passage = &pair[side];
            let text = found["texts"][side].as_str().unwrap();
            let at = |end: usize| usize::try_from(passage["range"][end].as_u64().unwrap()).unwrap();
            assert_eq!(text.get(at(0)..at(1)), passage["text"].as_str(), "{side}");
        }
    }
    for path in ["claims/9/papers/15", "claims/2/papers/999"] {
        assert_eq!(server.get(&format!("/api/v1/runs/{id}/{path}")).status, 404);
    }
}

#[test]
fn calls_answer_as_the_command_line_does() {
    let server = Server::start("calls");
    let input = server.upload_example();
    let quote =
        "A slack rope carries nothing, and a study of one winter traced four in five lost symbols to slack rope";
    let altered =
        "A slack rope carries everything, and a study of one winter traced four in five lost symbols to slack rope";
    let verified = server
        .post(
            "/api/v1/verify",
            &json!({ "source": { "input": input }, "quotes": [quote, altered] }),
        )
        .json();
    assert_eq!(
        (&verified[0]["outcome"], &verified[0]["page"]),
        (&json!("exact"), &json!(1))
    );
    assert_ne!(verified[1]["outcome"], "exact");

    let out = program()
        .args([
            "match",
            "We re-estimate the stiffness of the rope",
            "--corpus",
            "examples/works",
            "--json",
        ])
        .output()
        .unwrap();
    let printed: Value = serde_json::from_slice(&out.stdout).unwrap();
    let matched = server
        .post(
            "/api/v1/match",
            &json!({ "claim": "We re-estimate the stiffness of the rope", "limit": 5 }),
        )
        .json();
    assert_eq!(matched["results"], printed["results"]);

    let searched = server
        .post(
            "/api/v1/search",
            &json!({ "query": "rope creep", "corpora": ["works"], "limit": 3 }),
        )
        .json();
    assert_eq!(searched["results"].as_array().unwrap().len(), 3);

    let text = "Buoys on a shared mooring can exchange data through the rope itself: a winch at one end tugs, and a load cell at the other end reads \
        the change in tension. That is known.";
    let shared = server
        .post(
            "/api/v1/overlap",
            &json!({ "target": { "input": input }, "others": [{ "text": text }], "min_words": 20 }),
        )
        .json();
    assert_eq!(shared["passages"][0]["b_file"], "text 1");

    // Temporary files of calls are gone.
    assert_eq!(fs::read_dir(server.data.join("tmp")).unwrap().count(), 0);

    let corpora = server.get("/api/v1/corpora").json();
    assert_eq!(corpora["corpora"], json!(["works"]));
    let statistics = server.get("/api/v1/corpora/works").json();
    assert_eq!(statistics["works"], 42);

    let estimate = json!({ "job": "assess", "input": input, "corpora": ["works"], "sources": ["openalex"] });
    let estimate = server.post("/api/v1/estimates", &estimate).json();
    assert_eq!(estimate["estimate"]["model"], "offline");
    assert!(
        estimate["egress"]["egress"][0]["asked"][0]
            .as_str()
            .unwrap()
            .starts_with("https://api.openalex.org/works?")
    );
}

#[test]
fn a_wrong_request_is_a_problem_with_a_kind_and_a_hint() {
    let server = Server::start("problems");
    let input = server.upload_example();
    let cases = [
        (json!({ "job": "assess" }), 400, "usage"),
        (json!({ "job": "assess", "input": input, "text": "x" }), 400, "usage"),
        (json!({ "job": "assess", "text": "An idea" }), 400, "usage"),
        (json!({ "job": "guess", "input": input }), 400, "usage"),
        (json!({ "job": "assess", "input": "a".repeat(64) }), 404, "not_found"),
        (
            json!({ "job": "assess", "input": input, "corpora": ["other"] }),
            400,
            "usage",
        ),
        (
            json!({ "job": "assess", "input": input, "sources": ["nowhere"] }),
            400,
            "usage",
        ),
        (
            json!({ "job": "assess", "input": input, "model": "openai:gpt-5-mini" }),
            403,
            "refused",
        ),
        (
            json!({ "job": "assess", "input": input, "as_of": "yesterday" }),
            400,
            "usage",
        ),
        (
            json!({ "job": "assess", "input": input, "formats": ["docx"] }),
            400,
            "usage",
        ),
    ];
    for (body, status, kind) in cases {
        let answer = server.post("/api/v1/runs", &body);
        assert_eq!(answer.status, status, "{body} {}", answer.text());
        assert_eq!(
            answer.header("content-type"),
            Some("application/problem+json"),
            "{body}"
        );
        let problem = answer.json();
        assert_eq!(
            (&problem["kind"], &problem["status"]),
            (&json!(kind), &json!(status)),
            "{body}"
        );
    }
    let unknown = server
        .post(
            "/api/v1/runs",
            &json!({ "job": "assess", "input": input, "corpora": ["other"] }),
        )
        .json();
    assert_eq!(unknown["hint"], "the corpora of this server: works");
    for (method, path, status) in [
        ("GET", "/api/v1/nothing", 404),
        ("PUT", "/api/v1/runs", 405),
        ("GET", "/api/v1/runs?status=odd", 400),
    ] {
        let answer = server.send(method, path, &[], b"");
        assert_eq!(answer.status, status, "{path}");
    }
    assert_eq!(server.get("/api/v1/runs").json()["total"], 0);
}

#[test]
fn a_file_that_is_no_paper_fails_its_run_only() {
    let server = Server::start("no-paper");
    let upload = server
        .send(
            "POST",
            "/api/v1/inputs?name=paper.pdf",
            &[],
            b"%PDF-1.7 and nothing else",
        )
        .json();
    let id = server
        .post(
            "/api/v1/runs",
            &json!({ "job": "assess", "input": upload["sha256"], "corpora": ["works"] }),
        )
        .json();
    let id = id["id"].as_str().unwrap();
    let start = std::time::Instant::now();
    let run = loop {
        let run = server.run(id);
        if run["state"] == "failed" {
            break run;
        }
        assert!(start.elapsed() < super::client::PATIENCE, "{run:#}");
        std::thread::sleep(std::time::Duration::from_millis(20));
    };
    assert_eq!(run["problem"]["kind"], "input");
    assert_eq!(server.get("/api/v1/health").json()["status"], "ok");
}

#[test]
fn no_body_of_the_api_names_a_place() {
    let described = fs::read_to_string(root().join("docs/openapi.json")).unwrap();
    let document: Value = serde_json::from_str(&described).unwrap();
    // Every field of a body that says where something is would be a hole.
    for word in ["path\":", "url\":", "host\":", "settings", "dir\":"] {
        let bodies = [
            "JobRequest",
            "VerifyBody",
            "OverlapBody",
            "MatchBody",
            "SearchBody",
            "WatchBody",
            "TextChoice",
        ];
        for body in bodies {
            let schema = document["components"]["schemas"][body].to_string();
            assert!(schema.len() > 4 && !schema.contains(word), "{body} has {word}");
        }
    }
}

#[test]
fn a_format_that_cannot_be_written_is_a_problem_of_a_finished_run() {
    let server = Server::start("unwritten");
    let input = server.upload_example();
    let body = json!({ "job": "assess", "input": input, "corpora": ["works"], "formats": ["json", "pdf"] });
    let id = server.post("/api/v1/runs", &body).json()["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let run = server.wait_for(&id, "finished");
    assert!(
        run["problem"]["detail"].as_str().unwrap().contains("browser"),
        "{run:#}"
    );
    assert!(run["files"].as_array().unwrap().contains(&json!("report.json")));
    let page = server.get(&format!("/runs/{id}")).text();
    assert!(page.contains("A requested format was not written"), "{page}");
}
