/// What makes a value no value of the field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DomainError {
    /// Not an identifier of the kind asked for.
    #[error("read {value:?} as {kind}: {reason}")]
    Identifier {
        /// What it should have been: `DOI`, `arXiv id`, …
        kind: &'static str,
        /// What was given.
        value: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// Not a date.
    #[error("read {value:?} as a date: use YYYY, YYYY-MM or YYYY-MM-DD")]
    Date {
        /// What was given.
        value: String,
    },
}
