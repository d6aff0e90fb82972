use super::chat::{ChatProvider, SchemaForm};

/// `OpenRouter`, which forwards requests to many providers.
pub(super) const OPENROUTER: ChatProvider = ChatProvider {
    id: "openrouter",
    base: Some("https://openrouter.ai/api/v1"),
    key_variable: Some("OPENROUTER_API_KEY"),
    example: "openrouter:anthropic/claude-sonnet-4.5",
    most_output: "max_tokens",
    schema: SchemaForm::Whole,
};
