use schemars::JsonSchema;
use serde::Serialize;

/// Estimated model requests of a stage, counted without sending any.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct EstimatedStage {
    /// The prompt with its version.
    pub prompt: String,
    /// Requests, without repairs.
    pub asks: u64,
    /// Bytes of text to send.
    pub bytes: u64,
    /// Input tokens of the requests, at four bytes each.
    pub input_tokens: u64,
    /// Output tokens of answers of the usual length.
    pub likely_output_tokens: u64,
    /// Maximum output tokens of the answers.
    pub most_output_tokens: u64,
}
