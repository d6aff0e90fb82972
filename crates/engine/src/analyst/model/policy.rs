//! Which of a model's words a report prints under the reviewer policy: located quotes, statuses, scores and phrases, but no sentences.
//!
//! In: a checked answer on its way out of the analyst. Out: the same answer, with the program's own words in place of model-written sentences.
//! Every answer with words in it passes through here, for every report, so no renderer needs to know the policy.

use precedent_domain::{KnowledgeQuery, Query};

use super::audit::NO_REASON;
use super::compare::NAMED;
use super::material::Judged;
use super::prose::is_phrase;
use super::review::in_own_words;
use super::{ModelAnalyst, Policy};
use crate::analyst::AuditQueries;
use crate::pipelines::{
    AuditOpinion, CheckedAnswer, Grounded, GroupAnswer, IdeaJudged, IdeaReading, MetaDraft, OpinionDraft, PartsReading,
    PointsReading, own_queries,
};
use crate::stages::queries::QueryPlan;
use crate::wording::first_words;
use crate::{ClaimDraft, CoreTaskDraft};

/// Words of a claim that serve as its name if the model's name for it is a sentence.
const NAME_WORDS: usize = 8;

impl ModelAnalyst {
    /// Whether reports print model-written sentences.
    pub(super) fn prints_sentences(&self) -> bool {
        self.settings.policy == Policy::Open
    }

    /// The answer as it may be printed; `own` is the program's answer.
    pub(super) fn printed<T: Worded>(&self, answer: T, own: impl FnOnce() -> T) -> T {
        match self.prints_sentences() {
            true => answer,
            false => answer.without_sentences(own()),
        }
    }
}

/// An answer that contains a model's words.
pub(super) trait Worded {
    /// Removes every sentence that the model wrote.
    fn without_sentences(self, own: Self) -> Self;
}

impl Worded for Vec<CoreTaskDraft> {
    fn without_sentences(mut self, own: Self) -> Self {
        self.retain(|one| own.contains(one) || is_phrase(&one.phrase));
        self
    }
}

impl Worded for Vec<ClaimDraft> {
    fn without_sentences(mut self, own: Self) -> Self {
        for one in &mut self {
            one.said = None;
            one.topics.retain(|topic| is_phrase(topic));
            let same = own.iter().find(|other| other.claim.overlaps(one.claim));
            if !is_phrase(&one.name) {
                let named = one.topics.first().cloned().or(same.map(|same| same.name.clone()));
                one.name = named.unwrap_or_default();
            }
        }
        self
    }
}

impl Worded for QueryPlan {
    fn without_sentences(mut self, own: Self) -> Self {
        let kept = |told: &mut Vec<Query>, own: &[Query]| {
            if !told.iter().all(|query| own.contains(query) || is_phrase(&query.text)) {
                *told = own.to_vec();
            }
        };
        kept(&mut self.core_task, &own.core_task);
        for (told, own) in self.contributions.iter_mut().zip(&own.contributions) {
            kept(told, own);
        }
        self
    }
}

impl Worded for Vec<KnowledgeQuery> {
    fn without_sentences(mut self, own: Self) -> Self {
        self.retain(|query| own.contains(query) || is_phrase(&query.text));
        match self.is_empty() {
            true => own,
            false => self,
        }
    }
}

impl Worded for AuditQueries {
    fn without_sentences(mut self, own: Self) -> Self {
        for (dimension, own) in own {
            let told = self.entry(dimension).or_default();
            phrases(told, &own);
        }
        self
    }
}

impl Worded for Judged {
    fn without_sentences(mut self, own: Self) -> Self {
        for one in &mut self.analysis.comparisons {
            let mut same = own.analysis.comparisons.iter();
            let same = same.find(|other| other.contribution == one.contribution && other.candidate == one.candidate);
            one.note = same.map(|same| same.note.clone()).unwrap_or_default();
            for pair in &mut one.evidence {
                if !same.is_some_and(|same| same.evidence.contains(pair)) {
                    NAMED.clone_into(&mut pair.rationale);
                }
            }
        }
        self.analysis.taxonomy = own.analysis.taxonomy;
        self.analysis.position = own.analysis.position;
        self.analysis.one_liners = own.analysis.one_liners;
        Self {
            narrative: None,
            overall: None,
            ..self
        }
    }
}

