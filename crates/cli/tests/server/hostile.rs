//! Files, fields and answers of a model that try to do harm.

use std::fs;
use std::io::Write;
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use precedent_scripted::{ModelServer, Say, plain};
use serde_json::{Value, json};

use super::client::{PATIENCE, Server, fresh_folder, root};
use super::users::{Person, add_user};

const ATTACK: &str = "<script>alert(1)</script><img src=x onerror=alert(1)>";

fn is_clean(what: &str, text: &str) {
    assert!(
        !text.contains("<script>alert") && !text.contains("<img src=x"),
        "{what}: {text}"
    );
}

fn upload(server: &Server, name: &str, bytes: &[u8]) -> String {
    let answer = server.send("POST", &format!("/api/v1/inputs?name={name}"), &[], bytes);
    assert_eq!(answer.status, 201, "{name}: {}", answer.text());
    answer.json()["sha256"].as_str().unwrap().to_owned()
}

/// Runs a request until it has ended, whatever the end.
fn ended(server: &Server, request: &Value) -> Value {
    let answer = server.post("/api/v1/runs", request);
    assert_eq!(answer.status, 202, "{request}: {}", answer.text());
    let id = answer.json()["id"].as_str().unwrap().to_owned();
    let start = std::time::Instant::now();
    loop {
        let run = server.run(&id);
        if !matches!(run["state"].as_str(), Some("queued" | "running")) {
            return run;
        }
        assert!(start.elapsed() < PATIENCE, "{run:#}");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

/// Counts connections.
fn listener() -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (port, connections) = (listener.local_addr().unwrap().port(), Arc::new(AtomicUsize::new(0)));
    let count = Arc::clone(&connections);
    std::thread::spawn(move || {
        for _ in listener.incoming() {
            count.fetch_add(1, Ordering::SeqCst);
        }
    });
    (port, connections)
}

/// Of the large part of a bomb: twice what a reader unpacks.
const SIZE: u32 = 128 << 20;

/// What a large part begins with; only LaTeX needs it.
const LATEX: &[u8] = b"\\documentclass{article}\\begin{document}";

/// Writes as many spaces.
fn spaces<W: Write>(mut writer: W) -> W {
    let block = vec![b' '; 1 << 20];
    for _ in 0..SIZE >> 20 {
        writer.write_all(&block).unwrap();
    }
    writer
}

/// A zip archive whose last entry is large.
fn zip_bomb(entries: &[(&str, &str)], large: &str) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    for (name, content) in entries {
        archive.start_file(*name, options).unwrap();
        archive.write_all(content.as_bytes()).unwrap();
    }
    archive.start_file(large, options).unwrap();
    archive.write_all(LATEX).unwrap();
    spaces(archive).finish().unwrap().into_inner()
}

/// The same, but it says that the entry is small.
fn lying(mut archive: Vec<u8>) -> Vec<u8> {
    let size = (SIZE + u32::try_from(LATEX.len()).unwrap()).to_le_bytes();
    for at in 0..archive.len() - 4 {
        if archive[at..at + 4] == size {
            archive[at..at + 4].copy_from_slice(&1_000_u32.to_le_bytes());
        }
    }
    archive
}

/// A compressed archive of a LaTeX file.
fn tar_bomb() -> Vec<u8> {
    let mut header = tar::Header::new_gnu();
    header.set_path("main.tex").unwrap();
    header.set_size(u64::from(SIZE) + LATEX.len() as u64);
    header.set_mode(0o644);
    header.set_cksum();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(header.as_bytes()).unwrap();
    encoder.write_all(LATEX).unwrap();
    spaces(encoder).finish().unwrap()
}

