//! Searches corpora.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use precedent_engine::corpus::{Corpus, CorpusStats, Found, Ranking, Refiner, SearchOptions};
use precedent_engine::domain::{Document, PartialDate, Work, WorkId};
use schemars::JsonSchema;
use serde::Serialize;
use tempfile::TempDir;

use crate::encoders::{self, ChosenEncoders};
use crate::observer::Messages;
use crate::runtime::outside_runtime;
use crate::{AppError, ErrorKind, Observer, RefineChoice, corpora};

/// Corpora to open, and how to search them.
#[derive(Debug, Clone, PartialEq)]
pub struct CorporaRequest {
    /// Corpora, files of records or folders of papers.
    pub corpora: Vec<PathBuf>,
    /// Ranking method. A corpus without vectors is searched by words only.
    pub ranking: Ranking,
    /// Models that rerank the results. `None` uses no model and reads no settings.
    pub refine: Option<RefineChoice>,
}

impl CorporaRequest {
    /// A request without models. It opens no connection.
    #[must_use]
    pub fn new(corpora: Vec<PathBuf>) -> Self {
        Self {
            corpora,
            ranking: Ranking::Hybrid,
            refine: None,
        }
    }
}

/// One search of corpora.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchRequest {
    /// What to search.
    pub corpora: CorporaRequest,
    /// What to look for.
    pub query: SearchQuery,
}

/// What to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchQuery {
    /// Any JSON value, returned in the answer.
    pub id: Option<serde_json::Value>,
    /// Up to a whole abstract. Operators are not supported.
    pub text: String,
    /// Leaves out papers that are certainly later than this date.
    pub as_of: Option<PartialDate>,
    /// Leaves out papers with these ids.
    pub exclude: Vec<WorkId>,
    /// Only papers whose venue contains this text, ignoring case.
    pub venue: Option<String>,
    /// Only papers with a field of study that contains this text, ignoring case.
    pub field: Option<String>,
    /// Maximum number of results.
    pub limit: usize,
}

impl SearchQuery {
    /// The ten best papers of any date, venue and field.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            id: None,
            text: text.into(),
            as_of: None,
            exclude: Vec::new(),
            venue: None,
            field: None,
            limit: 10,
        }
    }
}

/// A corpus that was opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CorpusDescription {
    /// Number of papers.
    pub papers: u64,
    /// Papers with full text.
    pub full_texts: u64,
    /// Whether it is searched by meaning too, and not by words only.
    pub has_vectors: bool,
}

/// A paper of a corpus with its text.
#[derive(Debug, Clone, PartialEq)]
pub struct CorpusPaper {
    /// Its record.
    pub work: Work,
    /// The full text if the corpus has it, else title and abstract. The ranges of passages in answers refer to it.
    pub document: Document,
}

/// Result of one query: a line of `precedent search --json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SearchAnswer {
    /// The id of the query, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<serde_json::Value>,
    /// The papers, best first.
    pub results: Vec<Found>,
}

/// Corpora that were opened once, to search them many times, also from several threads. Its methods block the calling thread.
#[derive(Debug)]
pub struct OpenedCorpora {
    corpora: Vec<Opened>,
    ranking: Ranking,
    /// The indexes of corpora that are files or folders of papers.
    _scratch: TempDir,
}

#[derive(Debug)]
struct Opened {
    corpus: Corpus,
    refiner: Option<Refiner>,
}

/// Searches corpora once.
pub(crate) fn search(request: &SearchRequest, observer: &dyn Observer) -> Result<SearchAnswer, AppError> {
    OpenedCorpora::open(&request.corpora, observer)?.search(&request.query)
}

impl OpenedCorpora {
    pub(crate) fn open(request: &CorporaRequest, observer: &dyn Observer) -> Result<Self, AppError> {
        corpora::not_empty(&request.corpora)?;
        let scratch = tempfile::tempdir().map_err(|error| AppError::new(ErrorKind::Bug, error))?;
        let models = match &request.refine {
            Some(choice) => ChosenEncoders::open(choice)?,
            None => None,
        };
        let open = |(number, path): (usize, &PathBuf)| {
            let corpus = corpora::open(path, &scratch.path().join(number.to_string()), observer)?;
            if !corpus.has_vectors() && request.ranking == Ranking::Hybrid {
                observer.note(&without_vectors(path));
            }
            let refiner = models.as_ref().map(|models| models.refiner(&corpus));
            Ok(Opened { corpus, refiner })
        };
        Ok(Self {
            corpora: request
                .corpora
                .iter()
                .enumerate()
                .map(open)
                .collect::<Result<_, AppError>>()?,
            ranking: request.ranking,
            _scratch: scratch,
        })
    }

