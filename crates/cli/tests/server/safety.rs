//! What must not be possible.

use std::io::{Read, Write};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::json;

use super::client::{Answer, Server, fresh_folder, program};
use super::users::{Person, add_user};

#[test]
fn an_address_of_other_machines_needs_users_and_its_own_name() {
    let refused = |address: &str, data: &Path, more: &[&str]| {
        let refused = program()
            .args(["serve", "--bind", address, "--data"])
            .arg(data)
            .args(more)
            .output()
            .unwrap();
        assert_eq!(refused.status.code(), Some(2), "{address}");
        String::from_utf8_lossy(&refused.stderr).into_owned()
    };
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:80"] {
        let message = refused(address, Path::new("/nonexistent/never"), &[]);
        assert!(
            message.contains("it has no users") && message.contains("precedent users add"),
            "{message}"
        );
    }
    let message = refused(
        "127.0.0.1:0",
        Path::new("/nonexistent/never"),
        &["--url", "https://review.example.org"],
    );
    assert!(message.contains("precedent users add"), "{message}");
    let data = fresh_folder("addresses");
    add_user(&data, "ada", &[]);
    let message = refused("0.0.0.0:0", &data, &[]);
    assert!(message.contains("--url https://"), "{message}");
    for url in [
        "review.example.org",
        "ftp://review.example.org",
        "https://a@b",
        "https://a/b",
        "https://",
    ] {
        let message = refused("0.0.0.0:0", &data, &["--url", url]);
        assert!(message.contains("as the address of the server"), "{url}: {message}");
    }
}

#[test]
fn a_host_name_of_another_site_is_refused() {
    let server = Server::start("rebinding");
    let port = server.address.rsplit(':').next().unwrap();
    for host in [
        "evil.example",
        &format!("evil.example:{port}"),
        &format!("127.0.0.1.evil.example:{port}"),
        "localhost",
        "",
    ] {
        for path in ["/", "/api/v1/runs", "/api/v1/health", "/assets/app.js"] {
            let answer = server.send("GET", path, &[("Host", host)], b"");
            assert!(
                answer.status == 421 || answer.status == 400,
                "{host:?} {path} {}",
                answer.status
            );
            assert!(!answer.text().contains("precedent-"), "{host:?} {path}");
        }
    }
    assert_eq!(
        server
            .send("GET", "/api/v1/health", &[("Host", &format!("localhost:{port}"))], b"")
            .status,
        200
    );
    // The host in the request line counts too.
    let answer = server.send("GET", "http://evil.example/api/v1/health", &[], b"");
    assert_eq!(answer.status, 421);
}

#[test]
fn a_page_of_another_site_cannot_change_anything() {
    let server = Server::start("csrf");
    let input = server.upload_example();
    let body = json!({ "job": "assess", "input": input, "corpora": ["works"] }).to_string();
    let attacks: [&[(&str, &str)]; 4] = [
        &[("Sec-Fetch-Site", "cross-site"), ("Content-Type", "text/plain")],
        &[("Sec-Fetch-Site", "same-site"), ("Content-Type", "application/json")],
        &[("Origin", "https://evil.example")],
        &[("Origin", "null")],
    ];
    for headers in attacks {
        for (method, path) in [
            ("POST", "/api/v1/runs"),
            ("POST", "/api/v1/inputs"),
            ("POST", "/new"),
            ("POST", "/match"),
            ("DELETE", "/api/v1/runs/x"),
        ] {
            let answer = server.send(method, path, headers, body.as_bytes());
            assert_eq!(answer.status, 403, "{headers:?} {path}");
            assert_eq!(answer.json()["kind"], "refused");
        }
    }
    let document = server.get("/api/v1/openapi.json").json();
    for (path, methods) in document["paths"].as_object().unwrap() {
        let path = path.replace(['{', '}'], "");
        for method in methods.as_object().unwrap().keys().filter(|method| *method != "get") {
            let answer = server.send(&method.to_uppercase(), &path, attacks[2], b"{}");
            assert_eq!(answer.status, 403, "{method} {path}");
        }
    }
    assert_eq!(server.get("/api/v1/runs").json()["total"], 0);
    let own = format!("http://{}", server.address);
    assert_eq!(
        server
            .send("POST", "/api/v1/runs", &[("Origin", &own)], body.as_bytes())
            .status,
        202
    );
    // No response lets another site read it.
    assert!(
        server
            .get("/api/v1/runs")
            .header("access-control-allow-origin")
            .is_none()
    );
}

