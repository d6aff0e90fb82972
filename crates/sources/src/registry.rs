use std::path::Path;
use std::sync::Arc;

use crate::source_kind::SourceKind;
use crate::{CorpusSource, Source, SourceError, anthology};

/// Every kind, one line each. Nothing else in the program names one.
const KINDS: &[SourceKind] = &[
    SourceKind {
        id: "corpus",
        about: "a corpus on this machine: corpus:FOLDER",
        usual_place: false,
        leaves_machine: false,
        open: |folder| Ok(Arc::new(CorpusSource::open(Path::new(folder))?)),
    },
    anthology::KIND,
];

/// Every kind of source, in the order in which they are listed to users.
#[must_use]
pub fn kinds() -> &'static [SourceKind] {
    KINDS
}

impl SourceKind {
    /// Opens a source of this kind. The kind defines the meaning of `place`.
    ///
    /// # Errors
    /// Returns an error if there is no source at that place or it cannot be read.
    pub fn open(&self, place: &str) -> Result<Arc<dyn Source>, SourceError> {
        (self.open)(place)
    }
}

/// Opens a source named `kind:place`, or `kind` alone if the kind needs no place.
///
/// # Errors
/// Returns an error if the kind is not known or the source cannot be opened.
pub fn open(name: &str) -> Result<Arc<dyn Source>, SourceError> {
    let (kind, place) = name.split_once(':').unwrap_or((name, ""));
    let known = || KINDS.iter().map(|kind| kind.id).collect::<Vec<_>>().join(", ");
    KINDS
        .iter()
        .find(|one| one.id == kind)
        .ok_or_else(|| SourceError::Unknown {
            name: name.to_owned(),
            known: known(),
        })?
        .open(place)
}