/// A PDF whose only page has as much content.
fn pdf_bomb() -> Vec<u8> {
    let content = spaces(ZlibEncoder::new(Vec::new(), Compression::fast()))
        .finish()
        .unwrap();
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut places = Vec::new();
    let stream = format!("<< /Length {} /Filter /FlateDecode >>\nstream\n", content.len());
    let objects: [&[&[u8]]; 4] = [
        &[b"<< /Type /Catalog /Pages 2 0 R >>"],
        &[b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"],
        &[b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R >>"],
        &[stream.as_bytes(), &content, b"\nendstream"],
    ];
    for (number, parts) in (1..).zip(objects) {
        places.push(file.len());
        file.extend(format!("{number} 0 obj\n").bytes());
        file.extend(parts.concat());
        file.extend(b"\nendobj\n");
    }
    let table = file.len();
    file.extend(b"xref\n0 5\n0000000000 65535 f \n");
    for place in places {
        file.extend(format!("{place:010} 00000 n \n").bytes());
    }
    file.extend(format!("trailer << /Size 5 /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n").bytes());
    file
}

#[test]
fn bombs_end_their_run_and_nothing_else() {
    let server = Server::start("bombs");
    let word = [
        (
            "_rels/.rels",
            r#"<Relationships><Relationship Type="http://x/relationships/officeDocument" Target="word/document.xml"/></Relationships>"#,
        ),
        ("[Content_Types].xml", "<Types/>"),
    ];
    let word = zip_bomb(&word, "word/document.xml");
    let bombs = [
        ("bomb.docx", word.clone()),
        ("lies.docx", lying(word)),
        (
            "bomb.odt",
            zip_bomb(
                &[("mimetype", "application/vnd.oasis.opendocument.text")],
                "content.xml",
            ),
        ),
        (
            "bomb.epub",
            zip_bomb(&[("mimetype", "application/epub+zip")], "META-INF/container.xml"),
        ),
        ("bomb.zip", zip_bomb(&[], "main.tex")),
        ("bomb.tar.gz", tar_bomb()),
        ("bomb.pdf", pdf_bomb()),
    ];
    for (name, bytes) in bombs {
        let run = ended(
            &server,
            &json!({ "job": "assess", "input": upload(&server, name, &bytes), "corpora": ["works"] }),
        );
        assert_eq!(
            (&run["state"], &run["problem"]["kind"]),
            (&json!("failed"), &json!("input")),
            "{name}: {run:#}"
        );
        assert_eq!(server.get("/api/v1/health").status, 200, "{name}");
    }
    let id = server.assess_example();
    server.wait_for(&id, "finished");
}

#[test]
fn nothing_that_a_file_or_a_field_names_is_opened() {
    let server = Server::start("names");
    let (port, connections) = listener();
    let web = format!("http://127.0.0.1:{port}/x");
    let secret = server.data.join("secret.txt");
    let words = "the harbour master keeps nine brass keys under the third tide table";
    fs::write(&secret, words).unwrap();
    let place = secret.display();
    let more = "Every buoy tugs its rope and listens to the tension of the next one. ".repeat(20);
    let body = "We propose a creep-compensated decoder that re-estimates the stiffness of the rope from pilot tugs in every frame.";
    let files = [
        (
            "a.html",
            format!(
                "<html><head><link rel=stylesheet href='{web}'><base href='{web}'></head><body><h1>Ropes</h1><p>{body}</p><p>{more}</p><img src='{web}'><iframe src='file://{place}'></iframe><object data='{web}'></object></body></html>"
            ),
        ),
        (
            "a.xml",
            format!(
                "<?xml version='1.0'?><!DOCTYPE article [<!ENTITY f SYSTEM 'file://{place}'><!ENTITY w SYSTEM '{web}'>]><article><front><article-meta><title-group><article-title>Ropes</article-title></title-group></article-meta></front><body><sec><title>One</title><p>{body} &f; &w;</p><p>{more}</p></sec></body></article>"
            ),
        ),
        (
            "a.tex",
            format!(
                "\\documentclass{{article}}\\title{{Ropes}}\\begin{{document}}\\maketitle {body} {more} \\input{{{place}}} \\include{{{place}}} \\immediate\\write18{{curl {web}}} \\includegraphics{{{web}}}\\end{{document}}"
            ),
        ),
        (
            "a.md",
            format!("# Ropes\n\n{body}\n\n{more}\n\n![x]({web}) ![y](file://{place}) <img src=\"{web}\">\n"),
        ),
    ];
    for (name, content) in files {
        let input = upload(&server, name, content.as_bytes());
        let quotes = json!({ "source": { "input": input }, "quotes": [body, words] });
        let verified = server.post("/api/v1/verify", &quotes).json();
        assert_eq!(verified[0]["outcome"], "exact", "{name}: {verified:#}");
        assert_ne!(verified[1]["outcome"], "exact", "{name}: {verified:#}");
        ended(
            &server,
            &json!({ "job": "assess", "input": input, "corpora": ["works"] }),
        );
    }
    for (name, value) in [
        ("model", json!(format!("compatible:{web}"))),
        ("model", json!(web)),
        ("sources", json!([web])),
        ("sources", json!([format!("papers:{place}")])),
        ("corpora", json!([web])),
        ("corpora", json!([secret])),
        ("input", json!(web)),
        ("input", json!(secret)),
        ("formats", json!([web])),
    ] {
        let mut request =
            json!({ "job": "idea", "text": "Ropes that do not creep carry symbols.", "corpora": ["works"] });
        if name == "input" {
            request.as_object_mut().unwrap().remove("text");
        }
        request[name] = value;
        for path in ["/api/v1/runs", "/api/v1/estimates"] {
            let answer = server.post(path, &request);
            assert!(
                (400..500).contains(&answer.status),
                "{request}: {} {}",
                answer.status,
                answer.text()
            );
        }
        let answer = server.post("/api/v1/watches", &json!({ "request": request }));
        assert!(
            (400..500).contains(&answer.status)
                || [200, 201].contains(&answer.status) && ["model", "formats"].contains(&name),
            "{request}: {}",
            answer.text()
        );
    }
    for call in [
        ("verify", json!({ "source": { "input": web }, "quotes": [words] })),
        (
            "overlap",
            json!({ "target": { "text": body }, "others": [{ "input": secret }] }),
        ),
        ("match", json!({ "claim": body, "corpora": [web] })),
        ("search", json!({ "query": body, "corpora": [secret] })),
    ] {
        let answer = server.post(&format!("/api/v1/{}", call.0), &call.1);
        assert!((400..500).contains(&answer.status), "{}: {}", call.0, answer.text());
    }
    assert_eq!(connections.load(Ordering::SeqCst), 0);
}

/// Names of corpora, batches and watches, titles and addresses of prior papers, and every sentence of a model.
#[test]
fn no_name_and_no_answer_of_a_model_becomes_markup() {
    let output = Arc::new(Mutex::new(0));
    let count = Arc::clone(&output);
    let model = ModelServer::start(move |question| match plain(question) {
        Say::Text(text) => {
            let output = text.replace(" the ", &format!(" the {ATTACK} "));
            *count.lock().unwrap() += usize::from(output != text);
            Say::Text(output)
        }
        other => other,
    })
    .unwrap();
    let data = fresh_folder("markup");
    fs::create_dir_all(&data).unwrap();
    let settings = data.join("settings.toml");
    fs::write(&settings, format!("model_url = \"{}/v1\"\n", model.base())).unwrap();
    // A title and an address with markup, in a corpus whose name has some. Windows allows no such name.
    let corpus = data.join(if cfg!(windows) {
        "plain.jsonl"
    } else {
        "<img src=x onerror=alert(1)>.jsonl"
    });
    let claim =
        "a creep-compensated decoder that re-estimates the stiffness of the rope from pilot tugs in every frame";
    let record = json!({
        "id": "rope:1", "title": format!("Decoders {ATTACK} for Ropes"), "date": "2020-06-02", "url": "javascript:alert(1)", "venue": ATTACK,
        "authors": [ATTACK], "abstract": format!("We propose {claim}. {ATTACK}")
    });
    fs::write(&corpus, format!("{record}\n")).unwrap();
    let name = corpus.file_name().unwrap().to_str().unwrap();
    let arguments = [
        "--corpus",
        corpus.to_str().unwrap(),
        "--model",
        "compatible:scripted",
        "--settings",
        settings.to_str().unwrap(),
    ];
    let server = Server::start_in(&data, &arguments);
    let sample = fs::read(root().join("examples/paper.pdf")).unwrap();
    let paper = format!(
        "# Ropes\n\nAbstract\n\nWe propose {claim}.\n\n# 1 Introduction\n\nOur contributions are as follows. We introduce {claim}.\n"
    );
    let input = upload(&server, "paper.md", paper.as_bytes());
    let mut pages = vec![
        "/".to_owned(),
        "/runs".into(),
        "/batches".into(),
        "/watches".into(),
        "/corpora".into(),
        "/match".into(),
    ];
    for request in [
        json!({ "job": "assess", "input": input, "corpora": [name, "works"], "model": "compatible:scripted" }),
        json!({ "job": "assess", "input": upload(&server, "paper.pdf", &sample), "corpora": [name, "works"], "model": "compatible:scripted" }),
        json!({ "job": "idea", "text": format!("We place symbols with {claim}."), "corpora": [name], "model": "compatible:scripted" }),
        json!({ "job": "points", "input": input, "corpora": [name], "model": "compatible:scripted" }),
        json!({ "job": "review", "text": format!("We place symbols with {claim}."), "corpora": [name], "model": "compatible:scripted" }),
    ] {
        let run = ended(&server, &request);
        assert_eq!(run["state"], "finished", "{run:#}");
        let id = run["id"].as_str().unwrap();
        pages.extend([format!("/runs/{id}"), format!("/runs/{id}/requests")]);
        let files = run["files"].as_array().unwrap().iter();
        let html = files
            .filter_map(Value::as_str)
            .find(|file| file.ends_with(".html"))
            .unwrap();
        pages.push(format!("/api/v1/runs/{id}/files/{html}"));
        let shown = server.get(&format!("/runs/{id}")).text();
        let links = shown.split("href=\"").filter_map(|part| part.split('"').next());
        pages.extend(links.filter(|link| link.contains("/claims/")).map(str::to_owned));
    }
    assert!(*output.lock().unwrap() > 10, "the model said nothing with markup");
    let batch = json!({ "name": ATTACK, "inputs": [input], "request": { "job": "assess", "corpora": [name] } });
    let batch = server.post("/api/v1/batches", &batch).json();
    pages.push(format!("/batches/{}", batch["id"].as_str().unwrap()));
    let watch = json!({ "request": { "job": "idea", "text": ATTACK, "corpora": [name] }, "name": ATTACK });
    let watch = server.post("/api/v1/watches", &watch).json();
    pages.push(format!("/watches/{}", watch["id"].as_str().unwrap()));
    pages.push(format!("/watches/{}/feed", watch["id"].as_str().unwrap()));
    for page in &pages {
        let answer = server.get(page);
        assert_eq!(answer.status, 200, "{page}: {}", answer.text());
        is_clean(page, &answer.text());
        assert!(!answer.text().contains("href=\"javascript:"), "{page}");
    }
    for (path, fields) in [
        ("/match", vec![("claim", claim), ("corpus", name)]),
        ("/corpora", vec![("query", "ropes decoders"), ("corpus", name)]),
        ("/papers", vec![("name", ATTACK), ("by", "title"), ("job", "assess")]),
    ] {
        let answer = server.form(path, &fields);
        assert!(
            [200, 303].contains(&answer.status),
            "{path}: {} {}",
            answer.status,
            answer.text()
        );
        is_clean(path, &answer.text());
    }
}

#[test]
fn batches_and_watches_of_another_user_do_not_exist() {
    let data = fresh_folder("owners-of-sets");
    let (ada, bob) = (add_user(&data, "ada", &[]), add_user(&data, "bob", &[]));
    let server = Server::start_in(&data, &[]);
    let (ada, bob) = (Person::new(&server, &ada), Person::new(&server, &bob));
    let input = ada.send(
        "POST",
        "/api/v1/inputs?name=a.md",
        b"# Ropes\n\nWe propose ropes that do not creep.\n",
    );
    let input = input.json()["sha256"].as_str().unwrap().to_owned();
    let batch = json!({ "inputs": [input], "request": { "job": "assess", "corpora": ["works"] } });
    let batch = ada.send("POST", "/api/v1/batches", batch.to_string().as_bytes());
    assert_eq!(batch.status, 202, "{}", batch.text());
    let watch = json!({ "request": { "job": "idea", "text": "Ropes that do not creep.", "corpora": ["works"] } });
    let watch = ada.send("POST", "/api/v1/watches", watch.to_string().as_bytes());
    assert_eq!(watch.status, 201, "{}", watch.text());
    let (batch, watch) = (
        batch.json()["id"].as_str().unwrap().to_owned(),
        watch.json()["id"].as_str().unwrap().to_owned(),
    );
    for (method, path) in [
        ("GET", format!("/api/v1/batches/{batch}")),
        ("DELETE", format!("/api/v1/batches/{batch}")),
        ("POST", format!("/api/v1/batches/{batch}/stop")),
        ("POST", format!("/api/v1/batches/{batch}/resume")),
        ("GET", format!("/api/v1/batches/{batch}/summary.csv")),
        ("GET", format!("/batches/{batch}")),
        ("POST", format!("/batches/{batch}/start")),
        ("POST", format!("/batches/{batch}/delete")),
        ("GET", format!("/api/v1/watches/{watch}")),
        ("DELETE", format!("/api/v1/watches/{watch}")),
        ("POST", format!("/api/v1/watches/{watch}/check")),
        ("GET", format!("/watches/{watch}")),
        ("GET", format!("/watches/{watch}/feed")),
        ("POST", format!("/watches/{watch}/check")),
        ("POST", format!("/watches/{watch}/remove")),
    ] {
        assert_eq!(bob.send(method, &path, b"").status, 404, "{method} {path}");
        assert!(
            ada.send("GET", &format!("/api/v1/watches/{watch}"), b"").status == 200,
            "{method} {path}"
        );
    }
    for list in ["/api/v1/batches", "/api/v1/watches"] {
        assert_eq!(bob.send("GET", list, b"").json(), json!([]));
        assert_eq!(ada.send("GET", list, b"").json().as_array().unwrap().len(), 1);
    }
}

/// A body other than an upload may take 30 s.
#[test]
#[ignore = "takes half a minute: cargo test --workspace --test server -- --ignored"]
fn a_body_that_never_ends_is_given_up() {
    let server = Server::start("slow-bodies");
    let slow: Vec<_> = ["/api/v1/runs", "/api/v1/inputs?name=a.pdf", "/new", "/match"]
        .map(|path| {
            let mut stream = server.connect();
            let kind = if path == "/new" {
                "multipart/form-data; boundary=b"
            } else {
                "application/json"
            };
            write!(
                stream,
                "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: {kind}\r\nContent-Length: 1000\r\n\r\n{{",
                server.address
            )
            .unwrap();
            (path, stream)
        })
        .into();
    for (path, stream) in slow {
        let answer = super::client::Answer::read(stream);
        assert_eq!(answer.status, 408, "{path}: {}", answer.text());
    }
    assert_eq!(fs::read_dir(server.data.join("inputs")).unwrap().count(), 0);
}
