//! Several servers in one run, proxies and certificate authorities.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::thread;

use precedent_scripted::{ModelServer, plain};
use serde_json::Value;

use crate::models::{folder, report};
use crate::support::{precedent_with, stderr, stdout};

fn settings(text: &str) -> String {
    let file = folder("connections").with_extension("toml");
    fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn two_servers_answer_one_run_each_with_its_own_key() {
    let (one, two) = (ModelServer::start(plain).unwrap(), ModelServer::start(plain).unwrap());
    let text = format!(
        "[providers.small]\nform = 'openai'\nurl = '{}/v1'\nkey_variable = 'SMALL_KEY'\n\
         [providers.large]\nform = 'anthropic'\nurl = '{}'\nkey_variable = 'LARGE_KEY'\n[stages]\ncompare = 'large:judge'\n",
        one.base(),
        two.base()
    );
    let (file, out) = (settings(&text), folder("two-servers"));
    let output = precedent_with(
        &[
            "assess",
            "examples/paper.pdf",
            "--corpus",
            "examples/works",
            "--out",
            out.to_str().unwrap(),
            "--model",
            "small:reader",
            "--settings",
            &file,
        ],
        &[("SMALL_KEY", "key-of-small"), ("LARGE_KEY", "key-of-large")],
    );
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let compared = two.asked();
    assert!(!compared.is_empty() && compared.iter().all(|one| one.prompt.starts_with("compare.")));
    assert!(one.asked().iter().all(|one| !one.prompt.starts_with("compare.")));
    let header = |server: &ModelServer, name: &str, value: &str| {
        server
            .asked()
            .iter()
            .all(|one| one.headers.contains(&(name.to_owned(), value.to_owned())))
    };
    assert!(header(&one, "authorization", "Bearer key-of-small"));
    assert!(header(&two, "x-api-key", "key-of-large"));
    let models: Vec<String> = report(&out)["metadata"]["models"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["model"].as_str().unwrap().to_owned())
        .collect();
    assert!(
        models.contains(&"small:reader".to_owned()) && models.contains(&"large:judge".to_owned()),
        "{models:?}"
    );
}

#[test]
fn a_stage_has_settings_of_its_own_for_the_same_model() {
    let server = ModelServer::start(plain).unwrap();
    let text = format!(
        "model = 'lab:large'\n[providers.lab]\nform = 'openai'\nurl = '{}/v1'\nkey_variable = 'LAB_KEY'\nreasoning_effort = 'low'\ntemperature = 0.5\n\
         headers = {{ x-team = 'all' }}\n[stages.compare]\nreasoning_effort = 'high'\noutput_tokens = 1234\n\
         body = {{ service_tier = 'flex' }}\n[stages.relevance]\nmodel = 'lab:small'\nthinking_tokens = 500\n\
         header_variables = {{ x-team = 'TEAM' }}\n[stages.survey]\nmodel = 'lab:unused'\ntemperature = 0.9\n",
        server.base()
    );
    let (file, out) = (settings(&text), folder("stage-settings"));
    let paper = ["examples/paper.pdf", "--corpus", "examples/works"];
    let paper = [&paper[..], &["--settings", &file]].concat();
    let variables = [("LAB_KEY", "key-of-lab"), ("TEAM", "reviews")];
    let assess = |more: &[&str]| {
        let stage = ["--stage-model", "survey=lab:large", "--out", out.to_str().unwrap()];
        precedent_with(&[&["assess"], &paper[..], &stage, more].concat(), &variables)
    };
    let output = assess(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let mut stages = std::collections::BTreeSet::new();
    for one in server.asked() {
        let body: Value = serde_json::from_str(&one.body).unwrap();
        let stage = one.prompt.split('.').next().unwrap().to_owned();
        let (effort, model, team) = match stage.as_str() {
            "compare" => ("high", "large", "all"),
            "relevance" => ("low", "small", "reviews"),
            // Its settings are those of another model.
            _ => ("low", "large", "all"),
        };
        assert_eq!(body["reasoning_effort"], effort, "{stage}");
        assert_eq!(
            (&body["model"], &body["temperature"]),
            (&model.into(), &0.5.into()),
            "{stage}"
        );
        assert_eq!(body.get("service_tier").is_some(), stage == "compare", "{stage}");
        assert!(
            stage != "compare" || body["max_tokens"].as_u64().unwrap() <= 1234,
            "{body}"
        );
        let teams: Vec<&str> = one
            .headers
            .iter()
            .filter(|(name, _)| name == "x-team")
            .map(|(_, value)| value.as_str())
            .collect();
        assert_eq!(teams, [team], "{stage}");
        stages.insert(stage);
    }
    for stage in ["extract", "compare", "relevance", "survey"] {
        assert!(stages.contains(stage), "{stages:?}");
    }
    let before = crate::models::files(&out);
    let asked = server.asked().len();
    let output = assess(&["--replay"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!((crate::models::files(&out), server.asked().len()), (before, asked));
    // Each combination of model and settings is tested, and the estimate has room for the thoughts of the stage.
    let arguments = ["doctor", "--settings", &file, "--model"];
    let output = precedent_with(&arguments, &variables);
    let shown = stdout(&output);
    assert!(shown.contains("lab:large, for compare, answers at"), "{shown}");
    assert!(shown.contains("lab:small, for relevance, answers at"), "{shown}");
    let estimate = |more: &[&str]| -> u64 {
        let output = precedent_with(&[&["estimate"], &paper[..], &["--json"], more].concat(), &variables);
        let found: Value = serde_json::from_str(&stdout(&output)).unwrap();
        let prompts = found["stages"].as_array().unwrap();
        let judge = prompts
            .iter()
            .find(|one| one["prompt"].as_str().unwrap().starts_with("relevance."))
            .unwrap();
        judge["most_output_tokens"].as_u64().unwrap() / judge["asks"].as_u64().unwrap()
    };
    assert_eq!(estimate(&[]), estimate(&["--stage-model", "relevance=lab:large"]) + 500);
}

#[test]
fn a_proxy_forwards_requests_and_records_name_it() {
    // A proxy receives plain requests with the whole address as their path.
    let proxy = ModelServer::start(plain).unwrap();
    let base = proxy.base();
    let variables = [("HTTP_PROXY", base.as_str()), ("NO_PROXY", "")];
    let out = folder("proxy");
    let arguments = [
        "assess",
        "examples/paper.pdf",
        "--corpus",
        "examples/works",
        "--out",
        out.to_str().unwrap(),
        "--model",
        "compatible:m",
        "--model-url",
        "http://models.example.invalid/v1",
    ];
    let output = precedent_with(&[&arguments[..], &["--proxy", "env"]].concat(), &variables);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let through = format!(
        "models.example.invalid (through the proxy {})",
        proxy.base().trim_start_matches("http://")
    );
    assert_eq!(report(&out)["metadata"]["sent"][0]["host"], through.as_str());
    let manifest: Value = serde_json::from_slice(&fs::read(out.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["sent"][0]["host"], through.as_str());
    assert!(proxy.asked().len() > 5);
}

#[test]
fn proxies_are_off_by_default_and_never_used_for_this_machine() {
    let server = ModelServer::start(plain).unwrap();
    let nobody = [
        ("HTTP_PROXY", "http://127.0.0.1:9"),
        ("HTTPS_PROXY", "http://127.0.0.1:9"),
        ("NO_PROXY", ""),
    ];
    let base = format!("{}/v1", server.base());
    let doctor = |more: &[&str]| {
        precedent_with(
            &[&["doctor", "--model", "compatible:m", "--model-url"][..], more].concat(),
            &nobody,
        )
    };
    for more in [
        &[base.as_str()][..],
        &[base.as_str(), "--proxy", "env"],
        &[base.as_str(), "--proxy", "http://127.0.0.1:9"],
    ] {
        let output = doctor(more);
        assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
        assert!(!stdout(&output).contains("through the proxy"), "{}", stdout(&output));
    }
    let output = doctor(&["http://models.example.invalid/v1", "--proxy", "env"]);
    assert_eq!(output.status.code(), Some(4));
    assert!(
        stdout(&output).contains("through the proxy 127.0.0.1:9"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn a_proxy_is_asked_for_a_tunnel_to_an_https_server() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let proxy = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map(Result::unwrap);
        let head: Vec<String> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
        stream
            .write_all(b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n")
            .unwrap();
        head
    });
    let with_password = format!("http://me:word@{address}");
    let output = precedent_with(
        &[
            "doctor",
            "--proxy",
            "env",
            "--model",
            "compatible:m",
            "--model-url",
            "https://models.example.invalid/v1",
        ],
        &[
            ("HTTPS_PROXY", with_password.as_str()),
            ("NO_PROXY", ""),
            ("PRECEDENT_MODEL_KEY", "sk-not-for-the-proxy"),
        ],
    );
    assert_eq!(output.status.code(), Some(4), "{}", stdout(&output));
    let head = proxy.join().unwrap();
    assert_eq!(head[0], "CONNECT models.example.invalid:443 HTTP/1.1");
    assert!(
        head.iter()
            .any(|line| line.to_ascii_lowercase().starts_with("proxy-authorization: basic ")),
        "{head:?}"
    );
    assert!(!head.join("\n").contains("sk-not-for-the-proxy"));
    let shown = format!("{}{}", stdout(&output), stderr(&output));
    assert!(
        shown.contains(&format!("through the proxy {address}")) && !shown.contains("word@"),
        "{shown}"
    );
}

#[test]
fn invalid_proxies_and_certificate_files_are_usage_errors() {
    for (arguments, why) in [
        (["--proxy", "socks5://127.0.0.1:9"], "only http and https proxies"),
        (["--proxy", "http://me:word@proxy.lab:3128"], "user name or password"),
        (["--ca-file", "Cargo.toml"], "contains no PEM certificate"),
        (["--ca-file", "no-such-file.pem"], "no-such-file.pem"),
    ] {
        let out = folder("bad-connection");
        let run = [
            "assess",
            "examples/paper.pdf",
            "--corpus",
            "examples/works",
            "--out",
            out.to_str().unwrap(),
            "--model",
            "ollama:m",
        ];
        let output = precedent_with(&[&run[..], &arguments].concat(), &[]);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(
            stderr(&output).contains(why) && !stderr(&output).contains("word@"),
            "{}",
            stderr(&output)
        );
    }
}
