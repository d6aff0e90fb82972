use precedent_http::{Request, Response};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::errors::{self, ErrorBody, is_no_credit};
use crate::{Ask, BatchApi, Completion, Endpoint, Features, Finish, LlmError, Provider, Usage};

pub(super) const ID: &str = "anthropic";

/// Minimum size in bytes of a cached prefix: schema, system text and the shared beginning of the prompt. The provider ignores markers of shorter ones
/// (its minimum is 1,024 tokens or more, by model).
const LEAST_KEPT: usize = 4_096;

/// The smallest thinking budget that the provider takes, in tokens.
const LEAST_THINKING: u32 = 1_024;

/// Anthropic's Messages API, or a compatible server at another address.
#[derive(Debug)]
pub(super) struct AnthropicProvider;

impl Provider for AnthropicProvider {
    fn id(&self) -> &'static str {
        ID
    }

    fn base(&self) -> Option<&'static str> {
        Some("https://api.anthropic.com")
    }

    fn key_variable(&self) -> Option<&'static str> {
        Some("ANTHROPIC_API_KEY")
    }

    fn example(&self) -> &'static str {
        "anthropic:claude-sonnet-4-5"
    }

    fn request(&self, ask: &Ask, endpoint: &Endpoint, features: Features) -> Result<Request, LlmError> {
        let system = ask.system_text(features.schema);
        let schema = ask.schema.as_ref().filter(|_| features.schema);
        let before = system.len() + schema.map_or(0, |schema| schema.schema.to_string().len());
        let turns: Vec<Value> = ask
            .turns
            .iter()
            .enumerate()
            .map(|(at, turn)| {
                let kept = (at == 0).then(|| turn.text.split_at_checked(ask.stable)).flatten();
                let content = match kept
                    .filter(|(head, tail)| !head.is_empty() && before + head.len() >= LEAST_KEPT && !tail.is_empty())
                {
                    Some((head, tail)) => json!([
                        {"type": "text", "text": head, "cache_control": {"type": "ephemeral"}},
                        {"type": "text", "text": tail},
                    ]),
                    None => json!(turn.text),
                };
                json!({"role": turn.speaker.role("assistant"), "content": content})
            })
            .collect();
        let mut body = json!({
            "model": endpoint.model,
            "max_tokens": ask.most_output,
            "system": [{"type": "text", "text": system}],
            "messages": turns,
        });
        if let Value::Object(body) = &mut body {
            let mut output = Map::new();
            let thinking = endpoint
                .options
                .thinking_tokens
                .filter(|tokens| *tokens >= LEAST_THINKING);
            if let Some(tokens) = thinking {
                let thinking = json!({"type": "enabled", "budget_tokens": tokens});
                body.insert("thinking".to_owned(), thinking);
            }
            // A model that thinks takes no temperature.
            if features.temperature && thinking.is_none() {
                body.insert("temperature".to_owned(), json!(ask.wire_temperature()));
            }
            if let (Some(schema), true) = (&ask.schema, features.schema) {
                output.insert(
                    "format".to_owned(),
                    json!({"type": "json_schema", "schema": schema.schema}),
                );
            }
            if let Some(effort) = &endpoint.options.reasoning_effort {
                output.insert("effort".to_owned(), json!(effort));
            }
            if !output.is_empty() {
                body.insert("output_config".to_owned(), Value::Object(output));
            }
        }
        // Addresses are written with and without the version.
        let path = if endpoint.base.ends_with("/v1") {
            "/messages"
        } else {
            "/v1/messages"
        };
        let request = endpoint.post(ID, path, body, ("x-api-key", ""))?;
        Ok(request.header("anthropic-version", "2023-06-01"))
    }

    fn read(&self, response: &Response) -> Result<Completion, LlmError> {
        if !response.is_success() {
            return Err(errors::error(ID, response));
        }
        let answer: MessagesResponse =
            serde_json::from_slice(&response.body).map_err(|error| LlmError::Unreadable {
                provider: ID.to_owned(),
                why: error.to_string(),
            })?;
        let finish = match answer.stop_reason.as_deref() {
            Some("refusal") => {
                return Err(LlmError::Refused {
                    provider: ID.to_owned(),
                    message: "stop reason: refusal".to_owned(),
                });
            }
            Some("max_tokens" | "model_context_window_exceeded") => Finish::CutOff,
            _ => Finish::Whole,
        };
        if answer.content.is_empty() && answer.stop_reason.is_none() {
            return Err(LlmError::Unreadable {
                provider: ID.to_owned(),
                why: "it contains no content".to_owned(),
            });
        }
        let text = answer.content.into_iter().filter(|block| block.kind == "text");
        Ok(Completion {
            text: text.filter_map(|block| block.text).collect(),
            finish,
            usage: self.usage(&response.body).unwrap_or_default(),
        })
    }

    fn usage(&self, body: &[u8]) -> Option<Usage> {
        errors::usage(body, "/usage/input_tokens", "/usage/output_tokens", |value, usage| {
            usage.cached = errors::count(value, "/usage/cache_read_input_tokens").unwrap_or_default();
            usage.written = errors::count(value, "/usage/cache_creation_input_tokens").unwrap_or_default();
            // The provider's input count excludes cache reads and writes.
            usage.input = usage.input.saturating_add(usage.cached).saturating_add(usage.written);
        })
    }

    fn batch(&self) -> Option<&dyn BatchApi> {
        Some(&super::anthropic_batch::AnthropicBatches)
    }

    fn is_settled(&self, status: u16, body: &[u8]) -> bool {
        is_no_credit(status, &ErrorBody::of(body))
    }
}

#[derive(Deserialize)]
struct MessagesResponse {
    content: Vec<ContentBlock>,
    stop_reason: Option<String>,
}

#[derive(Deserialize)]
struct ContentBlock {
    #[serde(rename = "type")]
    kind: String,
    text: Option<String>,
}
