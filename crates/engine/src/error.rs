use precedent_ledger::LedgerError;
use precedent_llm::LlmError;

/// What stops a stage or a run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The paper has no running text.
    #[error("assess the paper: it holds no text that could be read")]
    EmptyPaper,
    /// The idea has no words.
    #[error("assess the idea: it holds no words")]
    EmptyIdea,
    /// No source answered a single query.
    #[error("search prior work: {}", if failures.is_empty() { "no corpus or source was given".to_owned() } else { failures.join("; ") })]
    NothingSearched {
        /// What each source said; empty where there was none.
        failures: Vec<String>,
    },
    /// The ledger could not be read or written.
    #[error("keep the output of stage {stage}")]
    Ledger {
        /// The stage.
        stage: &'static str,
        /// Why.
        #[source]
        source: LedgerError,
    },
    /// The model cannot be asked at all, or a replay found no answer on record.
    #[error(transparent)]
    Model {
        /// Why.
        source: LlmError,
    },
    /// A stage's output could not be written down or read back.
    #[error("write down the output of stage {stage}")]
    Encode {
        /// The stage.
        stage: &'static str,
        /// Why.
        #[source]
        source: serde_json::Error,
    },
}
