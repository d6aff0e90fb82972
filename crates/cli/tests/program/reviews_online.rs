//! `precedent review` with papers, pages and repositories from mock services.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use precedent_scripted::literature::{HeldText, LibraryRecord, LiteratureServer, TEXTS};
use precedent_scripted::{ModelServer, plain};
use serde_json::Value;
use tar::{Builder, Header};

use crate::internet::{archive as archive_of_texts, folder, library};
use crate::reviews::{IDEA, files, holds, list, report};
use crate::support::{json, precedent_with, stderr};

const KEYS: [(&str, &str); 2] = [("BRAVE_API_KEY", "brave-key-5417"), ("GITHUB_TOKEN", "github-key-9126")];
const ASKED: [&str; 3] = ["openalex", "brave", "github"];

/// Text that is only on the page, not in its summary.
const OF_PAGE: &str =
    "Moored buoys in heavy swell predict the taut interval of the rope from the recent swell, and send a symbol in it.";
/// Text from the repository's README.
const OF_REPOSITORY: &str = "A spring model of the rope with drifting stiffness gives the taut interval for every symbol of rope-line telemetry.";

fn record(key: &str, title: &str, summary: &str, day: &str) -> LibraryRecord {
    LibraryRecord {
        key: key.to_owned(),
        title: title.to_owned(),
        summary: summary.to_owned(),
        day: day.to_owned(),
        ..LibraryRecord::default()
    }
}

fn pages() -> Vec<LibraryRecord> {
    let summary = "How buoys predict when a mooring rope is taut, and what swell does to symbols sent by rope.";
    vec![
        record("2001", "Sending symbols by rope in swell", summary, "2019-03-02"),
        record("2002", "Rope telemetry in swell, five years on", summary, "2027-05-06"),
    ]
}

fn repositories() -> Vec<LibraryRecord> {
    // The repository search matches only repositories with all words, so these contain all key words of the idea.
    let summary = "place symbol rope line telemetry taut interval buoys predict recent swell clocks sea drift exchanging power moored buoys lack spring model rope drifting stiffness give interval evaluated recordings heavy swell";
    vec![
        record("3001", "rope telemetry decoder", summary, "2021-07-08"),
        record("3002", "rope telemetry decoder, newer", summary, "2028-09-10"),
    ]
}

fn page(words: &str) -> Vec<u8> {
    let filling = "The rope hung over the harbour wall for a winter, and a load cell was read ten times a second the whole time. ".repeat(4);
    format!("<!DOCTYPE html><html><head><title>Symbols</title></head><body><main><article><h1>Symbols by rope</h1><p>{filling}</p><p>{words}</p><p>{filling}</p></article></main></body></html>").into_bytes()
}

fn archive(words: &str) -> Vec<u8> {
    let mut builder = Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for (path, text) in [
        ("rope-main/README.md", format!("# Rope telemetry\n\n{words}\n")),
        (
            "rope-main/decoder.py",
            "def taut_interval(swell):\n    \"\"\"The interval in which the rope is taut.\"\"\"\n    return sorted(swell)\n".to_owned(),
        ),
    ] {
        let mut header = Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        builder.append_data(&mut header, path, text.as_bytes()).unwrap();
    }
    let mut packed = builder.into_inner().unwrap();
    packed.flush().unwrap();
    packed.finish().unwrap()
}

/// Mock services, each on its own port, and settings with their URLs.
fn start(name: &str) -> (Vec<LiteratureServer>, PathBuf) {
    let mut settings = String::new();
    let mut servers = Vec::new();
    for (id, works) in ASKED.into_iter().zip([library(), pages(), repositories()]) {
        let server = LiteratureServer::start(works).unwrap();
        let texts = server.base(TEXTS);
        settings.push_str(&format!(
            "[sources.{id}]\nurl = '{}'\nseconds = 6\nbetween_ms = 0\n",
            server.base(id)
        ));
        // Three rounds cost more than the default budget, a third of the daily allowance without a key.
        settings.push_str(&match id {
            "openalex" => "budget = 1.0\n".to_owned(),
            _ => format!("texts = '{texts}'\n"),
        });
        for key in ["2001", "2002"] {
            server.hold(HeldText {
                path: format!("/https://www.pages.example/ropes/{key}"),
                kind: "text/html; charset=utf-8",
                body: page(OF_PAGE),
            });
        }
        for key in ["3001", "3002"] {
            server.hold(HeldText {
                path: format!("/rope-lab/rope-{key}/tar.gz/HEAD"),
                kind: "application/x-gzip",
                body: archive(OF_REPOSITORY),
            });
        }
        servers.push(server);
    }
    // No full texts are available.
    let (nowhere, _) = archive_of_texts(Vec::new());
    settings.push_str(&format!(
        "[papers]\narxiv = '{nowhere}'\nacl = '{nowhere}'\nopenreview = '{nowhere}'\npmc = '{nowhere}'\nworks = '{nowhere}'\nunpaywall = '{nowhere}'\narxiv_between_ms = 0\nsemantic_scholar = '{nowhere}'\n"
    ));
    let path = folder(name).with_extension("toml");
    fs::write(&path, settings).unwrap();
    (servers, path)
}

