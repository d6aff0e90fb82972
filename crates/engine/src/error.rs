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
    /// A judgement is asked for that no rule gives.
    #[error("{what}: that takes a judge, and no model is named")]
    NeedsModel {
        /// What was asked for.
        what: &'static str,
    },
    /// Ideas that cannot be put in order.
    #[error("rank the ideas: {why}")]
    BadGroup {
        /// Why not.
        why: String,
    },
    /// The budget ended before what was asked for was there.
    #[error("{what}: the budget ended first")]
    OverBudget {
        /// What was asked for.
        what: &'static str,
    },
    /// No model put the ideas in order.
    #[error("rank the ideas: {usable} of {asked} answers name every idea once{}, and two are needed; no order is made up in their place", if why.is_empty() { String::new() } else { format!(" ({why})") })]
    NoRanking {
        /// Answers that do.
        usable: usize,
        /// Orders asked for.
        asked: usize,
        /// What the others were: `not reached: 2`; empty where that is not known.
        why: String,
        /// Whether the model service failed, so that the same command again may bring more.
        retryable: bool,
    },
    /// A file of a dimension or persona is wrong.
    #[error("read {file}: {why}")]
    BoardFile {
        /// The file.
        file: String,
        /// What is wrong.
        why: String,
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
