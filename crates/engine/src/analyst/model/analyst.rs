use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use precedent_domain::{
    CriterionVerdict, IdeaText, KnowledgeQuery, ModelUse, Paper, Query, ReviewedIdea, Suggestion, Work,
};
use precedent_llm::{Fence, Meter, Usage};
use tokio::sync::Semaphore;

use super::asker::{AskTarget, Asker};
use super::prompts::digest;
use super::{EstimatedStage, Judged, Material, ModelLog, ModelSettings, StageModels};
use crate::analyst::AuditQueries;
use crate::pipelines::{
    AuditMaterial, AuditOpinion, BearingQuestion, CheckedAnswer, GroundQuestion, Grounded, GroupAnswer, GroupQuestion,
    IdeaJudged, IdeaMaterial, IdeaReading, MetaDraft, MetaQuestion, OpinionDraft, OpinionQuestion, PartsReading,
    PointsJudged, PointsMaterial, PointsReading, QueriesQuestion, RankQuestion, SuggestQuestion,
};
use crate::stages::analysis::Analysis;
use crate::stages::extract::{Extraction, claim_drafts, core_task_drafts};
use crate::stages::queries::QueryPlan;
use crate::{Analyst, ClaimDraft, CoreTaskDraft, OfflineAnalyst, Reading, Result};

/// Calls a model, checks its answers against the texts, and uses the offline analyst's answer wherever a check fails.
pub struct ModelAnalyst {
    pub(super) asker: Asker,
    pub(super) settings: ModelSettings,
    pub(super) offline: OfflineAnalyst,
    name: String,
    meter: Arc<Meter>,
    replay: bool,
}

impl ModelAnalyst {
    /// An analyst that calls `models`. `meter` counts the cost.
    #[must_use]
    pub fn new(models: StageModels, settings: ModelSettings, meter: Arc<Meter>) -> Self {
        let name = models.name();
        Self::with(AskTarget::Models(models), name, settings, meter)
    }

    /// An analyst that sends nothing and counts the requests to the model `name`.
    #[must_use]
    pub fn counting(name: &str, settings: ModelSettings) -> Self {
        let mouth = AskTarget::Counter(Mutex::default());
        Self::with(mouth, name.to_owned(), settings, Arc::new(Meter::default()))
    }

    /// An analyst that calls a test double.
    #[cfg(test)]
    pub(super) fn standing(model: Arc<dyn precedent_llm::Answerer>, settings: ModelSettings) -> Self {
        Self::with(
            AskTarget::Standing(model),
            "scripted:model".to_owned(),
            settings,
            Arc::new(Meter::default()),
        )
    }

    fn with(mouth: AskTarget, name: String, settings: ModelSettings, meter: Arc<Meter>) -> Self {
        Self {
            asker: Asker {
                mouth,
                log: ModelLog::default(),
                missing_is_budget: false,
                turns: Semaphore::new(settings.at_once.max(1)),
            },
            settings,
            offline: OfflineAnalyst,
            name,
            meter,
            replay: false,
        }
    }

    /// Computes everything again from recorded responses. If the budget ended the run, requests that are not on record were not sent then.
    #[must_use]
    pub fn replaying(mut self, budget_had_ended: bool) -> Self {
        self.replay = true;
        self.asker.missing_is_budget = budget_had_ended;
        self
    }

    /// The counted requests, by prompt.
    #[must_use]
    pub fn counted(&self) -> Vec<EstimatedStage> {
        let AskTarget::Counter(counted) = &self.asker.mouth else {
            return Vec::new();
        };
        counted
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .values()
            .cloned()
            .collect()
    }

    /// A fence around these texts, the same in every run.
    pub(super) fn fence<'t>(&self, texts: impl IntoIterator<Item = &'t str>) -> Fence {
        Fence::around(self.settings.seed, texts)
    }
}

/// The tokens that count: those that the provider reports, and the most that lost tries may have used.
fn usages(one: &ModelUse) -> [Usage; 2] {
    [
        Usage {
            input: one.input_tokens,
            cached: one.cached_tokens,
            written: one.cache_written_tokens,
            output: one.output_tokens,
        },
        Usage {
            input: one.lost_input_tokens,
            cached: 0,
            written: one.lost_input_tokens,
            output: one.lost_output_tokens,
        },
    ]
}

#[async_trait]
impl Analyst for ModelAnalyst {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn key(&self) -> String {
        format!(
            "{} {:?} {:?} {}",
            self.name,
            self.settings.depth,
            self.settings.policy,
            digest()
        )
    }

    fn asked(&self) -> Option<&ModelLog> {
        Some(&self.asker.log)
    }

    fn uses(&self) -> Vec<ModelUse> {
        let mut uses = self.asker.log.uses();
        for one in &mut uses {
            let [said, lost] = usages(one);
            let price = |usage| self.meter.price(&one.model, usage);
            one.dollars = price(said).zip(price(lost)).map(|(said, lost)| said + lost);
        }
        uses
    }

    fn reused(&self, dollars_of: &[ModelUse]) {
        for one in dollars_of {
            for usage in usages(one) {
                self.meter.spent_before(&one.model, usage);
            }
        }
    }

