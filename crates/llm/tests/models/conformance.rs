use precedent_http::{Response, Secret};
use precedent_llm::{Ask, Endpoint, Features, Finish, LlmError, Schema, Speaker, Turn, Usage, provider, providers};
use serde_json::{Value, json};

use crate::forms::{Form, forms};

fn ask() -> Ask {
    Ask {
        id: "claims@1".to_owned(),
        system: "You read papers.".to_owned(),
        turns: vec![
            turn(Speaker::User, "first question"),
            turn(Speaker::Model, "first answer"),
            turn(Speaker::User, "last question"),
        ],
        temperature: 0.5,
        most_output: 300,
        schema: Some(Schema {
            name: "Claims".to_owned(),
            schema: json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false}),
        }),
        mark: String::new(),
        stable: 0,
    }
}

fn turn(speaker: Speaker, text: &str) -> Turn {
    Turn {
        speaker,
        text: text.to_owned(),
    }
}

fn response(status: u16, body: &str) -> Response {
    Response {
        status,
        headers: Vec::new(),
        body: body.as_bytes().to_vec(),
        address: String::new(),
        recorded: false,
    }
}

fn body(form: &Form, features: Features) -> Value {
    let endpoint = Endpoint {
        base: "http://127.0.0.1:1".to_owned(),
        key: Some(Secret::new("sk-hidden-key")),
        model: "some-model".to_owned(),
        options: precedent_llm::ModelOptions::default(),
    };
    let request = provider(form.provider)
        .unwrap()
        .request(&ask(), &endpoint, features)
        .unwrap();
    assert!(
        request.address().ends_with(form.path),
        "{}: {}",
        form.provider,
        request.address()
    );
    if let Some(header) = form.key_header {
        assert_eq!(
            request.secret_header_names().collect::<Vec<_>>(),
            [header],
            "{}",
            form.provider
        );
    }
    let body = String::from_utf8(request.body().to_vec()).unwrap();
    assert!(!body.contains("hidden"), "the key appears only in a header");
    assert!(format!("{body}{}", request.address()).contains("some-model"));
    serde_json::from_str(&body).unwrap()
}

#[test]
fn a_long_stable_prefix_gets_a_cache_marker_at_anthropic() {
    let mut ask = ask();
    ask.turns = vec![turn(
        Speaker::User,
        &format!("{}and the work", "the paper ".repeat(600)),
    )];
    ask.stable = 6000;
    let endpoint = Endpoint {
        base: "http://127.0.0.1:1".to_owned(),
        key: None,
        model: "m".to_owned(),
        options: precedent_llm::ModelOptions::default(),
    };
    let content = |ask: &Ask| {
        let request = provider("anthropic")
            .unwrap()
            .request(ask, &endpoint, Features::default());
        let body: Value = serde_json::from_slice(request.unwrap().body()).unwrap();
        body["messages"][0]["content"].clone()
    };
    let parts = content(&ask);
    assert_eq!(parts[0]["text"].as_str().unwrap().len(), 6000);
    assert_eq!(parts[0]["cache_control"]["type"], "ephemeral");
    assert_eq!(parts[1], json!({"type": "text", "text": "and the work"}));
    ask.stable = 50;
    assert!(content(&ask).is_string(), "too short to be cached");
    ask.system = "The rules. ".repeat(400);
    assert_eq!(
        content(&ask)[0]["cache_control"]["type"],
        "ephemeral",
        "the system text is a part of the prefix"
    );
    ask.stable = 0;
    assert!(content(&ask).is_string(), "no other request begins like this one");
}

#[test]
fn an_anthropic_address_may_have_the_version() {
    for base in ["http://127.0.0.1:1", "http://127.0.0.1:1/v1"] {
        let endpoint = Endpoint {
            base: base.to_owned(),
            key: None,
            model: "m".to_owned(),
            options: precedent_llm::ModelOptions::default(),
        };
        let anthropic = provider("anthropic").unwrap();
        let request = anthropic.request(&ask(), &endpoint, Features::default()).unwrap();
        assert_eq!(request.address(), "http://127.0.0.1:1/v1/messages");
    }
}

#[test]
fn every_registered_provider_is_tested() {
    let mut held: Vec<&str> = forms().iter().map(|form| form.provider).collect();
    let mut known: Vec<&str> = providers().iter().map(|provider| provider.id()).collect();
    held.sort_unstable();
    known.sort_unstable();
    assert_eq!(held, known);
    for provider in providers() {
        assert!(provider.example().starts_with(&format!("{}:", provider.id())));
    }
}

#[test]
fn the_request_contains_every_part() {
    for form in forms() {
        let (last, temperature, schema) = (form.question)(&body(&form, Features::default()));
        assert_eq!(last, "last question", "{}", form.provider);
        assert_eq!(temperature, 0.5, "{}", form.provider);
        assert_eq!(schema, ask().schema.unwrap().schema, "{}", form.provider);
        let all = body(&form, Features::default()).to_string();
        for printed in ["You read papers.", "first question", "first answer", "300"] {
            assert!(all.contains(printed), "{}: {printed}", form.provider);
        }
    }
}

