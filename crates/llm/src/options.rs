use std::collections::BTreeMap;

use precedent_http::Secret;
use serde_json::{Map, Value};

/// What a user sets for the requests to one provider.
#[derive(Debug, Clone, Default)]
pub struct ModelOptions {
    /// Tokens for thinking, added to the output limit of each request. Providers that take a thinking budget receive it too. Without it,
    /// [`THINKING_TOKENS`] for models that are known to think, and otherwise none.
    pub thinking_tokens: Option<u32>,
    /// Highest output limit of a request, thoughts included, for models that refuse a higher one.
    pub output_tokens: Option<u32>,
    /// How much a model should think, in the provider's words: `low`, `medium`.
    pub reasoning_effort: Option<String>,
    /// The temperature of each request, instead of the prompt's own.
    pub temperature: Option<f32>,
    /// Extra headers.
    pub headers: BTreeMap<String, String>,
    /// Extra headers with a secret value.
    pub secret_headers: BTreeMap<String, Secret>,
    /// Parameters of the address, such as a version of the API.
    pub query: BTreeMap<String, String>,
    /// Extra fields of the request's body. They replace fields of the same name.
    pub body: Map<String, Value>,
}

/// Room for thinking where the user sets none: about three times the 1,152 to 1,408 tokens that a published measurement of gpt-5 found before a short
/// answer (2026-11). A model that thinks longer is asked again with more room.
pub const THINKING_TOKENS: u32 = 4_096;

/// Beginnings of the names of models that think before they answer, after any `owner/`.
const THINKING: [&str; 14] = [
    "gpt-5",
    "gpt-oss",
    "o1",
    "o3",
    "o4",
    "gemini-2.5",
    "gemini-3",
    "deepseek-r",
    "deepseek-v4",
    "qwen3",
    "qwq",
    "magistral",
    "glm-4.5",
    "kimi-k2-thinking",
];

impl ModelOptions {
    /// What answers depend on, without secrets; empty if nothing is set.
    #[must_use]
    pub fn key(&self) -> String {
        let set = (
            self.thinking_tokens,
            &self.reasoning_effort,
            self.temperature,
            &self.headers,
            &self.body,
        );
        let set = match set {
            (None, None, None, headers, body) if headers.is_empty() && body.is_empty() => String::new(),
            set => format!("{set:?}"),
        };
        let limit = self.output_tokens.map(|limit| format!("output {limit}"));
        let query = (!self.query.is_empty()).then(|| format!("{:?}", self.query));
        set + &limit.unwrap_or_default() + &query.unwrap_or_default()
    }

    /// Tokens that are added to the output limit for the model `name`, without its provider.
    #[must_use]
    pub fn room_for_thinking(&self, name: &str) -> u32 {
        let own = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
        // Bedrock writes `openai.gpt-oss-20b`.
        let own = own.strip_prefix("openai.").unwrap_or(&own);
        let thinks = own.contains("reasoner") || THINKING.iter().any(|start| own.starts_with(start));
        self.thinking_tokens.unwrap_or(if thinks { THINKING_TOKENS } else { 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_that_think_get_room_unless_the_user_sets_it() {
        let room = |tokens, name: &str| {
            let options = ModelOptions {
                thinking_tokens: tokens,
                ..ModelOptions::default()
            };
            options.room_for_thinking(name)
        };
        for name in [
            "gpt-5-mini",
            "openai/gpt-5.1",
            "qwen3:8b",
            "deepseek-reasoner",
            "o3-mini",
            "openai.gpt-oss-20b-1:0",
        ] {
            assert_eq!(room(None, name), THINKING_TOKENS, "{name}");
            assert_eq!(room(Some(100), name), 100, "{name}");
        }
        for name in ["gpt-4.1", "claude-sonnet-4-5", "llama3.1:8b", "mistral-large"] {
            assert_eq!(room(None, name), 0, "{name}");
        }
    }
}
