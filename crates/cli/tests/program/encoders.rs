//! Embedders and rerankers: download, use and refusal.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;

use crate::support::{json, precedent, precedent_with, stderr, stdout};

/// A corpus of papers about graphs, one of which also mentions walruses.
fn corpus_in(dir: &Path) -> String {
    let works: String = (0..12)
        .map(|n| {
            let of = if n == 7 { "walrus colonies" } else { "small trees" };
            format!("{{\"id\": \"w{n}\", \"title\": \"Graph parsing {n}\", \"abstract\": \"Of {of}, number {n}.\"}}\n")
        })
        .collect();
    let (corpus, file) = (dir.join("corpus"), dir.join("works.jsonl"));
    std::fs::write(&file, works).unwrap();
    let corpus = corpus.to_str().unwrap().to_owned();
    let added = precedent(&["corpus", "add", &corpus, file.to_str().unwrap()]);
    assert!(added.status.success(), "{}", stderr(&added));
    corpus
}

/// An embedding server that considers only the text "graph" and walruses similar.
fn serve() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let (mut bytes, mut chunk) = (Vec::new(), [0; 65536]);
            let body = loop {
                let read = stream.read(&mut chunk).unwrap_or(0);
                bytes.extend_from_slice(&chunk[..read]);
                let text = String::from_utf8_lossy(&bytes).into_owned();
                if let Some((_, body)) = text.split_once("\r\n\r\n")
                    && let Ok(body) = serde_json::from_str::<serde_json::Value>(body)
                {
                    break body;
                }
                if read == 0 {
                    break serde_json::Value::Null;
                }
            };
            let texts = body["input"].as_array().cloned().unwrap_or_default();
            let vector = |text: &serde_json::Value| match text.as_str() {
                Some(text) if text == "graph" || text.contains("walrus") => [1.0, 0.1],
                _ => [0.0, 1.0],
            };
            let data: Vec<_> = texts
                .iter()
                .enumerate()
                .map(|(index, text)| serde_json::json!({"index": index, "embedding": vector(text)}))
                .collect();
            let output = serde_json::json!({ "data": data }).to_string();
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{output}",
                output.len()
            );
        }
    });
    url
}

#[test]
fn a_served_embedder_reranks_the_candidates() {
    let dir = tempfile::tempdir().unwrap();
    let corpus = corpus_in(dir.path());
    let plain = json(&precedent(&["search", "graph", "--corpus", &corpus, "--json"]));
    assert_ne!(plain["results"][0]["id"], "w7");
    let url = serve();
    let asked = ["--embedder", "small", "--embedder-url", &url, "--local-only", "--json"];
    let one = ["search", "graph", "--corpus", &corpus];
    let found = json(&precedent(&[&one[..], &asked[..]].concat()));
    assert_eq!(found["results"][0]["id"], "w7", "{found}");
    assert_eq!(found["results"].as_array().unwrap().len(), 10);
    let queries = dir.path().join("queries.jsonl");
    let lines: String = (0..70)
        .map(|n| format!("{{\"id\": {n}, \"text\": \"graph\"}}\n"))
        .collect();
    std::fs::write(&queries, lines).unwrap();
    let many = ["search", "--queries", queries.to_str().unwrap(), "--corpus", &corpus];
    let answers = stdout(&precedent(&[&many[..], &asked[..]].concat()));
    for (number, line) in answers.lines().enumerate() {
        let answer: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(answer["id"], number, "results must be in the order of the queries");
        assert_eq!(answer["results"], found["results"]);
    }
    assert_eq!(answers.lines().count(), 70);
}

#[test]
fn local_only_refuses_a_remote_model_before_any_work() {
    for (kind, url) in [("--embedder", "--embedder-url"), ("--reranker", "--reranker-url")] {
        let elsewhere = "https://models.example.org/v1";
        // The corpus does not exist, so it was not opened.
        let asked = ["search", "graph", "--corpus", "nowhere", kind, "m", url, elsewhere];
        let refused = precedent(&[&asked[..], &["--local-only"]].concat());
        assert_eq!(refused.status.code(), Some(4), "{}", stderr(&refused));
        assert!(stderr(&refused).contains("models.example.org"), "{}", stderr(&refused));
    }
}

