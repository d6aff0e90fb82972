use std::sync::Arc;

use crate::{Source, SourceError};

/// A kind of source that can be named on the command line.
pub struct SourceKind {
    /// The name before the colon in `corpus:PATH`.
    pub id: &'static str,
    /// A one-line description.
    pub about: &'static str,
    /// Whether it has one location for all runs, set in the settings. The name alone then refers to that location.
    pub usual_place: bool,
    /// Whether searching it sends anything to another machine.
    pub leaves_machine: bool,
    pub(crate) open: fn(&str) -> Result<Arc<dyn Source>, SourceError>,
}
