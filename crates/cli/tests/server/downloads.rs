//! Papers that the server downloads by identifier, address or title.

use std::fs;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use precedent_scripted::literature::{LibraryRecord, LiteratureServer};
use serde_json::{Value, json};

use super::client::{Server, fresh_folder, root};
use super::users::{Person, add_user};

const TITLE: &str = "Slack-Aware Coding for Rope-Line Telemetry in Heavy Swell";

/// An archive that has the sample as arXiv:2605.00001, and an index that has its title.
struct Internet {
    settings: PathBuf,
    archive: String,
    fetched: Arc<Mutex<Vec<String>>>,
    index: LiteratureServer,
}

impl Internet {
    fn start(name: &str) -> Self {
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let archive = format!("http://{}", listener.local_addr().unwrap());
        let fetched = Arc::new(Mutex::new(Vec::new()));
        let (pdf, received) = (
            fs::read(root().join("examples/paper.pdf")).unwrap(),
            Arc::clone(&fetched),
        );
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let mut head = [0; 8192];
                let read = stream.read(&mut head).unwrap_or_default();
                let head = String::from_utf8_lossy(&head[..read]).into_owned();
                let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
                let (status, body): (_, &[u8]) = match path.as_str() {
                    "/pdf/2605.00001" => ("200 OK", &pdf),
                    _ => ("404 Not Found", b"no such thing"),
                };
                received.lock().unwrap().push(path);
                let head = format!(
                    "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
                    body.len()
                );
                let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
            }
        });
        let record = |key: &str, title: &str, arxiv: &str| LibraryRecord {
            key: key.into(),
            title: title.into(),
            authors: vec![("Elin".into(), "Marsh".into())],
            day: "2026-05-14".into(),
            doi: format!("10.5555/rope.{key}"),
            arxiv: arxiv.into(),
            ..LibraryRecord::default()
        };
        let index = LiteratureServer::start(vec![
            record("2000", TITLE, "2605.00001"),
            record("2001", "Rope-line telemetry in heavy swell: a second look", ""),
        ])
        .unwrap();
        let settings = fresh_folder(name).with_extension("toml");
        let (works, records) = (index.base("openalex"), index.base("semantic-scholar"));
        let text = format!(
            "[papers]\narxiv = '{archive}'\nacl = '{archive}'\nopenreview = '{archive}'\npmc = '{archive}'\nworks = '{works}'\n\
             semantic_scholar = '{records}'\narxiv_between_ms = 0\n"
        );
        fs::write(&settings, text).unwrap();
        Self {
            settings,
            archive,
            fetched,
            index,
        }
    }

    fn serve(&self, more: &[&str]) -> Server {
        let arguments = [&["--settings", self.settings.to_str().unwrap()], more].concat();
        Server::start_in(&fresh_folder("downloads"), &arguments)
    }

    fn requests(&self) -> usize {
        self.fetched.lock().unwrap().len() + self.index.requests().len()
    }
}

#[test]
fn a_paper_is_downloaded_after_its_page_says_who_is_asked() {
    let internet = Internet::start("downloads-page");
    let server = internet.serve(&[]);
    assert!(server.get("/").text().contains("action=\"/papers\""));
    let fields = [
        ("name", "arXiv:2605.00001"),
        ("by", "name"),
        ("job", "assess"),
        ("corpus", "works"),
    ];
    let shown = server.form("/papers", &fields);
    assert_eq!(shown.status, 200, "{}", shown.text());
    let text = shown.text();
    assert!(
        text.contains(&internet.archive)
            && text.contains("the identifier arXiv:2605.00001")
            && text.contains("Download the paper"),
        "{text}"
    );
    assert_eq!(internet.requests(), 0);

    let answer = server.form("/papers/download", &fields);
    assert_eq!(answer.status, 303, "{}", answer.text());
    let run = answer.header("location").unwrap().to_owned();
    let draft = server.get(&run).text();
    assert!(
        draft.contains("Start the run") && draft.contains("Nothing leaves this machine."),
        "{draft}"
    );
    server.form(&format!("{run}/start"), &[]);
    let id = run.trim_start_matches("/runs/").to_owned();
    server.wait_for(&id, "finished");
    // As on the command line: its identifier is known, and the report says what was sent.
    let report = server.get(&format!("/api/v1/runs/{id}/files/report.json")).json();
    assert_eq!(report["original_paper"]["identifiers"]["arxiv"], "2605.00001");
    let sent = report["metadata"]["sent"].to_string();
    assert!(sent.contains("name of the paper"), "{sent}");
    assert_eq!(fs::read_dir(server.data.join("tmp")).unwrap().count(), 0);

    // The same over REST, and the same bytes are the same input.
    let asked = json!({ "paper": "https://arxiv.org/abs/2605.00001" });
    let before = internet.requests();
    let egress = server.post("/api/v1/papers/estimate", &asked).json();
    assert_eq!(egress["to"], json!([internet.archive]));
    assert_eq!(internet.requests(), before);
    let input = server.post("/api/v1/papers", &asked);
    assert_eq!(input.status, 201, "{}", input.text());
    let record = server.run(&id);
    assert_eq!(input.json()["sha256"], record["request"]["input"]);
}

