/// Hears how far a run is. Never part of its result.
pub trait Progress: Send + Sync {
    /// A stage began or ended.
    fn stage(&self, stage: &'static str, event: StageEvent);

    /// Something worth a line on stderr: `50 candidates, 12 with full text`.
    fn note(&self, message: &str);

    /// Something that must be seen even by who wants no notes.
    fn warning(&self, message: &str) {
        self.note(message);
    }
}

/// What happened to a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum StageEvent {
    /// It began.
    Started,
    /// Its output was already in the ledger.
    Reused,
    /// It was worked out.
    Finished,
}

/// Says nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct SilentProgress;

impl Progress for SilentProgress {
    fn stage(&self, _stage: &'static str, _event: StageEvent) {}

    fn note(&self, _message: &str) {}
}
