//! Corpora built from services and dumps, with the services played by servers on loopback.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::{fresh_folder, json as parsed, precedent, stderr, stdout};

/// Plays OpenAlex with this many works, in pages of two hundred, and fails after `fails_after` pages until the test changes that number. Each answer
/// takes `delay`.
struct OpenAlex {
    settings: PathBuf,
    received: Arc<Mutex<Vec<String>>>,
    fails_after: Arc<Mutex<usize>>,
}

impl OpenAlex {
    fn start(works: usize) -> Self {
        Self::slow(works, Duration::ZERO)
    }

    fn slow(works: usize, delay: Duration) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let (received, fails_after) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(usize::MAX)));
        let (kept, limit) = (Arc::clone(&received), Arc::clone(&fails_after));
        std::thread::spawn(move || {
            let mut served = 0;
            for mut stream in listener.incoming().flatten() {
                let mut buffer = [0; 8192];
                let read = stream.read(&mut buffer).unwrap_or_default();
                let target = String::from_utf8_lossy(&buffer[..read])
                    .split(' ')
                    .nth(1)
                    .unwrap_or_default()
                    .to_owned();
                if target.is_empty() {
                    // The program was killed before it had sent its request.
                    continue;
                }
                kept.lock().unwrap().push(target.clone());
                std::thread::sleep(delay);
                let (status, body) = match served >= *limit.lock().unwrap() {
                    true => ("404 Not Found", "{}".to_owned()),
                    false => ("200 OK", page(works, &target)),
                };
                served += usize::from(status == "200 OK");
                let head = format!(
                    "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
                    body.len()
                );
                let _ = stream.write_all(head.as_bytes());
                let _ = stream.write_all(body.as_bytes());
            }
        });
        let settings = fresh_folder("starter").with_extension("toml");
        fs::write(
            &settings,
            format!("[sources.openalex]\nurl = '{base}'\n[papers]\nacl = '{base}'\n"),
        )
        .unwrap();
        Self {
            settings,
            received,
            fails_after,
        }
    }

    fn get(&self, arguments: &[&str]) -> std::process::Output {
        let mut all = vec!["corpus", "get"];
        all.extend(arguments);
        all.extend(["--settings", self.settings.to_str().unwrap()]);
        precedent(&all)
    }

    fn cursors(&self) -> Vec<String> {
        let received = self.received.lock().unwrap();
        received
            .iter()
            .map(|target| parameters(target)["cursor"].clone())
            .collect()
    }
}

fn parameters(target: &str) -> BTreeMap<String, String> {
    let pairs = target.split_once('?').map_or("", |(_, query)| query).split('&');
    pairs
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// A page of works, as OpenAlex writes it. The cursor is the number of its first work.
fn page(works: usize, target: &str) -> String {
    let asked = parameters(target);
    let start: usize = asked["cursor"].parse().unwrap_or(0);
    let size: usize = asked["per_page"].parse().unwrap();
    let end = (start + size).min(works);
    let results: Vec<_> = (start..end)
        .map(|number| {
            json!({
                "id": format!("https://openalex.org/W{}", 1000 + number), "doi": null,
                "title": format!("Ropes and buoys, part {number}"), "display_name": format!("Ropes and buoys, part {number}"),
                "publication_year": 2020, "publication_date": "2020-03-04", "type": "article",
                "authorships": [{"author": {"display_name": "Ann Lee"}}],
                "abstract_inverted_index": {"Tension": [0], "of": [1], "ropes": [2], (format!("number{number}")): [3]},
            })
        })
        .collect();
    let next = (end < works).then(|| end.to_string());
    json!({"meta": {"count": works, "per_page": size, "next_cursor": next}, "results": results}).to_string()
}

#[test]
fn a_corpus_of_openalex_has_all_pages_up_to_the_cap_and_an_interrupted_download_goes_on() {
    let service = OpenAlex::start(1_050);
    let dir = fresh_folder("starter-openalex");
    let arguments = [
        "openalex",
        dir.to_str().unwrap(),
        "--field",
        "computer science",
        "--years",
        "2018-2026",
        "--cap",
        "900",
    ];

    let estimate = service.get(&[&arguments[..], &["--estimate", "--json"]].concat());
    assert_eq!(estimate.status.code(), Some(0), "{}", stderr(&estimate));
    let estimate = parsed(&estimate);
    assert_eq!(
        (&estimate["matching"], &estimate["records"], &estimate["requests"]),
        (&json!(1050), &json!(900), &json!(5))
    );
    assert!(!dir.exists());

    // The service fails after three pages: nothing is lost.
    *service.fails_after.lock().unwrap() = 3;
    let output = service.get(&arguments);
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("repeat the command to continue"),
        "{}",
        stderr(&output)
    );
    *service.fails_after.lock().unwrap() = usize::MAX;
    let output = service.get(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("900 added"), "{}", stdout(&output));
    let mut cursors = service.cursors();
    // The page that failed was asked for again, no other.
    cursors.dedup();
    assert_eq!(cursors, ["*", "200", "400", "600", "800"], "{cursors:?}");
    let filter = parameters(&service.received.lock().unwrap()[0])["filter"].clone();
    assert_eq!(
        filter,
        "has_abstract:true,primary_topic.field.id:17,publication_year:2018-2026"
    );

    let search = precedent(&[
        "search",
        "tension ropes number42",
        "--corpus",
        dir.to_str().unwrap(),
        "--limit",
        "1",
        "--json",
    ]);
    assert!(stdout(&search).contains("part 42"), "{}", stdout(&search));
    assert!(
        !dir.with_file_name(format!("{}.download", dir.file_name().unwrap().to_str().unwrap()))
            .exists()
    );
}

