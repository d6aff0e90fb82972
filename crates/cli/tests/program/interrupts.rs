//! Runs that are interrupted, killed or started twice.
#![cfg(unix)]

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use precedent_scripted::{ModelServer, plain};

use crate::support::{precedent_in, root, stderr, stdout};

const REPORTS: [&str; 3] = ["report.json", "report.md", "report.html"];

fn arguments(out: &str) -> Vec<String> {
    let paper = root().join("examples/paper.pdf");
    let works = root().join("examples/works");
    let paths = [paper, works].map(|path| path.to_str().unwrap().to_owned());
    let [paper, works] = paths;
    ["assess", &paper, "--corpus", &works, "--out", out]
        .map(str::to_owned)
        .to_vec()
}

fn start(folder: &Path, out: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_precedent"))
        .args(arguments(out))
        .current_dir(folder)
        .env_remove("PRECEDENT_CORPUS")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Sends the signal of Ctrl-C.
fn interrupt(child: &Child) {
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(sent.success());
}

fn whole(folder: &Path, out: &str) {
    let arguments = arguments(out);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let output = precedent_in(folder, &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

fn same_reports(folder: &Path, out: &str) {
    for name in REPORTS {
        let bytes = |out: &str| fs::read(folder.join(out).join(name)).unwrap();
        assert!(bytes("whole") == bytes(out), "{name} of {out} differs");
    }
}

#[test]
fn an_interrupted_run_exits_with_130_and_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    whole(folder.path(), "whole");
    let mut child = start(folder.path(), "one");
    // The Ctrl-C handler is installed before the first line of output.
    let mut first = String::new();
    let mut progress = BufReader::new(child.stderr.take().unwrap());
    progress.read_line(&mut first).unwrap();
    assert_eq!(first.trim(), "reading paper.pdf");
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let printed = progress.lines().map_while(Result::ok).collect::<Vec<_>>().join("\n");
    assert!(printed.contains("precedent runs resume"), "{printed}");
    let shown = stdout(&precedent_in(folder.path(), &["runs", "show", "one"]));
    assert!(shown.contains("interrupted (resumable)"), "{shown}");
    let resumed = precedent_in(folder.path(), &["runs", "resume", "one"]);
    assert_eq!(resumed.status.code(), Some(0), "{}", stderr(&resumed));
    same_reports(folder.path(), "one");
}

#[test]
fn an_interrupted_run_records_what_it_spent() {
    let folder = tempfile::tempdir().unwrap();
    let server = ModelServer::start_with(plain, Duration::from_millis(50), None, 0).unwrap();
    let url = format!("{}/v1", server.base());
    let mut all = arguments("spent");
    all.extend(["--model", "compatible:scripted", "--model-url", &url].map(str::to_owned));
    let mut child = Command::new(env!("CARGO_BIN_EXE_precedent"))
        .args(all)
        .current_dir(folder.path())
        .env_remove("PRECEDENT_CORPUS")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while server.asked().len() < 12 {
        assert!(began.elapsed() < Duration::from_secs(120), "too few requests");
        std::thread::sleep(Duration::from_millis(5));
    }
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let manifest = fs::read(folder.path().join("spent/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
    let calls = manifest["models"].as_array().unwrap().iter();
    let answers: u64 = calls.filter_map(|one| one["answers"].as_u64()).sum();
    // All but the requests in flight.
    assert!(answers >= 4, "{manifest:#}");
}

/// `PRECEDENT_KILLS` sets the number of kills. It was also tested with 30.
#[test]
fn a_repeatedly_killed_run_gives_the_same_bytes() {
    let kills: u64 = std::env::var("PRECEDENT_KILLS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(8);
    let folder = tempfile::tempdir().unwrap();
    let began = Instant::now();
    whole(folder.path(), "whole");
    let took = began.elapsed();
    let (mut turn, mut random) = (0, 0x2545_F491_4F6C_DD1D_u64);
    for kill in 0..kills {
        let out = format!("out{turn}");
        let mut child = start(folder.path(), &out);
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        // A random moment of the run.
        std::thread::sleep(Duration::from_millis((random >> 33) % (took.as_millis() as u64).max(1)));
        if kill % 3 == 2 {
            interrupt(&child);
        } else {
            child.kill().unwrap();
        }
        let ended = child.wait().unwrap();
        if ended.success() {
            same_reports(folder.path(), &out);
            turn += 1;
        } else if folder.path().join(&out).join("manifest.json").exists() {
            let shown = stdout(&precedent_in(folder.path(), &["runs", "show", &out]));
            assert!(
                shown.contains("interrupted (resumable)") || shown.contains("complete"),
                "after {ended}: {shown}"
            );
        }
    }
    let out = format!("out{turn}");
    whole(folder.path(), &out);
    same_reports(folder.path(), &out);
    let left: Vec<String> = fs::read_dir(folder.path().join(&out))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".half"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_second_process_on_the_same_run_is_refused_and_the_status_is_running() {
    let folder = tempfile::tempdir().unwrap();
    whole(folder.path(), "whole");
    let dir = folder.path().join("whole");
    let manifest = fs::read_to_string(dir.join("manifest.json")).unwrap();
    fs::write(
        dir.join("manifest.json"),
        manifest.replace("\"complete\"", "\"running\""),
    )
    .unwrap();
    let status = || {
        let line = stdout(&precedent_in(folder.path(), &["runs", "list", "."]));
        line.split("  ").next().unwrap_or_default().to_owned()
    };
    assert_eq!(status(), "interrupted (resumable)", "no process holds the lock");
    // This test acts as the first process.
    let lock = File::open(dir.join(".lock")).unwrap();
    lock.try_lock().unwrap();
    assert_eq!(status(), "running");
    for arguments in [
        arguments("whole"),
        ["runs", "resume", "whole"].map(str::to_owned).to_vec(),
    ] {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let second = precedent_in(folder.path(), &arguments);
        assert_eq!(second.status.code(), Some(2), "{}", stderr(&second));
        assert!(
            stderr(&second).contains("another process is using it"),
            "{}",
            stderr(&second)
        );
        assert!(stderr(&second).contains("hint:"), "{}", stderr(&second));
    }
    drop(lock);
    let resumed = precedent_in(folder.path(), &["runs", "resume", "whole"]);
    assert_eq!(resumed.status.code(), Some(0), "{}", stderr(&resumed));
}

#[test]
fn a_run_that_fails_later_still_lists_its_existing_files() {
    let folder = tempfile::tempdir().unwrap();
    let works = folder.path().join("works.jsonl");
    fs::copy(root().join("examples/works/abstracts.jsonl"), &works).unwrap();
    let paper = root().join("examples/paper.pdf");
    let arguments = [
        "assess",
        paper.to_str().unwrap(),
        "--corpus",
        "works.jsonl",
        "--out",
        "one",
    ];
    let first = precedent_in(folder.path(), &arguments);
    assert_eq!(first.status.code(), Some(0), "{}", stderr(&first));
    let files = || {
        let shown = stdout(&precedent_in(folder.path(), &["runs", "show", "one"]));
        let files = shown.lines().filter(|line| line.starts_with("file ")).count();
        (files, shown)
    };
    assert_eq!(files().0, 3, "{}", files().1);
    fs::remove_file(&works).unwrap();
    let failed = precedent_in(folder.path(), &["runs", "resume", "one"]);
    assert_eq!(failed.status.code(), Some(3), "{}", stderr(&failed));
    let (count, shown) = files();
    assert_eq!(count, 3, "{shown}");
    assert!(shown.contains("status   failed"), "{shown}");
    assert!(folder.path().join("one/report.html").exists());
}
