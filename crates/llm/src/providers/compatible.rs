use super::chat::{ChatProvider, SchemaForm};

/// Any server that speaks OpenAI's form: llama.cpp, vLLM, LM Studio and many others. The user says where it is.
pub(super) const COMPATIBLE: ChatProvider = ChatProvider {
    id: "compatible",
    base: None,
    key_variable: None,
    example: "compatible:my-model",
    most_output: "max_tokens",
    schema: SchemaForm::Whole,
};
