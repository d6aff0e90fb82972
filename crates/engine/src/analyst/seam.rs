use async_trait::async_trait;
use precedent_domain::{ContributionClass, CriterionVerdict, Query, Span, Work};

use crate::{Reading, Result};

/// Answers the questions of the stages that take judgement.
#[async_trait]
pub trait Analyst: Send + Sync {
    /// How the report names it: `offline`, `provider:name`. Part of the key of every stage output.
    fn name(&self) -> String;

    /// What the paper is about, best first; empty where that cannot be told.
    ///
    /// # Errors
    /// When the analyst cannot be asked at all.
    async fn core_task(&self, reading: &Reading<'_>) -> Result<Vec<CoreTaskDraft>>;

    /// What the paper claims to contribute, strongest first. The stage checks each, drops what does not stand in the paper and keeps three.
    ///
    /// # Errors
    /// When the analyst cannot be asked at all.
    async fn contributions(&self, reading: &Reading<'_>) -> Result<Vec<ClaimDraft>>;

    /// How each of `works` meets the criteria that follow from `queries` (all of one scope). Nothing but the record of a work is known.
    /// One list of verdicts a work, in their order.
    ///
    /// # Errors
    /// When the analyst cannot be asked at all.
    async fn judge_relevance(&self, queries: &[Query], works: &[&Work]) -> Result<Vec<Vec<CriterionVerdict>>>;
}

/// A proposal for the core task.
#[derive(Debug, Clone, PartialEq)]
pub struct CoreTaskDraft {
    /// 5 to 15 words in the field's terms.
    pub phrase: String,
    /// The bytes of the paper it was taken from, where it was.
    pub evidence: Option<Span>,
}

/// A proposal for a contribution.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimDraft {
    /// The authors' words: bytes of the paper.
    pub claim: Span,
    /// Where the paper states the same contribution again: other sentences of it, most telling first.
    pub also_stated: Vec<Span>,
    /// At most 15 words.
    pub name: String,
    /// Sentences of the paper that say more, in reading order.
    pub description: Vec<Span>,
    /// What kind.
    pub class: ContributionClass,
    /// What a search for prior work would look for, without names the paper coins, most telling first.
    pub topics: Vec<String>,
}
