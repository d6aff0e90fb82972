//! OpenAI's chat format, which many other services use: `POST /chat/completions`.

use precedent_http::{Request, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::errors::{self, ErrorBody, is_no_credit};
use crate::{Ask, BatchApi, Completion, Endpoint, Features, Finish, LlmError, Provider, Usage};

/// A service with this format. The fields are the only differences between services.
#[derive(Debug, Clone, Copy)]
pub(super) struct ChatProvider {
    /// The part before the colon in `provider:name`.
    pub(super) id: &'static str,
    /// The default base URL.
    pub(super) base: Option<&'static str>,
    /// The environment variable of its key.
    pub(super) key_variable: Option<&'static str>,
    /// An example model name.
    pub(super) example: &'static str,
    /// Name of the parameter that limits the output tokens.
    pub(super) most_output: &'static str,
    /// How a schema is sent.
    pub(super) schema: SchemaForm,
}

/// How a schema is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SchemaForm {
    /// As a JSON Schema.
    Whole,
    /// As a request for any JSON; the schema is in the prompt text.
    JsonOnly,
}

impl Provider for ChatProvider {
    fn id(&self) -> &'static str {
        self.id
    }

    fn base(&self) -> Option<&'static str> {
        self.base
    }

    fn key_variable(&self) -> Option<&'static str> {
        self.key_variable
    }

    fn example(&self) -> &'static str {
        self.example
    }

    fn features(&self) -> Features {
        Features {
            completion_limit: self.most_output == "max_completion_tokens",
            ..Features::default()
        }
    }

    fn request(&self, ask: &Ask, endpoint: &Endpoint, features: Features) -> Result<Request, LlmError> {
        let system = ask.system_text(features.schema && self.schema == SchemaForm::Whole);
        let mut messages = vec![json!({"role": "system", "content": system})];
        messages.extend(
            ask.turns
                .iter()
                .map(|turn| json!({"role": turn.speaker.role("assistant"), "content": turn.text})),
        );
        let mut body = json!({"model": endpoint.model, "messages": messages});
        if let Value::Object(body) = &mut body {
            let limit = match features.completion_limit {
                true => "max_completion_tokens",
                false => self.most_output,
            };
            body.insert(limit.to_owned(), json!(ask.most_output));
            if let Some(effort) = &endpoint.options.reasoning_effort {
                body.insert("reasoning_effort".to_owned(), json!(effort));
            }
            if features.temperature {
                body.insert("temperature".to_owned(), json!(ask.wire_temperature()));
            }
            if let (Some(schema), true) = (&ask.schema, features.schema) {
                let format = match self.schema {
                    SchemaForm::Whole => json!({
                        "type": "json_schema",
                        "json_schema": {"name": schema.name, "schema": schema.schema, "strict": true},
                    }),
                    SchemaForm::JsonOnly => json!({"type": "json_object"}),
                };
                body.insert("response_format".to_owned(), format);
            }
        }
        endpoint.post(self.id, "/chat/completions", body, ("authorization", "Bearer "))
    }

    fn read(&self, response: &Response) -> Result<Completion, LlmError> {
        read(response, self.id)
    }

    fn usage(&self, body: &[u8]) -> Option<Usage> {
        usage(body)
    }

    fn batch(&self) -> Option<&dyn BatchApi> {
        // Other services of this format have batch endpoints of their own forms, or none.
        (self.id == super::openai::OPENAI.id).then_some(&super::openai_batch::OpenAiBatches)
    }

    fn is_settled(&self, status: u16, body: &[u8]) -> bool {
        is_no_credit(status, &ErrorBody::of(body))
    }
}

#[derive(Deserialize)]
struct ChatResponse {
    #[serde(default)]
    choices: Vec<Choice>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    message: Message,
    finish_reason: Option<String>,
    error: Option<Value>,
}

#[derive(Default, Deserialize)]
struct Message {
    content: Option<Value>,
    refusal: Option<String>,
}

fn read(response: &Response, provider: &'static str) -> Result<Completion, LlmError> {
    if !response.is_success() {
        return Err(errors::error(provider, response));
    }
    let unreadable = |why: String| LlmError::Unreadable {
        provider: provider.to_owned(),
        why,
    };
    let answer: ChatResponse = serde_json::from_slice(&response.body).map_err(|error| unreadable(error.to_string()))?;
    // Routers return status 200 with the upstream error inside, also in the choice.
    let of_choice = || answer.choices.first().and_then(|choice| choice.error.as_ref());
    if let Some(error) = answer.error.as_ref().or_else(of_choice) {
        let status = error
            .get("code")
            .and_then(Value::as_u64)
            .and_then(|code| u16::try_from(code).ok());
        let inner = Response {
            status: status.unwrap_or(500),
            body: json!({ "error": error }).to_string().into_bytes(),
            ..response.clone()
        };
        return Err(errors::error(provider, &inner));
    }
    let refused = |reason: &str| LlmError::Refused {
        provider: provider.to_owned(),
        message: reason.chars().take(300).collect(),
    };
    let choice = answer
        .choices
        .into_iter()
        .next()
        .ok_or_else(|| unreadable("it contains no choice".to_owned()))?;
    if let Some(refusal) = choice.message.refusal.filter(|refusal| !refusal.is_empty()) {
        return Err(refused(&refusal));
    }
    let finish = match choice.finish_reason.as_deref() {
        Some("content_filter") => return Err(refused("content filter")),
        Some("length") => Finish::CutOff,
        Some("error") => return Err(unreadable("the service ended it with an error".to_owned())),
        _ => Finish::Whole,
    };
    Ok(Completion {
        text: choice.message.content.as_ref().map(text_of).unwrap_or_default(),
        finish,
        usage: usage(&response.body).unwrap_or_default(),
    })
}

/// The text of a message. Some servers send it as a list of parts.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part.get("text")?.as_str()).collect(),
        _ => String::new(),
    }
}

fn usage(body: &[u8]) -> Option<Usage> {
    errors::usage(
        body,
        "/usage/prompt_tokens",
        "/usage/completion_tokens",
        |value, usage| {
            let cached = errors::count(value, "/usage/prompt_tokens_details/cached_tokens");
            // `DeepSeek` has its own name for the cached tokens.
            let hits = || errors::count(value, "/usage/prompt_cache_hit_tokens");
            usage.cached = cached.or_else(hits).unwrap_or_default();
            // Some services count thoughts only here.
            let total = errors::count(value, "/usage/total_tokens").unwrap_or_default();
            usage.output = usage.output.max(total.saturating_sub(usage.input));
        },
    )
}
