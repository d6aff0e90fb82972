/// Why a value is not valid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DomainError {
    /// Not an identifier of the expected kind.
    #[error("read {value:?} as {kind}: {reason}")]
    Identifier {
        /// The expected kind: `DOI`, `arXiv id`, …
        kind: &'static str,
        /// The given value.
        value: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// Not a date.
    #[error("read {value:?} as a date: use YYYY, YYYY-MM or YYYY-MM-DD")]
    Date {
        /// The given value.
        value: String,
    },
}
