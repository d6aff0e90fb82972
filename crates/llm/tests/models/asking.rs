use std::sync::{Arc, Mutex};
use std::time::Duration;

use precedent_http::{HttpError, HttpGateway, Mode, Secret, Settings};
use precedent_ledger::Ledger;
use precedent_llm::{
    Ask, AskUsage, Check, Fence, LlmError, Mending, Meter, Model, ModelName, ModelOptions, Speaker, Turn, Typed,
    Violation, ask_for,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::forms::forms;

#[derive(Debug, Deserialize, JsonSchema, PartialEq)]
pub(super) struct Colour {
    pub(super) colour: String,
}

/// A server that returns these (status, body) pairs in turn, repeating the last one, and records its requests.
pub(super) async fn server(says: Vec<(u16, String)>) -> (String, Arc<Mutex<Vec<Value>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let remember = Arc::clone(&asked);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut bytes = Vec::new();
            let mut buffer = [0; 65536];
            let body = loop {
                let read = stream.read(&mut buffer).await.unwrap();
                bytes.extend_from_slice(&buffer[..read]);
                let text = String::from_utf8_lossy(&bytes).into_owned();
                let body = text
                    .split_once("\r\n\r\n")
                    .and_then(|(_, body)| serde_json::from_str::<Value>(body).ok());
                if let Some(body) = body {
                    break body;
                }
                assert!(read > 0, "a request that is not JSON: {text}");
            };
            let (status, printed) = {
                let mut asked = remember.lock().unwrap();
                asked.push(body);
                says[(asked.len() - 1).min(says.len() - 1)].clone()
            };
            let head = format!(
                "HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
                printed.len()
            );
            drop(stream.write_all(format!("{head}{printed}").as_bytes()).await);
        }
    });
    (base, asked)
}

pub(super) fn model(provider: &str, base: &str, ledger: &Ledger, mode: Mode) -> Model {
    model_with(&Arc::new(Meter::default()), provider, base, ledger, mode)
}

pub(super) fn model_with(meter: &Arc<Meter>, provider: &str, base: &str, ledger: &Ledger, mode: Mode) -> Model {
    let settings = Settings {
        mode,
        ..Settings::default()
    };
    let gateway = Arc::new(HttpGateway::new(settings, ledger.clone()).unwrap());
    let name = ModelName::parse(&format!("{provider}:test-model")).unwrap();
    Model::new(
        name,
        Some(base),
        Some(Secret::new("sk-test-key")),
        4,
        gateway,
        Arc::clone(meter),
    )
    .unwrap()
}

pub(super) fn question() -> Ask {
    Ask {
        id: "colour@1".to_owned(),
        system: "You name colours.".to_owned(),
        turns: vec![Turn {
            speaker: Speaker::User,
            text: "Which?".to_owned(),
        }],
        temperature: 0.0,
        most_output: 50,
        schema: None,
        mark: String::new(),
        stable: 0,
    }
}

pub(super) fn printed(provider: &str, text: &str) -> (u16, String) {
    let form = forms().into_iter().find(|form| form.provider == provider).unwrap();
    (200, (form.answer)(text, false).to_string())
}

pub(super) fn is_warm(colour: &Colour) -> Result<(), Violation> {
    match colour.colour.as_str() {
        "red" | "orange" => Ok(()),
        other => Err(Violation(format!("`{other}` is not a warm colour"))),
    }
}

