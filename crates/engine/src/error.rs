use precedent_domain::Facet;
use precedent_ledger::LedgerError;
use precedent_llm::LlmError;

/// An error that stops a stage or a run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The paper has no running text.
    #[error("assess the paper: it contains no readable text")]
    EmptyPaper,
    /// The idea has no words.
    #[error("assess the idea: it contains no words")]
    EmptyIdea,
    /// A facet that the user stated is longer than an idea may be.
    #[error("assess the idea: its {} is longer than {most} bytes", facet.name())]
    FacetTooLong {
        /// The facet.
        facet: Facet,
        /// Maximum length in bytes.
        most: usize,
    },
    /// Every query to every source failed.
    #[error("search prior work: {}", if failures.is_empty() { "no corpus or source given".to_owned() } else { failures.join("; ") })]
    NothingSearched {
        /// Why each source failed; empty if there are no sources.
        failures: Vec<String>,
    },
    /// The judgement needs a model.
    #[error("{what}: this needs a model, and none is configured")]
    NeedsModel {
        /// The requested judgement.
        what: &'static str,
    },
    /// The group of ideas cannot be ranked.
    #[error("rank the ideas: {why}")]
    BadGroup {
        /// Why not.
        why: String,
    },
    /// The budget ran out before there was a result.
    #[error("{what}: the budget ran out")]
    OverBudget {
        /// The requested result.
        what: &'static str,
    },
    /// Too few usable rankings from the model, or none that connect all ideas.
    #[error("rank the ideas: {usable} of {asked} answers name every idea shown exactly once{}; a ranking needs at least 2 that connect all ideas", if why.is_empty() { String::new() } else { format!(" ({why})") })]
    NoRanking {
        /// Answers that name every idea shown exactly once.
        usable: usize,
        /// Rankings requested.
        asked: usize,
        /// Why the other answers were unusable, such as `not reached: 2`; empty if unknown.
        why: String,
        /// Whether the model service failed, so that running the same command again may succeed.
        retryable: bool,
        /// Names of the ideas as the first prompt's answer ranks them, best first; empty without one.
        first: Vec<String>,
    },
    /// A dimension or persona file is invalid.
    #[error("read {file}: {why}")]
    BoardFile {
        /// The file.
        file: String,
        /// What is wrong with it.
        why: String,
    },
    /// A required persona does not exist.
    #[error("find the persona {name}; the personas are {}", .known.join(", "))]
    UnknownPersona {
        /// The name given.
        name: String,
        /// The ids of all personas.
        known: Vec<String>,
    },
    /// More personas are required than the board has seats.
    #[error("seat {required} required personas on a board of {size}")]
    BoardTooSmall {
        /// Personas required.
        required: usize,
        /// Size of the board.
        size: usize,
    },
    /// The ledger could not be read or written.
    #[error("store the output of stage {stage}")]
    Ledger {
        /// The stage.
        stage: &'static str,
        /// Why.
        #[source]
        source: LedgerError,
    },
    /// The model cannot be called at all, or a replay found no recorded answer.
    #[error(transparent)]
    Model {
        /// Why.
        source: LlmError,
    },
    /// A stage's output could not be encoded or decoded.
    #[error("encode the output of stage {stage}")]
    Encode {
        /// The stage.
        stage: &'static str,
        /// Why.
        #[source]
        source: serde_json::Error,
    },
}