    fn is_replay(&self) -> bool {
        self.replay
    }

    // Every answer with model-written text passes through `printed`, which removes sentences under the reviewer policy.

    async fn core_task(&self, reading: &Reading<'_>) -> Result<Vec<CoreTaskDraft>> {
        let told = self.ask_core_task(reading).await?;
        Ok(self.printed(told, || core_task_drafts(reading)))
    }

    async fn contributions(&self, reading: &Reading<'_>) -> Result<Vec<ClaimDraft>> {
        let told = self.ask_contributions(reading).await?;
        Ok(self.printed(told, || claim_drafts(reading)))
    }

    async fn judge_relevance(&self, queries: &[Query], works: &[&Work]) -> Result<Vec<Vec<CriterionVerdict>>> {
        self.ask_relevance(queries, works).await
    }

    async fn word_queries(&self, extraction: &Extraction, plan: QueryPlan) -> Result<QueryPlan> {
        let told = self.ask_queries(extraction, plan.clone()).await?;
        Ok(self.printed(told, || plan))
    }

    async fn judge(&self, material: Material<'_>, analysis: Analysis) -> Result<Judged> {
        let told = self.judged(material, analysis.clone()).await?;
        Ok(self.printed(told, || Judged::by_program(analysis)))
    }

    async fn read_idea(&self, idea: &IdeaText, own: IdeaReading) -> Result<IdeaReading> {
        let told = self.idea_read(idea, own.clone()).await?;
        Ok(self.printed(told, || own))
    }

    async fn order_works(&self, question: RankQuestion<'_>) -> Result<Option<Vec<u32>>> {
        self.works_ordered(question).await
    }

    async fn judge_idea(&self, material: IdeaMaterial<'_>, own: IdeaJudged) -> Result<IdeaJudged> {
        let told = self.idea_judged(material, own.clone()).await?;
        Ok(self.printed(told, || own))
    }

    async fn read_points(&self, paper: &Paper, own: PointsReading) -> Result<PointsReading> {
        let told = self.points_read(paper, own.clone()).await?;
        Ok(self.printed(told, || own))
    }

    async fn word_points(&self, reading: PointsReading) -> Result<PointsReading> {
        let told = self.points_worded(reading.clone()).await?;
        Ok(self.printed(told, || reading))
    }

    async fn judge_points(&self, material: PointsMaterial<'_>, nothing: PointsJudged) -> Result<PointsJudged> {
        if !self.prints_sentences() {
            return Ok(nothing);
        }
        self.points_judged(material, nothing).await
    }

    async fn order_ideas(&self, question: GroupQuestion<'_>) -> Result<Option<GroupAnswer>> {
        let told = self.group_ordered(question).await?;
        Ok(told.map(|told| self.printed(told.clone(), || told)))
    }

    async fn word_audit(&self, report: &str, own: AuditQueries) -> Result<AuditQueries> {
        let told = self.audit_worded(report, own.clone()).await?;
        Ok(self.printed(told, || own))
    }

    async fn audit_points(&self, material: AuditMaterial<'_>) -> Result<AuditOpinion> {
        let told = self.points_audited(material).await?;
        Ok(self.printed(told, AuditOpinion::default))
    }

    async fn review_dimension(&self, question: OpinionQuestion<'_>) -> Result<CheckedAnswer<OpinionDraft>> {
        let told = self.ask_opinion(question).await?;
        Ok(self.printed(told, CheckedAnswer::default))
    }

    async fn meta_review(&self, question: MetaQuestion<'_>) -> Result<CheckedAnswer<MetaDraft>> {
        let told = self.ask_meta(question).await?;
        Ok(self.printed(told, CheckedAnswer::default))
    }

    async fn suggest(&self, question: SuggestQuestion<'_>) -> Result<CheckedAnswer<Vec<Suggestion>>> {
        if !self.prints_sentences() {
            return Ok(CheckedAnswer {
                said: Some(Vec::new()),
                notes: vec![
                    "No suggestions were requested, because this report prints no sentences written by a model."
                        .to_owned(),
                ],
            });
        }
        self.suggestions_heard(question).await
    }

    async fn read_parts(&self, idea: &ReviewedIdea, own: PartsReading) -> Result<PartsReading> {
        let told = self.parts_read(idea, own.clone()).await?;
        Ok(self.printed(told, || own))
    }

    async fn word_knowledge(&self, question: QueriesQuestion<'_>) -> Result<Vec<KnowledgeQuery>> {
        let own = question.own.clone();
        let told = self.knowledge_worded(question).await?;
        Ok(self.printed(told, || own))
    }

    async fn judge_knowledge(&self, question: BearingQuestion<'_>) -> Result<Vec<Option<f64>>> {
        self.knowledge_judged(question).await
    }

    async fn ground_pieces(&self, questions: &[GroundQuestion<'_>]) -> Result<Grounded> {
        let told = self.pieces_grounded(questions).await?;
        Ok(self.printed(told.clone(), || told))
    }
}
