use std::path::PathBuf;
use std::sync::Arc;

use precedent_app::{
    App, AppError, ClaimMatcher, CorporaRequest, ErrorKind, Input, OpenedCorpora, OverlapRequest, QuoteQuery,
    SearchQuery, ServiceChoice, SilentObserver,
};
use precedent_engine::compare::one_claim::{ClaimMatch, ClaimQuery};
use precedent_engine::domain::{PartialDate, WorkId};
use pyo3::prelude::*;
use serde::Serialize;

use crate::errors::raised;
use crate::work::{json, run};

/// A file, or a text if there is no file.
fn input(path: Option<PathBuf>, text: Option<String>) -> Result<Input, AppError> {
    match (path, text) {
        (Some(path), None) => Ok(Input::File(path)),
        (None, Some(text)) => Ok(Input::Text(text)),
        _ => Err(AppError::with_message(ErrorKind::Usage, "give either a file or a text")),
    }
}

/// Checks quotes against a file or a text: a JSON list.
#[pyfunction]
pub(crate) fn verify(
    py: Python<'_>,
    path: Option<PathBuf>,
    text: Option<String>,
    quotes: Vec<String>,
) -> PyResult<String> {
    let answers = run(py, None, move |observer, _| {
        let source = App::default().open_text(&input(path, text)?, &*observer)?;
        Ok(quotes
            .into_iter()
            .map(|quote| source.verify(&QuoteQuery::new(quote)))
            .collect::<Vec<_>>())
    })?;
    json(py, &answers)
}

/// Finds passages that a file or a text shares with other files: a JSON object.
#[pyfunction]
pub(crate) fn overlap(
    py: Python<'_>,
    path: Option<PathBuf>,
    text: Option<String>,
    others: Vec<PathBuf>,
    min_words: Option<usize>,
) -> PyResult<String> {
    let found = run(py, None, move |observer, _| {
        let others = others.into_iter().map(Input::File).collect();
        let mut request = OverlapRequest::new(input(path, text)?, others);
        if let Some(min_words) = min_words {
            request.min_words = min_words;
        }
        App::default().overlap(&request, &*observer)
    })?;
    json(py, &found)
}

/// Reads a paper: a JSON object.
#[pyfunction]
pub(crate) fn read(py: Python<'_>, path: Option<PathBuf>, text: Option<String>) -> PyResult<String> {
    let paper = run(py, None, move |_, _| App::default().read(&input(path, text)?))?;
    json(py, &paper)
}

/// Local corpora, opened when they are first searched.
#[pyclass(frozen)]
pub(crate) struct Corpora {
    paths: Vec<PathBuf>,
    search: std::sync::OnceLock<Arc<OpenedCorpora>>,
    matcher: std::sync::OnceLock<Arc<ClaimMatcher>>,
}

#[derive(Serialize)]
struct Matches {
    results: Vec<ClaimMatch>,
}

fn date(typed: Option<&str>) -> Result<Option<PartialDate>, AppError> {
    typed
        .map(str::parse)
        .transpose()
        .map_err(|error| AppError::new(ErrorKind::Usage, error))
}

fn ids(typed: Vec<String>) -> Result<Vec<WorkId>, AppError> {
    let parsed = typed.into_iter().map(|id| id.parse::<WorkId>());
    parsed
        .collect::<Result<_, _>>()
        .map_err(|error| AppError::new(ErrorKind::Usage, error))
}

#[pymethods]
impl Corpora {
    /// Opens corpora: folders, files of records, or folders of papers.
    #[new]
    fn new(py: Python<'_>, paths: Vec<PathBuf>) -> PyResult<Self> {
        if let Some(missing) = paths.iter().find(|path| !path.exists()) {
            let message = format!("no corpus at {}", missing.display());
            return Err(raised(
                py,
                &AppError::with_message(ErrorKind::Input, message).hint("check the path"),
            ));
        }
        Ok(Self {
            paths,
            search: Default::default(),
            matcher: Default::default(),
        })
    }

    /// The papers for each query: a JSON list.
    fn search(
        &self,
        py: Python<'_>,
        query: String,
        limit: Option<usize>,
        as_of: Option<&str>,
        exclude: Vec<String>,
    ) -> PyResult<String> {
        let opened = match self.search.get() {
            Some(opened) => Arc::clone(opened),
            None => {
                let request = CorporaRequest::new(self.paths.clone());
                let opened = Arc::new(run(py, None, move |observer, _| {
                    App::default().open_corpora(&request, &*observer)
                })?);
                Arc::clone(self.search.get_or_init(|| opened))
            }
        };
        let mut asked = SearchQuery::new(query);
        asked.as_of = date(as_of).map_err(|error| raised(py, &error))?;
        asked.exclude = ids(exclude).map_err(|error| raised(py, &error))?;
        if let Some(limit) = limit {
            asked.limit = limit;
        }
        let answer = run(py, None, move |_, _| opened.search(&asked))?;
        json(py, &answer.results)
    }

    /// The papers that state each claim: a JSON list with an object for each claim.
    #[pyo3(name = "match")]
    fn match_claims(
        &self,
        py: Python<'_>,
        claims: Vec<String>,
        limit: usize,
        as_of: Option<&str>,
        exclude: Vec<String>,
    ) -> PyResult<String> {
        let matcher = match self.matcher.get() {
            Some(matcher) => Arc::clone(matcher),
            None => {
                let paths = self.paths.clone();
                let opened = run(py, None, move |_, _| {
                    App::default().claim_matcher(&paths, ServiceChoice::default(), &SilentObserver)
                })?;
                Arc::clone(self.matcher.get_or_init(|| Arc::new(opened)))
            }
        };
        let as_of = date(as_of).map_err(|error| raised(py, &error))?;
        let exclude: std::collections::BTreeSet<_> =
            ids(exclude).map_err(|error| raised(py, &error))?.into_iter().collect();
        let answers = run(py, None, move |_, cancel| {
            let mut answers = Vec::new();
            for text in claims {
                if cancel.is_cancelled() {
                    return Err(AppError::with_message(ErrorKind::Interrupted, "interrupted"));
                }
                let query = ClaimQuery {
                    text,
                    exclude: exclude.iter().cloned().collect(),
                    as_of,
                    limit,
                };
                answers.push(Matches {
                    results: matcher.matches(&query)?.results,
                });
            }
            Ok(answers)
        })?;
        json(py, &answers)
    }
}
