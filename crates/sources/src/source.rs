use std::time::Duration;

use async_trait::async_trait;
use precedent_domain::{Document, EvidenceKind, PartialDate, Query, SentRecord, Work};

use crate::{Ability, Lookup, Relation, SearchResults, SourceError, WorkName};

/// Default time limit for one answer: a local index needs milliseconds, a busy service tens of seconds.
const DEADLINE: Duration = Duration::from_secs(60);

/// A source of prior work.
#[async_trait]
pub trait Source: Send + Sync {
    /// The name in reports, unique within a run.
    fn name(&self) -> &str;

    /// The kind of evidence it finds; papers by default. Pages and repositories are also returned as works, each with its address. They are evidence
    /// for a review, but not prior work of a paper.
    fn kind(&self) -> EvidenceKind {
        EvidenceKind::Literature
    }

    /// Returns at most `limit` works for the query, best first. Nothing in the query is an operator. Records dated after `as_of` are not hits, but
    /// undated ones are. A source that sees later records returns them in [`SearchResults::later`]. Results found before a failure are returned with
    /// it.
    ///
    /// # Errors
    /// Returns an error if the source did not answer.
    async fn search(
        &self,
        query: &Query,
        as_of: Option<PartialDate>,
        limit: usize,
    ) -> Result<SearchResults, SourceError>;

    /// The text of a work returned by this source: the full text if it has it or can fetch it, otherwise title and abstract; `None` for an unknown
    /// work.
    ///
    /// # Errors
    /// Returns an error if the source did not answer, or if the linked text cannot be fetched or read. Callers fall back to title and abstract.
    async fn document(&self, work: &Work) -> Result<Option<Document>, SourceError>;

    /// Whether the source supports this ability. Requests for an unsupported one fail with [`SourceError::Unable`].
    fn can(&self, _ability: Ability) -> bool {
        false
    }

    /// Whether using this ability is free of charge.
    fn asks_nothing(&self, _ability: Ability) -> bool {
        true
    }

    /// Returns at most `limit` works with this relation to a text or a work, best first, none certainly later than `as_of`. Empty if the source does
    /// not know the work.
    ///
    /// [`Relation::Passages`] sends up to 300 words of the text, so the caller needs permission for that. [`Relation::Near`] sends no more than a
    /// search may.
    ///
    /// # Errors
    /// Returns an error if the source does not support the relation or did not answer.
    async fn related(
        &self,
        relation: &Relation<'_>,
        _as_of: Option<PartialDate>,
        _limit: usize,
    ) -> Result<SearchResults, SourceError> {
        Err(SourceError::unable(self.name(), relation.ability()))
    }

    /// Looks up the records of named works: one entry per name, `None` for an unknown work.
    ///
    /// # Errors
    /// Returns an error if the source does not support this or did not answer.
    async fn look_up(&self, _names: &[WorkName]) -> Result<Lookup<Work>, SourceError> {
        Err(SourceError::unable(self.name(), Ability::LookUp))
    }

    /// Looks up what works cite, by names that this source can look up: one entry per name, `None` if the work or its citations are unknown.
    ///
    /// # Errors
    /// Returns an error if the source does not support this or did not answer.
    async fn references(&self, _names: &[WorkName]) -> Result<Lookup<Vec<WorkName>>, SourceError> {
        Err(SourceError::unable(self.name(), Ability::References))
    }

    /// Number of its works with `term` in title or abstract, if known: how common a word is in the field.
    fn document_frequency(&self, _term: &str) -> Option<u64> {
        None
    }

    /// A name for the current state of the source, if it has one. Another state may give other answers, so it is part of the key of cached answers.
    fn revision(&self) -> Option<String> {
        None
    }

    /// Whether it runs on this machine. Only such a source receives the paper's own text, because no manuscript text is sent anywhere else.
    fn is_local(&self) -> bool {
        false
    }

    /// Whether each request costs money. Such a source is searched as rarely as possible and receives only the queries themselves.
    fn is_metered(&self) -> bool {
        false
    }

    /// Its size, if known.
    fn holdings(&self) -> Holdings;

    /// Time limit for one answer. A source that takes longer has failed, and the run continues without it.
    fn deadline(&self) -> Duration {
        DEADLINE
    }

    /// What was sent to another machine so far, counting each request once; `None` if nothing was.
    fn sent(&self) -> Option<SentRecord> {
        None
    }

    /// Records and papers that could not be used, in sentences with figures and the first reasons. The report lists them under what was not searched.
    fn left_out(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The size of a source.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Holdings {
    /// Number of works, if known.
    pub works: Option<u64>,
    /// Number of works with full text, if known.
    pub full_texts: Option<u64>,
}

/// Why a task ended without a result: its panic message, or that it was cancelled.
#[must_use]
pub fn cause_of(error: tokio::task::JoinError) -> String {
    match error.try_into_panic() {
        Ok(payload) => {
            let text = payload.downcast_ref::<&str>().copied();
            let message = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
            format!("internal error: {}", message.unwrap_or("without a word"))
        }
        Err(_) => "it was cancelled".to_owned(),
    }
}
