/// Receives progress events. Never affects the result of a run.
pub trait Progress: Send + Sync {
    /// A stage started or ended.
    fn stage(&self, stage: &'static str, event: StageEvent);

    /// A progress message for stderr, such as `50 candidates, 12 with full text`.
    fn note(&self, message: &str);

    /// A message to show even when notes are turned off.
    fn warning(&self, message: &str) {
        self.note(message);
    }
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