impl Worded for IdeaReading {
    fn without_sentences(mut self, own: Self) -> Self {
        phrases(&mut self.phrases, &own.phrases);
        phrases(&mut self.titles, &own.titles);
        self
    }
}

impl Worded for IdeaJudged {
    fn without_sentences(mut self, _own: Self) -> Self {
        self.verdict.reasoning = None;
        self
    }
}

impl Worded for PointsReading {
    fn without_sentences(mut self, own: Self) -> Self {
        for point in &mut self.points {
            let same = own.points.iter().find(|other| other.claim == point.claim);
            point.how = same.map(|same| same.how.clone()).unwrap_or_default();
            point.evidence = same.map(|same| same.evidence.clone()).unwrap_or_default();
            if !is_phrase(&point.name) {
                point.name = first_words(point.claim.text(), NAME_WORDS).to_owned();
            }
            if !point.queries.is_empty() {
                let queries = own_queries(point, &self.extraction.coined);
                phrases(&mut point.queries, &queries);
            }
        }
        for (one, point) in self.extraction.contributions.iter_mut().zip(&self.points) {
            let mut same = own.extraction.contributions.iter();
            let same = same.find(|other| other.claim == one.claim);
            one.name.clone_from(&point.name);
            one.topics.retain(|topic| is_phrase(topic));
            one.description = same.map_or_else(|| one.claim.text().to_owned(), |same| same.description.clone());
        }
        Self {
            summary: own.summary,
            // A note may end with the words that it is about.
            notes: self.notes.iter().map(|note| plainly(note)).collect(),
            ..self
        }
    }
}

impl Worded for GroupAnswer {
    fn without_sentences(mut self, _own: Self) -> Self {
        self.reason.clear();
        self.dimensions.iter_mut().for_each(|(_, reason)| reason.clear());
        self
    }
}

impl Worded for AuditOpinion {
    fn without_sentences(mut self, _own: Self) -> Self {
        for (_, reason) in self.answers.values_mut() {
            NO_REASON.clone_into(reason);
        }
        self
    }
}

impl Worded for CheckedAnswer<OpinionDraft> {
    fn without_sentences(mut self, _own: Self) -> Self {
        if let Some(said) = &mut self.said {
            said.reason.clear();
            said.working.clear();
        }
        self
    }
}

impl Worded for CheckedAnswer<MetaDraft> {
    fn without_sentences(mut self, _own: Self) -> Self {
        if let Some(said) = &mut self.said {
            said.delta_reason.clear();
            said.summary.clear();
        }
        self
    }
}

impl Worded for PartsReading {
    fn without_sentences(self, own: Self) -> Self {
        let known = |one: &_| own.statements.contains(one);
        let (kept, told): (Vec<_>, Vec<_>) = self.statements.into_iter().partition(known);
        let statements = kept.into_iter().chain(told.into_iter().filter_map(in_own_words));
        let statements: Vec<_> = statements.collect();
        match statements.is_empty() {
            true => own,
            false => Self { statements, ..self },
        }
    }
}

impl Worded for Grounded {
    fn without_sentences(mut self, _own: Self) -> Self {
        for one in self.groundings.iter_mut().flatten() {
            one.analysis.clear();
        }
        self
    }
}

/// Keeps only phrases. Uses the program's own if all are sentences.
fn phrases(told: &mut Vec<String>, own: &[String]) {
    told.retain(|one| own.contains(one) || is_phrase(one));
    if told.is_empty() {
        *told = own.to_vec();
    }
}

/// A note without the words it ends with.
fn plainly(note: &str) -> String {
    note.split_once("removed: ")
        .map_or_else(|| note.to_owned(), |(head, _)| format!("{head}removed"))
}
