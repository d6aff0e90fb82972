use precedent_domain::{ConfidenceLevel, IdeaPart, LoweringFault, LoweringReason, Note, exact_score};
use precedent_llm::{Check, Checks, Violation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::board::scores_of;
use super::sentences::{Ground, decision_of, note};
use super::shown;
use crate::Result;
use crate::board::decision;
use crate::model::checks::Checked;
use crate::model::policy::Worded;
use crate::model::prose::is_phrase;
use crate::model::{ModelAnalyst, checks};
use crate::review::lowering::lowered;
use crate::review::{
    CheckedAnswer, LoweringDraft, MOST_DELTA, MOST_KEY_EVIDENCE, MOST_LOWERED, MetaDraft, MetaQuestion,
};

/// Maximum sentences of the summary and of the reason for a change, and minimum and maximum words of the summary.
const SUMMARY: usize = 10;
const DELTA_REASON: usize = 3;
const WORDS: (usize, usize) = (20, 260);

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct MetaReply {
    /// Three to six sentences.
    summary: String,
    /// Numbers of documents, none twice.
    key_evidence: Vec<u32>,
    /// What to add to the average.
    delta: f64,
    /// One or two sentences; empty where delta is 0.
    delta_reason: String,
    /// Points off dimensions; empty where nothing is vague or missing.
    lowered: Vec<LoweringReply>,
    /// low, medium or high.
    confidence: String,
    /// reject, poster, spotlight or oral.
    decision: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct LoweringReply {
    /// The dimension's id.
    dimension: String,
    /// vague, no_baseline, no_protocol or no_mechanism.
    reason: String,
    /// Points to take off.
    by: f64,
    /// For vague: words of the idea; otherwise empty.
    quote: String,
    /// For the other reasons: terms that would state what is missing; otherwise empty.
    looked_for: Vec<String>,
}

#[derive(Serialize)]
struct MetaInputs {
    mark: String,
    idea: String,
    evidence: String,
    deciding: String,
    board: String,
    scores: String,
    average: String,
}

/// The chair's summary of the reviews.
pub(crate) async fn meta_review(model: &ModelAnalyst, question: MetaQuestion<'_>) -> Result<CheckedAnswer<MetaDraft>> {
    let answer = ask_meta(model, question).await?;
    Ok(model.printed(answer, CheckedAnswer::default))
}

/// The chair's summary of the reviews; none if no answer is usable.
async fn ask_meta(model: &ModelAnalyst, question: MetaQuestion<'_>) -> Result<CheckedAnswer<MetaDraft>> {
    let fence = model.fence();
    let numbers: Vec<String> = question.deciding.iter().map(u32::to_string).collect();
    let inputs = MetaInputs {
        mark: fence.mark().to_owned(),
        idea: shown::idea(&fence, question.material.idea),
        evidence: shown::pieces(&fence, question.material, question.shown, &IdeaPart::ALL),
        deciding: match numbers.is_empty() {
            true => "none".to_owned(),
            false => numbers.join(", "),
        },
        board: shown::board(&fence, question.board, question.dimensions),
        scores: shown::scores(question.scores, question.dimensions),
        average: format!("{:.2}", question.average),
    };
    let base = shown::ground(question.material, question.shown, &fence);
    let known: Vec<f64> = scores_of(question.board.iter().flat_map(|one| &one.opinions))
        .into_iter()
        .chain(question.scores.iter().map(|one| one.mean))
        .chain([question.average])
        .collect();
    let ground = |reply: &MetaReply| with_scores(&base, &known, reply, &question);
    let usable = |reply: &MetaReply| {
        if level(&reply.confidence).is_none() {
            return Err(Violation(format!(
                "the confidence must be low, medium or high, and is: {}",
                checks::head(&reply.confidence)
            )));
        }
        if !(-10.0..=10.0).contains(&reply.delta) {
            return Err(Violation(format!(
                "the delta must be from -{MOST_DELTA} to {MOST_DELTA}, and is {}",
                reply.delta
            )));
        }
        let ground = ground(reply);
        ground.cited("the summary", &reply.summary)?;
        ground.cited("delta_reason", &reply.delta_reason)?;
        match ground.kept("it", &reply.summary, SUMMARY).text.is_empty() {
            true => ground.holds("the summary", &reply.summary, SUMMARY),
            false => Ok(()),
        }
    };
    let sound = |reply: &MetaReply| is_sound(reply, &ground(reply), &question);
    let must: [Check<'_, MetaReply>; 1] = [&usable];
    let should: [Check<'_, MetaReply>; 1] = [&sound];
    let checks = Checks {
        must: &must,
        should: &should,
    };
    let reply = model.ask("review.meta", &inputs, checks).await?;
    Ok(reply.map_or_else(CheckedAnswer::default, |reply| {
        settled(&reply.value, &ground(&reply.value))
    }))
}

/// What the sentences of an answer may cite and name: the known scores, and the decision that follows from them, including the change.
fn with_scores<'a>(base: &Ground<'a>, known: &[f64], reply: &MetaReply, question: &MetaQuestion<'_>) -> Ground<'a> {
    let cites = base.cited("it", &reply.delta_reason).unwrap_or_default();
    let delta = match cites.iter().any(|number| question.deciding.contains(number)) {
        true => reply.delta.clamp(-MOST_DELTA, MOST_DELTA),
        false => 0.0,
    };
    let lowered = lowered(&drafts(reply, base), question.scores, &question.material.text);
    let score = (lowered.average(question.scores).unwrap_or(question.average) + delta).clamp(0.0, 10.0);
    let points = lowered.lowered.iter().flat_map(|one| [one.by, one.after]);
    let own = [score, reply.delta.abs()];
    Ground {
        scores: known.iter().copied().chain(own).chain(points).collect(),
        decision: Some(decision(exact_score(score))),
        ..base.again()
    }
}

fn is_sound(reply: &MetaReply, ground: &Ground<'_>, question: &MetaQuestion<'_>) -> Checked {
    ground.holds("the summary", &reply.summary, SUMMARY)?;
    checks::words_between("the summary", &reply.summary, WORDS.0, WORDS.1)?;
    if reply.delta.abs() > MOST_DELTA {
        return Err(Violation(format!(
            "the delta must be from -{MOST_DELTA} to {MOST_DELTA}, and is {}",
            reply.delta
        )));
    }
    if reply.delta != 0.0 {
        ground.holds("delta_reason", &reply.delta_reason, DELTA_REASON)?;
        let cited = ground.cited("delta_reason", &reply.delta_reason)?;
        if !cited.iter().any(|number| question.deciding.contains(number)) {
            return Err(Violation(
                "a delta other than 0 must cite a document that may decide in delta_reason as [number]".to_owned(),
            ));
        }
    }
    let lowered = lowered(&drafts(reply, ground), question.scores, &question.material.text);
    if let Some(why) = lowered.dropped.keys().next() {
        return Err(Violation(fault(*why).to_owned()));
    }
    if let Some(one) = reply.lowered.iter().find(|one| one.by > MOST_LOWERED) {
        return Err(Violation(format!(
            "lowered takes at most {MOST_LOWERED} points off a dimension, and not {}",
            one.by
        )));
    }
    if !reply.key_evidence.is_empty() {
        checks::known_once(
            "document that may decide",
            reply.key_evidence.iter().copied(),
            question.deciding,
        )?;
    }
    if reply.key_evidence.len() > MOST_KEY_EVIDENCE {
        return Err(Violation(format!(
            "at most {MOST_KEY_EVIDENCE} documents are key evidence"
        )));
    }
    match (reply.decision.as_deref().map(decision_of), ground.decision) {
        (Some(named), due) if named != due => Err(Violation(format!(
            "the score after lowered and delta means {}, and the decision says something else",
            due.map_or("something else", |due| due.name())
        ))),
        _ => Ok(()),
    }
}

/// Longest term that may be looked for, in words, and maximum number of them.
const TERM: usize = 5;
const TERMS: usize = 6;

/// The lowerings with their printable terms.
fn drafts(reply: &MetaReply, ground: &Ground<'_>) -> Vec<LoweringDraft> {
    let is_printable = |term: &&String| {
        checks::title("a term looked for", term, 1, TERM).is_ok() && ground.holds("a term looked for", term, 1).is_ok()
    };
    let draft = |one: &LoweringReply| LoweringDraft {
        dimension: one.dimension.clone(),
        reason: LoweringReason::ALL.into_iter().find(|known| known.code() == one.reason),
        by: one.by,
        quote: one.quote.clone(),
        looked_for: one
            .looked_for
            .iter()
            .filter(is_printable)
            .take(TERMS)
            .cloned()
            .collect(),
    };
    reply.lowered.iter().map(draft).collect()
}

/// What is wrong with a lowering, for the model.
fn fault(why: LoweringFault) -> &'static str {
    match why {
        LoweringFault::UnknownDimension => "lowered names a dimension that has no score",
        LoweringFault::UnknownReason => "the reason in lowered must be vague, no_baseline, no_protocol or no_mechanism",
        LoweringFault::NothingTakenOff => "by in lowered must be more than 0",
        LoweringFault::QuoteNotInIdea => "the quote in lowered is not in the idea: copy its words exactly",
        LoweringFault::NothingLookedFor => "looked_for in lowered needs terms of one to five plain words",
        LoweringFault::Mentioned => "lowered says that something is missing, and the idea mentions it",
        LoweringFault::Repeated => "lowered names a dimension twice",
    }
}

fn level(reply: &str) -> Option<ConfidenceLevel> {
    let reply = reply.trim().to_lowercase();
    ConfidenceLevel::ALL.into_iter().find(|one| one.name() == reply)
}

fn settled(reply: &MetaReply, ground: &Ground<'_>) -> CheckedAnswer<MetaDraft> {
    let summary = ground.kept("it", &reply.summary, SUMMARY);
    let reason = ground.kept("it", &reply.delta_reason, DELTA_REASON);
    let mut notes: Vec<Note> = note(&summary.left_out)
        .map(|note| Note::OfChairSummary { note: Box::new(note) })
        .into_iter()
        .collect();
    if let (Some(note), true) = (note(&reason.left_out), reply.delta != 0.0) {
        notes.push(Note::OfChairReason { note: Box::new(note) });
    }
    let decision = reply.decision.as_deref().and_then(decision_of);
    if reply.decision.is_some() && decision.is_none() {
        notes.push(Note::DecisionUnknown);
    }
    CheckedAnswer {
        reply: level(&reply.confidence).map(|confidence| MetaDraft {
            delta: reply.delta,
            delta_cites: ground.cited("it", &reason.text).unwrap_or_default(),
            delta_reason: reason.text,
            lowered: drafts(reply, ground),
            confidence,
            key_evidence: reply.key_evidence.clone(),
            summary: summary.text,
            decision,
        }),
        notes,
    }
}

impl Worded for CheckedAnswer<MetaDraft> {
    fn without_sentences(mut self, _own: Self) -> Self {
        if let Some(reply) = &mut self.reply {
            reply.delta_reason.clear();
            reply.summary.clear();
            for one in &mut reply.lowered {
                one.looked_for.retain(|term| is_phrase(term));
            }
        }
        self
    }
}