#[test]
fn rejected_features_are_omitted_and_the_schema_goes_into_the_text() {
    for form in forms() {
        let none = Features {
            schema: false,
            temperature: false,
            completion_limit: false,
        };
        let body = body(&form, none);
        let (_, temperature, _) = (form.question)(&body);
        assert_eq!(temperature, Value::Null, "{}", form.provider);
        for gone in ["response_format", "output_config", "responseJsonSchema"] {
            assert!(!body.to_string().contains(gone), "{}: {gone}", form.provider);
        }
        assert!(
            body.to_string().contains("additionalProperties"),
            "{}: it is in the text",
            form.provider
        );
    }
}

#[test]
fn an_answer_is_parsed_with_its_finish_reason_and_tokens() {
    for form in forms() {
        let provider = provider(form.provider).unwrap();
        for cut in [false, true] {
            let answer = (form.answer)("{\"a\": \"é\"}", cut).to_string();
            let completion = provider.read(&response(200, &answer)).unwrap();
            assert_eq!(completion.text, "{\"a\": \"é\"}", "{}", form.provider);
            assert_eq!(completion.finish == Finish::CutOff, cut, "{}", form.provider);
            let usage = Usage {
                input: 100,
                cached: 60,
                written: if form.provider == "anthropic" { 10 } else { 0 },
                output: 20,
            };
            assert_eq!(completion.usage, usage, "{}", form.provider);
        }
    }
}

#[test]
fn the_errors_of_fastapi_servers_are_read() {
    for body in [
        r#"{"detail":"response_format json_schema is not supported"}"#,
        r#"{"detail":[{"loc":["body","response_format"],"msg":"extra fields not permitted","type":"value_error"}]}"#,
    ] {
        let error = provider("compatible").unwrap().read(&response(422, body)).unwrap_err();
        assert!(
            matches!(&error, LlmError::NotTaken { message, .. } if message.contains("response_format")),
            "{error:?}"
        );
    }
}

#[test]
fn thoughts_that_only_the_total_counts_are_output() {
    let usage = |total: u64| {
        let usage = json!({"prompt_tokens": 70, "completion_tokens": 50, "total_tokens": total});
        let body = json!({"choices": [], "usage": usage}).to_string();
        provider("compatible").unwrap().usage(body.as_bytes()).unwrap().output
    };
    assert_eq!([usage(120), usage(1_120), usage(0)], [50, 1_050, 50]);
}

#[test]
fn errors_are_classified() {
    for form in forms() {
        let provider = provider(form.provider).unwrap();
        for (status, body, expected) in form.errors {
            let error = provider.read(&response(*status, body)).unwrap_err();
            assert_eq!(name(&error), *expected, "{} {status}: {error:?}", form.provider);
            assert_eq!(
                error.ends_the_run(),
                matches!(*expected, "WrongKey" | "NoCredit" | "NoSuchModel"),
                "{expected}"
            );
        }
        let refusal = provider.read(&response(200, form.refusal)).unwrap_err();
        assert_eq!(name(&refusal), "Refused", "{}", form.provider);
        for (status, expected) in [
            (401, "WrongKey"),
            (429, "RateLimited"),
            (500, "Overloaded"),
            (503, "Overloaded"),
        ] {
            let page = provider
                .read(&response(status, "<html><h1>Error</h1></html>"))
                .unwrap_err();
            assert_eq!(name(&page), expected, "{}: an error page from a proxy", form.provider);
        }
    }
}

#[test]
fn no_credit_is_not_retried() {
    for form in forms() {
        let provider = provider(form.provider).unwrap();
        for (status, body, expected) in form.errors {
            if *status == 429 {
                assert_eq!(
                    provider.is_settled(429, body.as_bytes()),
                    *expected == "NoCredit",
                    "{}: {body}",
                    form.provider
                );
            }
        }
    }
}

#[test]
fn an_invalid_response_is_an_error_and_never_text() {
    for form in forms() {
        let provider = provider(form.provider).unwrap();
        for body in [
            "",
            "null",
            "[]",
            "{}",
            "42",
            "<html>",
            "{\"choices\":[]}",
            "{\"candidates\":[]}",
            "{\"choices\":\"x\"}",
            "\u{0}",
        ] {
            assert!(
                provider.read(&response(200, body)).is_err(),
                "{}: {body}",
                form.provider
            );
        }
        let whole = (form.answer)("text", false).to_string();
        for cut in (0..whole.len()).filter(|cut| whole.is_char_boundary(*cut)) {
            assert!(
                provider.read(&response(200, &whole[..cut])).is_err(),
                "{}: {cut}",
                form.provider
            );
        }
    }
}

fn name(error: &LlmError) -> String {
    let debug = format!("{error:?}");
    debug.split([' ', '{']).next().unwrap().to_owned()
}
