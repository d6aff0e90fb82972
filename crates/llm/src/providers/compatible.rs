use super::chat::{ChatProvider, SchemaForm};

/// Any server with OpenAI's format: llama.cpp, vLLM, LM Studio and many others. The user sets the address.
pub(super) const COMPATIBLE: ChatProvider = ChatProvider {
    id: "compatible",
    base: None,
    key_variable: None,
    example: "compatible:my-model",
    most_output: "max_tokens",
    schema: SchemaForm::Whole,
};
