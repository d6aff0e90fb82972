use std::collections::BTreeMap;

use async_trait::async_trait;
use precedent_domain::{
    AuditDimension, ContributionClass, CriterionVerdict, IdeaText, KnowledgeQuery, ModelUse, Paper, Query,
    ReviewedIdea, Span, Suggestion, Work,
};

use super::model::{AskedLog, Judged, Material};
use crate::pipelines::{
    AuditMaterial, AuditOpinion, BearingQuestion, GroundQuestion, Grounded, GroupAnswer, GroupQuestion, Heard,
    IdeaJudged, IdeaMaterial, IdeaReading, MetaDraft, MetaQuestion, OpinionDraft, OpinionQuestion, PartsReading,
    PointsJudged, PointsMaterial, PointsReading, QueriesQuestion, RankQuestion, SuggestQuestion,
};
use crate::stages::analysis::Analysis;
use crate::stages::extract::Extraction;
use crate::stages::queries::QueryPlan;
use crate::{Reading, Result};

/// Answers the questions of the stages that take judgement.
#[async_trait]
pub trait Analyst: Send + Sync {
    /// How the report names it: `offline`, `provider:name`.
    fn name(&self) -> String;

    /// What the answers depend on besides the questions. Part of the key of every stage output.
    fn key(&self) -> String {
        self.name()
    }

    /// What was asked of models so far; `None` for an analyst that asks none.
    fn asked(&self) -> Option<&AskedLog> {
        None
    }

    /// What the run asked of models, by prompt, with what it cost.
    fn uses(&self) -> Vec<ModelUse> {
        Vec::new()
    }

    /// Hears what a stage had asked that is looked up now: it counts towards the budget.
    fn reused(&self, _uses: &[ModelUse]) {}

    /// Whether every stage is worked out anew from the answers on record.
    fn is_replay(&self) -> bool {
        false
    }

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

    /// The queries in the analyst's words; the program's own unless told.
    ///
    /// # Errors
    /// When the analyst cannot be asked at all.
    async fn word_queries(&self, _extraction: &Extraction, plan: QueryPlan) -> Result<QueryPlan> {
        Ok(plan)
    }

    /// What the program found, read by the analyst; as it is unless told.
    ///
    /// # Errors
    /// When the analyst cannot be asked at all.
    async fn judge(&self, _material: Material<'_>, analysis: Analysis) -> Result<Judged> {
        Ok(Judged::by_program(analysis))
    }

    /// What an idea says facet by facet and what to search for; as the program reads it unless told.
    ///
    /// # Errors
    /// When the analyst cannot be asked at all.
    async fn read_idea(&self, _idea: &IdeaText, own: IdeaReading) -> Result<IdeaReading> {
        Ok(own)
    }

    /// The numbers of a few works, nearest to an idea first by facets; `None` where there is no answer. Only asked of an analyst that asks models.
    ///
    /// # Errors
    /// When the analyst cannot be asked at all.
    async fn order_works(&self, _question: RankQuestion<'_>) -> Result<Option<Vec<u32>>> {
        Ok(None)
    }

    /// The verdict on an idea; the program's own unless told.
    ///
    /// # Errors
    /// When the analyst cannot be asked at all.
    async fn judge_idea(&self, _material: IdeaMaterial<'_>, own: IdeaJudged) -> Result<IdeaJudged> {
        Ok(own)
    }

    /// What a paper offers as new; as the program reads it unless told.
    ///
    /// # Errors
    /// When the analyst cannot be asked at all.
    async fn read_points(&self, _paper: &Paper, own: PointsReading) -> Result<PointsReading> {
        Ok(own)
    }

    /// The points with the analyst's queries; with the program's own unless told.
    ///
    /// # Errors
    /// When the analyst cannot be asked at all.
    async fn word_points(&self, reading: PointsReading) -> Result<PointsReading> {
        Ok(reading)
    }

