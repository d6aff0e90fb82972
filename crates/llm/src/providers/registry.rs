use super::{anthropic, compatible, deepseek, gemini, ollama, openai, openrouter};
use crate::Provider;

/// All providers, in the order that help lists them.
#[must_use]
pub fn providers() -> &'static [&'static dyn Provider] {
    &[
        &openai::OPENAI,
        &anthropic::AnthropicProvider,
        &gemini::GeminiProvider,
        &deepseek::DEEPSEEK,
        &openrouter::OPENROUTER,
        &ollama::OLLAMA,
        &compatible::COMPATIBLE,
    ]
}

/// The provider of this id.
#[must_use]
pub fn provider(id: &str) -> Option<&'static dyn Provider> {
    providers().iter().copied().find(|provider| provider.id() == id)
}
