/// Receives progress events. Never affects the result of a run.
pub trait Progress: Send + Sync {
    /// A stage started or ended.
    fn stage(&self, stage: &'static str, event: StageEvent);

    /// A progress message for stderr, such as `50 candidates, 12 with full text`.
    fn note(&self, message: &str);

    /// All queries to a source were answered or failed.
    fn source(&self, _source: &SourceProgress) {}

    /// A model finished one item of a stage.
    fn model(&self, _model: &ModelProgress) {}

    /// The number of model calls changed that wait for their provider: it is down, asks to slow down, or failed and is asked again.
    fn waiting(&self, _calls: usize) {}

    /// A message to show even when notes are turned off.
    fn warning(&self, message: &str) {
        self.note(message);
    }

    /// An embedding model or reranker failed, and the ranking without it is used.
    fn ranking_model_failed(&self, model: &str, failure: &str) {
        self.warning(&format!(
            "{model} failed ({failure}); using the ranking without it instead"
        ));
    }
}

/// What a source returned in a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceProgress {
    /// Its name.
    pub name: String,
    /// Results, before duplicates are removed.
    pub found: usize,
    /// Queries without an answer.
    pub failed: usize,
}

/// How far a model is with the items of one kind, and the cost of the run so far.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelProgress {
    /// The first part of the prompt's name, such as `compare`.
    pub what: &'static str,
    /// Items finished.
    pub done: usize,
    /// Items in all.
    pub of: usize,
    /// Requests of the run so far.
    pub calls: u64,
    /// Tokens sent and received in the run so far.
    pub tokens: u64,
    /// Cost of the run so far, in US dollars; `None` if a price is unknown.
    pub dollars: Option<f64>,
}

/// What happened to a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum StageEvent {
    /// The stage started.
    Started,
    /// The stage's output was already in the ledger.
    Reused,
    /// The stage's output was computed.
    Finished,
}

/// Discards every event.
#[derive(Debug, Clone, Copy, Default)]
pub struct SilentProgress;

impl Progress for SilentProgress {
    fn stage(&self, _stage: &'static str, _event: StageEvent) {}

    fn note(&self, _message: &str) {}
}