    /// The points compared with the passages that were found; nothing unless told. Only asked of an analyst that asks models.
    ///
    /// # Errors
    /// When the analyst cannot be asked at all.
    async fn judge_points(&self, _material: PointsMaterial<'_>, nothing: PointsJudged) -> Result<PointsJudged> {
        Ok(nothing)
    }

    /// Ideas in order; `None` where there is no answer. Only asked of an analyst that asks models.
    ///
    /// # Errors
    /// When the analyst cannot be asked at all.
    async fn order_ideas(&self, _question: GroupQuestion<'_>) -> Result<Option<GroupAnswer>> {
        Ok(None)
    }

    /// Six queries a dimension of an audit, for passages that its items want; the program's own unless told.
    ///
    /// # Errors
    /// When the analyst cannot be asked at all.
    async fn word_audit(&self, _report: &str, own: AuditQueries) -> Result<AuditQueries> {
        Ok(own)
    }

    /// What no rule decides of a report on points; nothing unless told. Only asked of an analyst that asks models.
    ///
    /// # Errors
    /// When the analyst cannot be asked at all.
    async fn audit_points(&self, _material: AuditMaterial<'_>) -> Result<AuditOpinion> {
        Ok(AuditOpinion::default())
    }

    /// What an idea under review says part by part; as the program reads it unless told.
    ///
    /// # Errors
    /// When the analyst cannot be asked at all.
    async fn read_parts(&self, _idea: &ReviewedIdea, own: PartsReading) -> Result<PartsReading> {
        Ok(own)
    }

    /// What sources are asked with for a review; the program's own queries unless told.
    ///
    /// # Errors
    /// When the analyst cannot be asked at all.
    async fn word_knowledge(&self, question: QueriesQuestion<'_>) -> Result<Vec<KnowledgeQuery>> {
        Ok(question.own)
    }

    /// How much each record bears on an idea, 0 to 1, in their order; `None` where there is no answer. Only asked of an analyst that asks models.
    ///
    /// # Errors
    /// When the analyst cannot be asked at all.
    async fn judge_knowledge(&self, question: BearingQuestion<'_>) -> Result<Vec<Option<f64>>> {
        Ok(vec![None; question.works.len()])
    }

    /// What of each piece bears on each part, in the order of the questions; as the program finds it unless told. Only asked of an analyst that asks models.
    ///
    /// # Errors
    /// When the analyst cannot be asked at all.
    async fn ground_pieces(&self, questions: &[GroundQuestion<'_>]) -> Result<Grounded> {
        Ok(Grounded {
            groundings: questions.iter().map(|question| question.own.clone()).collect(),
            notes: Vec::new(),
        })
    }

    /// What a reader of the board says of an idea on one dimension; nothing unless told. Only asked of an analyst that asks models.
    ///
    /// # Errors
    /// When the analyst cannot be asked at all.
    async fn review_dimension(&self, _question: OpinionQuestion<'_>) -> Result<Heard<OpinionDraft>> {
        Ok(Heard::default())
    }

    /// What a chair makes of the reviews; nothing unless told. Only asked of an analyst that asks models.
    ///
    /// # Errors
    /// When the analyst cannot be asked at all.
    async fn meta_review(&self, _question: MetaQuestion<'_>) -> Result<Heard<MetaDraft>> {
        Ok(Heard::default())
    }

    /// What could be done better, from later pieces; nothing unless told. Only asked of an analyst that asks models.
    ///
    /// # Errors
    /// When the analyst cannot be asked at all.
    async fn suggest(&self, _question: SuggestQuestion<'_>) -> Result<Heard<Vec<Suggestion>>> {
        Ok(Heard::default())
    }
}

/// Queries by dimension.
pub type AuditQueries = BTreeMap<AuditDimension, Vec<String>>;

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
    /// What it is in words that are not the paper's, at most 60; then these are its description.
    pub said: Option<String>,
    /// What kind.
    pub class: ContributionClass,
    /// What a search for prior work would look for, without names the paper coins, most telling first.
    pub topics: Vec<String>,
}
