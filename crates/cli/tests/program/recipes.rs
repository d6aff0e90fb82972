//! The recipes of docs/models.md: each is run against a server on loopback with the address, headers, fields and answers of its service.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use precedent_engine::llm::provider;
use serde_json::{Value, json};

use crate::models::folder;
use crate::support::{json as output_json, precedent_with, root, stderr, stdout};

/// What the service of a recipe expects.
struct Service {
    recipe: &'static str,
    host: &'static str,
    path: &'static str,
    /// Header and prefix of the key.
    key: Option<(&'static str, &'static str)>,
    form: Form,
    /// The field with the output limit.
    limit: &'static str,
}

#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// OpenAI's, with a schema.
    OpenAi,
    /// OpenAI's for a model that takes only the newer name of the output limit.
    NewerOpenAi,
    /// OpenAI's without schemas.
    JsonOnly,
    Anthropic,
    Gemini,
}

const BEARER: Option<(&str, &str)> = Some(("authorization", "Bearer "));
const MAX: &str = "max_tokens";
const NEWER_MAX: &str = "max_completion_tokens";

const fn service(
    recipe: &'static str,
    host: &'static str,
    path: &'static str,
    key: Option<(&'static str, &'static str)>,
    form: Form,
    limit: &'static str,
) -> Service {
    Service {
        recipe,
        host,
        path,
        key,
        form,
        limit,
    }
}

const CHAT: &str = "/v1/chat/completions";

const SERVICES: [Service; 13] = [
    service("OpenAI", "api.openai.com", CHAT, BEARER, Form::NewerOpenAi, NEWER_MAX),
    service(
        "Azure OpenAI",
        "RESOURCE.openai.azure.com",
        "/openai/v1/chat/completions",
        Some(("api-key", "")),
        Form::NewerOpenAi,
        NEWER_MAX,
    ),
    service(
        "Azure OpenAI with a dated version",
        "RESOURCE.openai.azure.com",
        "/openai/deployments/gpt-4.1-mini/chat/completions?api-version=2024-10-21",
        Some(("api-key", "")),
        Form::OpenAi,
        MAX,
    ),
    service(
        "Anthropic",
        "api.anthropic.com",
        "/v1/messages",
        Some(("x-api-key", "")),
        Form::Anthropic,
        MAX,
    ),
    service(
        "Gemini",
        "generativelanguage.googleapis.com",
        "/v1beta/models/gemini-2.5-flash:generateContent",
        Some(("x-goog-api-key", "")),
        Form::Gemini,
        "generationConfig",
    ),
    service(
        "Vertex AI",
        "aiplatform.googleapis.com",
        "/v1/projects/PROJECT/locations/global/endpoints/openapi/chat/completions",
        BEARER,
        Form::OpenAi,
        MAX,
    ),
    service(
        "Amazon Bedrock",
        "bedrock-runtime.us-west-2.amazonaws.com",
        "/openai/v1/chat/completions",
        BEARER,
        Form::OpenAi,
        MAX,
    ),
    service(
        "DeepSeek",
        "api.deepseek.com",
        "/chat/completions",
        BEARER,
        Form::JsonOnly,
        MAX,
    ),
    service(
        "OpenRouter",
        "openrouter.ai",
        "/api/v1/chat/completions",
        BEARER,
        Form::OpenAi,
        MAX,
    ),
    service("Ollama", "localhost:11434", CHAT, None, Form::OpenAi, MAX),
    service("LM Studio", "localhost:1234", CHAT, None, Form::OpenAi, MAX),
    service("llama.cpp", "localhost:8080", CHAT, None, Form::OpenAi, MAX),
    service("vLLM", "localhost:8000", CHAT, BEARER, Form::OpenAi, MAX),
];

/// A recipe as printed: its settings, the variable with its key, and the model to check.
struct Recipe {
    name: String,
    settings: toml::Table,
    variable: Option<String>,
    model: String,
}

