use async_trait::async_trait;
use precedent_domain::{CriterionVerdict, Query, Work};

use crate::stages::extract::{claim_drafts, core_task_drafts};
use crate::stages::topic_verdicts;
use crate::{Analyst, ClaimDraft, CoreTaskDraft, Reading, Result};

/// Judges without a model, from cues, positions and shared terms. It needs no key and no network, and costs nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct OfflineAnalyst;

#[async_trait]
impl Analyst for OfflineAnalyst {
    fn name(&self) -> String {
        "offline".to_owned()
    }

    async fn core_task(&self, reading: &Reading<'_>) -> Result<Vec<CoreTaskDraft>> {
        Ok(core_task_drafts(reading))
    }

    async fn contributions(&self, reading: &Reading<'_>) -> Result<Vec<ClaimDraft>> {
        Ok(claim_drafts(reading))
    }

    async fn judge_relevance(&self, queries: &[Query], works: &[&Work]) -> Result<Vec<Vec<CriterionVerdict>>> {
        Ok(topic_verdicts(queries, works))
    }
}
