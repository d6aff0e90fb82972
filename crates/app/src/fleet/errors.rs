use precedent_engine::ledger::LedgerError;

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
    /// The object in the store that is missing or damaged.
    pub(crate) fn lost_object(&self) -> Option<&StoreError> {
        let of_store = self.causes().find_map(|cause| cause.downcast_ref::<StoreError>());
        of_store.filter(|error| !error.is_outage())
    }

    /// Whether the database or the store of a shared batch is away, so that the same may work later.
    pub(crate) fn is_outage(&self) -> bool {
        self.causes().any(|cause| {
            cause.downcast_ref::<LedgerError>().is_some_and(LedgerError::is_outage)
                || cause.downcast_ref::<StoreError>().is_some_and(StoreError::is_outage)
        })
    }
}
