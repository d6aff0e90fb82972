//! Answers of models as they come in practice: after long thoughts, in wrappers, cut off.

use std::sync::OnceLock;

use precedent_scripted::{ModelServer, Question, Say, plain};
use serde_json::Value;

use crate::models::{arguments_for, folder, report};
use crate::support::{precedent, stderr};

const SAMPLE: (&str, &str) = ("examples/paper.pdf", "examples/works");

/// Runs `assess` with a model named `name` that answers by `script`. Returns the number of requests, of items and of items without an answer.
fn assessed(
    name: &str,
    place: &str,
    script: impl Fn(&Question) -> Say + Send + Sync + 'static,
) -> (usize, u64, u64, Value) {
    let server = ModelServer::start(script).unwrap();
    let (base, out) = (format!("{}/v1", server.base()), folder(place));
    let model = format!("compatible:{name}");
    let mut arguments = arguments_for(SAMPLE, &out, &base, &["--allow-fallback"]);
    let at = arguments.iter().position(|one| *one == "--model").unwrap();
    arguments[at + 1] = &model;
    let output = precedent(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found = report(&out);
    let uses = found["metadata"]["models"].as_array().unwrap();
    let items = uses.iter().filter_map(|one| one["items"].as_u64()).sum();
    let failed = uses.iter().filter_map(|one| one["failed"].as_object());
    let failed = failed.flat_map(|kinds| kinds.values()).filter_map(Value::as_u64).sum();
    (server.asked().len(), items, failed, found)
}

/// One run with a model that answers plainly, shared by the tests of this file.
fn plainly_assessed() -> &'static (usize, u64, u64, Value) {
    static RUN: OnceLock<(usize, u64, u64, Value)> = OnceLock::new();
    RUN.get_or_init(|| assessed("small", "answers-plain", plain))
}

/// A model that needs this many tokens for its thoughts before it answers.
fn thinking(thoughts: u64) -> impl Fn(&Question) -> Say + Send + Sync {
    move |question| {
        let body: Value = serde_json::from_str(&question.body).unwrap_or_default();
        let limit = body["max_tokens"].as_u64().unwrap_or_default();
        if limit < thoughts {
            Say::CutOff(String::new())
        } else {
            plain(question)
        }
    }
}

#[test]
fn a_model_that_thinks_before_it_answers_loses_no_item() {
    let (plain_requests, items, failed, _) = *plainly_assessed();
    assert!(items > 20 && failed == 0, "{failed} of {items}");
    // Unknown to think: what is cut off is asked again with more room.
    let (requests, all, failed, _) = assessed("small", "answers-unknown", thinking(2_500));
    assert_eq!((all, failed), (items, 0));
    assert!(requests > plain_requests, "{requests}");
    // Known to think: there is room at once.
    let (requests, all, failed, _) = assessed("qwen3-8b", "answers-known", thinking(2_500));
    assert_eq!((requests, all, failed), (plain_requests, items, 0));
}

#[test]
fn answers_in_wrappers_lose_no_item() {
    type Wrap = fn(&str) -> String;
    let wrappers: [(&str, Wrap); 4] = [
        ("thought", |text| {
            format!("<think>Perhaps {{\"draft\": [1]}}? No.</think>\n{text}")
        }),
        ("list", |text| format!("[{text}]")),
        ("object", |text| format!("{{\"answer\": {text}}}")),
        ("prose", |text| {
            format!("First I thought of {{this}}. Now:\n```json\n{text}\n```\nDone.")
        }),
    ];
    for (name, wrap) in wrappers {
        let script = move |question: &Question| match plain(question) {
            Say::Text(text) => Say::Text(wrap(&text)),
            other => other,
        };
        let (_, items, failed, _) = assessed("small", &format!("answers-{name}"), script);
        assert!(items > 20 && failed == 0, "{name}: {failed} of {items}");
    }
}

#[test]
fn what_is_missing_from_an_answer_that_does_not_end_is_reported() {
    let script = |question: &Question| match (question.prompt.as_str(), plain(question)) {
        // Cut off in the last contribution, however much room there is.
        ("extract.contributions", Say::Text(text)) => Say::CutOff(text[..text.len() - 12].to_owned()),
        (_, answer) => answer,
    };
    let (_, _, failed, found) = assessed("small", "answers-endless", script);
    let limits = found["metadata"]["not_searched"].to_string();
    assert_eq!(failed, 0);
    assert!(
        limits.contains("1 answer was cut off at the output limit (extract.contributions"),
        "{limits}"
    );
}

#[test]
fn a_list_whose_answer_never_fits_is_split_and_loses_no_item() {
    let (_, _, _, whole) = plainly_assessed();
    // A server that never ends an answer on more than two items, however much room there is.
    let script = |question: &Question| {
        // Requests about works begin with the claims.
        let listed = if question.prompt == "compare.passages" {
            "claim"
        } else {
            "work"
        };
        let numbered = |one: &precedent_scripted::Block<'_>| one.name.starts_with(listed) && one.number().is_some();
        let many = question.blocks().into_iter().filter(numbered).count() > 2;
        let lists = ["relevance.judge", "compare.passages"];
        match plain(question) {
            Say::Text(text) if many && lists.contains(&question.prompt.as_str()) => {
                Say::CutOff(text[..text.len() - 12].to_owned())
            }
            answer => answer,
        }
    };
    let (_, items, failed, split) = assessed("small", "answers-split", script);
    assert_eq!(failed, 0, "of {items}");
    let limits = split["metadata"]["not_searched"].to_string();
    assert!(!limits.contains("cut off"), "{limits}");
    assert_eq!(split["contribution_analysis"], whole["contribution_analysis"]);
    let lines = &split["core_task_survey"]["one_liners"];
    assert!(lines.as_array().is_some_and(|lines| !lines.is_empty()));
    assert_eq!(lines, &whole["core_task_survey"]["one_liners"]);
}