#[test]
fn no_id_or_name_leaves_its_folder() {
    let server = Server::start("traversal");
    let id = server.assess_example();
    server.wait_for(&id, "finished");
    std::fs::write(server.data.join("secret.txt"), "the secret").unwrap();
    let wrong = [
        "..%2f..%2fsecret.txt",
        "../../secret.txt",
        "%2e%2e/%2e%2e/secret.txt",
        "..%5csecret.txt",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "job.json",
        "request.json",
        "ledger.sqlite",
        ".lock",
        "report.json%00.html",
        "report.json/",
        "",
    ];
    for name in wrong {
        for path in [
            format!("/api/v1/runs/{id}/files/{name}"),
            format!("/api/v1/runs/{name}"),
            format!("/api/v1/runs/{name}/files/report.json"),
            format!("/api/v1/runs/{name}/events"),
            format!("/api/v1/runs/{name}/requests"),
            format!("/api/v1/inputs/{name}"),
            format!("/api/v1/corpora/{name}"),
            format!("/api/v1/batches/{name}"),
            format!("/api/v1/batches/{name}/summary.csv"),
            format!("/api/v1/watches/{name}"),
            format!("/batches/{name}"),
            format!("/watches/{name}"),
            format!("/watches/{name}/feed"),
            format!("/shared/{name}/report.json"),
            format!("/runs/{name}"),
            format!("/assets/{name}"),
        ] {
            // These are the lists of runs and corpora.
            if name.is_empty() {
                continue;
            }
            let answer = server.get(&path);
            assert!(
                matches!(answer.status, 400 | 404 | 405),
                "{path} {} {}",
                answer.status,
                answer.text()
            );
            assert!(
                !answer.text().contains("the secret") && !answer.text().contains("root:"),
                "{path}"
            );
        }
        let deleted = server.send("DELETE", &format!("/api/v1/runs/{name}"), &[], b"");
        assert!(matches!(deleted.status, 400 | 404 | 405), "{name} {}", deleted.status);
        let deleted = server.send("DELETE", &format!("/api/v1/inputs/{name}"), &[], b"");
        assert!(matches!(deleted.status, 400 | 404 | 405), "{name} {}", deleted.status);
        let body = json!({ "job": "assess", "input": name, "corpora": [name] });
        assert!(matches!(server.post("/api/v1/runs", &body).status, 400 | 404), "{name}");
        let body = json!({ "job": "idea", "text": "Ropes that do not creep at all", "corpora": ["works"], "sources": [format!("papers:{name}")] });
        assert_eq!(server.post("/api/v1/runs", &body).status, 400, "{name}");
    }
    assert!(server.data.join("secret.txt").is_file());
    assert_eq!(server.run(&id)["state"], "finished");
}

#[test]
fn an_upload_that_is_too_large_is_refused_and_leaves_nothing() {
    let server = Server::start("large");
    // The server refuses it after the head.
    let mut stream = server.connect();
    write!(
        stream,
        "POST /api/v1/inputs?name=a.pdf HTTP/1.1\r\nHost: {}\r\nContent-Length: 60000000\r\n\r\n",
        server.address
    )
    .unwrap();
    let answer = Answer::read(stream);
    assert_eq!(
        (answer.status, answer.json()["kind"].as_str()),
        (413, Some("too_large"))
    );
    // Without a length it is refused on the way.
    let mut stream = server.connect();
    write!(
        stream,
        "POST /api/v1/inputs?name=a.pdf HTTP/1.1\r\nHost: {}\r\nTransfer-Encoding: chunked\r\n\r\n",
        server.address
    )
    .unwrap();
    let chunk = vec![b'x'; 1_000_000];
    let mut sent = 0;
    // 1 GB.
    for _ in 0..1_000 {
        let written = write!(stream, "f4240\r\n")
            .and_then(|()| stream.write_all(&chunk))
            .and_then(|()| stream.write_all(b"\r\n"));
        if written.is_err() {
            break;
        }
        sent += 1;
    }
    // What is on the way between both may be more than the limit.
    assert!((50..500).contains(&sent), "{sent}");
    let mut text = String::new();
    let _ = stream.read_to_string(&mut text);
    assert!(text.is_empty() || text.contains("413"), "{text}");
    let start = Instant::now();
    while std::fs::read_dir(server.data.join("inputs")).unwrap().count() > 0 {
        assert!(start.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(50));
    }
    // A body that is no upload has a smaller limit.
    let text = "x".repeat(3_000_000);
    assert_eq!(server.post("/api/v1/search", &json!({ "query": text })).status, 413);
    assert_eq!(
        server
            .post("/api/v1/search", &json!({ "query": &text[..600_000] }))
            .status,
        413
    );
}

