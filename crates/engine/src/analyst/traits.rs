use std::collections::BTreeMap;

use async_trait::async_trait;
use precedent_domain::{
    AuditDimension, ContributionClass, CriterionVerdict, IdeaText, KnowledgeQuery, ModelUse, Paper, Query,
    ReviewedIdea, Span, Suggestion, Work,
};

use super::model::{Judged, Material, ModelLog};
use crate::pipelines::{
    AuditMaterial, AuditOpinion, BearingQuestion, CheckedAnswer, GroundQuestion, Grounded, GroupAnswer, GroupQuestion,
    IdeaJudged, IdeaMaterial, IdeaReading, MetaDraft, MetaQuestion, OpinionDraft, OpinionQuestion, PartsReading,
    PointsJudged, PointsMaterial, PointsReading, QueriesQuestion, RankQuestion, SuggestQuestion,
};
use crate::stages::analysis::Analysis;
use crate::stages::extract::Extraction;
use crate::stages::queries::QueryPlan;
use crate::{Reading, Result};

/// Makes the judgements that the stages need.
#[async_trait]
pub trait Analyst: Send + Sync {
    /// Name in the report: `offline`, `provider:name`.
    fn name(&self) -> String;

    /// What the answers depend on besides the input. Part of the key of every stage output.
    fn key(&self) -> String {
        self.name()
    }

    /// Log of the model calls so far; `None` for an analyst that calls no model.
    fn asked(&self) -> Option<&ModelLog> {
        None
    }

    /// Model calls of the run by prompt, with their cost.
    fn uses(&self) -> Vec<ModelUse> {
        Vec::new()
    }

    /// Counts the model calls of a stage whose output is reused now towards the budget.
    fn reused(&self, _uses: &[ModelUse]) {}

    /// Whether every stage is computed again from recorded responses.
    fn is_replay(&self) -> bool {
        false
    }