#[test]
fn a_model_that_is_not_installed_gives_install_instructions() {
    let dir = tempfile::tempdir().unwrap();
    let corpus = corpus_in(dir.path());
    let with = [("PRECEDENT_MODELS", dir.path().to_str().unwrap())];
    let missing = precedent_with(&["search", "graph", "--corpus", &corpus, "--embedder", "minilm"], &with);
    assert_eq!(missing.status.code(), Some(4));
    assert!(
        stderr(&missing).contains("precedent models pull"),
        "{}",
        stderr(&missing)
    );
    let unknown = precedent_with(&["search", "graph", "--corpus", &corpus, "--embedder", "maxilm"], &with);
    assert_eq!(unknown.status.code(), Some(2));
    let no_address = precedent_with(&["search", "graph", "--corpus", &corpus, "--reranker", "ce"], &with);
    assert_eq!(no_address.status.code(), Some(2));
    assert!(stderr(&no_address).contains("--reranker-url"));
    let listed = json(&precedent_with(&["models", "list", "--json"], &with));
    assert_eq!((&listed["name"], &listed["here"]), (&"minilm".into(), &false.into()));
    let from = dir.path().join("corpus");
    let nothing = precedent_with(&["models", "pull", "minilm", "--from", from.to_str().unwrap()], &with);
    assert_eq!(nothing.status.code(), Some(3));
    assert!(stderr(&nothing).contains("model.safetensors"), "{}", stderr(&nothing));
    assert!(!dir.path().join("minilm").exists());
}

/// A mock hub that redirects to the files as the real one does, and the requested paths.
fn hub(says: fn(&str) -> (u16, String)) -> (String, std::sync::Arc<std::sync::Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let asked = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let requests = std::sync::Arc::clone(&asked);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut chunk = [0; 8192];
            let read = stream.read(&mut chunk).unwrap_or(0);
            let head = String::from_utf8_lossy(&chunk[..read]).into_owned();
            let path = head.split_whitespace().nth(1).unwrap_or_default().to_owned();
            requests.lock().unwrap().push(path.clone());
            let (status, output) = match path.strip_prefix("/bytes/") {
                Some(file) => says(file),
                None => (307, String::new()),
            };
            let file = path.rsplit('/').next().unwrap_or_default();
            let _ = write!(
                stream,
                "HTTP/1.1 {status} .\r\nlocation: /bytes/{file}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{output}",
                output.len()
            );
        }
    });
    (url, asked)
}

#[test]
fn a_model_is_downloaded_through_redirects_and_a_wrong_file_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let with = [("PRECEDENT_MODELS", dir.path().to_str().unwrap())];
    let (url, asked) = hub(|file| (200, format!("this is no {file}")));
    let other = precedent_with(&["models", "pull", "minilm", "--hub", &url], &with);
    assert_eq!(other.status.code(), Some(3), "{}", stderr(&other));
    assert!(stderr(&other).contains("SHA-256"), "{}", stderr(&other));
    let asked = asked.lock().unwrap().clone();
    let place = "/sentence-transformers/all-MiniLM-L6-v2/resolve/main/model.safetensors";
    assert!(asked.iter().any(|path| path == place), "{asked:?}");
    assert!(asked.iter().any(|path| path == "/bytes/model.safetensors"), "{asked:?}");
    let (url, _) = hub(|_| (404, "Entry not found".to_owned()));
    let missing = precedent_with(&["models", "pull", "minilm", "--hub", &url], &with);
    assert_eq!(missing.status.code(), Some(4), "{}", stderr(&missing));
    assert!(stderr(&missing).contains("--from"), "{}", stderr(&missing));
    assert!(!dir.path().join("minilm").exists());
}