#[test]
fn a_slow_client_is_disconnected_and_others_are_served() {
    let server = Server::start("slow");
    let mut slow: Vec<_> = (0..20).map(|_| server.connect()).collect();
    for stream in &mut slow {
        write!(stream, "GET / HTTP/1.1\r\nHost: {}\r\nX-Slow:", server.address).unwrap();
    }
    let start = Instant::now();
    assert_eq!(server.get("/api/v1/health").status, 200);
    assert!(start.elapsed() < Duration::from_secs(5));
    // A head may take 10 s.
    for stream in &mut slow {
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let mut rest = Vec::new();
        let closed = stream.read_to_end(&mut rest);
        assert!(closed.is_ok() || closed.is_err_and(|error| error.kind() == std::io::ErrorKind::ConnectionReset));
    }
    assert!(start.elapsed() < Duration::from_secs(25), "{:?}", start.elapsed());
}

#[test]
fn every_response_has_the_headers_that_keep_pages_safe() {
    let server = Server::start("headers");
    for path in ["/", "/runs", "/api/v1/health", "/nothing", "/assets/app.js"] {
        let answer = server.get(path);
        let policy = answer.header("content-security-policy").unwrap_or_default();
        assert!(
            policy.contains("default-src 'none'")
                && policy.contains("script-src 'self'")
                && !policy.contains("unsafe")
                && !policy.contains("frame-src"),
            "{path} {policy}"
        );
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(
            answer.header("cross-origin-resource-policy"),
            Some("same-origin"),
            "{path}"
        );
    }
}

