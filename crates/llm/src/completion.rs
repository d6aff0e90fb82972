use serde::{Deserialize, Serialize};

/// What a model said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The text, as it came.
    pub text: String,
    /// How it ended.
    pub finish: Finish,
    /// What it took, as the provider counts.
    pub usage: Usage,
}

/// How an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// By itself.
    Whole,
    /// At the limit of its length.
    CutOff,
}

/// Tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Of the question, cached ones included.
    pub input: u64,
    /// Of the question, those that the provider had in its cache.
    pub cached: u64,
    /// Of the question, those that it put into its cache for later, where it charges for that.
    #[serde(default)]
    pub written: u64,
    /// Of the answer, thinking included where it is charged.
    pub output: u64,
}

/// More tokens than any one exchange has: a count beyond is a slip of the server, or worse, and sums of counts stay sums.
const MOST: u64 = 1_000_000_000;

impl Usage {
    /// The counts, none beyond what can be.
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
