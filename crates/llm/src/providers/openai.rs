use super::chat::{ChatProvider, SchemaForm};

pub(super) const ID: &str = "openai";

/// OpenAI's own service.
pub(super) const OPENAI: ChatProvider = ChatProvider {
    id: ID,
    base: Some("https://api.openai.com/v1"),
    key_variable: Some("OPENAI_API_KEY"),
    example: "openai:gpt-5-mini",
    most_output: "max_completion_tokens",
    schema: SchemaForm::Whole,
};
