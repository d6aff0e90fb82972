//! Broken, slow, verbose and hostile model servers, full disks, and concurrent processes.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use precedent_scripted::{ModelServer, Say, plain};
use serde_json::Value;

use crate::models::{arguments_for, files, folder, report};
use crate::support::{precedent, root, stderr};

const SAMPLE: (&str, &str) = ("examples/paper.pdf", "examples/works");
const KEY: &str = "sk-very-secret-0123456789";

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_precedent"));
    command
        .args(arguments)
        .current_dir(root())
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .env_remove("PRECEDENT_SETTINGS")
        .env_remove("PRECEDENT_MODEL_KEY");
    command
}

/// Where the key appears in the output or in a file of the folder, also in URL encoding.
fn shows_key(output: &Output, out: &Path) -> Option<String> {
    let has = |bytes: &[u8]| bytes.windows(KEY.len() - 3).any(|part| part == &KEY.as_bytes()[3..]);
    for (name, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
        if has(bytes) {
            return Some(format!("{name}: {}", String::from_utf8_lossy(bytes)));
        }
    }
    let mut folders = vec![out.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if has(&fs::read(&path).unwrap()) {
                return Some(path.display().to_string());
            }
        }
    }
    None
}

#[test]
fn the_key_is_never_written_even_if_the_server_repeats_it_and_all_logs_are_on() {
    // Responses and some errors repeat the key of the request.
    let server = ModelServer::start(|question| {
        let key = question.headers.iter().find(|(name, _)| name == "authorization");
        let key = key
            .map(|(_, value)| value.trim_start_matches("Bearer ").to_owned())
            .unwrap_or_default();
        match (question.number % 5, plain(question)) {
            (3, _) => Say::Status(400, format!(r#"{{"error":{{"message":"bad request by {key}"}}}}"#)),
            (_, Say::Text(text)) => Say::Text(text.replace("The paper", &format!("{key} paper")).replace("Find", &key)),
            (_, other) => other,
        }
    })
    .unwrap();
    let (base, out) = (format!("{}/v1", server.base()), folder("keys"));
    let arguments = arguments_for(SAMPLE, &out, &base, &[]);
    let output = program(&arguments)
        .env("PRECEDENT_MODEL_KEY", KEY)
        .env("PRECEDENT_LOG", "trace")
        .env("RUST_LOG", "trace")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        server
            .asked()
            .iter()
            .any(|one| one.headers.iter().any(|(_, value)| value.contains(KEY)))
    );
    assert_eq!(shows_key(&output, &out), None);
    let shown = precedent(&["runs", "show", out.to_str().unwrap(), "--json"]);
    assert_eq!(shows_key(&shown, &out), None);
}

#[test]
fn a_key_in_a_url_is_refused_before_anything_is_written() {
    for base in [
        format!("http://user:{KEY}@127.0.0.1:9/v1"),
        format!("http://127.0.0.1:9/v1?key={KEY}"),
        format!("http://127.0.0.1:9/v1#{KEY}"),
    ] {
        let out = folder("key-in-address");
        let output = precedent(&arguments_for(SAMPLE, &out, &base, &[]));
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains("not in the address"), "{}", stderr(&output));
        assert_eq!(shows_key(&output, &out), None);
        assert!(!out.exists());
    }
}

#[test]
fn a_run_that_failed_with_a_wrong_key_continues_with_the_right_one() {
    let server = ModelServer::start(|question| {
        let right = question.headers.iter().any(|(_, value)| value == "Bearer right-key");
        match right {
            true => plain(question),
            false => Say::Status(401, r#"{"error":{"message":"no","code":"invalid_api_key"}}"#.to_owned()),
        }
    })
    .unwrap();
    let (base, out) = (format!("{}/v1", server.base()), folder("key-mended"));
    let arguments = arguments_for(SAMPLE, &out, &base, &[]);
    let with = |key: &str| program(&arguments).env("PRECEDENT_MODEL_KEY", key).output().unwrap();
    let output = with("wrong-key");
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    let output = with("right-key");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        report(&out)["metadata"]["models"]
            .as_array()
            .unwrap()
            .iter()
            .all(|one| one.get("failed").is_none())
    );
}

/// Numbers of failed items, by reason.
fn failed(found: &Value) -> Vec<(String, u64)> {
    let uses = found["metadata"]["models"].as_array().unwrap();
    let all = uses.iter().filter_map(|one| one["failed"].as_object()).flatten();
    all.map(|(kind, count)| (kind.clone(), count.as_u64().unwrap()))
        .collect()
}

