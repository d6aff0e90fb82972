use super::EncodeError;

/// The role of a text in a search. Some models encode queries and documents differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    /// A search query.
    Query,
    /// Title and abstract of a work.
    Work,
}

/// Makes vectors of texts. Calls may block and come from threads where that is allowed.
pub trait Embedder: Send + Sync {
    /// Model and revision. Vectors are cached under this name, so it must change if the vectors do.
    fn name(&self) -> &str;

    /// A unit vector for each text, in order, all with the same number of dimensions.
    ///
    /// # Errors
    /// If the model gave no answer, or one that does not match the texts.
    fn embed(&self, texts: &[&str], kind: TextKind) -> Result<Vec<Vec<f32>>, EncodeError>;
}

/// Scores how well texts answer a query by reading both together. Calls may block and come from threads where that is allowed.
pub trait Reranker: Send + Sync {
    /// Model and revision.
    fn name(&self) -> &str;

    /// A score for each text, in order; higher is better. Scores are comparable only within one call.
    ///
    /// # Errors
    /// If the model gave no answer, or one that does not match the texts.
    fn rerank(&self, query: &str, texts: &[&str]) -> Result<Vec<f32>, EncodeError>;

    /// The host that such a call sends the texts to, and the bytes of the request. `None` for a model on this machine.
    fn sends(&self, _query: &str, _texts: &[&str]) -> Option<(String, u64)> {
        None
    }
}
