use serde_json::Value;

use crate::{Block, blocks};

/// The API format of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `POST …/chat/completions`.
    OpenAi,
    /// `POST …/v1/messages`.
    Anthropic,
    /// `POST …/models/NAME:generateContent`.
    Gemini,
}

/// A received request.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Order of arrival, from 0.
    pub number: usize,
    /// The prompt id, from the `Task:` line that every prompt of this program begins with; empty if there is none.
    pub prompt: String,
    /// The API format.
    pub shape: Shape,
    /// The requested model.
    pub model: String,
    /// The system text.
    pub system: String,
    /// The messages, oldest first, alternating between user and model.
    pub turns: Vec<String>,
    /// The temperature, if given.
    pub temperature: Option<f64>,
    /// The schema, if sent.
    pub schema: Option<Value>,
    /// The headers, with names in lower case.
    pub headers: Vec<(String, String)>,
    /// Size of the body in bytes.
    pub bytes: usize,
    /// The body as received.
    pub body: String,
    /// Number of tokens that a provider would have cached: the longest prefix shared with an earlier request.
    pub cached: u64,
    /// Number of tokens that Anthropic would have written to its cache, besides those that it had.
    pub written: u64,
    /// Length in bytes of the prefix that the request marks for the cache, where it must be marked.
    pub marked: Option<usize>,
}

impl Question {
    /// Parses a request; `None` if it is not a model request.
    pub(crate) fn read(number: usize, path: &str, headers: Vec<(String, String)>, body: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(body).ok()?;
        let shape = if path.ends_with("/messages") {
            Shape::Anthropic
        } else if path.ends_with("/chat/completions") {
            Shape::OpenAi
        } else if path.ends_with(":generateContent") {
            return Self::read_gemini(number, path, headers, body, &value);
        } else {
            return None;
        };
        let messages = value.get("messages")?.as_array()?;
        let content = |message: &Value| match message.get("content")? {
            Value::Array(parts) => Some(parts.iter().filter_map(|part| part.get("text")?.as_str()).collect()),
            one => one.as_str().map(str::to_owned),
        };
        let role = |message: &Value| {
            message
                .get("role")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        let (system, schema) = match shape {
            Shape::OpenAi | Shape::Gemini => {
                let first = messages.iter().find(|message| role(message) == "system");
                let schema = value.pointer("/response_format/json_schema/schema");
                (first.and_then(content).unwrap_or_default(), schema)
            }
            Shape::Anthropic => {
                let text = value.pointer("/system/0/text").and_then(Value::as_str);
                (
                    text.unwrap_or_default().to_owned(),
                    value.pointer("/output_config/format/schema"),
                )
            }
        };
        let turns = messages
            .iter()
            .filter(|message| role(message) != "system")
            .filter_map(content)
            .collect();
        let marked = (shape == Shape::Anthropic).then(|| {
            let first = value.pointer("/messages/0/content/0");
            let first = first.filter(|part| part.get("cache_control").is_some());
            let text = first.and_then(|part| part.get("text")?.as_str());
            // As in `whole`.
            text.map_or(0, |text| system.len() + 1 + text.len())
        });
        Some(Self {
            number,
            marked,
            prompt: prompt_of(&system),
            shape,
            model: value
                .get("model")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned(),
            temperature: value.get("temperature").and_then(Value::as_f64),
            schema: schema.cloned(),
            turns,
            headers,
            bytes: body.len(),
            body: body.to_owned(),
            cached: 0,
            written: 0,
            system,
        })
    }

    fn read_gemini(
        number: usize,
        path: &str,
        headers: Vec<(String, String)>,
        body: &str,
        value: &Value,
    ) -> Option<Self> {
        let text = |parts: &Value| -> Option<String> {
            let parts = parts.get("parts")?.as_array()?.iter();
            Some(parts.filter_map(|part| part.get("text")?.as_str()).collect())
        };
        let system = value.get("systemInstruction").and_then(text).unwrap_or_default();
        let name = path.rsplit('/').next()?.trim_end_matches(":generateContent");
        Some(Self {
            number,
            prompt: prompt_of(&system),
            shape: Shape::Gemini,
            marked: None,
            model: name.to_owned(),
            temperature: value.pointer("/generationConfig/temperature").and_then(Value::as_f64),
            schema: value.pointer("/generationConfig/responseJsonSchema").cloned(),
            turns: value.get("contents")?.as_array()?.iter().filter_map(text).collect(),
            headers,
            bytes: body.len(),
            body: body.to_owned(),
            cached: 0,
            written: 0,
            system,
        })
    }

    /// Maximum number of output tokens that the request allows.
    #[must_use]
    pub fn most_output(&self) -> u64 {
        let value: Value = serde_json::from_str(&self.body).unwrap_or_default();
        let names = [
            "/max_tokens",
            "/max_completion_tokens",
            "/generationConfig/maxOutputTokens",
        ];
        let limit = names.iter().find_map(|name| value.pointer(name)?.as_u64());
        limit.unwrap_or(u64::MAX)
    }

    /// The first message, which is the prompt itself.
    #[must_use]
    pub fn text(&self) -> &str {
        self.turns.first().map(String::as_str).unwrap_or_default()
    }

    /// Whether this is a repair request with an earlier answer.
    #[must_use]
    pub fn is_repair(&self) -> bool {
        self.turns.len() > 1
    }

    /// The fenced texts of the prompt.
    #[must_use]
    pub fn blocks(&self) -> Vec<Block<'_>> {
        blocks(self.text())
    }

    /// All texts joined, as a provider reads them.
    #[must_use]
    pub fn whole(&self) -> String {
        format!("{}\n{}", self.system, self.turns.join("\n"))
    }

    /// Length in tokens, at four bytes each.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        tokens(&self.whole())
    }
}

/// The prompt id in the `Task:` line of a system text.
fn prompt_of(system: &str) -> String {
    let id = system.lines().find_map(|line| line.strip_prefix("Task: "));
    id.unwrap_or_default().trim().to_owned()
}

/// Tokens as providers roughly count them: four bytes of English prose each.
#[must_use]
pub fn tokens(text: &str) -> u64 {
    (text.len() as u64).div_ceil(4)
}
