use serde::Serialize;

/// What a stage would ask, counted without asking.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct EstimatedStage {
    /// The prompt with its version.
    pub prompt: String,
    /// Questions, repairs not counted.
    pub asks: u64,
    /// Bytes of text that would be sent.
    pub bytes: u64,
    /// Tokens of the questions, at four bytes each.
    pub input_tokens: u64,
    /// The most tokens that the answers may have.
    pub most_output_tokens: u64,
}
