use std::time::Duration;

use async_trait::async_trait;
use precedent_domain::{Document, EvidenceKind, PartialDate, Query, SentRecord, Work};

use crate::{Ability, Lookup, Relation, SearchResults, SourceError, WorkName};

/// How long one answer may take where a source says nothing else: a local index needs milliseconds, a busy service tens of seconds.
const DEADLINE: Duration = Duration::from_secs(60);

/// A place that prior work comes from.
#[async_trait]
pub trait Source: Send + Sync {
    /// Its name in reports: one for each source of a run.
    fn name(&self) -> &str;

    /// What kind of knowledge it finds: papers, unless told. Pages and repositories come as works too, each with its address; they are evidence for a review, and no prior work of
    /// a paper.
    fn kind(&self) -> EvidenceKind {
        EvidenceKind::Literature
    }

    /// At most `limit` works for the query, best first. Nothing in the query is an operator. Records dated after `as_of` are no hits; undated ones are.
    /// A source that sees later records returns them in [`SearchResults::later`]. What came before a failure is returned with it.
    ///
    /// # Errors
    /// When the source did not answer.
    async fn search(
        &self,
        query: &Query,
        as_of: Option<PartialDate>,
        limit: usize,
    ) -> Result<SearchResults, SourceError>;

    /// The text of a work that this source gave: the full text where it has it, or leads to it and fetches it, else title and abstract; `None` for a work that it does
    /// not know.
    ///
    /// # Errors
    /// When the source did not answer, or the text that it leads to cannot be had or read: title and abstract stand for it then.
    async fn document(&self, work: &Work) -> Result<Option<Document>, SourceError>;

    /// Whether it can be asked this, too. Whoever is asked what it cannot tell says so, with [`SourceError::Unable`].
    fn can(&self, _ability: Ability) -> bool {
        false
    }

    /// Whether asking it this costs nobody anything.
    fn asks_nothing(&self, _ability: Ability) -> bool {
        true
    }

    /// Works that stand so to a text or to a work, best first, at most `limit`; none surely later than `as_of`. Empty where the source knows no such work.
    ///
    /// [`Relation::Passages`] sends the text, as far as 300 words: that is for the caller to be allowed. [`Relation::Near`] sends what a search may.
    ///
    /// # Errors
    /// When the source cannot be asked this, or did not answer.
    async fn related(
        &self,
        relation: &Relation<'_>,
        _as_of: Option<PartialDate>,
        _limit: usize,
    ) -> Result<SearchResults, SourceError> {
        Err(SourceError::unable(self.name(), relation.ability()))
    }

    /// The records of works known by name: a place for each name, `None` for a work that it does not know.
    ///
    /// # Errors
    /// When the source cannot be asked this, or did not answer.
    async fn look_up(&self, _names: &[WorkName]) -> Result<Lookup<Work>, SourceError> {
        Err(SourceError::unable(self.name(), Ability::LookUp))
    }

    /// What works cite, by names that this source can look up: a place for each name, `None` for a work that it does not know, or of which it does not know
    /// what it cites.
    ///
    /// # Errors
    /// When the source cannot be asked this, or did not answer.
    async fn references(&self, _names: &[WorkName]) -> Result<Lookup<Vec<WorkName>>, SourceError> {
        Err(SourceError::unable(self.name(), Ability::References))
    }

    /// How many of its works name `term` in title or abstract, where it can tell: how common a word is in the field.
    fn document_frequency(&self, _term: &str) -> Option<u64> {
        None
    }

    /// A name for the state it answers from, where it can tell: another name may mean other answers, so it is part of the key under which
    /// answers are kept.
    fn revision(&self) -> Option<String> {
        None
    }

    /// Whether it answers on this machine. Only such a source is asked with the paper's own text, since nothing of a manuscript goes to any other.
    fn is_local(&self) -> bool {
        false
    }

    /// Whether each question costs somebody something: it is then asked as seldom as can be, and with nothing but the queries themselves.
    fn is_metered(&self) -> bool {
        false
    }

    /// How much it holds, as far as it tells.
    fn holdings(&self) -> Holdings;

    /// How long one answer may take. A source that takes longer has failed, and the run goes on without it.
    fn deadline(&self) -> Duration {
        DEADLINE
    }

    /// What was sent to another machine so far, each question counted once; `None` where nothing was.
    fn sent(&self) -> Option<SentRecord> {
        None
    }

    /// What should be in it and is not, in sentences with figures and the first reasons: records and papers that could not be used. Stands among
    /// what the report says was not searched.
    fn left_out(&self) -> Vec<String> {
        Vec::new()
    }
}

/// How much a source holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Holdings {
    /// Works, where known.
    pub works: Option<u64>,
    /// Works with full text, where known.
    pub full_texts: Option<u64>,
}

/// Why a task ended without an answer: what it panicked with, or that it was cancelled.
#[must_use]
pub fn cause_of(error: tokio::task::JoinError) -> String {
    match error.try_into_panic() {
        Ok(payload) => {
            let text = payload.downcast_ref::<&str>().copied();
            let said = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
            format!("it broke down: {}", said.unwrap_or("without a word"))
        }
        Err(_) => "it was cancelled".to_owned(),
    }
}
