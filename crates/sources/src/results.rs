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

impl FromIterator<Hit> for SearchResults {
    fn from_iter<I: IntoIterator<Item = Hit>>(hits: I) -> Self {
        Self {
            hits: hits.into_iter().collect(),
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

/// What a source knows of named works, in the order of the names.
#[derive(Debug)]
pub struct Lookup<T> {
    /// One entry a name, `None` for a name that the source does not know.
    pub found: Vec<Option<T>>,
    /// Why some names could not be looked up. What was found before the failure is kept.
    pub failure: Option<SourceError>,
}

impl<T> Lookup<T> {
    /// The entries, or the failure where nothing was found before it.
    ///
    /// # Errors
    /// When the look-up failed and found nothing.
    pub(crate) fn unless_empty(mut self) -> Result<Self, SourceError> {
        match self.failure.take() {
            Some(failure) if self.found.iter().all(Option::is_none) => Err(failure),
            failure => Ok(Self { failure, ..self }),
        }
    }
}

impl<T> FromIterator<Option<T>> for Lookup<T> {
    fn from_iter<I: IntoIterator<Item = Option<T>>>(found: I) -> Self {
        Self {
            found: found.into_iter().collect(),
            failure: None,
        }
    }
}

impl<T> Deref for Lookup<T> {
    type Target = [Option<T>];

    fn deref(&self) -> &[Option<T>] {
        &self.found
    }
}

impl<T> IntoIterator for Lookup<T> {
    type Item = Option<T>;
    type IntoIter = std::vec::IntoIter<Option<T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.found.into_iter()
    }
}
