use std::ops::Deref;

use precedent_domain::Hit;

use crate::SourceError;

/// What a source returned for one request. It reads as the list of its [`hits`](Self::hits).
#[derive(Debug, Default)]
pub struct SearchResults {
    /// Records that are not surely later than the requested date, best first.
    pub hits: Vec<Hit>,
    /// Records dated after the requested date. They are no results: their dates are compared with those of other records of the same paper before anyone
    /// judges when it appeared.
    pub later: Vec<Hit>,
    /// Why the list ends early. What came before the failure is kept.
    pub failure: Option<SourceError>,
}

impl SearchResults {
    /// The results, or the failure where nothing came before it.
    ///
    /// # Errors
    /// When the request failed and brought nothing.
    pub(crate) fn unless_empty(mut self) -> Result<Self, SourceError> {
        match self.failure.take() {
            Some(failure) if self.hits.is_empty() && self.later.is_empty() => Err(failure),
            failure => Ok(Self { failure, ..self }),
        }
    }
}

impl From<Vec<Hit>> for SearchResults {
    fn from(hits: Vec<Hit>) -> Self {
        Self {
            hits,
            ..Self::default()
        }
    }
}

impl Deref for SearchResults {
    type Target = [Hit];

    fn deref(&self) -> &[Hit] {
        &self.hits
    }
}

impl IntoIterator for SearchResults {
    type Item = Hit;
    type IntoIter = std::vec::IntoIter<Hit>;

    fn into_iter(self) -> Self::IntoIter {
        self.hits.into_iter()
    }
}