#[test]
fn only_a_pdf_is_shown_and_only_to_its_owner() {
    let data = fresh_folder("pdf");
    let (ada, bob) = (add_user(&data, "ada", &[]), add_user(&data, "bob", &[]));
    let server = Server::start_in(&data, &[]);
    let (ada, bob) = (Person::new(&server, &ada), Person::new(&server, &bob));
    let upload = |name: &str, content: &[u8]| {
        let answer = ada.send("POST", &format!("/api/v1/inputs?name={name}"), content);
        format!("/api/v1/inputs/{}", answer.json()["sha256"].as_str().unwrap())
    };
    let paper = std::fs::read(super::client::root().join("examples/paper.pdf")).unwrap();
    let input = upload("A%22%0d%0aX:%201.html", &paper);
    let shown = ada.send("GET", &format!("{input}/pdf"), b"");
    assert!(shown.status == 200 && shown.body == paper);
    assert_eq!(shown.header("content-type"), Some("application/pdf"));
    assert_eq!(shown.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(
        shown.header("content-disposition"),
        Some("inline; filename=\"A___X_ 1.html.pdf\"")
    );
    let policy = shown.header("content-security-policy").unwrap();
    assert!(
        policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'self'"),
        "{policy}"
    );
    assert!(!policy.contains("script-src"), "{policy}");
    // The name says nothing: not of these.
    for content in [b"<script>alert(1)</script>".as_slice(), b"%PD", b" %PDF-1.7 <html>"] {
        let other = upload("paper.pdf", content);
        assert_eq!(ada.send("GET", &format!("{other}/pdf"), b"").status, 404);
    }
    // Neither other users nor a link to the report.
    assert_eq!(bob.send("GET", &format!("{input}/pdf"), b"").status, 404);
    assert_eq!(server.get(&format!("{input}/pdf")).status, 401);
    let sha256 = input.rsplit('/').next().unwrap();
    let request = json!({ "job": "assess", "input": sha256, "corpora": ["works"] }).to_string();
    let id = ada.send("POST", "/api/v1/runs", request.as_bytes()).json()["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let start = Instant::now();
    while ada.send("GET", &format!("/api/v1/runs/{id}"), b"").json()["state"] != "finished" {
        assert!(start.elapsed() < super::client::PATIENCE);
        std::thread::sleep(Duration::from_millis(50));
    }
    let shared = ada.send("POST", &format!("/api/v1/runs/{id}/share"), b"").json();
    let secret = shared["shared"].as_str().unwrap();
    assert_eq!(server.get(&format!("/shared/{secret}/report.md")).status, 200);
    for name in [
        "paper.pdf",
        "A___X_%201.html",
        "pdf",
        sha256,
        &format!("..%2f{sha256}%2fpdf"),
    ] {
        assert_eq!(server.get(&format!("/shared/{secret}/{name}")).status, 404, "{name}");
    }
}

#[test]
fn models_of_the_settings_file_for_single_stages_are_not_used() {
    let data = super::client::fresh_folder("stages");
    let settings = super::client::fresh_folder("stages-settings");
    std::fs::write(
        &settings,
        "model_url = \"http://127.0.0.1:9/v1\"\n[stages]\nextract = \"openai:another\"\n",
    )
    .unwrap();
    let arguments = ["--model", "openai:gpt-5-mini", "--settings", settings.to_str().unwrap()];
    let server = Server::start_in(&data, &arguments);
    let paper = std::fs::read(super::client::root().join("examples/paper.pdf")).unwrap();
    let draft = server.multipart(
        "/new",
        &[
            ("file", "paper.pdf", paper.as_slice()),
            ("job", "", b"assess"),
            ("corpus", "", b"works"),
            ("model", "", b"openai:gpt-5-mini"),
        ],
    );
    assert_eq!(draft.status, 303, "{}", draft.text());
    let page = draft.header("location").unwrap();
    let request = std::fs::read_to_string(data.join(page.trim_start_matches('/')).join("request.json")).unwrap();
    assert!(
        request.contains("openai:gpt-5-mini") && !request.contains("another"),
        "{request}"
    );
    let shown = server.get(page).text();
    assert!(
        shown.contains("To the model") && shown.contains("http://127.0.0.1:9/v1"),
        "{shown}"
    );
}

/// Every process is started through a script that notes its arguments, and ends the reader of one file as a crash does.
#[cfg(unix)]
#[test]
fn uploads_are_read_in_processes_of_their_own_and_a_crash_ends_one_run() {
    use std::os::unix::fs::PermissionsExt;

    let data = fresh_folder("readers");
    std::fs::create_dir_all(&data).unwrap();
    let (script, log) = (data.join("precedent"), data.join("log"));
    let text = format!(
        "#!/bin/sh\necho \"$@\" >> '{}'\ncase \"$*\" in *--read*bomb*) kill -SEGV $$;; esac\nexec '{}' \"$@\"\n",
        log.display(),
        env!("CARGO_BIN_EXE_precedent")
    );
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = program();
    command.env("PRECEDENT_PROGRAM", &script);
    let server = Server::start_with(&data, &[], command);
    let id = server.assess_example();
    let paper =
        b"# Ropes That Do Not Creep\n\nAbstract\n\nWe propose a decoder that re-estimates the stiffness of the rope.\n";
    let bomb = server.send("POST", "/api/v1/inputs?name=bomb.md", &[], paper).json();
    let bomb = server.post(
        "/api/v1/runs",
        &json!({ "job": "assess", "input": bomb["sha256"], "corpora": ["works"] }),
    );
    let bomb = bomb.json()["id"].as_str().unwrap().to_owned();
    server.wait_for(&id, "finished");
    let start = Instant::now();
    let failed = loop {
        let run = server.run(&bomb);
        if run["state"] == "failed" {
            break run;
        }
        assert!(start.elapsed() < super::client::PATIENCE, "{run:#}");
        std::thread::sleep(Duration::from_millis(20));
    };
    let problem = &failed["problem"];
    assert_eq!(problem["kind"], "input", "{failed:#}");
    assert!(
        problem["detail"].as_str().unwrap().contains("without an answer"),
        "{failed:#}"
    );
    // A call reads in a process of its own too.
    let quote = json!({ "source": { "input": server.upload_example() }, "quotes": ["A slack rope carries nothing, and a study of one winter"] });
    assert_eq!(server.post("/api/v1/verify", &quote).json()[0]["outcome"], "exact");
    let started = std::fs::read_to_string(&log).unwrap();
    let reads = started
        .lines()
        .filter(|line| line.contains("work --read ") && line.ends_with("paper.pdf"));
    assert_eq!(reads.count(), 2, "{started}");
}

/// A reader whose server was killed ends before its own limits: here it would print for ever, as nobody takes its answer.
#[test]
fn a_reader_ends_when_nobody_waits_for_it() {
    let folder = fresh_folder("orphans");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("paper.md");
    // More than a pipe holds.
    std::fs::write(&file, "Ropes carry symbols. ".repeat(50_000)).unwrap();
    let mut reader = program();
    reader.args(["work", "--read"]).arg(&file).stdin(Stdio::piped());
    let mut reader = reader.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    drop(reader.stdin.take());
    let start = Instant::now();
    let status = loop {
        if let Some(status) = reader.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > Duration::from_secs(60) {
            reader.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(status.code(), Some(1), "{status}");
}

/// The process that reads a file prints it, and is limited to it where the kernel can do that.
#[test]
fn the_reader_prints_what_it_reads() {
    let paper = super::client::root().join("examples/paper.pdf");
    let mut reader = program();
    reader.args(["work", "--read"]).arg(&paper).stdin(Stdio::piped());
    let mut reader = reader.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Whoever waits for the answer keeps it open.
    let _stdin = reader.stdin.take();
    let read = reader.wait_with_output().unwrap();
    assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
    let answer: serde_json::Value = serde_json::from_slice(&read.stdout).unwrap();
    let title = &answer["paper"][0]["title"];
    assert_eq!(title, "Slack-Aware Coding for Rope-Line Telemetry in Heavy Swell");
    let doctor = program().arg("doctor").output().unwrap();
    let printed = String::from_utf8_lossy(&doctor.stdout).into_owned();
    assert!(
        printed.contains("isolation of uploads") && printed.contains("a process that reads an upload"),
        "{printed}"
    );
}
