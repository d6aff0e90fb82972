use serde_json::{Value, json};

use crate::question::tokens;
use crate::{Question, Shape};

/// The server's response to a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Say {
    /// An answer with this text.
    Text(String),
    /// An answer with this text, marked as cut off at the output limit.
    CutOff(String),
    /// A refusal with token usage.
    Refusal,
    /// This status with this body.
    Status(u16, String),
    /// This status, with a `Retry-After` of this many seconds.
    Wait(u16, u32),
    /// These bytes as the body of a successful response.
    Raw(Vec<u8>),
    /// These bytes on the connection instead of a response, which is then closed.
    Bytes(Vec<u8>),
    /// No response for this many milliseconds, then a closed connection.
    Silence(u64),
    /// Closes the connection without a response.
    Hangup,
}

/// Head and body of a response; `None` if the connection is closed.
pub(crate) fn wire(say: &Say, question: &Question) -> Option<(u16, String, Vec<u8>)> {
    let whole = |status: u16, value: Value| Some((status, String::new(), value.to_string().into_bytes()));
    match say {
        Say::Text(text) => {
            let (shown, cut) = within(text, question.most_output());
            whole(200, answer(question, shown, cut))
        }
        Say::CutOff(text) => whole(200, answer(question, text, true)),
        Say::Refusal => whole(200, refusal(question)),
        Say::Status(status, body) => Some((*status, String::new(), body.clone().into_bytes())),
        Say::Wait(status, seconds) => Some((
            *status,
            format!("retry-after: {seconds}\r\n"),
            br#"{"error":{"message":"slow down","type":"requests"}}"#.to_vec(),
        )),
        Say::Raw(bytes) => Some((200, String::new(), bytes.clone())),
        Say::Hangup | Say::Bytes(_) | Say::Silence(_) => None,
    }
}

/// What the output limit of the request allows of an answer, and whether that is less than all. No service bills more.
fn within(text: &str, most: u64) -> (&str, bool) {
    if tokens(text) <= most {
        return (text, false);
    }
    let end = text.floor_char_boundary(usize::try_from(most.saturating_mul(4)).unwrap_or(usize::MAX));
    (text.get(..end).unwrap_or_default(), true)
}

fn answer(question: &Question, text: &str, cut: bool) -> Value {
    let (input, output) = (question.tokens(), tokens(text));
    match question.shape {
        Shape::OpenAi => json!({
            "id": "scripted", "object": "chat.completion", "model": question.model,
            "choices": [{"index": 0, "finish_reason": if cut { "length" } else { "stop" },
                "message": {"role": "assistant", "content": text, "refusal": null}}],
            "usage": {"prompt_tokens": input, "completion_tokens": output,
                "prompt_tokens_details": {"cached_tokens": question.cached}},
        }),
        Shape::Anthropic => json!({
            "id": "scripted", "type": "message", "role": "assistant", "model": question.model,
            "content": [{"type": "text", "text": text}],
            "stop_reason": if cut { "max_tokens" } else { "end_turn" },
            "usage": {"input_tokens": input.saturating_sub(question.cached + question.written),
                "cache_creation_input_tokens": question.written,
                "cache_read_input_tokens": question.cached, "output_tokens": output},
        }),
        Shape::Gemini => json!({
            "candidates": [{"index": 0, "content": {"role": "model", "parts": [{"text": text}]},
                "finishReason": if cut { "MAX_TOKENS" } else { "STOP" }}],
            "usageMetadata": {"promptTokenCount": input, "candidatesTokenCount": output,
                "cachedContentTokenCount": question.cached},
        }),
    }
}

fn refusal(question: &Question) -> Value {
    let (input, output) = (question.tokens(), tokens("I will not."));
    match question.shape {
        Shape::OpenAi => json!({"choices": [{"finish_reason": "stop",
            "message": {"role": "assistant", "content": null, "refusal": "I will not."}}],
            "usage": {"prompt_tokens": input, "completion_tokens": output}}),
        Shape::Anthropic => json!({"content": [], "stop_reason": "refusal",
            "usage": {"input_tokens": input, "output_tokens": output}}),
        Shape::Gemini => json!({"candidates": [{"finishReason": "SAFETY"}],
            "usageMetadata": {"promptTokenCount": input, "candidatesTokenCount": output}}),
    }
}

/// The body of an answer with this text, in the request's format.
#[must_use]
pub fn answer_body(question: &Question, text: &str) -> Vec<u8> {
    answer(question, text, false).to_string().into_bytes()
}
