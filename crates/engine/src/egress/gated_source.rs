use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use precedent_domain::{Document, EvidenceKind, PartialDate, Query, SentRecord, Work};
use precedent_sources::{Ability, Holdings, Lookup, Relation, SearchResults, Source, SourceError, WorkName};

use super::EgressGate;

/// A remote source behind the gate of a run.
pub(crate) struct GatedSource {
    source: Arc<dyn Source>,
    gate: Arc<EgressGate>,
    revision: String,
}

impl GatedSource {
    pub(crate) fn new(source: Arc<dyn Source>, gate: Arc<EgressGate>) -> Self {
        let revision = source.revision().unwrap_or_default();
        Self {
            // Two gates send different words for the same query, so stages must cache their answers separately.
            revision: format!("{revision} gate {}", gate.key()).trim().to_owned(),
            source,
            gate,
        }
    }
}

#[async_trait]
impl Source for GatedSource {
    fn name(&self) -> &str {
        self.source.name()
    }

    fn kind(&self) -> EvidenceKind {
        self.source.kind()
    }

    async fn search(
        &self,
        query: &Query,
        as_of: Option<PartialDate>,
        limit: usize,
    ) -> Result<SearchResults, SourceError> {
        let Some(query) = self.gate.query(query) else {
            return Err(SourceError::Withheld {
                name: self.name().to_owned(),
            });
        };
        self.source.search(&query, as_of, limit).await
    }

    async fn document(&self, work: &Work) -> Result<Option<Document>, SourceError> {
        self.source.document(work).await
    }

    fn can(&self, ability: Ability) -> bool {
        self.source.can(ability)
    }

    fn asks_nothing(&self, ability: Ability) -> bool {
        self.source.asks_nothing(ability)
    }

    async fn related(
        &self,
        relation: &Relation<'_>,
        as_of: Option<PartialDate>,
        limit: usize,
    ) -> Result<SearchResults, SourceError> {
        match self.gate.relation(relation) {
            Some(checked) => self.source.related(&checked.relation(), as_of, limit).await,
            // The search for the same scope reports what was withheld.
            None => Ok(SearchResults::default()),
        }
    }

    async fn look_up(&self, names: &[WorkName]) -> Result<Lookup<Work>, SourceError> {
        self.source.look_up(names).await
    }

    async fn references(&self, names: &[WorkName]) -> Result<Lookup<Vec<WorkName>>, SourceError> {
        self.source.references(names).await
    }

    fn document_frequency(&self, term: &str) -> Option<u64> {
        self.source.document_frequency(term)
    }

    fn revision(&self) -> Option<String> {
        Some(self.revision.clone())
    }

    fn is_local(&self) -> bool {
        self.source.is_local()
    }

    fn is_metered(&self) -> bool {
        self.source.is_metered()
    }

    fn holdings(&self) -> Holdings {
        self.source.holdings()
    }

    fn deadline(&self) -> Duration {
        self.source.deadline()
    }

    fn sent(&self) -> Option<SentRecord> {
        self.source.sent()
    }

    fn left_out(&self) -> Vec<String> {
        self.source.left_out()
    }
}
