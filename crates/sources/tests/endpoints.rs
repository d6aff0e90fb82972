//! Embedders and rerankers behind endpoints, against a scripted server on loopback.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot set up its server, or is asked otherwise, has failed"
)]

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use precedent_corpus::{Embedder, EncodeError, Reranker, TextKind};
use precedent_http::{HttpGateway, NetworkPolicy, Secret, Settings};
use precedent_sources::{EndpointEmbedder, EndpointLine, EndpointReranker};

/// The received requests: path, head, body.
type Asked = Arc<Mutex<Vec<(String, String, serde_json::Value)>>>;

/// A server that computes its response from the body.
fn serve(answer: impl Fn(&serde_json::Value) -> (u16, String) + Send + 'static) -> (String, Asked) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let asked = Asked::default();
    let log = Arc::clone(&asked);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let (mut bytes, mut chunk) = (Vec::new(), [0; 65536]);
            let (head, body) = loop {
                let read = stream.read(&mut chunk).unwrap_or(0);
                bytes.extend_from_slice(&chunk[..read]);
                let text = String::from_utf8_lossy(&bytes).into_owned();
                if let Some((head, body)) = text.split_once("\r\n\r\n") {
                    let length = head.lines().find_map(|line| {
                        let (name, value) = line.split_once(':')?;
                        name.eq_ignore_ascii_case("content-length")
                            .then(|| value.trim().parse::<usize>().unwrap())
                    });
                    if body.len() >= length.unwrap_or(0) {
                        break (head.to_owned(), body.to_owned());
                    }
                }
                if read == 0 {
                    break (String::new(), String::new());
                }
            };
            if head.is_empty() {
                continue;
            }
            let body = serde_json::from_str(&body).unwrap_or_default();
            let (status, output) = answer(&body);
            let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
            log.lock().unwrap().push((path, head, body));
            let length = output.len();
            let _ = write!(
                stream,
                "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{output}"
            );
        }
    });
    (url, asked)
}

fn line() -> EndpointLine {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap();
    let ledger = runtime.block_on(precedent_ledger::Ledger::in_memory()).unwrap();
    let settings = Settings {
        reach: NetworkPolicy::Local { named: Vec::new() },
        ..Settings::default()
    };
    EndpointLine::new(Arc::new(HttpGateway::new(settings, ledger).unwrap()), Arc::new(runtime))
}

#[test]
fn vectors_are_in_the_order_of_the_texts() {
    let (url, asked) = serve(|body| {
        let texts = body["input"].as_array().unwrap();
        let mut data: Vec<_> = texts
            .iter()
            .enumerate()
            .map(|(index, text)| serde_json::json!({"index": index, "embedding": [text.as_str().unwrap().len(), 0.0, 3.0]}))
            .collect();
        data.reverse();
        (200, serde_json::json!({"object": "list", "data": data}).to_string())
    });
    let key = Some(Secret::new("k-123"));
    let embedder = EndpointEmbedder::new(line(), &format!("{url}/"), "small", key);
    let texts: Vec<String> = (0..100).map(|number| "x".repeat(number)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = embedder.embed(&texts, TextKind::Work).unwrap();
    assert_eq!(vectors.len(), 100);
    assert_eq!(vectors[0], [0.0, 0.0, 1.0]);
    assert!((vectors[4][0] - 0.8).abs() < 1e-6 && (vectors[4][2] - 0.6).abs() < 1e-6);
    let asked = asked.lock().unwrap();
    assert_eq!(asked.len(), 2, "texts are sent in batches");
    assert_eq!(asked[0].0, "/v1/embeddings");
    assert!(asked[0].1.contains("Bearer k-123"));
    assert_eq!(asked[0].2["model"], "small");
}

#[test]
fn answers_that_do_not_match_the_texts_are_rejected() {
    for (output, reason) in [
        (r#"{"data": [{"index": 0, "embedding": [1.0]}]}"#, "no vector for one"),
        (
            r#"{"data": [{"index": 0, "embedding": [1.0]}, {"index": 0, "embedding": [1.0]}]}"#,
            "two vectors",
        ),
        (
            r#"{"data": [{"index": 0, "embedding": [1.0]}, {"index": 7, "embedding": [1.0]}]}"#,
            "not in the request",
        ),
        (
            r#"{"data": [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0, 2.0]}]}"#,
            "differ in length",
        ),
        (
            r#"{"data": [{"index": 0, "embedding": []}, {"index": 1, "embedding": []}]}"#,
            "empty",
        ),
        (r#"{"error": "no"}"#, "not the expected JSON"),
        ("<html>", "not the expected JSON"),
    ] {
        let (url, _) = serve(move |_| (200, output.to_owned()));
        let error = EndpointEmbedder::new(line(), &url, "m", None)
            .embed(&["a", "b"], TextKind::Work)
            .unwrap_err();
        assert!(error.to_string().contains(reason), "{output}: {error}");
    }
    let (url, _) = serve(|_| (401, r#"{"error": "bad key"}"#.to_owned()));
    let error = EndpointEmbedder::new(line(), &url, "m", Some(Secret::new("k-9")))
        .embed(&["a"], TextKind::Query)
        .unwrap_err();
    assert!(
        error.to_string().contains("401") && !error.to_string().contains("k-9"),
        "{error}"
    );
}

#[test]
fn a_local_only_client_sends_nothing_to_other_machines() {
    let embedder = EndpointEmbedder::new(line(), "https://models.example.org/v1", "m", None);
    let error = embedder.embed(&["a"], TextKind::Query).unwrap_err();
    assert!(matches!(error, EncodeError::Answer { .. }), "{error}");
}

#[test]
fn scores_are_read_in_every_common_format_and_checked() {
    for output in [
        r#"{"results": [{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.1}]}"#,
        r#"{"data": [{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.1}]}"#,
        r#"[{"index": 1, "score": 0.9}, {"index": 0, "score": 0.1}]"#,
    ] {
        let (url, asked) = serve(move |_| (200, output.to_owned()));
        let reranker = EndpointReranker::new(line(), &url, "ce", None);
        assert_eq!(reranker.rerank("query", &["a", "b"]).unwrap(), [0.1, 0.9], "{output}");
        let asked = asked.lock().unwrap();
        assert_eq!(asked[0].0, "/v1/rerank");
        assert_eq!(
            (asked[0].2["query"].as_str(), asked[0].2["documents"][1].as_str()),
            (Some("query"), Some("b"))
        );
    }
    for output in [
        r#"{"results": [{"index": 1, "relevance_score": 0.9}]}"#,
        r#"{"results": [{"index": 1, "relevance_score": 0.9}, {"index": 1, "relevance_score": 0.1}]}"#,
        r#"{"results": [{"index": 0, "relevance_score": 0.9}, {"index": 2, "relevance_score": 0.1}]}"#,
        r#"{"results": [{"index": 0, "relevance_score": null}, {"index": 1, "relevance_score": 0.1}]}"#,
        r#"{"results": "good"}"#,
    ] {
        let (url, _) = serve(move |_| (200, output.to_owned()));
        EndpointReranker::new(line(), &url, "ce", None)
            .rerank("query", &["a", "b"])
            .unwrap_err();
    }
}
