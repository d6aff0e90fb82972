use super::chat::{ChatProvider, SchemaForm};

/// Ollama on this machine, through its OpenAI-compatible endpoint: its own API does not have a strict schema in all versions.
pub(super) const OLLAMA: ChatProvider = ChatProvider {
    id: "ollama",
    base: Some("http://localhost:11434/v1"),
    key_variable: None,
    example: "ollama:qwen3:8b",
    most_output: "max_tokens",
    schema: SchemaForm::Whole,
};
