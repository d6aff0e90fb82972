use std::io;

use precedent_engine::ledger::LedgerError;
use precedent_engine::llm::LlmError;

use super::store::StoreError;
use crate::{AppError, ErrorKind};

/// Kinds of errors in the queue.
const KINDS: [(ErrorKind, &str); 6] = [
    (ErrorKind::Usage, "usage"),
    (ErrorKind::Input, "input"),
    (ErrorKind::Model, "model"),
    (ErrorKind::NothingSearched, "nothing_searched"),
    (ErrorKind::Budget, "budget"),
    (ErrorKind::Bug, "bug"),
];

pub(crate) fn kind_name(kind: ErrorKind) -> &'static str {
    KINDS
        .iter()
        .find(|(one, _)| *one == kind)
        .map_or("bug", |(_, name)| name)
}

/// The kind of an error with this name. A paper that was parked has none: what ended its workers is not known.
pub(crate) fn kind_named(name: Option<&str>) -> ErrorKind {
    KINDS
        .iter()
        .find(|(_, one)| Some(*one) == name)
        .map_or(ErrorKind::Input, |(kind, _)| *kind)
}

impl AppError {
    /// Whether the keys, the disk or the version of this machine are the reason, so that another worker may run the same paper.
    pub(crate) fn is_of_machine(&self) -> bool {
        let is_of_key = matches!(
            self.model_error(),
            Some(LlmError::NoKey { .. } | LlmError::WrongKey { .. } | LlmError::NoCredit { .. })
        );
        // A full disk of the store is one of all machines.
        is_of_key
            || !self.is_outage()
                && self.causes().any(|cause| {
                    let of_ledger = cause.downcast_ref::<LedgerError>();
                    let of_disk = cause.downcast_ref::<io::Error>().map(io::Error::kind);
                    matches!(of_ledger, Some(LedgerError::NoRoom(_) | LedgerError::Newer { .. }))
                        || matches!(
                            of_disk,
                            Some(
                                io::ErrorKind::StorageFull
                                    | io::ErrorKind::QuotaExceeded
                                    | io::ErrorKind::ReadOnlyFilesystem
                            )
                        )
                })
    }

    /// The object in the store that is missing or damaged.
    pub(crate) fn lost_object(&self) -> Option<&StoreError> {
        let of_store = self.causes().find_map(|cause| cause.downcast_ref::<StoreError>());
        of_store.filter(|error| !error.is_outage())
    }

    /// Whether the database, the store or the queue of calls of a shared batch is away, so that the same may work later.
    pub(crate) fn is_outage(&self) -> bool {
        // A queue of calls stops when its record cannot be used. The next paper gets a new one.
        let has_stopped = matches!(self.model_error(), Some(LlmError::BatchStopped));
        has_stopped
            || self.causes().any(|cause| {
                cause.downcast_ref::<LedgerError>().is_some_and(LedgerError::is_outage)
                    || cause.downcast_ref::<StoreError>().is_some_and(StoreError::is_outage)
            })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_wrong_key_and_a_full_disk_are_of_the_machine_and_a_bad_paper_is_not() {
        let provider = || "openai".to_owned();
        let wrong = LlmError::WrongKey {
            provider: provider(),
            message: "no".to_owned(),
        };
        assert!(AppError::from(wrong).is_of_machine());
        let refused = LlmError::Refused {
            provider: provider(),
            message: "no".to_owned(),
        };
        assert!(!AppError::from(refused).is_of_machine());
        let newer = LedgerError::Newer { found: 5, known: 4 };
        assert!(AppError::new(ErrorKind::Input, newer).is_of_machine());
        let full = crate::cannot_write(Path::new("x"), &io::Error::from(io::ErrorKind::StorageFull));
        assert!(full.is_of_machine());
        assert!(full.to_string().starts_with("failed to write x: "), "{full}");
        assert!(!AppError::with_message(ErrorKind::Input, "not a paper").is_of_machine());
    }
}
