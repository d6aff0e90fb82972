use std::path::PathBuf;

use precedent_engine::domain::WorkId;
use precedent_engine::matching::{ClaimMatch, ClaimQuery, ClaimSearch};
use tempfile::TempDir;

use crate::{AppError, ErrorKind, Observer, corpora, estimate};

/// Finds the papers of local corpora that state a claim.
#[derive(Debug)]
pub struct ClaimMatcher {
    search: ClaimSearch,
    /// The indexes of corpora that are files or folders of papers.
    _scratch: TempDir,
}

impl ClaimMatcher {
    /// Opens corpora. Files of records and folders of papers are indexed first, in a temporary folder.
    ///
    /// # Errors
    /// If there is no corpus, or one cannot be read.
    pub(crate) fn open(paths: &[PathBuf], observer: &dyn Observer) -> Result<Self, AppError> {
        corpora::not_empty(paths)?;
        let scratch = estimate::scratch()?;
        let mut opened = Vec::new();
        for (number, path) in paths.iter().enumerate() {
            let index = &scratch.path().join(number.to_string());
            opened.push(corpora::open(path, index, observer)?);
        }
        Ok(Self {
            search: ClaimSearch::new(opened),
            _scratch: scratch,
        })
    }

    /// Those of `ids` that no corpus has.
    ///
    /// # Errors
    /// If a corpus cannot be read.
    pub fn unknown<'i>(&self, ids: &'i [WorkId]) -> Result<Vec<&'i WorkId>, AppError> {
        let mut unknown = Vec::new();
        for id in ids {
            let is_there = self.search.contains(id);
            if !is_there.map_err(|error| AppError::new(ErrorKind::NothingSearched, error))? {
                unknown.push(id);
            }
        }
        Ok(unknown)
    }

    /// The papers that most probably state the claim, best first.
    ///
    /// # Errors
    /// If the claim is blank or a corpus cannot be read.
    pub fn matches(&self, query: &ClaimQuery) -> Result<Vec<ClaimMatch>, AppError> {
        if query.text.trim().is_empty() {
            return Err(AppError::with_message(ErrorKind::Usage, "the claim is empty"));
        }
        self.search
            .matches(query)
            .map_err(|error| AppError::new(ErrorKind::NothingSearched, error))
    }
}