#[test]
fn a_title_is_sent_only_if_it_is_called_one() {
    let internet = Internet::start("downloads-title");
    let server = internet.serve(&[]);
    let words = "slack aware coding for rope line telemetry in heavy swell";
    let fields = |by: &'static str| [("name", words), ("by", by), ("job", "assess"), ("corpus", "works")];
    let as_name = server.form("/papers/download", &fields("name"));
    assert_eq!(as_name.status, 400);
    assert!(as_name.text().contains("search for the title"), "{}", as_name.text());
    assert_eq!(server.post("/api/v1/papers", &json!({ "paper": words })).status, 400);
    let shown = server.form("/papers", &fields("title")).text();
    assert!(
        shown.contains(&internet.index.base("openalex")) && shown.contains("words of the title"),
        "{shown}"
    );
    assert_eq!(internet.requests(), 0);
    assert_eq!(server.form("/papers/download", &fields("title")).status, 303);
    assert!(internet.requests() > 1);
    let several = server.post(
        "/api/v1/papers",
        &json!({ "title": "rope line telemetry in heavy swell" }),
    );
    assert_eq!(several.status, 400);
    assert!(several.text().contains("arXiv:2605.00001"), "{}", several.text());
}

#[test]
fn a_download_reads_no_file_and_reaches_no_machine_of_the_server() {
    let internet = Internet::start("downloads-refused");
    let server = internet.serve(&[]);
    let download = |server: &Server, body: &Value| server.post("/api/v1/papers", body);
    for (name, status) in [
        ("/etc/passwd", 400),
        ("examples/paper.pdf", 400),
        ("file:///etc/passwd", 400),
        ("arXiv:9999.99999", 400),
        // A page of this machine, which the archive would answer.
        (&format!("{}/pdf/2605.00001", internet.archive), 422),
        (
            &format!(
                "http://localhost:{}/pdf/2605.00001",
                internet.archive.rsplit(':').next().unwrap()
            ),
            422,
        ),
    ] {
        let answer = download(&server, &json!({ "paper": name }));
        assert_eq!(answer.status, status, "{name}: {}", answer.text());
    }
    // Whether a file exists is not said.
    let there = fresh_folder("two words").join("of a file");
    let titles = [there.display().to_string(), there.join("gone").display().to_string()];
    fs::create_dir_all(there.parent().unwrap()).unwrap();
    fs::write(&there, "").unwrap();
    let answers = titles.map(|title| download(&server, &json!({ "title": title })).status);
    assert_eq!(answers[0], answers[1]);
    assert!(internet.fetched.lock().unwrap().is_empty());
    assert_eq!(fs::read_dir(server.data.join("inputs")).unwrap().count(), 0);
    assert_eq!(download(&server, &json!({ "paper": "x", "title": "y" })).status, 400);

    let before = internet.requests();
    let closed = internet.serve(&["--local-only"]);
    assert_eq!(download(&closed, &json!({ "paper": "arXiv:2605.00001" })).status, 403);
    assert!(!closed.get("/").text().contains("action=\"/papers\""));
    let data = fresh_folder("downloads-users");
    let (ada, bob) = (add_user(&data, "ada", &[]), add_user(&data, "bob", &["--local-only"]));
    let server = Server::start_in(&data, &["--settings", internet.settings.to_str().unwrap()]);
    let body = json!({ "paper": "arXiv:2605.00001" }).to_string();
    let of = |token: &str, path: &str| Person::new(&server, token).send("POST", path, body.as_bytes());
    for path in ["/api/v1/papers", "/api/v1/papers/estimate"] {
        assert_eq!(of(&bob, path).status, 403);
    }
    assert_eq!(internet.requests(), before);
    assert_eq!(of(&ada, "/api/v1/papers").status, 201);
}