    /// Phrases for what the paper is about, best first; empty if none is found.
    ///
    /// # Errors
    /// When the analyst cannot answer at all.
    async fn core_task(&self, reading: &Reading<'_>) -> Result<Vec<CoreTaskDraft>>;

    /// The paper's contribution claims, strongest first. The stage checks each one, drops those not found in the paper and keeps three.
    ///
    /// # Errors
    /// When the analyst cannot answer at all.
    async fn contributions(&self, reading: &Reading<'_>) -> Result<Vec<ClaimDraft>>;

    /// Judges each of `works` by the criteria that follow from `queries` (all of one scope), from its bibliographic record alone.
    /// Returns one list of verdicts per work, in input order.
    ///
    /// # Errors
    /// When the analyst cannot answer at all.
    async fn judge_relevance(&self, queries: &[Query], works: &[&Work]) -> Result<Vec<Vec<CriterionVerdict>>>;

    /// Rewords the queries. The default keeps the program's own.
    ///
    /// # Errors
    /// When the analyst cannot answer at all.
    async fn word_queries(&self, _extraction: &Extraction, plan: QueryPlan) -> Result<QueryPlan> {
        Ok(plan)
    }

    /// Judges the program's analysis. The default leaves it as it is.
    ///
    /// # Errors
    /// When the analyst cannot answer at all.
    async fn judge(&self, _material: Material<'_>, analysis: Analysis) -> Result<Judged> {
        Ok(Judged::by_program(analysis))
    }

    /// Reads an idea facet by facet and proposes what to search for. The default keeps the program's reading.
    ///
    /// # Errors
    /// When the analyst cannot answer at all.
    async fn read_idea(&self, _idea: &IdeaText, own: IdeaReading) -> Result<IdeaReading> {
        Ok(own)
    }

    /// Orders a few works by facet similarity to an idea and returns their numbers, most similar first.
    /// `None` if there is no answer. Called only for analysts that call models.
    ///
    /// # Errors
    /// When the analyst cannot answer at all.
    async fn order_works(&self, _question: RankQuestion<'_>) -> Result<Option<Vec<u32>>> {
        Ok(None)
    }

    /// The verdict on an idea. The default keeps the program's own.
    ///
    /// # Errors
    /// When the analyst cannot answer at all.
    async fn judge_idea(&self, _material: IdeaMaterial<'_>, own: IdeaJudged) -> Result<IdeaJudged> {
        Ok(own)
    }

    /// Reads what a paper presents as new. The default keeps the program's reading.
    ///
    /// # Errors
    /// When the analyst cannot answer at all.
    async fn read_points(&self, _paper: &Paper, own: PointsReading) -> Result<PointsReading> {
        Ok(own)
    }

    /// Adds queries to the points. The default keeps the program's own.
    ///
    /// # Errors
    /// When the analyst cannot answer at all.
    async fn word_points(&self, reading: PointsReading) -> Result<PointsReading> {
        Ok(reading)
    }

    /// Compares the points with the passages found. The default returns `nothing`. Called only for analysts that call models.
    ///
    /// # Errors
    /// When the analyst cannot answer at all.
    async fn judge_points(&self, _material: PointsMaterial<'_>, nothing: PointsJudged) -> Result<PointsJudged> {
        Ok(nothing)
    }

    /// Ranks ideas; `None` if there is no answer. Called only for analysts that call models.
    ///
    /// # Errors
    /// When the analyst cannot answer at all.
    async fn order_ideas(&self, _question: GroupQuestion<'_>) -> Result<Option<GroupAnswer>> {
        Ok(None)
    }

    /// Six queries per audit dimension, for passages that its items need. The default keeps the program's own.
    ///
    /// # Errors
    /// When the analyst cannot answer at all.
    async fn word_audit(&self, _report: &str, own: AuditQueries) -> Result<AuditQueries> {
        Ok(own)
    }

    /// Answers the audit items on a report on points that no rule decides. The default answers none. Called only for analysts that call models.
    ///
    /// # Errors
    /// When the analyst cannot answer at all.
    async fn audit_points(&self, _material: AuditMaterial<'_>) -> Result<AuditOpinion> {
        Ok(AuditOpinion::default())
    }

    /// Reads an idea under review part by part. The default keeps the program's reading.
    ///
    /// # Errors
    /// When the analyst cannot answer at all.
    async fn read_parts(&self, _idea: &ReviewedIdea, own: PartsReading) -> Result<PartsReading> {
        Ok(own)
    }

    /// The search queries of a review. The default keeps the program's own.
    ///
    /// # Errors
    /// When the analyst cannot answer at all.
    async fn word_knowledge(&self, question: QueriesQuestion<'_>) -> Result<Vec<KnowledgeQuery>> {
        Ok(question.own)
    }

    /// How relevant each record is to an idea, 0 to 1, in input order; `None` if there is no answer. Called only for analysts that call models.
    ///
    /// # Errors
    /// When the analyst cannot answer at all.
    async fn judge_knowledge(&self, question: BearingQuestion<'_>) -> Result<Vec<Option<f64>>> {
        Ok(vec![None; question.works.len()])
    }

    /// Evidence from each document on each part, in the order of the questions. The default keeps the program's own.
    /// Called only for analysts that call models.
    ///
    /// # Errors
    /// When the analyst cannot answer at all.
    async fn ground_pieces(&self, questions: &[GroundQuestion<'_>]) -> Result<Grounded> {
        Ok(Grounded {
            groundings: questions.iter().map(|question| question.own.clone()).collect(),
            notes: Vec::new(),
        })
    }

    /// The opinion of one reader on the board about an idea in one dimension. The default has none. Called only for analysts that call models.
    ///
    /// # Errors
    /// When the analyst cannot answer at all.
    async fn review_dimension(&self, _question: OpinionQuestion<'_>) -> Result<CheckedAnswer<OpinionDraft>> {
        Ok(CheckedAnswer::default())
    }

    /// The chair's summary of the reviews. The default has none. Called only for analysts that call models.
    ///
    /// # Errors
    /// When the analyst cannot answer at all.
    async fn meta_review(&self, _question: MetaQuestion<'_>) -> Result<CheckedAnswer<MetaDraft>> {
        Ok(CheckedAnswer::default())
    }

    /// Suggests improvements based on later documents. The default has none. Called only for analysts that call models.
    ///
    /// # Errors
    /// When the analyst cannot answer at all.
    async fn suggest(&self, _question: SuggestQuestion<'_>) -> Result<CheckedAnswer<Vec<Suggestion>>> {
        Ok(CheckedAnswer::default())
    }
}

/// Audit queries by dimension.
pub type AuditQueries = BTreeMap<AuditDimension, Vec<String>>;

/// A proposal for the core task.
#[derive(Debug, Clone, PartialEq)]
pub struct CoreTaskDraft {
    /// 5 to 15 words in the field's terms.
    pub phrase: String,
    /// Bytes of the paper it was taken from, if any.
    pub evidence: Option<Span>,
}

/// A proposal for a contribution.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimDraft {
    /// The authors' words, as bytes of the paper.
    pub claim: Span,
    /// Other sentences in which the paper states the same contribution, most informative first.
    pub also_stated: Vec<Span>,
    /// At most 15 words.
    pub name: String,
    /// Sentences of the paper that explain it, in reading order.
    pub description: Vec<Span>,
    /// A description in other words than the paper's, at most 60. If present, it replaces `description`.
    pub said: Option<String>,
    /// Kind of contribution.
    pub class: ContributionClass,
    /// Topics to search for in prior work, without names the paper coins, most informative first.
    pub topics: Vec<String>,
}
