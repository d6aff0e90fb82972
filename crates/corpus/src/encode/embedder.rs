use super::EncodeError;

/// What a text is to a search. Some models are told apart what is asked and what is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    /// What somebody looks for.
    Query,
    /// Title and abstract of a work.
    Work,
}

/// Makes vectors of texts. Calls may block; they come from threads that may.
pub trait Embedder: Send + Sync {
    /// Model and revision. Another name means other vectors: vectors are kept under it.
    fn name(&self) -> &str;

    /// A vector of length one for each text, in their order, all of one number of dimensions.
    ///
    /// # Errors
    /// When the model gave no answer, or one that fits no texts.
    fn embed(&self, texts: &[&str], kind: TextKind) -> Result<Vec<Vec<f32>>, EncodeError>;
}

/// Tells how well texts answer a query, read together with it. Calls may block; they come from threads that may.
pub trait Reranker: Send + Sync {
    /// Model and revision.
    fn name(&self) -> &str;

    /// A score for each text, higher for better, in their order; comparable within one call.
    ///
    /// # Errors
    /// When the model gave no answer, or one that fits no texts.
    fn rerank(&self, query: &str, texts: &[&str]) -> Result<Vec<f32>, EncodeError>;
}