    /// Each corpus, in the order of the request.
    #[must_use]
    pub fn describe(&self) -> Vec<CorpusDescription> {
        let describe = |one: &Opened| CorpusDescription {
            papers: one.corpus.len(),
            full_texts: one.corpus.full_texts(),
            has_vectors: one.corpus.has_vectors(),
        };
        self.corpora.iter().map(describe).collect()
    }

    /// Statistics of each corpus, in the order of the request.
    ///
    /// # Errors
    /// If a corpus cannot be read.
    pub fn statistics(&self) -> Result<Vec<CorpusStats>, AppError> {
        let statistics = self.corpora.iter().map(|one| one.corpus.stats());
        statistics
            .collect::<Result<_, _>>()
            .map_err(|error| AppError::new(ErrorKind::NothingSearched, error))
    }

    /// The paper with this id, from the first corpus that has it.
    ///
    /// # Errors
    /// If a corpus cannot be read.
    pub fn paper(&self, id: &WorkId) -> Result<Option<CorpusPaper>, AppError> {
        let unreadable = |error| AppError::new(ErrorKind::NothingSearched, error);
        for one in &self.corpora {
            let work = one.corpus.work(id).map_err(unreadable)?;
            let document = one.corpus.document(id).map_err(unreadable)?;
            if let (Some(work), Some(document)) = (work, document) {
                return Ok(Some(CorpusPaper { work, document }));
            }
        }
        Ok(None)
    }

    /// Those of `ids` that no corpus has.
    ///
    /// # Errors
    /// If a corpus cannot be read.
    pub fn unknown(&self, ids: &[WorkId]) -> Result<Vec<WorkId>, AppError> {
        let mut unknown = Vec::new();
        for id in ids {
            let mut is_there = false;
            for one in &self.corpora {
                let found = one.corpus.contains(id);
                is_there |= found.map_err(|error| AppError::new(ErrorKind::NothingSearched, error))?;
            }
            if !is_there {
                unknown.push(id.clone());
            }
        }
        Ok(unknown)
    }

    /// The best papers for a query. One corpus is searched with its own scores. The results of several are combined by reciprocal rank fusion, because
    /// their scores are not comparable.
    ///
    /// # Errors
    /// If a corpus cannot be read, or a model fails.
    pub fn search(&self, query: &SearchQuery) -> Result<SearchAnswer, AppError> {
        let options = SearchOptions {
            limit: query.limit,
            as_of: query.as_of,
            exclude: query.exclude.clone(),
            venue: query.venue.clone(),
            field: query.field.clone(),
            ranking: self.ranking,
            ..SearchOptions::default()
        };
        // A model on another host is called on a runtime of its own.
        let results = match self.has_models() {
            true => outside_runtime(|| self.results(&query.text, &options)),
            false => self.results(&query.text, &options),
        };
        Ok(SearchAnswer {
            id: query.id.clone(),
            results: results?,
        })
    }

    fn has_models(&self) -> bool {
        self.corpora.iter().any(|one| one.refiner.is_some())
    }

    fn results(&self, text: &str, options: &SearchOptions) -> Result<Vec<Found>, AppError> {
        if let [one] = self.corpora.as_slice() {
            return encoders::search(&one.corpus, one.refiner.as_ref(), text, options);
        }
        let mut fused: BTreeMap<String, Found> = BTreeMap::new();
        for one in &self.corpora {
            let found = encoders::search(&one.corpus, one.refiner.as_ref(), text, options)?;
            for (rank, found) in found.into_iter().enumerate() {
                #[expect(clippy::cast_precision_loss, reason = "a rank is far below 2^52")]
                let share = 1.0 / (60.0 + rank as f64 + 1.0);
                let entry = fused
                    .entry(found.id.to_string())
                    .or_insert_with(|| Found { score: 0.0, ..found });
                entry.score += share;
            }
        }
        let mut results: Vec<Found> = fused.into_values().collect();
        results.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.id.cmp(&b.id)));
        results.truncate(options.limit);
        Ok(results)
    }
}

impl Drop for OpenedCorpora {
    fn drop(&mut self) {
        if self.has_models() {
            // The runtime of a model on another host cannot be dropped by an asynchronous task.
            let corpora = std::mem::take(&mut self.corpora);
            let _ = outside_runtime(|| {
                drop(corpora);
                Ok(())
            });
        }
    }
}

fn without_vectors(path: &Path) -> String {
    format!(
        "{} has no vectors, so it is searched by words only; add vectors with `precedent corpus vectors DIR`",
        path.display()
    )
}
