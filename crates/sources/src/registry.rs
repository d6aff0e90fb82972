use std::path::Path;
use std::sync::Arc;

use crate::{CorpusSource, Source, SourceError, anthology};

/// A kind of source that can be named on the command line.
pub struct SourceKind {
    /// The name before the colon: `corpus:PATH`.
    pub id: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// Whether it is one place for all runs, which the settings name: its name alone then means that place.
    pub usual_place: bool,
    /// Whether asking it sends anything to another machine.
    pub leaves_machine: bool,
    pub(crate) open: fn(&str) -> Result<Arc<dyn Source>, SourceError>,
}

/// Every kind there is. One line for each; nothing else in the program names one.
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

/// Every kind of source, in the order in which they are listed to people.
#[must_use]
pub fn kinds() -> &'static [SourceKind] {
    KINDS
}

impl SourceKind {
    /// Opens a source of this kind; what `place` means, the kind says.
    ///
    /// # Errors
    /// When there is none at that place, or it cannot be read.
    pub fn open(&self, place: &str) -> Result<Arc<dyn Source>, SourceError> {
        (self.open)(place)
    }
}

/// Opens a source named `kind:place`, or `kind` alone where the kind needs no place.
///
/// # Errors
/// When the kind is not known or the source cannot be opened.
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