/// The sections below `## Recipes`.
fn recipes() -> Vec<Recipe> {
    let page = fs::read_to_string(root().join("docs/models.md")).unwrap();
    let (_, part) = page.split_once("\n## Recipes\n").unwrap();
    let part = part.split("\n## ").next().unwrap();
    let recipe = |section: &str| {
        let block = |language: &str| {
            let (_, rest) = section.split_once(&format!("```{language}\n"))?;
            Some(rest.split("```").next().unwrap().to_owned())
        };
        let commands = block("sh").unwrap_or_else(|| panic!("no command: {section}"));
        let line = |start: &str| commands.lines().find_map(|line| line.strip_prefix(start));
        let variable = line("export ").map(|line| line.split('=').next().unwrap().to_owned());
        Recipe {
            name: section.lines().next().unwrap().trim().to_owned(),
            settings: toml::from_str(&block("toml").unwrap_or_default()).unwrap(),
            variable,
            model: line("precedent doctor --model ").unwrap().trim().to_owned(),
        }
    };
    part.split("\n### ").skip(1).map(recipe).collect()
}

/// A request as it arrived.
#[derive(Clone)]
struct Received {
    path: String,
    headers: Vec<(String, String)>,
    body: Value,
}

/// A server that answers each request with `answer`. It stops with the process.
fn serve(answer: impl Fn(&Received) -> (u16, Value) + Send + 'static) -> (u16, Arc<Mutex<Vec<Received>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let all: Arc<Mutex<Vec<Received>>> = Arc::default();
    let kept = Arc::clone(&all);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let Some(received) = receive(&stream) else { continue };
            let (status, body) = answer(&received);
            kept.lock().unwrap().push(received);
            let body = body.to_string();
            let head = format!(
                "HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
                body.len()
            );
            stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
        }
    });
    (port, all)
}

