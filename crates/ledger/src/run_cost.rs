/// What the calls of a run cost so far, in US dollars.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RunCost {
    /// All answers that it used, with the recorded ones of earlier processes.
    pub used: f64,
    /// Calls without an answer may have cost this much.
    pub unknown: f64,
    /// What this process paid or may have paid.
    pub live: f64,
}