pub(super) async fn ask(model: &Model) -> Result<Typed<Colour>, LlmError> {
    let checks: [Check<'_, Colour>; 1] = [&is_warm];
    ask_for(model, question(), &checks).await
}

#[tokio::test]
async fn every_provider_returns_a_typed_answer_and_replays_it() {
    for form in forms() {
        let (base, asked) = server(vec![printed(form.provider, r#"{"colour":"red"}"#)]).await;
        let ledger = Ledger::in_memory().await.unwrap();
        let typed = ask(&model(form.provider, &base, &ledger, Mode::Live)).await.unwrap();
        assert_eq!(
            (typed.value.colour.as_str(), typed.mending, typed.repaired),
            ("red", Mending::None, false)
        );
        let replayed = ask(&model(form.provider, &base, &ledger, Mode::Replay)).await.unwrap();
        assert_eq!(replayed, typed, "{}", form.provider);
        assert_eq!(asked.lock().unwrap().len(), 1);
    }
}

#[tokio::test]
async fn one_repair_request_names_the_error_and_a_second_invalid_answer_fails() {
    let (base, asked) = server(vec![
        printed("openai", r#"{"colour":"blue"}"#),
        printed("openai", r#"{"colour":"orange"}"#),
    ])
    .await;
    let ledger = Ledger::in_memory().await.unwrap();
    let typed = ask(&model("openai", &base, &ledger, Mode::Live)).await.unwrap();
    assert!(typed.repaired && typed.value.colour == "orange" && typed.usage.input == 200);
    let asked = asked.lock().unwrap().clone();
    assert_eq!(asked.len(), 2);
    let turns = asked[1]["messages"].as_array().unwrap();
    assert_eq!(turns[2]["content"], r#"{"colour":"blue"}"#);
    assert!(
        turns[3]["content"]
            .as_str()
            .unwrap()
            .contains("`blue` is not a warm colour")
    );

    let (base, asked) = server(vec![printed("openai", "Blue, I'd say.")]).await;
    let error = ask(&model("openai", &base, &Ledger::in_memory().await.unwrap(), Mode::Live))
        .await
        .unwrap_err();
    assert!(
        matches!(&error, LlmError::NotAsAsked { ask, .. } if ask == "colour@1"),
        "{error}"
    );
    assert_eq!(asked.lock().unwrap().len(), 2, "only one repair request");
}

/// A question of its own, without checks.
async fn ask_as(model: &Model, id: &str) -> Result<Typed<Colour>, LlmError> {
    let mut other = question();
    id.clone_into(&mut other.id);
    other.turns[0].text = format!("Which for {id}?");
    let checks: [Check<'_, Colour>; 0] = [];
    ask_for(model, other, &checks).await
}

#[tokio::test]
async fn features_that_a_model_rejects_are_omitted_from_then_on() {
    let refuses = |what: &str| {
        let error = json!({"error": {"message": what, "type": "invalid_request_error"}});
        (400, error.to_string())
    };
    let red = || printed("compatible", r#"{"colour":"red"}"#);
    let (base, asked) = server(vec![
        refuses("response_format json_schema is not supported"),
        refuses("Unsupported value: 'temperature'"),
        refuses("'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."),
        red(),
        red(),
        refuses("response_format: schema too deep"),
        red(),
    ])
    .await;
    let ledger = Ledger::in_memory().await.unwrap();
    let model = model("compatible", &base, &ledger, Mode::Live);
    assert!(ask(&model).await.is_ok());
    assert!(ask_as(&model, "shade@1").await.is_ok());
    assert!(ask_as(&model, "tint@1").await.is_ok());
    assert!(ask_as(&model, "hue@1").await.is_ok());
    let asked = asked.lock().unwrap().clone();
    assert_eq!(asked.len(), 8);
    for later in &asked[3..] {
        assert!(later.get("temperature").is_none() && later.get("max_tokens").is_none());
        assert_eq!(later["max_completion_tokens"], 50);
    }
    let has_schema: Vec<bool> = asked.iter().map(|one| one.get("response_format").is_some()).collect();
    assert_eq!(
        has_schema,
        [true, false, false, false, true, true, false, false],
        "a rejected schema affects its own prompt, and two affect all"
    );
    assert!(
        asked[3]["messages"][0]["content"]
            .as_str()
            .unwrap()
            .contains("JSON Schema")
    );
}

#[tokio::test]
async fn a_replay_in_another_order_finds_requests_that_were_sent_with_fewer_features() {
    let error = json!({"error": {"message": "response_format is not supported", "type": "invalid_request_error"}});
    let red = || printed("compatible", r#"{"colour":"red"}"#);
    let (base, asked) = server(vec![
        (400, error.to_string()),
        red(),
        (400, error.to_string()),
        red(),
        red(),
    ])
    .await;
    let ledger = Ledger::in_memory().await.unwrap();
    let live = model("compatible", &base, &ledger, Mode::Live);
    for id in ["first@1", "second@1", "third@1"] {
        assert!(ask_as(&live, id).await.is_ok());
    }
    assert_eq!(
        asked.lock().unwrap().len(),
        5,
        "the third was sent without a schema at once"
    );
    let replay = model("compatible", &base, &ledger, Mode::Replay);
    for id in ["third@1", "second@1", "first@1"] {
        assert_eq!(ask_as(&replay, id).await.unwrap().value.colour, "red", "{id}");
    }
    let error = ask_as(&replay, "fourth@1").await.unwrap_err();
    assert!(error.is_missing(), "{error}");
}

#[tokio::test]
async fn an_empty_answer_is_asked_again_without_an_empty_turn() {
    for provider in ["openai", "anthropic", "gemini"] {
        let (base, asked) = server(vec![printed(provider, ""), printed(provider, r#"{"colour":"red"}"#)]).await;
        let ledger = Ledger::in_memory().await.unwrap();
        let typed = ask(&model(provider, &base, &ledger, Mode::Live)).await.unwrap();
        assert_eq!(typed.value.colour, "red", "{provider}");
        let second = asked.lock().unwrap()[1].to_string();
        assert!(second.contains("Your last answer was empty"), "{provider}: {second}");
        assert!(
            !second.contains("\"assistant\"") && !second.contains("\"model\",\"parts\""),
            "{provider}: {second}"
        );
    }
}

#[tokio::test]
async fn the_users_options_are_in_every_request() {
    let options = || {
        let mut options = ModelOptions {
            thinking_tokens: Some(2_000),
            reasoning_effort: Some("low".to_owned()),
            temperature: Some(0.1),
            ..ModelOptions::default()
        };
        options.body.insert("service_tier".to_owned(), json!("flex"));
        options
    };
    let sent = async |provider: &str, options: ModelOptions| {
        let (base, asked) = server(vec![printed(provider, r#"{"colour":"red"}"#)]).await;
        let ledger = Ledger::in_memory().await.unwrap();
        let model = model(provider, &base, &ledger, Mode::Live).with_options(options);
        assert!(ask(&model).await.is_ok());
        let asked = asked.lock().unwrap();
        asked[0].clone()
    };
    let chat = sent("openai", options()).await;
    assert_eq!(chat["max_completion_tokens"], 2_050);
    assert_eq!(
        (&chat["reasoning_effort"], &chat["service_tier"]),
        (&json!("low"), &json!("flex"))
    );
    assert_eq!(chat["temperature"].to_string(), "0.1");
    let lower = ModelOptions {
        output_tokens: Some(1_024),
        ..options()
    };
    assert_eq!(sent("openai", lower).await["max_completion_tokens"], 1_024);
    let anthropic = sent("anthropic", options()).await;
    assert_eq!(anthropic["max_tokens"], 2_050);
    assert_eq!(
        anthropic["thinking"],
        json!({"type": "enabled", "budget_tokens": 2_000})
    );
    assert_eq!(anthropic["output_config"]["effort"], "low");
    assert!(anthropic.get("temperature").is_none(), "a model that thinks takes none");
    let gemini = sent("gemini", options()).await;
    let settings = &gemini["generationConfig"];
    assert_eq!(settings["maxOutputTokens"], 2_050);
    assert_eq!(
        settings["thinkingConfig"],
        json!({"thinkingBudget": 2_000}),
        "one of the two ways"
    );
    let level = ModelOptions {
        thinking_tokens: None,
        ..options()
    };
    let gemini = sent("gemini", level).await;
    assert_eq!(
        gemini["generationConfig"]["thinkingConfig"],
        json!({"thinkingLevel": "low"})
    );
    assert_eq!(
        sent("openai", ModelOptions::default()).await["max_completion_tokens"],
        50
    );
}

#[tokio::test]
async fn a_prompt_over_the_context_limit_is_retried_with_shorter_texts() {
    let too_long = r#"{"error":{"message":"This model's maximum context length is 8192 tokens.","code":"context_length_exceeded"}}"#;
    let text = "Swell bends the kelp at dusk. ".repeat(400);
    let fence = Fence::of_run(1, [text.as_str()]);
    let mut long = question();
    long.turns[0].text = format!("{}\nWhich colour?", fence.wrap("work", &text));
    long.mark = fence.mark().to_owned();
    let (base, asked) = server(vec![
        (400, too_long.to_owned()),
        (400, too_long.to_owned()),
        printed("openai", r#"{"colour":"red"}"#),
    ])
    .await;
    let ledger = Ledger::in_memory().await.unwrap();
    let checks: [Check<'_, Colour>; 0] = [];
    let typed = ask_for(&model("openai", &base, &ledger, Mode::Live), long.clone(), &checks)
        .await
        .unwrap();
    assert_eq!((typed.value.colour.as_str(), typed.shortened), ("red", 2));
    let sizes: Vec<usize> = asked
        .lock()
        .unwrap()
        .iter()
        .map(|one| one["messages"][1]["content"].as_str().unwrap().len())
        .collect();
    assert!(
        sizes[1] < sizes[0] * 6 / 10 && sizes[2] < sizes[1] * 6 / 10,
        "{sizes:?}"
    );
    // A replay uses the record and sends nothing.
    let replayed = ask_for(&model("openai", &base, &ledger, Mode::Replay), long.clone(), &checks).await;
    assert_eq!(replayed.unwrap(), typed);
    assert_eq!(asked.lock().unwrap().len(), 3);
    // A prompt that never fits fails after four attempts, and one without a long text after one.
    let (base, asked) = server(vec![(400, too_long.to_owned())]).await;
    let ledger = Ledger::in_memory().await.unwrap();
    let model = model("openai", &base, &ledger, Mode::Live);
    for (ask, tries) in [(long, 4), (question(), 5)] {
        let error = ask_for::<Colour>(&model, ask, &checks).await.unwrap_err();
        assert!(matches!(error, LlmError::TooLong { .. }), "{error}");
        assert_eq!(asked.lock().unwrap().len(), tries);
    }
}

#[tokio::test]
async fn a_wrong_key_ends_the_run_and_shows_no_key() {
    let echo = r#"{"error":{"message":"Incorrect API key provided: sk-test-key","code":"invalid_api_key"}}"#;
    let (base, asked) = server(vec![(401, echo.to_owned())]).await;
    let ledger = Ledger::in_memory().await.unwrap();
    let error = ask(&model("openai", &base, &ledger, Mode::Live)).await.unwrap_err();
    assert!(error.ends_the_run(), "{error}");
    assert!(!format!("{error}{error:?}").contains("sk-test-key"), "{error}");
    assert_eq!(asked.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn replay_without_a_record_sends_nothing() {
    let ledger = Ledger::in_memory().await.unwrap();
    let error = ask(&model("anthropic", "http://127.0.0.1:9", &ledger, Mode::Replay))
        .await
        .unwrap_err();
    assert!(
        matches!(error, LlmError::Http(HttpError::NotRecorded { .. })),
        "{error}"
    );
}

#[tokio::test]
async fn errors_that_the_user_can_fix_are_not_kept_for_the_next_run() {
    let no_key = r#"{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}"#;
    let no_credit = r#"{"error":{"message":"You exceeded your current quota","type":"insufficient_quota"}}"#;
    let no_model = r#"{"error":{"message":"The model does not exist","code":"model_not_found"}}"#;
    for (status, body) in [(401, no_key), (429, no_credit), (404, no_model)] {
        let (base, asked) = server(vec![
            (status, body.to_owned()),
            printed("openai", r#"{"colour":"red"}"#),
        ])
        .await;
        let ledger = Ledger::in_memory().await.unwrap();
        let first = ask(&model("openai", &base, &ledger, Mode::Live)).await.unwrap_err();
        assert_eq!(
            asked.lock().unwrap().len(),
            1,
            "{status}: an immediate retry is useless"
        );
        // A replay reports the same error, and a later live run sends the request again.
        let replayed = ask(&model("openai", &base, &ledger, Mode::Replay)).await.unwrap_err();
        assert_eq!(first.to_string(), replayed.to_string());
        let later = ask(&model("openai", &base, &ledger, Mode::Live)).await.unwrap();
        assert_eq!(later.value.colour, "red", "{status}");
    }
}

#[tokio::test]
async fn failures_with_a_success_status_are_retried_and_never_kept() {
    for body in [
        "",
        "OK",
        r#"{"choices":[{"message":{"content":"{\"col"#,
        r#"{"choices":[]}"#,
        r#"{"error":{"code":429,"message":"Provider returned error"}}"#,
        r#"{"error":{"code":502,"message":"Provider returned error"}}"#,
    ] {
        let (base, asked) = server(vec![(200, body.to_owned()), printed("openai", r#"{"colour":"red"}"#)]).await;
        let ledger = Ledger::in_memory().await.unwrap();
        let typed = ask(&model("openai", &base, &ledger, Mode::Live)).await.unwrap();
        assert_eq!(
            (typed.value.colour.as_str(), asked.lock().unwrap().len()),
            ("red", 2),
            "{body}"
        );
        let replayed = ask(&model("openai", &base, &ledger, Mode::Replay)).await.unwrap();
        assert_eq!(replayed, typed, "{body}");
    }
    // If every attempt fails, the failure is reported and not kept.
    let (base, asked) = server(vec![(200, "OK".to_owned())]).await;
    let ledger = Ledger::in_memory().await.unwrap();
    let failing = || model("openai", &base, &ledger, Mode::Live).waiting_for(Duration::from_millis(100));
    let error = ask(&failing()).await.unwrap_err();
    assert!(error.may_pass(), "{error}");
    let first = asked.lock().unwrap().len();
    assert!(ask(&failing()).await.is_err());
    assert!(asked.lock().unwrap().len() > first, "a later run sends it again");
}

#[tokio::test]
async fn possibly_billed_attempts_are_counted_with_the_answer_and_in_a_replay() {
    let wasted = r#"{"choices":[],"usage":{"prompt_tokens":40,"completion_tokens":2.0}}"#;
    let refusal = r#"{"choices":[{"finish_reason":"stop","message":{"content":null,"refusal":"No."}}],"usage":{"prompt_tokens":"70","completion_tokens":7}}"#;
    let (base, asked) = server(vec![
        (200, wasted.to_owned()),
        (200, "OK".to_owned()),
        (200, refusal.to_owned()),
    ])
    .await;
    let ledger = Ledger::in_memory().await.unwrap();
    for mode in [Mode::Live, Mode::Live, Mode::Replay] {
        let mut taken = AskUsage::default();
        let error = model("openai", &base, &ledger, mode)
            .complete(&question(), &mut taken)
            .await
            .unwrap_err();
        assert!(matches!(error, LlmError::Refused { .. }), "{error}");
        assert_eq!((taken.usage.input, taken.usage.output), (110, 9));
        assert_eq!((taken.lost, taken.questions, taken.answers), (1, 1, 0));
        assert!(taken.assumed.input > 0 && taken.assumed.output == 50);
        assert_eq!(asked.lock().unwrap().len(), 3, "a refusal is kept");
    }
}

#[tokio::test]
async fn an_unreachable_server_was_sent_nothing() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let ledger = Ledger::in_memory().await.unwrap();
    for mode in [Mode::Live, Mode::Replay] {
        let model = model("openai", &base, &ledger, mode).waiting_for(Duration::from_millis(100));
        let mut taken = AskUsage::default();
        let error = model.complete(&question(), &mut taken).await.unwrap_err();
        assert!(error.may_pass() && error.kind() == "not reached", "{error}");
        assert_eq!(taken, AskUsage::default());
    }
}

#[tokio::test]
async fn oversized_answers_and_token_counts_are_limited() {
    let long = json!({"choices": [{"finish_reason": "stop", "message": {"content": "x".repeat(9 << 20)}}]});
    let (base, _) = server(vec![(200, long.to_string())]).await;
    let ledger = Ledger::in_memory().await.unwrap();
    let error = ask(&model("openai", &base, &ledger, Mode::Live)).await.unwrap_err();
    assert_eq!(error.kind(), "answer too long", "{error}");
    // A long answer below the size limit is sent back for repair, but shortened.
    let (base, asked) = server(vec![
        printed("openai", &"blue ".repeat(200_000)),
        printed("openai", r#"{"colour":"red"}"#),
    ])
    .await;
    let ledger = Ledger::in_memory().await.unwrap();
    assert!(
        ask(&model("openai", &base, &ledger, Mode::Live))
            .await
            .unwrap()
            .repaired
    );
    let second = asked.lock().unwrap()[1]["messages"].to_string().len();
    assert!(second < 70_000, "{second}");
    // Counts that would overflow any sum.
    for (provider, usage) in [
        (
            "openai",
            json!({"prompt_tokens": u64::MAX, "completion_tokens": u64::MAX}),
        ),
        (
            "anthropic",
            json!({"input_tokens": u64::MAX, "cache_read_input_tokens": u64::MAX, "cache_creation_input_tokens": 7, "output_tokens": u64::MAX}),
        ),
        (
            "gemini",
            json!({"promptTokenCount": u64::MAX, "candidatesTokenCount": u64::MAX, "thoughtsTokenCount": u64::MAX}),
        ),
    ] {
        let (_, body) = printed(provider, r#"{"colour":"red"}"#);
        let mut body: Value = serde_json::from_str(&body).unwrap();
        let key = if provider == "gemini" { "usageMetadata" } else { "usage" };
        body[key] = usage;
        let (base, _) = server(vec![(200, body.to_string())]).await;
        let ledger = Ledger::in_memory().await.unwrap();
        let mut taken = ask(&model(provider, &base, &ledger, Mode::Live)).await.unwrap().usage;
        for _ in 0..1000 {
            taken += taken_once();
        }
        assert!(taken.input < u64::MAX / 100, "{provider}: {taken:?}");
    }
}

fn taken_once() -> precedent_llm::Usage {
    precedent_llm::Usage {
        input: 1_000_000_000,
        output: 1_000_000_000,
        ..Default::default()
    }
}

#[test]
fn addresses_that_could_hold_a_key_are_rejected() {
    let name = ModelName::parse("compatible:m").unwrap();
    for bad in [
        "https://user:sk-12345678@models.example/v1",
        "https://sk-12345678@models.example/v1",
        "https://models.example/v1?key=sk-12345678",
        "https://models.example/v1#sk-12345678",
        "models.example:sk-12345678@x",
    ] {
        let error = name.check_address(bad).unwrap_err();
        assert!(
            error.ends_the_run() && !format!("{error}{error:?}").contains("12345678"),
            "{error}"
        );
    }
    for fine in [
        "https://models.example/v1",
        "http://127.0.0.1:8080/a@b/v1",
        "http://[::1]:8080",
    ] {
        assert!(name.check_address(fine).is_ok(), "{fine}");
    }
}

#[test]
fn invalid_model_names_are_rejected() {
    for bad in [
        "gpt",
        ":x",
        "openai:",
        "openai:../x",
        "openai:a b",
        "openai:a\nb",
        "gemini:x?key=y",
        "gemini:x#y",
        "nobody:x",
    ] {
        assert!(ModelName::parse(bad).is_err(), "{bad}");
    }
    assert_eq!(
        ModelName::parse("ollama:qwen3:8b").unwrap().to_string(),
        "ollama:qwen3:8b"
    );
    let unknown = ModelName::parse("nobody:x").unwrap_err().to_string();
    assert!(unknown.contains("anthropic") && unknown.contains("ollama"), "{unknown}");
}
