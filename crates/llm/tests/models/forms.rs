//! Responses of each provider in its own format. The values are invented; the shapes are those of the public documentation and of client sources.

use serde_json::{Value, json};

/// The responses of one provider.
pub(crate) struct Form {
    pub(crate) provider: &'static str,
    /// The end of the request address.
    pub(crate) path: &'static str,
    /// The header with the key.
    pub(crate) key_header: Option<&'static str>,
    /// An answer with this text; `cut` ends it at the output limit. 100 input tokens, 60 of them cached, 20 output tokens.
    pub(crate) answer: fn(text: &str, cut: bool) -> Value,
    /// Reads the last message, the temperature and the schema from a request body.
    pub(crate) question: fn(&Value) -> (Value, Value, Value),
    /// Errors: status, body, and the expected error variant.
    pub(crate) errors: &'static [(u16, &'static str, &'static str)],
    /// A refusal under a success status.
    pub(crate) refusal: &'static str,
}

pub(crate) fn forms() -> Vec<Form> {
    vec![
        Form {
            errors: &[
                (
                    401,
                    r#"{"error":{"message":"Incorrect API key provided: sk-ab****yz.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}"#,
                    "WrongKey",
                ),
                (
                    429,
                    r#"{"error":{"message":"You exceeded your current quota, please check your plan.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}"#,
                    "NoCredit",
                ),
                (
                    429,
                    r#"{"error":{"message":"Rate limit reached for requests","type":"requests","param":null,"code":"rate_limit_exceeded"}}"#,
                    "RateLimited",
                ),
                (
                    400,
                    r#"{"error":{"message":"This model's maximum context length is 8192 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#,
                    "TooLong",
                ),
                (
                    404,
                    r#"{"error":{"message":"The model `x` does not exist","type":"invalid_request_error","param":null,"code":"model_not_found"}}"#,
                    "NoSuchModel",
                ),
                (
                    400,
                    r#"{"error":{"message":"Unsupported value: 'temperature' does not support 0 with this model.","type":"invalid_request_error","param":"temperature","code":"unsupported_value"}}"#,
                    "NotTaken",
                ),
            ],
            ..chat("openai")
        },
        Form {
            errors: &[
                (
                    402,
                    r#"{"error":{"message":"Insufficient Balance","type":"unknown_error","param":null,"code":"invalid_request_error"}}"#,
                    "NoCredit",
                ),
                (
                    401,
                    r#"{"error":{"message":"Authentication Fails","type":"authentication_error","param":null,"code":"invalid_request_error"}}"#,
                    "WrongKey",
                ),
            ],
            answer: |text, cut| {
                let reason = if cut { "length" } else { "stop" };
                json!({"id": "x", "object": "chat.completion", "choices": [{"index": 0, "finish_reason": reason,
                    "message": {"role": "assistant", "content": text}}],
                    "usage": {"prompt_tokens": 100, "prompt_cache_hit_tokens": 60, "prompt_cache_miss_tokens": 40, "completion_tokens": 20}})
            },
            question: |body| {
                (
                    last_message(body),
                    body["temperature"].clone(),
                    schema_in_words(&body["messages"][0]["content"]),
                )
            },
            ..chat("deepseek")
        },
        Form {
            errors: &[
                (
                    402,
                    r#"{"error":{"code":402,"message":"Insufficient credits. Add more."}}"#,
                    "NoCredit",
                ),
                (
                    401,
                    r#"{"error":{"code":401,"message":"No auth credentials found"}}"#,
                    "WrongKey",
                ),
                (
                    200,
                    r#"{"error":{"code":429,"message":"Provider returned error","metadata":{}}}"#,
                    "RateLimited",
                ),
                (
                    200,
                    r#"{"error":{"code":502,"message":"Provider disconnected"}}"#,
                    "Overloaded",
                ),
            ],
            ..chat("openrouter")
        },
        Form {
            key_header: None,
            errors: &[(
                404,
                r#"{"error":{"message":"model 'x' not found","type":"not_found_error","param":null,"code":null}}"#,
                "NoSuchModel",
            )],
            ..chat("ollama")
        },
        Form {
            key_header: None,
            errors: &[
                (
                    400,
                    r#"{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error"}}"#,
                    "TooLong",
                ),
                (
                    503,
                    r#"{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}"#,
                    "Overloaded",
                ),
            ],
            ..chat("compatible")
        },
        anthropic(),
        gemini(),
    ]
}

