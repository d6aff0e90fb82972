use precedent_http::{Request, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::errors;
use crate::{Ask, Completion, Endpoint, Features, Finish, LlmError, Provider, Usage};

const ID: &str = "gemini";

/// Google's Gemini API: `models/NAME:generateContent`.
#[derive(Debug)]
pub(super) struct GeminiProvider;

impl Provider for GeminiProvider {
    fn id(&self) -> &'static str {
        ID
    }

    fn base(&self) -> Option<&'static str> {
        Some("https://generativelanguage.googleapis.com/v1beta")
    }

    fn key_variable(&self) -> Option<&'static str> {
        Some("GEMINI_API_KEY")
    }

    fn example(&self) -> &'static str {
        "gemini:gemini-2.5-flash"
    }

    fn request(&self, ask: &Ask, endpoint: &Endpoint, features: Features) -> Result<Request, LlmError> {
        let system = ask.system_text(features.schema);
        let turns: Vec<Value> = ask
            .turns
            .iter()
            .map(|turn| json!({"role": turn.speaker.role("model"), "parts": [{"text": turn.text}]}))
            .collect();
        let mut settings = json!({"maxOutputTokens": ask.most_output});
        if let Value::Object(settings) = &mut settings {
            if features.temperature {
                settings.insert("temperature".to_owned(), json!(ask.wire_temperature()));
            }
            if let Some(tokens) = endpoint.options.thinking_tokens {
                settings.insert("thinkingConfig".to_owned(), json!({"thinkingBudget": tokens}));
            } else if let Some(effort) = &endpoint.options.reasoning_effort {
                settings.insert("thinkingConfig".to_owned(), json!({"thinkingLevel": effort}));
            }
            if let Some(schema) = &ask.schema {
                settings.insert("responseMimeType".to_owned(), json!("application/json"));
                if features.schema {
                    settings.insert("responseJsonSchema".to_owned(), schema.schema.clone());
                }
            }
        }
        let body = json!({
            "systemInstruction": {"parts": [{"text": system}]},
            "contents": turns,
            "generationConfig": settings,
        });
        let path = format!("/models/{}:generateContent", endpoint.model);
        endpoint.post(ID, &path, body, ("x-goog-api-key", ""))
    }

    fn read(&self, response: &Response) -> Result<Completion, LlmError> {
        if !response.is_success() {
            return Err(errors::error(ID, response));
        }
        let answer: GenerateResponse =
            serde_json::from_slice(&response.body).map_err(|error| unreadable(error.to_string()))?;
        let blocked = answer.prompt_feedback.and_then(|feedback| feedback.block_reason);
        if let Some(reason) = blocked {
            return Err(refused(&reason));
        }
        let candidate = answer
            .candidates
            .into_iter()
            .next()
            .ok_or_else(|| unreadable("it contains no candidate".to_owned()))?;
        let finish = match candidate.finish_reason.as_deref() {
            Some("MAX_TOKENS") => Finish::CutOff,
            None | Some("STOP" | "FINISH_REASON_UNSPECIFIED") => Finish::Whole,
            Some(reason) => return Err(refused(reason)),
        };
        let parts = candidate.content.map(|content| content.parts).unwrap_or_default();
        Ok(Completion {
            text: parts
                .into_iter()
                .filter(|part| !part.thought)
                .filter_map(|part| part.text)
                .collect(),
            finish,
            usage: self.usage(&response.body).unwrap_or_default(),
        })
    }

    fn usage(&self, body: &[u8]) -> Option<Usage> {
        let (input, output) = ("/usageMetadata/promptTokenCount", "/usageMetadata/candidatesTokenCount");
        errors::usage(body, input, output, |value, usage| {
            usage.cached = errors::count(value, "/usageMetadata/cachedContentTokenCount").unwrap_or_default();
            let thoughts = errors::count(value, "/usageMetadata/thoughtsTokenCount").unwrap_or_default();
            usage.output = usage.output.saturating_add(thoughts);
        })
    }
}

fn unreadable(why: String) -> LlmError {
    LlmError::Unreadable {
        provider: ID.to_owned(),
        why,
    }
}

fn refused(reason: &str) -> LlmError {
    LlmError::Refused {
        provider: ID.to_owned(),
        message: reason.chars().take(300).collect(),
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct GenerateResponse {
    #[serde(default)]
    candidates: Vec<ResponseCandidate>,
    prompt_feedback: Option<Feedback>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResponseCandidate {
    content: Option<Content>,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Content {
    #[serde(default)]
    parts: Vec<ContentPart>,
}

#[derive(Deserialize)]
struct ContentPart {
    text: Option<String>,
    #[serde(default)]
    thought: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Feedback {
    block_reason: Option<String>,
}
