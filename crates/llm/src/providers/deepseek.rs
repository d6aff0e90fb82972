use super::chat::{ChatProvider, SchemaForm};

/// `DeepSeek`: accepts no schema, only a request for JSON.
pub(super) const DEEPSEEK: ChatProvider = ChatProvider {
    id: "deepseek",
    base: Some("https://api.deepseek.com"),
    key_variable: Some("DEEPSEEK_API_KEY"),
    example: "deepseek:deepseek-chat",
    most_output: "max_tokens",
    schema: SchemaForm::JsonOnly,
};