fn chat(provider: &'static str) -> Form {
    Form {
        provider,
        path: "/chat/completions",
        key_header: Some("authorization"),
        answer: |text, cut| {
            let reason = if cut { "length" } else { "stop" };
            json!({"id": "x", "object": "chat.completion", "choices": [{"index": 0, "finish_reason": reason,
                "message": {"role": "assistant", "content": text, "refusal": null}}],
                "usage": {"prompt_tokens": 100, "completion_tokens": 20, "prompt_tokens_details": {"cached_tokens": 60}}})
        },
        question: |body| {
            let schema = &body["response_format"]["json_schema"]["schema"];
            (last_message(body), body["temperature"].clone(), schema.clone())
        },
        errors: &[],
        refusal: r#"{"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":null,"refusal":"I will not."}}]}"#,
    }
}

fn anthropic() -> Form {
    Form {
        provider: "anthropic",
        path: "/v1/messages",
        key_header: Some("x-api-key"),
        answer: |text, cut| {
            let reason = if cut { "max_tokens" } else { "end_turn" };
            json!({"id": "msg_1", "type": "message", "role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": text}],
                "stop_reason": reason, "usage": {"input_tokens": 30, "cache_creation_input_tokens": 10, "cache_read_input_tokens": 60, "output_tokens": 20}})
        },
        question: |body| {
            (
                last_message(body),
                body["temperature"].clone(),
                body["output_config"]["format"]["schema"].clone(),
            )
        },
        errors: &[
            (
                401,
                r#"{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}"#,
                "WrongKey",
            ),
            (
                400,
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}"#,
                "NoCredit",
            ),
            (
                429,
                r#"{"type":"error","error":{"type":"rate_limit_error","message":"Number of requests has exceeded your rate limit"}}"#,
                "RateLimited",
            ),
            (
                529,
                r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
                "Overloaded",
            ),
            (
                400,
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#,
                "TooLong",
            ),
            (
                413,
                r#"{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}"#,
                "TooLong",
            ),
            (
                404,
                r#"{"type":"error","error":{"type":"not_found_error","message":"model: x"}}"#,
                "NoSuchModel",
            ),
            (
                400,
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"output_config: Extra inputs are not permitted"}}"#,
                "NotTaken",
            ),
        ],
        refusal: r#"{"content":[],"stop_reason":"refusal","usage":{"input_tokens":1,"output_tokens":1}}"#,
    }
}

fn gemini() -> Form {
    Form {
        provider: "gemini",
        path: ":generateContent",
        key_header: Some("x-goog-api-key"),
        answer: |text, cut| {
            let reason = if cut { "MAX_TOKENS" } else { "STOP" };
            json!({"candidates": [{"content": {"role": "model", "parts": [{"text": "hm", "thought": true}, {"text": text}]}, "finishReason": reason}],
                "usageMetadata": {"promptTokenCount": 100, "cachedContentTokenCount": 60, "candidatesTokenCount": 15, "thoughtsTokenCount": 5}})
        },
        question: |body| {
            let settings = &body["generationConfig"];
            let turns = body["contents"].as_array().unwrap();
            (
                turns.last().unwrap()["parts"][0]["text"].clone(),
                settings["temperature"].clone(),
                settings["responseJsonSchema"].clone(),
            )
        },
        errors: &[
            (
                400,
                r#"{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}"#,
                "WrongKey",
            ),
            (
                429,
                r#"{"error":{"code":429,"message":"You exceeded your current quota","status":"RESOURCE_EXHAUSTED"}}"#,
                "RateLimited",
            ),
            (
                503,
                r#"{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}"#,
                "Overloaded",
            ),
            (
                400,
                r#"{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}"#,
                "TooLong",
            ),
            (
                404,
                r#"[{"error":{"code":404,"message":"models/x is not found","status":"NOT_FOUND"}}]"#,
                "NoSuchModel",
            ),
        ],
        refusal: r#"{"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":9}}"#,
    }
}

fn last_message(body: &Value) -> Value {
    body["messages"].as_array().unwrap().last().unwrap()["content"].clone()
}

/// The schema at the end of the system text.
fn schema_in_words(system: &Value) -> Value {
    let text = system.as_str().unwrap();
    text.lines()
        .last()
        .and_then(|line| serde_json::from_str(line).ok())
        .unwrap_or_default()
}
