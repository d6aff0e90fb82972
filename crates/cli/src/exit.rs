use std::fmt;

/// What an exit code means: the one table, also printed in the manual.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExitCode {
    /// Done.
    Done,
    /// A bug in this program.
    Bug,
    /// Wrong usage: an unknown option, a value that does not fit.
    Usage,
    /// The input cannot be read, or is not a paper.
    Input,
    /// A model or a key is needed, or too few of a model's answers are usable.
    Model,
    /// Nothing could be searched.
    NothingSearched,
    /// The budget ended the run.
    Budget,
    /// Interrupted; the run can be resumed.
    Interrupted,
}

impl ExitCode {
    /// Every code, in order.
    pub const ALL: [Self; 8] = [
        Self::Done,
        Self::Bug,
        Self::Usage,
        Self::Input,
        Self::Model,
        Self::NothingSearched,
        Self::Budget,
        Self::Interrupted,
    ];

    /// The number.
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Bug => 1,
            Self::Usage => 2,
            Self::Input => 3,
            Self::Model => 4,
            Self::NothingSearched => 5,
            Self::Budget => 6,
            Self::Interrupted => 130,
        }
    }

    /// The meaning, in the manual's words.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Bug => "a bug in this program; please report it",
            Self::Usage => "wrong usage",
            Self::Input => "the input cannot be read, or is not a paper",
            Self::Model => "a model or a key is needed, or fewer than half of the model's items are usable",
            Self::NothingSearched => "nothing could be searched; a report on the paper alone is written",
            Self::Budget => "the budget ended the run; a partial report is written and says so",
            Self::Interrupted => "interrupted; run the same command again, or `precedent runs resume`, to go on",
        }
    }
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> Self {
        Self::from(code.number())
    }
}

/// An error that ends a command: what failed, what to do about it, and the exit code.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: ExitCode,
    pub(crate) error: anyhow::Error,
    pub(crate) hint: Option<String>,
}

impl Failure {
    /// A failure of a room: its errors are fragments that fit "failed to …".
    pub(crate) fn new(code: ExitCode, error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self {
            code,
            error: anyhow::Error::new(FailedTo(error)),
            hint: None,
        }
    }

    /// A failure said in whole words.
    pub(crate) fn said(code: ExitCode, message: impl fmt::Display) -> Self {
        Self {
            code,
            error: anyhow::anyhow!("{message}"),
            hint: None,
        }
    }

    /// With what the user can do about it.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// An error of a room, told in full.
#[derive(Debug)]
struct FailedTo<E>(E);

impl<E: fmt::Display> fmt::Display for FailedTo<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "failed to {}", self.0)
    }
}

impl<E: std::error::Error> std::error::Error for FailedTo<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_a_number_of_its_own() {
        let mut numbers: Vec<u8> = ExitCode::ALL.iter().map(|code| code.number()).collect();
        numbers.dedup();
        assert_eq!(numbers, [0, 1, 2, 3, 4, 5, 6, 130]);
    }
}
