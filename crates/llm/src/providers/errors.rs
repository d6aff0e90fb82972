//! Error handling that providers share.

use precedent_http::Response;
use serde_json::Value;

use crate::model::PATIENCE;
use crate::{LlmError, Usage};

/// A token count, parsed leniently: some servers send a float or a string. `None` if it is not a count.
pub(super) fn count(value: &Value, pointer: &str) -> Option<u64> {
    let found = value.pointer(pointer)?;
    let of_text = || found.as_str().and_then(|text| text.trim().parse::<f64>().ok());
    let of_float = || {
        let number = found.as_f64().or_else(of_text).filter(|number| *number >= 0.0)?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "no sign, and a cast saturates"
        )]
        Some(number as u64)
    };
    found.as_u64().or_else(of_float)
}

/// Token usage of a body, read at the `input` and `output` pointers; `None` if both are missing.
pub(super) fn usage(body: &[u8], input: &str, output: &str, more: impl FnOnce(&Value, &mut Usage)) -> Option<Usage> {
    let value: Value = serde_json::from_slice(body).ok()?;
    let (input, output) = (count(&value, input), count(&value, output));
    if input.is_none() && output.is_none() {
        return None;
    }
    let mut usage = Usage {
        input: input.unwrap_or_default(),
        output: output.unwrap_or_default(),
        ..Usage::default()
    };
    more(&value, &mut usage);
    Some(usage.believable())
}

/// An error body, parsed leniently: services in front of a provider use formats of their own.
#[derive(Debug, Default)]
pub(super) struct ErrorBody {
    /// The message, or the beginning of the body.
    pub(super) message: String,
    /// The code and the type, joined, in lower case.
    pub(super) kind: String,
}

impl ErrorBody {
    pub(super) fn of(body: &[u8]) -> Self {
        let Ok(value) = serde_json::from_slice::<Value>(body) else {
            return Self {
                message: short(&String::from_utf8_lossy(body)),
                kind: String::new(),
            };
        };
        let value = match &value {
            // Some services wrap the error in a list.
            Value::Array(items) => items.first().cloned().unwrap_or_default(),
            _ => value,
        };
        let error = value.get("error").unwrap_or(&value);
        let message = match error {
            Value::String(message) => message.clone(),
            _ => {
                let message = error.get("message").and_then(Value::as_str);
                message.map_or_else(|| details(error), str::to_owned)
            }
        };
        let reasons = error.get("details").and_then(Value::as_array).into_iter().flatten();
        let reasons = reasons.filter_map(|detail| detail.get("reason").and_then(Value::as_str));
        let kinds = ["code", "type", "status"]
            .iter()
            .filter_map(|key| error.get(key).and_then(Value::as_str));
        let kind: Vec<&str> = kinds.chain(reasons).collect();
        Self {
            message: short(if message.is_empty() {
                "no reason given"
            } else {
                &message
            }),
            kind: kind.join(" ").to_ascii_lowercase(),
        }
    }

    pub(super) fn has(&self, words: &[&str]) -> bool {
        let message = self.message.to_ascii_lowercase();
        words
            .iter()
            .any(|word| self.kind.contains(word) || message.contains(word))
    }
}

/// Classifies an unsuccessful response by its status and by phrases that most providers share.
pub(super) fn error(provider: &str, response: &Response) -> LlmError {
    let error = ErrorBody::of(&response.body);
    let provider = provider.to_owned();
    let status = response.status;
    let message = error.message.clone();
    if is_no_credit(status, &error) {
        return LlmError::NoCredit { provider, message };
    }
    if matches!(status, 401 | 403) || error.has(&["invalid_api_key", "api_key_invalid", "authentication_error"]) {
        return LlmError::WrongKey { provider, message };
    }
    if status == 413 || error.has(TOO_LONG) {
        return LlmError::TooLong { provider, message };
    }
    if status == 404 || error.has(&["model_not_found", "not_found_error"]) {
        return LlmError::NoSuchModel { provider, message };
    }
    match status {
        429 => LlmError::RateLimited {
            provider,
            wait: response.retry_after().filter(|wait| *wait > PATIENCE),
        },
        408 | 425 | 500.. => LlmError::Overloaded { provider, status },
        _ if error.has(&["content_filter", "content_policy", "safety"]) => LlmError::Refused { provider, message },
        _ => LlmError::NotTaken {
            provider,
            status,
            message,
        },
    }
}

/// Phrases in errors about a prompt that is too long, in lower case.
const TOO_LONG: &[&str] = &[
    "context_length_exceeded",
    "request_too_large",
    "prompt is too long",
    "maximum context length",
    "input token count",
    "exceeds the available context size",
    "context window",
];

pub(super) fn is_no_credit(status: u16, error: &ErrorBody) -> bool {
    status == 402
        || error.has(&[
            "insufficient_quota",
            "credit balance is too low",
            "insufficient balance",
            "insufficient credits",
            "billing_error",
            "billing_hard_limit",
        ])
}

/// What `FastAPI` servers say: `{"detail": "…"}`, or a list of places and messages.
fn details(error: &Value) -> String {
    let place = |one: &Value| {
        let parts = one.get("loc").and_then(Value::as_array)?.iter();
        let parts: Vec<&str> = parts.filter_map(Value::as_str).collect();
        Some(parts.join("."))
    };
    let of_one = |one: &Value| Some(format!("{}: {}", place(one)?, one.get("msg")?.as_str()?));
    match error.get("detail") {
        Some(Value::String(message)) => message.clone(),
        Some(Value::Array(all)) => all.iter().filter_map(of_one).collect::<Vec<_>>().join("; "),
        _ => String::new(),
    }
}

fn short(text: &str) -> String {
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut cut: String = one_line.chars().filter(|c| !c.is_control()).take(300).collect();
    if cut.len() < one_line.len() {
        cut.push('…');
    }
    cut
}
