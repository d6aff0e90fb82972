//! The requests that the commands send to a model, as a snapshot of digests. A recorded run is replayed by looking up the exact text of each request, so a
//! changed request makes the runs of an earlier build unreplayable. Change the snapshot only on purpose, and say so in CHANGELOG.

use std::collections::BTreeMap;

use precedent_scripted::{ModelServer, Question, Say, plain};

use crate::models::folder;
use crate::support::{precedent, stderr};

const IDEA: &str =
    "We train a sentence encoder on dictionary definitions and use it to embed rare words of low-resource languages.";

/// 64-bit FNV-1a hash.
fn digest<'a>(texts: impl Iterator<Item = &'a str>) -> u64 {
    let bytes = texts.flat_map(|text| text.bytes().chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Runs a command on the sample and returns a line for each prompt: its id, the number of requests and a digest of their texts.
fn requests(name: &str, command: &[&str], script: fn(&Question) -> Say) -> String {
    let server = ModelServer::start(script).unwrap();
    let (base, out) = (format!("{}/v1", server.base()), folder(&format!("requests-{name}")));
    let mut arguments = command.to_vec();
    arguments.extend(["--corpus", "examples/works", "--out", out.to_str().unwrap()]);
    arguments.extend(["--model", "compatible:scripted", "--model-url", &base]);
    let output = precedent(&arguments);
    assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
    let mut by_prompt: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for question in server.asked() {
        by_prompt.entry(question.prompt).or_default().push(question.body);
    }
    let lines = by_prompt.into_iter().map(|(prompt, mut bodies)| {
        bodies.sort();
        let digest = digest(bodies.iter().map(String::as_str));
        format!("  {prompt}  {}  {digest:016x}\n", bodies.len())
    });
    format!("{name}\n{}", lines.collect::<String>())
}

/// A model that gives no usable taxonomy, so that later prompts contain the one that the program builds.
fn no_taxonomy(question: &Question) -> Say {
    match question.prompt.starts_with("taxonomy.") {
        true => Say::Refusal,
        false => plain(question),
    }
}

#[test]
fn requests_are_those_of_recorded_runs() {
    let paper = "examples/paper.pdf";
    let all = [
        requests("assess", &["assess", paper], plain),
        requests("assess without a taxonomy", &["assess", paper], no_taxonomy),
        requests("points", &["points", paper], plain),
        requests("idea", &["idea", IDEA], plain),
        requests("review", &["review", IDEA], plain),
    ];
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("requests-to-models", all.concat()));
}