#[test]
fn a_filter_that_could_change_the_request_or_selects_everything_is_refused() {
    let service = OpenAlex::start(1);
    let dir = fresh_folder("starter-refused");
    let dir = dir.to_str().unwrap();
    for (arguments, words) in [
        (vec!["openalex", dir], "--field, --search or --filter"),
        (
            vec!["openalex", dir, "--filter", "type:article&api_key=x"],
            "invalid filter",
        ),
        (vec!["openalex", dir, "--field", "Alchemy"], "Computer Science"),
        (
            vec!["openalex", dir, "--search", "x", "--category", "cs"],
            "does not belong",
        ),
        (vec!["acl", dir, "--years", "2020"], "does not belong"),
    ] {
        let output = service.get(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{arguments:?}: {}", stderr(&output));
    }
    assert!(service.received.lock().unwrap().is_empty());
}

#[test]
fn a_snapshot_of_arxiv_is_filtered_by_category_and_year() {
    let dump = fresh_folder("starter-arxiv").with_extension("json");
    let line = |id: &str, categories: &str| {
        json!({
            "id": id, "title": format!("Paper {id}"), "abstract": "We tug ropes.", "categories": categories,
            "authors": "A. Lee", "authors_parsed": [["Lee", "A.", ""]], "versions": [], "update_date": "2025-01-01"
        })
        .to_string()
    };
    let lines = [
        line("2001.00001", "cs.CL cs.LG"),
        line("2001.00002", "math.CO"),
        line("1501.00003", "cs.CL"),
        line("2105.00004", "cs.IR"),
    ];
    fs::write(&dump, lines.join("\n")).unwrap();
    let dir = fresh_folder("starter-arxiv-corpus");
    let arguments = [
        "corpus",
        "get",
        "arxiv",
        dir.to_str().unwrap(),
        "--dump",
        dump.to_str().unwrap(),
        "--category",
        "cs",
        "--years",
        "2020-2021",
    ];
    let output = precedent(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("2 added"), "{}", stdout(&output));
    let output = precedent(&[
        "corpus",
        "get",
        "arxiv",
        dir.to_str().unwrap(),
        "--dump",
        "missing.json",
    ]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let output = precedent(&["corpus", "get", "arxiv", dir.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

#[test]
fn the_anthology_is_one_file() {
    let bib = "@inproceedings{lee-2020-ropes, title = \"Ropes That Talk\", author = \"Lee, Ann\", year = \"2020\", \
               url = \"https://aclanthology.org/2020.acl-main.1\", abstract = \"We tug ropes and listen.\"}\n";
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(bib.as_bytes()).unwrap();
    let (base, received) = crate::internet::archive(vec![(
        "/anthology+abstracts.bib.gz".to_owned(),
        packed.finish().unwrap(),
    )]);
    let settings = fresh_folder("starter-acl").with_extension("toml");
    fs::write(&settings, format!("[papers]\nacl = '{base}'\n")).unwrap();
    let dir = fresh_folder("starter-acl-corpus");
    let output = precedent(&[
        "corpus",
        "get",
        "acl",
        dir.to_str().unwrap(),
        "--settings",
        settings.to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("1 added"), "{}", stdout(&output));
    assert_eq!(*received.lock().unwrap(), ["/anthology+abstracts.bib.gz"]);
}

/// What a corpus has, without what differs between two corpora of the same records: the times of imports, and the names and sizes of index files.
fn contents(dir: &std::path::Path) -> (serde_json::Value, Vec<String>) {
    let dir = dir.to_str().unwrap();
    let mut statistics = parsed(&precedent(&["corpus", "stats", dir, "--json"]));
    for varying in ["imports", "path", "bytes", "revision"] {
        statistics[varying] = serde_json::Value::Null;
    }
    let found = precedent(&[
        "search",
        "tension of ropes",
        "--corpus",
        dir,
        "--limit",
        "200",
        "--json",
    ]);
    let mut ids: Vec<String> = parsed(&found)["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["id"].to_string())
        .collect();
    ids.sort();
    (statistics, ids)
}

/// The folder that a download uses until the corpus is complete.
fn download_of(dir: &std::path::Path) -> PathBuf {
    let name = dir.file_name().unwrap().to_str().unwrap();
    dir.with_file_name(format!("{name}.download"))
}

#[test]
fn a_killed_download_goes_on_where_it_was_and_gives_the_same_corpus() {
    let start = |service: &OpenAlex, dir: &std::path::Path| {
        let (dir, settings) = (dir.to_str().unwrap(), service.settings.to_str().unwrap());
        let arguments = [
            "corpus",
            "get",
            "openalex",
            dir,
            "--search",
            "ropes",
            "--settings",
            settings,
        ];
        let mut command = crate::support::command(&crate::support::root(), &arguments);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let pages = ["*", "200", "400", "600", "800", "1000", "1200"];
    let delay = Duration::from_millis(60);
    let service = OpenAlex::slow(1_350, delay);
    let whole = fresh_folder("starter-whole");
    let began = Instant::now();
    assert!(start(&service, &whole).wait().unwrap().success());
    let took = began.elapsed();
    assert_eq!(service.cursors(), pages);
    let expected = contents(&whole);

    // From the start of the program to the last writes of the index; each kill in a corpus of its own.
    for tenth in [1, 3, 5, 7, 8, 9] {
        let service = OpenAlex::slow(1_350, delay);
        let dir = fresh_folder("starter-killed");
        let mut child = start(&service, &dir);
        std::thread::sleep(took * tenth / 10);
        child.kill().unwrap();
        child.wait().unwrap();
        if dir.exists() && !download_of(&dir).exists() {
            // It was faster than the first one, so nothing was left to do.
            assert_eq!(
                (service.cursors().len(), contents(&dir)),
                (pages.len(), expected.clone())
            );
            continue;
        }
        assert!(start(&service, &dir).wait().unwrap().success(), "after {tenth} tenths");
        let mut cursors = service.cursors();
        let requests = cursors.len();
        cursors.dedup();
        // Only the page that was on its way can be fetched again.
        assert_eq!(cursors, pages, "after {tenth} tenths");
        assert!(requests <= pages.len() + 1, "after {tenth} tenths: {requests} requests");
        assert_eq!(contents(&dir), expected, "after {tenth} tenths");
        assert!(!download_of(&dir).exists());
    }

    // Killed again and again in one corpus.
    let service = OpenAlex::slow(1_350, delay);
    let dir = fresh_folder("starter-killed-often");
    let mut kills = 0;
    let mut wait = took / 4;
    loop {
        let mut child = start(&service, &dir);
        std::thread::sleep(wait);
        child.kill().unwrap();
        child.wait().unwrap();
        if dir.exists() && !download_of(&dir).exists() {
            break;
        }
        kills += 1;
        wait += took / 8;
    }
    assert!(
        kills > 0 && service.cursors().len() <= pages.len() + kills,
        "{kills} kills: {:?}",
        service.cursors()
    );
    assert_eq!(contents(&dir), expected);
}
