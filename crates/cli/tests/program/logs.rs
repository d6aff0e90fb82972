//! Logs on stderr: what they contain, and what they never contain.

use precedent_scripted::{ModelServer, plain};

use crate::internet::{Internet, PAPER, folder};
use crate::support::{precedent, precedent_with, stderr, stdout};

const MODEL_KEY: &str = "sk-model-key-5518";
const SERVICE_KEY: &str = "service-key-9204";

/// Fails if a run of six words of the paper, a key, a query string or a header is in the log.
fn contains_nothing_private(log: &str, manuscript: &str) {
    for key in [MODEL_KEY, SERVICE_KEY] {
        assert!(!log.contains(key), "a key is in the log:\n{log}");
    }
    assert!(!log.contains('?'), "a query string is in the log:\n{log}");
    for header in ["authorization", "x-api-key", "user-agent", "bearer"] {
        assert!(!log.to_lowercase().contains(header), "{header} is in the log:\n{log}");
    }
    let spaced: String = log
        .split([' ', '+', '/', '"', '\n'])
        .collect::<Vec<_>>()
        .join(" ")
        .replace("%20", " ");
    let words: Vec<&str> = manuscript.split_whitespace().collect();
    for run in words.windows(6) {
        let run = run.join(" ");
        assert!(!spaced.contains(&run), "text of the paper is in the log: {run}\n{log}");
    }
}

#[test]
fn logs_show_stages_requests_and_calls_but_no_key_and_no_text() {
    let internet = Internet::start("logs");
    let model = ModelServer::start(plain).unwrap();
    let (base, out) = (format!("{}/v1", model.base()), folder("logs"));
    let run = |more: &[&str], variables: &[(&str, &str)]| {
        let model = ["--model", "compatible:scripted", "--model-url", &base, "-q"];
        let arguments = internet.assess(&out, "all", &[&model[..], more].concat());
        let arguments: Vec<String> = arguments.iter().map(|one| (*one).to_owned()).collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let keys = [
            ("PRECEDENT_MODEL_KEY", MODEL_KEY),
            ("SEMANTIC_SCHOLAR_API_KEY", SERVICE_KEY),
        ];
        let output = precedent_with(&arguments, &[&keys[..], variables].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        output
    };
    let manuscript = stdout(&precedent(&["read", PAPER]));
    let first = stderr(&run(&["-vv"], &[]));
    for part in [
        "precedent::engine: stage stage=\"extract\" outcome=\"computed\" ms=",
        "precedent::http: request method=\"GET\" host=127.0.0.1:",
        "path=/v1/chat/completions status=200 ms=",
        "cache_hit=false",
        "precedent::llm: model call provider=\"compatible\" model=\"scripted\" prompt=\"compare.passages",
        "input_tokens=",
        "retries=0",
    ] {
        assert!(first.contains(part), "{part} is not in the log:\n{first}");
    }
    contains_nothing_private(&first, &manuscript);
    // The same command again uses stored stages. RUST_LOG alone also enables logs, and never those of libraries.
    let second = stderr(&run(&[], &[("RUST_LOG", "trace")]));
    assert!(second.contains("outcome=\"reused\""), "{second}");
    assert!(second.lines().all(|line| line.contains(" precedent::")), "{second}");
    contains_nothing_private(&second, &manuscript);
    // Replay reads recorded responses, which -vv shows and -v does not.
    let replayed = stderr(&run(&["--replay", "-vv"], &[]));
    assert!(
        replayed.contains("cache_hit=true") && !replayed.contains("cache_hit=false"),
        "{replayed}"
    );
    contains_nothing_private(&replayed, &manuscript);
    let brief = stderr(&run(&["--replay", "-v"], &[]));
    assert!(brief.contains("model call") && !brief.contains("cache_hit"), "{brief}");
    let silent = stderr(&run(&["--replay"], &[]));
    assert!(!silent.contains("precedent::"), "logs are off by default: {silent}");
}

#[test]
fn an_invalid_rust_log_is_reported_and_does_not_stop_the_command() {
    let output = precedent_with(&["read", PAPER], &[("RUST_LOG", "precedent=loud")]);
    assert_eq!(output.status.code(), Some(0));
    assert!(
        stderr(&output).contains("warning: RUST_LOG is not valid"),
        "{}",
        stderr(&output)
    );
}