/// All files of a run as text.
fn everything(out: &Path) -> String {
    let entries = fs::read_dir(out).unwrap().flatten();
    let files = entries.filter(|entry| entry.path().is_file());
    let texts = files.map(|entry| String::from_utf8_lossy(&fs::read(entry.path()).unwrap()).into_owned());
    texts.collect()
}

#[test]
fn papers_pages_and_repositories_are_found_and_compared_with_the_idea() {
    let (servers, settings) = start("review");
    let model = ModelServer::start(plain).unwrap();
    let base = format!("{}/v1", model.base());
    let out = folder("review-online");
    let run = |more: &[&str]| {
        let mut arguments = vec![
            "review",
            IDEA,
            "--sources",
            "openalex,brave,github",
            "--as-of",
            "2024-06-30",
            "--json",
            "--settings",
        ];
        arguments.extend([settings.to_str().unwrap(), "--out", out.to_str().unwrap()]);
        arguments.extend(["--model", "compatible:scripted", "--model-url", &base]);
        arguments.extend(more);
        precedent_with(&arguments, &KEYS)
    };
    let output = run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(json(&output)["status"], "complete");
    let found = report(&out);
    holds(&found);
    // For each kind, earlier work is evidence with quotes, and later work is used only for suggestions.
    let quotes = |kind: &str| -> Vec<String> {
        let pieces = list(&found, "/knowledge").iter().filter(|one| one["kind"] == kind);
        let numbers: Vec<&Value> = pieces.map(|one| &one["number"]).collect();
        let of_kind = list(&found, "/grounding")
            .iter()
            .filter(|one| numbers.contains(&&one["piece"]));
        let evidence = of_kind.flat_map(|one| list(one, "/evidence"));
        evidence
            .map(|one| one["quote"]["text"].as_str().unwrap().to_owned())
            .collect()
    };
    assert!(!quotes("literature").is_empty(), "{:#}", found["knowledge"]);
    assert!(
        quotes("web").iter().any(|quote| OF_PAGE.contains(quote)),
        "{:?}",
        quotes("web")
    );
    assert!(
        quotes("code").iter().any(|quote| OF_REPOSITORY.contains(quote)),
        "{:?}",
        quotes("code")
    );
    for (kind, later) in [
        ("literature", "revisited"),
        ("web", "five years on"),
        ("code", "rope-3002"),
    ] {
        let named = |one: &&Value| one["kind"] == kind && one["work"].to_string().contains(later);
        let pieces: Vec<&Value> = list(&found, "/knowledge").iter().filter(named).collect();
        assert!(
            !pieces.is_empty() && pieces.iter().all(|one| one["role"] == "suggests"),
            "{kind}: {pieces:#?}"
        );
    }
    assert!(!list(&found, "/suggestions").is_empty());
    // The services and queries are listed. Queries are short, and keys are never written.
    let sent = found["metadata"]["sent"].to_string();
    let sentence = IDEA.split(". ").next().unwrap();
    for (id, server) in ASKED.into_iter().zip(&servers) {
        let received = server.requests();
        assert!(received.iter().any(|one| one.service == id), "{id}");
        assert!(sent.contains(&format!("to search {id}")), "{sent}");
        for one in received {
            let plain = one.target.replace(['+', '%'], " ").replace("20", " ");
            assert!(!plain.contains(&sentence[..40]), "{id}: {}", one.target);
        }
    }
    let written = everything(&out);
    for (_, key) in KEYS {
        assert!(!written.contains(key));
    }
    // From here on, no servers are running.
    let before = files(&out);
    drop((servers, model));
    for more in [&["--replay"][..], &[]] {
        let output = run(more);
        assert_eq!(output.status.code(), Some(0), "{more:?}: {}", stderr(&output));
        assert!(before == files(&out), "{more:?}");
    }
    fs::remove_dir_all(&out).unwrap();
    fs::remove_file(&settings).unwrap();
}
