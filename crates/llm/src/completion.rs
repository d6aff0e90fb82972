use serde::{Deserialize, Serialize};

use crate::answer::is_unfinished;

/// A model's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The text as received.
    pub text: String,
    /// How the answer ended.
    pub finish: Finish,
    /// Token usage as reported by the provider.
    pub usage: Usage,
}

impl Completion {
    /// Whether the service calls the answer finished although it has no text, or JSON that breaks off.
    pub(crate) fn is_unfinished(&self) -> bool {
        self.finish == Finish::Whole && is_unfinished(&self.text)
    }
}

/// How an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// The model finished.
    Whole,
    /// The output limit was reached.
    CutOff,
}

/// Token counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Input tokens, including cached ones.
    pub input: u64,
    /// Input tokens read from the provider's cache.
    pub cached: u64,
    /// Input tokens written to the provider's cache, where it charges for that.
    #[serde(default)]
    pub written: u64,
    /// Output tokens, including reasoning where it is charged.
    pub output: u64,
}

/// Upper bound for one exchange. A larger count is a server error; the limit keeps sums from overflowing.
const MOST: u64 = 1_000_000_000;

impl Usage {
    /// Tokens of input and output together.
    #[must_use]
    pub fn total(self) -> u64 {
        self.input.saturating_add(self.output)
    }

    /// The counts, limited to plausible values.
    #[must_use]
    pub(crate) fn believable(self) -> Self {
        Self {
            input: self.input.min(MOST),
            cached: self.cached.min(MOST),
            written: self.written.min(MOST),
            output: self.output.min(MOST),
        }
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input += other.input;
        self.cached += other.cached;
        self.written += other.written;
        self.output += other.output;
    }
}
