use serde_json::Value;

use crate::say::tokens;
use crate::{Block, blocks};

/// Whose form a question was put in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `POST …/chat/completions`.
    OpenAi,
    /// `POST …/v1/messages`.
    Anthropic,
}

/// What the server was asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Counting from 0, in the order of arrival.
    pub number: usize,
    /// The prompt, by the `Task:` line that every prompt of this program begins with; empty where there is none.
    pub prompt: String,
    /// In whose form.
    pub shape: Shape,
    /// The model that was named.
    pub model: String,
    /// What holds for the exchange.
    pub system: String,
    /// What was said, oldest first; ours and the model's in turn.
    pub turns: Vec<String>,
    /// The temperature, where one was given.
    pub temperature: Option<f64>,
    /// The schema, where one came along.
    pub schema: Option<Value>,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// Bytes of the body.
    pub bytes: usize,
    /// The body as it came.
    pub body: String,
    /// Tokens of it that a provider would have in its cache: the longest beginning that an earlier question shares.
    pub cached: u64,
}

impl Question {
    /// Reads a request; `None` where it is no question to a model.
    pub(crate) fn read(number: usize, path: &str, headers: Vec<(String, String)>, body: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(body).ok()?;
        let shape = if path.ends_with("/messages") {
            Shape::Anthropic
        } else if path.ends_with("/chat/completions") {
            Shape::OpenAi
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
            Shape::OpenAi => {
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
        let prompt = system
            .lines()
            .find_map(|line| line.strip_prefix("Task: "))
            .unwrap_or_default();
        Some(Self {
            number,
            prompt: prompt.trim().to_owned(),
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
            system,
        })
    }

    /// The first thing we said: the question itself.
    #[must_use]
    pub fn text(&self) -> &str {
        self.turns.first().map(String::as_str).unwrap_or_default()
    }

    /// Whether an answer was sent back to be mended.
    #[must_use]
    pub fn is_repair(&self) -> bool {
        self.turns.len() > 1
    }

    /// The fenced texts of the question.
    #[must_use]
    pub fn blocks(&self) -> Vec<Block<'_>> {
        blocks(self.text())
    }

    /// Everything in one text, as a provider reads it.
    #[must_use]
    pub fn whole(&self) -> String {
        format!("{}\n{}", self.system, self.turns.join("\n"))
    }

    /// Its length in tokens, at four bytes each.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        tokens(&self.whole())
    }
}
