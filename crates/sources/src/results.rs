use std::ops::Deref;

use precedent_domain::Hit;

use crate::SourceError;

/// The answer of a source to one request. Dereferences to the list of its [`hits`](Self::hits).
#[derive(Debug, Default)]
pub struct SearchResults {
    /// Records that are not certainly later than the requested date, best first.
    pub hits: Vec<Hit>,
    /// Records dated after the requested date. They are not results. Their dates are compared with those of other records of the same paper before
    /// the program decides when it appeared.
    pub later: Vec<Hit>,
    /// Why the list ends early. Results found before the failure are kept.
    pub failure: Option<SourceError>,
}

impl SearchResults {
    /// The results, or the failure if nothing was found before it.
    ///
    /// # Errors
    /// Returns an error if the request failed without any result.
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

/// Look-up results for named works, in the order of the names.
#[derive(Debug)]
pub struct Lookup<T> {
    /// One entry per name, `None` for a name that the source does not know.
    pub found: Vec<Option<T>>,
    /// Why some names could not be looked up. Entries found before the failure are kept.
    pub failure: Option<SourceError>,
}

impl<T> Lookup<T> {
    /// The entries, or the failure if nothing was found before it.
    ///
    /// # Errors
    /// Returns an error if the look-up failed and found nothing.
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
