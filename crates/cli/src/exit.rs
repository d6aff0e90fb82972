use precedent_app::ErrorKind;

/// Exit codes and their meanings. The command-line reference prints this table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExitCode {
    /// Success.
    Done,
    /// A bug in this program.
    Bug,
    /// Usage error: an unknown option or an invalid value.
    Usage,
    /// The input cannot be read, or is not a paper.
    Input,
    /// A model or a key is needed, or too few of the model's items are usable.
    Model,
    /// No source could be searched.
    NothingSearched,
    /// The run exceeded its budget.
    Budget,
    /// `verify --strict`: the outcome of a quote is not `exact`.
    NotVerbatim,
    /// `watch run`: a new paper reached the level of a watch.
    Alert,
    /// Interrupted; the run can be resumed.
    Interrupted,
}

impl ExitCode {
    /// Every code, in order.
    pub const ALL: [Self; 10] = [
        Self::Done,
        Self::Bug,
        Self::Usage,
        Self::Input,
        Self::Model,
        Self::NothingSearched,
        Self::Budget,
        Self::NotVerbatim,
        Self::Alert,
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
            Self::NotVerbatim => 7,
            Self::Alert => 8,
            Self::Interrupted => 130,
        }
    }

    /// The meaning, as printed in the reference.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Done => "success",
            Self::Bug => "a bug in this program; please report it",
            Self::Usage => "usage error",
            Self::Input => "the input cannot be read, or is not a paper",
            Self::Model => "a model or a key is needed, or fewer than half of the model's items are usable",
            Self::NothingSearched => "no source could be searched; the report covers the paper alone",
            Self::Budget => "the run exceeded its budget; the partial report says so",
            Self::NotVerbatim => "`verify --strict`: the outcome of at least one quote is not `exact`",
            Self::Alert => "`watch run`: a new paper reached the level of a watch",
            Self::Interrupted => "interrupted; to continue, repeat the command or use `precedent runs resume`",
        }
    }
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> Self {
        Self::from(code.number())
    }
}

impl From<ErrorKind> for ExitCode {
    fn from(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::Usage => Self::Usage,
            ErrorKind::Input => Self::Input,
            ErrorKind::Model => Self::Model,
            ErrorKind::NothingSearched => Self::NothingSearched,
            ErrorKind::Budget => Self::Budget,
            ErrorKind::NotVerbatim => Self::NotVerbatim,
            ErrorKind::Interrupted => Self::Interrupted,
            _ => Self::Bug,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_are_distinct() {
        let mut numbers: Vec<u8> = ExitCode::ALL.iter().map(|code| code.number()).collect();
        numbers.dedup();
        assert_eq!(numbers, [0, 1, 2, 3, 4, 5, 6, 7, 130]);
    }
}
