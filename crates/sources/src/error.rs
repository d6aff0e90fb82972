use precedent_corpus::CorpusError;

/// Why a source did not answer. Messages fit "failed to {error}".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// The local corpus could not be searched.
    #[error("search the corpus {name}")]
    Corpus {
        /// Name of the source.
        name: String,
        /// Why.
        source: CorpusError,
    },
    /// The work on a background thread was broken off.
    #[error("finish the search in {name}: {reason}")]
    BrokenOff {
        /// Name of the source.
        name: String,
        /// What broke it off.
        reason: String,
    },
    /// A source of this name is not known.
    #[error("find a source named {name:?}; known are: {known}")]
    Unknown {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The source cannot be opened as it was named.
    #[error("open the source {name}: {reason}")]
    Unusable {
        /// Name of the source.
        name: String,
        /// Why.
        reason: String,
    },
}