fn receive(stream: &TcpStream) -> Option<Received> {
    let mut lines = BufReader::new(stream);
    let mut first = String::new();
    lines.read_line(&mut first).ok()?;
    let path = first.split(' ').nth(1)?.to_owned();
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        lines.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            break;
        };
        headers.push((name.to_ascii_lowercase(), value.to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.map_or(0, |(_, length)| length.parse().unwrap());
    let mut body = vec![0; length];
    lines.read_exact(&mut body).ok()?;
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    Some(Received { path, headers, body })
}

/// What a service of this form answers.
fn answer(form: Form, received: &Received) -> (u16, Value) {
    let refuse = |message: &str| {
        (
            400,
            json!({"error": {"message": message, "type": "invalid_request_error"}}),
        )
    };
    let text = "{\"ready\": true}";
    match form {
        Form::NewerOpenAi if received.body.get(MAX).is_some() => refuse(
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        ),
        Form::JsonOnly if received.body.pointer("/response_format/json_schema").is_some() => {
            refuse("This response_format type is unavailable now")
        }
        Form::Anthropic => (
            200,
            json!({"id": "msg_1", "type": "message", "role": "assistant", "model": received.body["model"],
                "content": [{"type": "text", "text": text}], "stop_reason": "end_turn", "stop_sequence": null,
                "usage": {"input_tokens": 30, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 7}}),
        ),
        Form::Gemini => (
            200,
            json!({"candidates": [{"content": {"parts": [{"text": text}], "role": "model"}, "finishReason": "STOP", "index": 0}],
                "usageMetadata": {"promptTokenCount": 30, "candidatesTokenCount": 7, "totalTokenCount": 37},
                "modelVersion": "gemini-2.5-flash"}),
        ),
        _ => (
            200,
            json!({"id": "chatcmpl-1", "object": "chat.completion", "created": 1_760_000_000, "model": received.body["model"],
                "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 30, "completion_tokens": 7, "total_tokens": 37}}),
        ),
    }
}

/// Moves an address to a port of this machine. Returns the host before.
fn moved(address: &str, port: u16) -> (String, String) {
    let (_, rest) = address.split_once("://").unwrap();
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    (host.to_owned(), format!("http://127.0.0.1:{port}/{path}"))
}

#[test]
fn every_recipe_of_the_page_works_with_its_service() {
    let recipes = recipes();
    let names: Vec<&str> = recipes.iter().map(|recipe| recipe.name.as_str()).collect();
    assert_eq!(
        names,
        SERVICES.map(|service| service.recipe),
        "docs/models.md and this table"
    );
    for (mut recipe, service) in recipes.into_iter().zip(SERVICES) {
        let form = service.form;
        let (port, received) = serve(move |received| answer(form, received));
        let (id, model) = recipe.model.split_once(':').unwrap();
        // The only change to the recipe: its address leads to this machine.
        let providers = recipe
            .settings
            .entry("providers")
            .or_insert_with(|| toml::Table::new().into());
        let own = providers
            .as_table_mut()
            .unwrap()
            .entry(id)
            .or_insert_with(|| toml::Table::new().into());
        let own = own.as_table_mut().unwrap();
        let address = own.get("url").and_then(toml::Value::as_str);
        let address = address
            .or_else(|| provider(id)?.base())
            .unwrap_or_else(|| panic!("{}: no address", service.recipe));
        let (host, address) = moved(address, port);
        assert_eq!(host, service.host, "{}", service.recipe);
        own.insert("url".to_owned(), address.into());
        let settings = folder("recipe").with_extension("toml");
        fs::write(&settings, recipe.settings.to_string()).unwrap();

        let secret = "sk-of-this-recipe";
        let variables: Vec<(&str, &str)> = recipe.variable.iter().map(|name| (name.as_str(), secret)).collect();
        let arguments = [
            "doctor",
            "--json",
            "--settings",
            settings.to_str().unwrap(),
            "--model",
            &recipe.model,
        ];
        let output = precedent_with(&arguments, &variables);
        let found = output_json(&output)["findings"].as_array().unwrap().clone();
        let finding = found.into_iter().find(|one| one["what"] == "models").unwrap();
        let shown = finding["detail"].as_str().unwrap();
        assert_eq!(finding["state"], "ok", "{}: {shown}", service.recipe);
        assert!(
            shown.contains("with valid JSON (37 tokens)"),
            "{}: {shown}",
            service.recipe
        );
        assert!(!stdout(&output).contains(secret) && !stderr(&output).contains(secret));

        let received = received.lock().unwrap().clone();
        let last = received.last().unwrap();
        assert_eq!(last.path, service.path, "{}", service.recipe);
        let with_key: Vec<_> = last
            .headers
            .iter()
            .filter(|(_, value)| value.contains(secret))
            .collect();
        let expected: Vec<_> = service
            .key
            .iter()
            .map(|(name, prefix)| ((*name).to_owned(), format!("{prefix}{secret}")))
            .collect();
        assert_eq!(with_key, expected.iter().collect::<Vec<_>>(), "{}", service.recipe);
        check_body(&service, model, &last.body);
    }
}

fn check_body(service: &Service, model: &str, body: &Value) {
    let at = service.recipe;
    assert!(body.get(service.limit).is_some(), "{at}: {body}");
    match service.form {
        Form::Gemini => {
            assert!(body["generationConfig"]["maxOutputTokens"].is_u64(), "{at}: {body}");
            assert_eq!(body["generationConfig"]["responseJsonSchema"]["type"], "object", "{at}");
        }
        Form::Anthropic => {
            assert_eq!(
                (&body["model"], &body["output_config"]["format"]["type"]),
                (&json!(model), &json!("json_schema"))
            );
        }
        Form::JsonOnly => {
            assert_eq!(body["response_format"], json!({"type": "json_object"}), "{at}");
            assert!(
                body["messages"][0]["content"].as_str().unwrap().contains("JSON Schema"),
                "{at}"
            );
        }
        Form::OpenAi | Form::NewerOpenAi => {
            assert_eq!(body["model"], model, "{at}");
            assert_eq!(body["messages"][0]["role"], "system", "{at}");
            assert_eq!(body["response_format"]["json_schema"]["strict"], true, "{at}");
        }
    }
}

/// The state and detail that `doctor` prints for a model.
fn doctor(settings: &str, more: &[&str], variables: &[(&str, &str)]) -> (String, String) {
    let file = folder("named").with_extension("toml");
    fs::write(&file, settings).unwrap();
    let arguments = [&["doctor", "--json", "--settings", file.to_str().unwrap()][..], more].concat();
    let output = precedent_with(&arguments, variables);
    let found = output_json(&output)["findings"].as_array().unwrap().clone();
    let finding = found.into_iter().find(|one| one["what"] == "models").unwrap();
    (
        finding["state"].as_str().unwrap().to_owned(),
        finding["detail"].as_str().unwrap().to_owned(),
    )
}

#[test]
fn an_answer_without_json_is_reported() {
    let (port, received) = serve(|received| {
        let (status, mut printed) = answer(Form::OpenAi, received);
        printed["choices"][0]["message"]["content"] = json!("I am ready!");
        (status, printed)
    });
    let settings = format!("[providers.lab]\nform = 'openai'\nurl = 'http://127.0.0.1:{port}/v1'\n");
    let (state, detail) = doctor(&settings, &["--model", "lab:m"], &[]);
    assert_eq!(state, "broken", "{detail}");
    assert!(detail.contains("use the answer to `doctor`"), "{detail}");
    assert_eq!(received.lock().unwrap().len(), 2, "one repair request");
}

#[test]
fn named_servers_need_their_own_key_and_errors_name_them() {
    let (port, received) = serve(|received| {
        match received
            .headers
            .iter()
            .any(|(name, value)| name == "authorization" && value == "Bearer right")
        {
            true => answer(Form::OpenAi, received),
            false => (401, json!({"error": {"message": "no"}})),
        }
    });
    let settings = format!("[providers.lab]\nform = 'openai'\nurl = 'http://127.0.0.1:{port}/v1'\n");
    // The general key may belong to another server.
    let (state, detail) = doctor(&settings, &["--model", "lab:m"], &[("PRECEDENT_MODEL_KEY", "right")]);
    assert_eq!(state, "broken", "{detail}");
    assert!(detail.contains("call lab: it rejected the API key"), "{detail}");
    assert!(
        received
            .lock()
            .unwrap()
            .iter()
            .all(|one| one.headers.iter().all(|(name, _)| name != "authorization"))
    );
    let settings = format!("{settings}key_variable = 'LAB_KEY'\n");
    let (state, detail) = doctor(&settings, &["--model", "lab:m"], &[]);
    assert_eq!(state, "broken", "{detail}");
    assert!(detail.contains("call lab: no API key; set LAB_KEY"), "{detail}");
    let (state, detail) = doctor(&settings, &["--model", "lab:m"], &[("LAB_KEY", "right")]);
    assert_eq!(state, "ok", "{detail}");
}

#[test]
fn misspelled_and_incomplete_servers_are_errors() {
    for (settings, model, why) in [
        (
            "[providers.opneai]\nkey_variable = 'X'\n",
            "offline",
            "unknown provider opneai",
        ),
        ("[providers.openai]\nform = 'openai'\n", "offline", "takes no `form`"),
        ("[providers.Lab]\nform = 'openai'\n", "offline", "lower-case letters"),
        ("", "lab:m", "[providers.NAME]"),
        ("[providers.lab]\nform = 'openai'\n", "lab:m", "call lab: no address"),
    ] {
        let file = folder("misspelled").with_extension("toml");
        fs::write(&file, settings).unwrap();
        let out = folder("misspelled-out");
        let output = precedent_with(
            &[
                "assess",
                "examples/paper.pdf",
                "--corpus",
                "examples/works",
                "--model",
                model,
                "--settings",
                file.to_str().unwrap(),
                "--out",
                out.to_str().unwrap(),
            ],
            &[],
        );
        assert_ne!(output.status.code(), Some(0), "{settings}");
        assert!(stderr(&output).contains(why), "{settings}: {}", stderr(&output));
    }
}
