//! Opens corpora as sources and names them for reports.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::runs::Manifest;
use precedent_engine::corpus::Corpus;
use precedent_engine::library;
use precedent_engine::sources::{CorpusSource, Source};

use crate::observer::Messages;
use crate::text::plain;
use crate::{AppError, ErrorKind, Observer};

/// Opens the corpora of a run. Files of papers are first indexed into `index`.
pub(crate) fn open_sources(
    index: &Path,
    manifest: &Manifest,
    observer: &dyn Observer,
) -> Result<Vec<Arc<dyn Source>>, AppError> {
    let sources = sources_of(&manifest.request.corpora, index, observer)?;
    // An audit says in its report that nothing was searched.
    let searches = manifest.request.rank.is_none() && manifest.request.audit.is_none();
    if searches && sources.is_empty() && manifest.request.sources.is_empty() {
        let of_idea = manifest.request.idea.is_some() || manifest.request.review.is_some();
        let outcome = if of_idea {
            ""
        } else {
            "; the report covers the paper alone"
        };
        observer.warning(&format!(
            "no prior work to search: choose a corpus with --corpus or literature services with --sources{outcome}"
        ));
    }
    Ok(sources)
}

/// Opens corpora as sources. Files of papers are first indexed into `index`.
pub fn sources_of(
    corpora: &[PathBuf],
    index: &Path,
    observer: &dyn Observer,
) -> Result<Vec<Arc<dyn Source>>, AppError> {
    let mut sources: Vec<Arc<dyn Source>> = Vec::new();
    for (path, name) in corpora.iter().zip(source_names(corpora)) {
        let (corpus, left_out) = library::open(path, index).map_err(AppError::from)?;
        let left_out = left_out.in_words(&name);
        for message in &left_out {
            observer.warning(&plain(message));
        }
        sources.push(Arc::new(CorpusSource::new(name, corpus).with_left_out(left_out)));
    }
    Ok(sources)
}

/// An error if there is no corpus to search.
pub(crate) fn not_empty(corpora: &[PathBuf]) -> Result<(), AppError> {
    if !corpora.is_empty() {
        return Ok(());
    }
    let hint = "choose one with --corpus, or create one with `precedent corpus add DIR FILES…`";
    Err(AppError::with_message(ErrorKind::NothingSearched, "no corpus to search").hint(hint))
}

/// Opens a corpus to search it without a run. A file of records or a folder of papers is first indexed into `index`.
pub(crate) fn open(path: &Path, index: &Path, observer: &dyn Observer) -> Result<Corpus, AppError> {
    let (corpus, left_out) = library::open(path, index).map_err(AppError::from)?;
    for message in left_out.in_words(&CorpusSource::name_of(path)) {
        observer.warning(&plain(&message));
    }
    Ok(corpus)
}

/// Names of the corpora in reports: the name of the file or folder, never its path. Duplicate names are numbered.
fn source_names(paths: &[PathBuf]) -> Vec<String> {
    let mut given: Vec<String> = Vec::new();
    for path in paths {
        let name = CorpusSource::name_of(path);
        let numbered = (2..).map(|number| format!("{name} ({number})"));
        let free = std::iter::once(name.clone())
            .chain(numbered)
            .find(|one| !given.contains(one));
        given.extend(free);
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_names_are_unique() {
        let names = source_names(&["/a/works", "/b/works", "/c/lists.jsonl", "/d/works"].map(PathBuf::from));
        assert_eq!(
            names,
            [
                "corpus:works",
                "corpus:works (2)",
                "corpus:lists.jsonl",
                "corpus:works (3)"
            ]
        );
    }
}