/// Checks that the report lists all reasons of failed items.
fn every_failure_is_reported(found: &Value, kind: &str) {
    let failed = failed(found);
    assert!(failed.iter().any(|(known, _)| known == kind), "{kind}: {failed:?}");
    let gaps = found["metadata"]["not_searched"].as_array().unwrap();
    for (kind, _) in failed {
        let is_printed = |gap: &Value| {
            let (count, message) = (&gap["failures"][&kind], gap["message"].as_str().unwrap());
            count.is_u64() && message.contains(&format!(": {count}"))
        };
        assert!(gaps.iter().any(is_printed), "{kind}: {gaps:?}");
    }
}

#[test]
fn without_a_server_the_offline_report_is_written_and_marked() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let (base, out) = (format!("http://127.0.0.1:{port}/v1"), folder("refused"));
    let start = Instant::now();
    let settings = out.with_extension("toml");
    fs::write(&settings, "[providers.compatible]\noutage_seconds = 1\n").unwrap();
    let more = ["--local-only", "--settings", settings.to_str().unwrap()];
    let output = precedent(&arguments_for(SAMPLE, &out, &base, &more));
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    assert!(start.elapsed() < Duration::from_secs(90), "{:?}", start.elapsed());
    every_failure_is_reported(&report(&out), "not reached");
}

/// A server that sends one byte every few milliseconds forever.
fn dripping() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || {
                let mut stream = stream;
                let _ = stream.read(&mut [0; 1 << 16]);
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n");
                while stream.write_all(b" ").is_ok() {
                    std::thread::sleep(Duration::from_millis(20));
                }
            });
        }
    });
    base
}

#[test]
fn a_server_that_drips_bytes_times_out() {
    let (base, out) = (dripping(), folder("drip"));
    let settings = out.with_extension("toml");
    fs::write(
        &settings,
        "[providers.compatible]\nanswer_seconds = 1\noutage_seconds = 2\n",
    )
    .unwrap();
    let start = Instant::now();
    let output = precedent(&arguments_for(
        SAMPLE,
        &out,
        &base,
        &["--settings", settings.to_str().unwrap()],
    ));
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    assert!(start.elapsed() < Duration::from_secs(180), "{:?}", start.elapsed());
    every_failure_is_reported(&report(&out), "no answer in time");
}

