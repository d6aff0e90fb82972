use std::path::Path;

use async_trait::async_trait;
use precedent_corpus::{Corpus, CorpusError, Ranking, SearchOptions};
use precedent_domain::{Document, Hit, PartialDate, Query, Work};

use crate::source::cause_of;
use crate::{Ability, Holdings, Relation, SearchResults, Source, SourceError};

/// A corpus on this machine.
#[derive(Debug, Clone)]
pub struct CorpusSource {
    name: String,
    corpus: Corpus,
    left_out: Vec<String>,
}

impl CorpusSource {
    /// Creates a source with this name from a corpus.
    #[must_use]
    pub fn new(name: impl Into<String>, corpus: Corpus) -> Self {
        Self {
            name: name.into(),
            corpus,
            left_out: Vec::new(),
        }
    }

    /// Opens the corpus in `dir`, named by [`CorpusSource::name_of`].
    ///
    /// # Errors
    /// Returns an error if the corpus cannot be opened.
    pub fn open(dir: &Path) -> Result<Self, SourceError> {
        let name = Self::name_of(dir);
        match Corpus::open(dir) {
            Ok(corpus) => Ok(Self::new(name, corpus)),
            Err(source) => Err(SourceError::Corpus { name, source }),
        }
    }

    /// The same source under another name.
    #[must_use]
    pub fn called(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self
    }

    /// The name of the corpus at `path` in reports: `corpus:` and the name of the file or folder, without its path.
    #[must_use]
    pub fn name_of(path: &Path) -> String {
        let own = path
            .file_name()
            .map_or_else(|| "corpus".into(), |name| name.to_string_lossy());
        format!("corpus:{own}")
    }

    /// Sets what could not be imported when the corpus was filled.
    #[must_use]
    pub fn with_left_out(mut self, left_out: Vec<String>) -> Self {
        self.left_out = left_out;
        self
    }

    /// The underlying corpus, for operations that only a corpus supports.
    #[must_use]
    pub fn corpus(&self) -> &Corpus {
        &self.corpus
    }

    async fn found(&self, text: String, options: SearchOptions) -> Result<SearchResults, SourceError> {
        self.read(move |corpus, name| {
            let hits = corpus.search_works(&text, &options)?.into_iter();
            let hits = hits.map(|(found, work)| Hit {
                work,
                score: found.score,
                source: name.clone(),
            });
            Ok(hits.collect())
        })
        .await
    }

    /// Reads the corpus on a blocking thread.
    async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(Corpus, String) -> Result<T, CorpusError> + Send + 'static,
    ) -> Result<T, SourceError> {
        let (corpus, name) = (self.corpus.clone(), self.name.clone());
        match tokio::task::spawn_blocking(move || read(corpus, name)).await {
            Ok(answer) => answer.map_err(|source| SourceError::Corpus {
                name: self.name.clone(),
                source,
            }),
            Err(error) => Err(SourceError::BrokenOff {
                name: self.name.clone(),
                reason: cause_of(error),
            }),
        }
    }
}

#[async_trait]
impl Source for CorpusSource {
    fn name(&self) -> &str {
        &self.name
    }

    async fn search(
        &self,
        query: &Query,
        as_of: Option<PartialDate>,
        limit: usize,
    ) -> Result<SearchResults, SourceError> {
        // In a word index, `Find papers about` would be searched for.
        let text = query.topic().to_owned();
        let options = SearchOptions {
            limit,
            as_of,
            ..SearchOptions::default()
        };
        self.found(text, options).await
    }

    fn can(&self, ability: Ability) -> bool {
        ability == Ability::Titled
    }

    async fn related(
        &self,
        relation: &Relation<'_>,
        as_of: Option<PartialDate>,
        limit: usize,
    ) -> Result<SearchResults, SourceError> {
        let Relation::Titled(title) = relation else {
            return Err(SourceError::unable(self.name(), relation.ability()));
        };
        let options = SearchOptions {
            limit,
            as_of,
            // A title is found by its words. That takes an eighth of the time.
            ranking: Ranking::Words,
            ..SearchOptions::default()
        };
        self.found((*title).to_owned(), options).await
    }

    async fn document(&self, work: &Work) -> Result<Option<Document>, SourceError> {
        // A merged work has the ids of all its records. Use the one with the fullest text.
        let ids: Vec<_> = std::iter::once(&work.id).chain(&work.also).cloned().collect();
        self.read(move |corpus, _| {
            let mut best: Option<Document> = None;
            for id in &ids {
                if let Some(document) = corpus.document(id)?
                    && best.as_ref().is_none_or(|best| document.extent > best.extent)
                {
                    best = Some(document);
                }
            }
            Ok(best)
        })
        .await
    }

    fn document_frequency(&self, term: &str) -> Option<u64> {
        self.corpus.document_frequency(term).ok()
    }

    fn revision(&self) -> Option<String> {
        Some(self.corpus.revision())
    }

    fn is_local(&self) -> bool {
        true
    }

    fn holdings(&self) -> Holdings {
        Holdings {
            works: Some(self.corpus.len()),
            full_texts: Some(self.corpus.full_texts()),
        }
    }

    fn left_out(&self) -> Vec<String> {
        self.left_out.clone()
    }
}
