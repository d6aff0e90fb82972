//! Settings of model providers.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use precedent_engine::llm::{ModelOptions, Provider, Secret, provider};
use serde::Deserialize;

use crate::{AppError, ErrorKind};

/// Settings of one model provider.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProviderSettings {
    /// Form of its requests, for a server that is none of the known providers: `openai`, `anthropic` or `gemini`.
    pub form: Option<RequestForm>,
    /// URL of its API.
    pub url: Option<String>,
    /// Environment variable that holds its key. Keys are never stored in the file.
    pub key_variable: Option<String>,
    /// Time limit for one response, in seconds, if not 5 minutes.
    pub answer_seconds: Option<NonZeroU32>,
    /// How long to wait during an outage, in seconds, if not 45 s.
    pub outage_seconds: Option<u32>,
    /// The most requests in a minute to its host, of all processes on this machine, or of all that share a database.
    pub requests_per_minute: Option<NonZeroU32>,
    /// Tokens for thinking, added to the output limit of each request.
    pub thinking_tokens: Option<u32>,
    /// Highest output limit of a request, thoughts included.
    pub output_tokens: Option<NonZeroU32>,
    /// How much a model should think, in the provider's words.
    pub reasoning_effort: Option<String>,
    /// Temperature of each request, instead of the prompt's own.
    pub temperature: Option<f32>,
    /// Share of the price for calls in batches, if not 0.5.
    pub batch_price_share: Option<f64>,
    /// How long calls wait for others before a batch is submitted, in seconds, if not 20 s.
    pub batch_wait_seconds: Option<f64>,
    /// Extra headers.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// Extra headers whose values are in environment variables, by the variable's name.
    #[serde(default)]
    pub header_variables: BTreeMap<String, String>,
    /// Parameters of the address, such as `api-version`.
    #[serde(default)]
    pub query: BTreeMap<String, String>,
    /// Extra fields of the request's body.
    #[serde(default)]
    pub body: serde_json::Map<String, serde_json::Value>,
}

/// The form of requests to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestForm {
    /// `POST …/chat/completions`.
    Openai,
    /// `POST …/v1/messages`.
    Anthropic,
    /// `POST …/models/NAME:generateContent`.
    Gemini,
}

impl RequestForm {
    /// The provider with this form.
    pub(super) fn provider(self) -> Option<&'static dyn Provider> {
        provider(match self {
            // Other servers take the older name of the output limit, or say that they want the newer one.
            Self::Openai => "compatible",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
        })
    }
}

/// Fields of a request that decide what is asked, what an answer may cost or how it is read.
const RESERVED_FIELDS: [&str; 14] = [
    "model",
    "messages",
    "system",
    "contents",
    "systemInstruction",
    "max_tokens",
    "max_completion_tokens",
    "generationConfig",
    "response_format",
    "output_config",
    "thinking",
    "temperature",
    "n",
    "stream",
];

impl ProviderSettings {
    /// What to set for each request. A replay sends nothing, so it needs no secrets.
    ///
    /// # Errors
    /// If an environment variable of a header is not set, or a field of the body is one that Precedent sets.
    pub fn options(&self, replay: bool) -> Result<ModelOptions, AppError> {
        if let Some(field) = self.body.keys().find(|field| RESERVED_FIELDS.contains(&field.as_str())) {
            return Err(AppError::with_message(
                ErrorKind::Usage,
                format!(
                    "the field `{field}` in `body` is set by Precedent; for limits and thinking use thinking_tokens, output_tokens, reasoning_effort or temperature"
                ),
            ));
        }
        let limit = self.output_tokens.map(NonZeroU32::get);
        if limit
            .zip(self.thinking_tokens)
            .is_some_and(|(limit, thoughts)| limit <= thoughts)
        {
            let message = "output_tokens must be more than thinking_tokens, which are a part of it";
            return Err(AppError::with_message(ErrorKind::Usage, message));
        }
        if let Some(temperature) = self.temperature.filter(|one| !(0.0..=2.0).contains(one)) {
            let message = format!("invalid temperature {temperature}: expected 0 to 2");
            return Err(AppError::with_message(ErrorKind::Usage, message));
        }
        let secret = |(header, variable): (&String, &String)| match std::env::var(variable) {
            _ if replay => Ok((header.clone(), Secret::new("unused in a replay"))),
            Ok(value) => Ok((header.clone(), Secret::new(&value))),
            Err(_) => Err(AppError::with_message(
                ErrorKind::Model,
                format!("the header `{header}` needs the environment variable {variable}, which is not set"),
            )),
        };
        Ok(ModelOptions {
            thinking_tokens: self.thinking_tokens,
            output_tokens: limit,
            reasoning_effort: self.reasoning_effort.clone(),
            temperature: self.temperature,
            headers: self.headers.clone(),
            secret_headers: self.header_variables.iter().map(secret).collect::<Result<_, _>>()?,
            query: self.query.clone(),
            body: self.body.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Settings;
    use super::*;

    #[test]
    fn options_of_a_provider_are_checked_and_thinking_has_room() {
        let read = |table: &str| -> Settings { toml::from_str(&format!("[providers.openai]\n{table}")).unwrap() };
        let options = |table: &str, replay| read(table).providers["openai"].options(replay);
        let set = options("body = { service_tier = 'flex' }\nheaders = { x-team = 'a' }", false).unwrap();
        assert_eq!(
            (set.body["service_tier"].as_str(), set.headers["x-team"].as_str()),
            (Some("flex"), "a")
        );
        for field in ["max_tokens", "generationConfig", "n"] {
            let error = options(&format!("body = {{ {field} = 1 }}"), false).unwrap_err();
            assert_eq!(error.kind, ErrorKind::Usage);
            assert!(error.to_string().contains(field), "{error}");
        }
        let secret = "header_variables = { x-key = 'PRECEDENT_TEST_NOT_SET' }";
        let error = options(secret, false).unwrap_err();
        assert!(error.to_string().contains("PRECEDENT_TEST_NOT_SET"), "{error}");
        assert!(options(secret, true).is_ok(), "a replay sends nothing");
        assert_eq!(read("").room_for_thinking("openai:gpt-4.1", "rank"), 0);
        assert_eq!(read("").room_for_thinking("openai:gpt-5-mini", "rank"), 4_096);
        assert_eq!(
            read("thinking_tokens = 9").room_for_thinking("openai:gpt-4.1", "rank"),
            9
        );
        assert_eq!(
            read("thinking_tokens = 9").room_for_thinking("ollama:llama3", "rank"),
            0
        );
    }
}