#[test]
fn extreme_responses_are_handled() {
    let server = ModelServer::start(|question| {
        let Say::Text(text) = plain(question) else {
            return Say::Refusal;
        };
        match question.number % 9 {
            0 => Say::Raw(vec![b' '; 50 << 20]),
            1 => Say::Text(format!("{{\"a\":{}", "[".repeat(1 << 20))),
            2 => Say::Text(format!("{}{}", "[".repeat(200_000), "1,".repeat(400_000))),
            3 => Say::Text(text.replace(|c: char| c.is_ascii_digit(), "99999999999999999999999999")),
            4 => Say::Text(text.replace(' ', "\\u0000")),
            5 => Say::Text(text.replace(' ', "\0")),
            6 => Say::Text(format!(
                "{{\"phrase\":\"{}\",\"contributions\":\"{0}\"}}",
                "x".repeat(3 << 20)
            )),
            7 => Say::Raw([text.as_bytes(), &[0; 4096]].concat()),
            _ => Say::Text(text.replace(':', ":1e99999,\"x\":")),
        }
    })
    .unwrap();
    let (base, out) = (format!("{}/v1", server.base()), folder("beyond"));
    let start = Instant::now();
    let output = precedent(&arguments_for(SAMPLE, &out, &base, &["--allow-fallback"]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(start.elapsed() < Duration::from_secs(120), "{:?}", start.elapsed());
    let found = report(&out);
    every_failure_is_reported(&found, "answer too long");
    let comparisons = found["contribution_analysis"]["comparisons"].as_array().unwrap();
    assert!(!comparisons.is_empty());
    assert!(
        !found.to_string().contains("\\u0000"),
        "the report contains a null character"
    );
    let before = files(&out);
    drop(server);
    let output = precedent(&arguments_for(SAMPLE, &out, &base, &["--replay", "--allow-fallback"]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(before == files(&out));
}

#[test]
fn redirects_of_a_model_server_to_another_host_are_not_followed() {
    let other = ModelServer::start(plain).unwrap();
    let elsewhere = other.base();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.read(&mut [0; 1 << 16]);
            let answer = format!(
                "HTTP/1.1 307 X\r\nlocation: {elsewhere}/v1/chat/completions\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
            );
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    for more in [&[][..], &["--local-only"]] {
        let out = folder("redirect");
        let output = program(&arguments_for(SAMPLE, &out, &base, more))
            .env("PRECEDENT_MODEL_KEY", KEY)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert_eq!(shows_key(&output, &out), None);
    }
    assert!(other.asked().is_empty());
}

#[test]
fn concurrent_processes_on_the_same_and_on_different_runs_repeat_no_requests() {
    let server = ModelServer::start_with(plain, Duration::from_millis(40), None, 0).unwrap();
    let (base, one, two) = (format!("{}/v1", server.base()), folder("both-one"), folder("both-two"));
    let start = |out: &Path| {
        let mut command = program(&arguments_for(SAMPLE, out, &base, &[]));
        command
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap()
    };
    // Two processes use the same folder, a third its own.
    let running = [start(&one), start(&one), start(&two)];
    let mut codes: Vec<i32> = Vec::new();
    for child in running {
        let output = child.wait_with_output().unwrap();
        let code = output.status.code().unwrap();
        assert!(
            code == 0 || stderr(&output).contains("another process is using it"),
            "{}",
            stderr(&output)
        );
        codes.push(code);
    }
    codes.sort_unstable();
    assert_eq!(codes, [0, 0, 2]);
    let analysis_of = |out: &Path| report(out)["contribution_analysis"].to_string();
    assert_eq!(analysis_of(&one), analysis_of(&two));
    // Each of the two runs sends every request once.
    let again: usize = server.asked_again().values().sum();
    assert_eq!(again * 2, server.asked().len(), "{:?}", server.asked_again());
}

/// Runs a script in new namespaces. Prints a message and returns `None` if namespaces are not permitted.
#[cfg(unix)]
#[expect(clippy::print_stderr, reason = "a skipped check prints a message")]
fn in_namespaces(kinds: &str, script: &str, arguments: &[&str]) -> Option<Output> {
    let unshared = |script: &str| {
        let mut command = Command::new("unshare");
        command
            .args([kinds, "sh", "-c", script, env!("CARGO_BIN_EXE_precedent")])
            .args(arguments);
        command
            .current_dir(root())
            .env("XDG_CONFIG_HOME", "/nonexistent")
            .output()
    };
    if !unshared("mount -t tmpfs none /mnt").is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: no permission to create a namespace with mounts");
        return None;
    }
    Some(unshared(script).unwrap())
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_reported_without_a_panic() {
    let server = ModelServer::start(plain).unwrap();
    let base = format!("{}/v1", server.base());
    // From no space at all to just too little for the reports.
    for size in [40, 120, 300, 700] {
        let out = Path::new("/mnt/run");
        let script = format!("mount -t tmpfs -o size={size}k none /mnt && exec \"$0\" \"$@\"");
        let Some(output) = in_namespaces("-rm", &script, &arguments_for(SAMPLE, out, &base, &[])) else {
            return;
        };
        let printed = stderr(&output);
        assert_eq!(output.status.code(), Some(3), "{size} kB: {printed}");
        assert!(
            printed.contains("full") || printed.contains("room") || printed.contains("space"),
            "{size} kB: {printed}"
        );
        assert!(!printed.contains("panicked"), "{printed}");
    }
}

/// A private host name that resolves to a public address is refused without a connection attempt.
#[cfg(unix)]
#[test]
fn local_only_refuses_a_private_host_that_resolves_to_a_public_address() {
    let arguments = arguments_for(
        SAMPLE,
        Path::new("/mnt/run"),
        "http://models.lab:8080/v1",
        &["--local-only", "--private-host", "models.lab"],
    );
    for (address, code) in [("203.0.113.9", 2), ("8.8.8.8", 2), ("169.254.169.254", 2)] {
        let script = format!(
            "mount -t tmpfs none /mnt && echo '{address} models.lab' > /mnt/hosts && mount --bind /mnt/hosts /etc/hosts && ip link set lo up && exec \"$0\" \"$@\""
        );
        let Some(output) = in_namespaces("-rmn", &script, &arguments) else {
            return;
        };
        let printed = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{address}: {printed}");
        assert!(printed.contains("local only"), "{address}: {printed}");
    }
}
