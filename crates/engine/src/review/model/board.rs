use precedent_domain::{DimensionOpinion, Note};
use precedent_llm::{Check, Checks, Fence, Violation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sentences::{Ground, note};
use super::shown;
use crate::Result;
use crate::board::MOST_LINES;
use crate::model::checks::Checked;
use crate::model::policy::Worded;
use crate::model::prose::Prose;
use crate::model::{ModelAnalyst, checks};
use crate::review::{CheckedAnswer, OpinionDraft, OpinionQuestion};

/// Maximum sentences of a reason, and minimum and maximum words.
const SENTENCES: usize = 10;
const REASON: (usize, usize) = (20, 220);
/// Longest line of the working, in words.
const LINE: usize = 60;

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct OpinionReply {
    /// The dimension's id.
    dimension: String,
    /// What is to be worked out first, a step a line; empty where nothing is.
    working: Vec<String>,
    /// 60 to 150 words.
    reason: String,
    /// 0 to 10.
    score: f64,
}

#[derive(Serialize)]
struct OpinionInputs {
    mark: String,
    idea: String,
    reader: String,
    evidence: String,
    dimension: String,
}

/// The opinion of one reader on the board about an idea in one dimension.
pub(crate) async fn review_dimension(
    model: &ModelAnalyst,
    question: OpinionQuestion<'_>,
) -> Result<CheckedAnswer<OpinionDraft>> {
    let answer = ask_opinion(model, question).await?;
    Ok(model.printed(answer, CheckedAnswer::default))
}

/// A reader's opinion on a dimension; none if no answer has a score on the scale and cites only what was shown.
async fn ask_opinion(model: &ModelAnalyst, question: OpinionQuestion<'_>) -> Result<CheckedAnswer<OpinionDraft>> {
    let fence = model.fence();
    let inputs = inputs(&question, &fence);
    let ground = shown::ground(question.material, question.shown, &fence);
    let id = &question.dimension.id;
    let usable = |reply: &OpinionReply| {
        if reply.dimension != *id {
            let other = checks::head(&reply.dimension);
            return Err(Violation(format!(
                "the dimension asked for is {id}, and the answer is on: {other}"
            )));
        }
        if !(0.0..=10.0).contains(&reply.score) {
            return Err(Violation(format!(
                "the score must be from 0 to 10, and is {}",
                reply.score
            )));
        }
        ground.cited("the reason", &reply.reason)?;
        match ground.kept("it", &reply.reason, SENTENCES).text.is_empty() {
            true => ground.holds("the reason", &reply.reason, SENTENCES),
            false => Ok(()),
        }
    };
    let sound = |reply: &OpinionReply| {
        ground.holds("the reason", &reply.reason, SENTENCES)?;
        checks::words_between("the reason", &reply.reason, REASON.0, REASON.1)?;
        rests_on_what_decides(&ground.cited("the reason", &reply.reason)?, &question)?;
        match question.dimension.working {
            Some(_) => worked_out(reply, &ground, question.dimension.working_lines.unwrap_or(ANY)),
            None => Ok(()),
        }
    };
    let must: [Check<'_, OpinionReply>; 1] = [&usable];
    let should: [Check<'_, OpinionReply>; 1] = [&sound];
    let checks = Checks {
        must: &must,
        should: &should,
    };
    let reply = model.ask("review.board", &inputs, checks).await?;
    if model.only_counts() {
        return Ok(stand_in(&question));
    }
    Ok(reply.map_or_else(CheckedAnswer::default, |reply| settled(reply.value, &question, &ground)))
}

fn inputs(question: &OpinionQuestion<'_>, fence: &Fence) -> OpinionInputs {
    let dimension = question.dimension;
    let working = match &dimension.working {
        Some(working) => format!("\nBefore the score, work out: {working}."),
        None => String::new(),
    };
    OpinionInputs {
        mark: fence.mark().to_owned(),
        idea: shown::idea(fence, question.material.idea),
        reader: shown::reader(question),
        evidence: shown::pieces(fence, question.material, question.shown, &dimension.parts),
        dimension: format!(
            "{}{working}\n\nJudge the idea on this one dimension: {}",
            dimension.described(),
            dimension.id
        ),
    }
}

/// Checks that a reason cites a document that may decide, if one was shown, and never only documents that may not.
fn rests_on_what_decides(cited: &[u32], question: &OpinionQuestion<'_>) -> Checked {
    let decides = |number: &u32| question.material.decides(*number);
    match cited.is_empty() {
        true if question.shown.iter().any(decides) => {
            Err(Violation("the reason cites no document as [number]".to_owned()))
        }
        false if !cited.iter().any(decides) => Err(Violation(
            "the reason cites documents that decide nothing alone: cite one that may decide, or judge by the idea and cite none"
                .to_owned(),
        )),
        _ => Ok(()),
    }
}

/// Lines of a working that a report prints. A dimension may ask for fewer or more, and an answer that has others is sent back once.
const ANY: (usize, usize) = (1, MOST_LINES);

/// Checks that the requested working is present, has that many lines and can be printed.
fn worked_out(reply: &OpinionReply, ground: &Ground<'_>, (least, most): (usize, usize)) -> Checked {
    if !(least..=most).contains(&reply.working.len()) {
        return Err(Violation(format!(
            "the working must have from {least} to {most} lines, and has {}",
            reply.working.len()
        )));
    }
    // Pseudocode has constants of its own, and may quote the sources.
    let sources: Vec<_> = ground.pieces.iter().map(|one| one.text).chain([ground.idea]).collect();
    let prose = Prose::of(&sources).with_any_figure().citing_freely().judging();
    reply.working.iter().try_for_each(|line| {
        prose.check("a line of the working", line.trim_end())?;
        checks::words_between("a line of the working", line, 1, LINE)?;
        match line.contains(ground.mark) {
            true => Err(Violation("a line of the working mentions its instructions".to_owned())),
            false => ground
                .cited("a line of the working", &brackets_of_code(line))
                .map(|_| ()),
        }
    })
}

/// A line of pseudocode without its indices: `x[0]` cites nothing, ` [3]` does.
fn brackets_of_code(line: &str) -> String {
    let mut kept = String::new();
    let mut before = ' ';
    for c in line.chars() {
        match c {
            '[' if !before.is_whitespace() => kept.push('('),
            c => kept.push(c),
        }
        before = c;
    }
    kept
}

fn settled(reply: OpinionReply, question: &OpinionQuestion<'_>, ground: &Ground<'_>) -> CheckedAnswer<OpinionDraft> {
    let reason = ground.kept("it", &reply.reason, SENTENCES);
    let mut notes: Vec<Note> = note(&reason.left_out).into_iter().collect();
    let mut working = Vec::new();
    if question.dimension.working.is_some() {
        match worked_out(&reply, ground, ANY) {
            Ok(()) => working = reply.working.iter().map(|line| line.trim_end().to_owned()).collect(),
            Err(_) => notes.push(Note::WorkingLeftOut),
        }
    }
    CheckedAnswer {
        reply: Some(OpinionDraft {
            score: reply.score,
            cited: ground.cited("it", &reason.text).unwrap_or_default(),
            reason: reason.text,
            working,
        }),
        notes,
    }
}

/// Words of a stand-in reason where requests are only counted.
const STAND_IN_WORDS: usize = 120;

/// An opinion of typical length in the idea's own words, to count the requests about it.
fn stand_in(question: &OpinionQuestion<'_>) -> CheckedAnswer<OpinionDraft> {
    let words = question.material.idea.document.text.split_whitespace().cycle();
    let reason: Vec<&str> = words.take(STAND_IN_WORDS).collect();
    let reply = OpinionDraft {
        score: 5.0,
        cited: Vec::new(),
        reason: reason.join(" ").replace('[', "("),
        working: Vec::new(),
    };
    CheckedAnswer {
        reply: Some(reply),
        notes: Vec::new(),
    }
}

/// The scores of these opinions, which a summary of them may name.
pub(crate) fn scores_of<'a>(opinions: impl Iterator<Item = &'a DimensionOpinion>) -> Vec<f64> {
    opinions.map(|one| one.score).collect()
}

impl Worded for CheckedAnswer<OpinionDraft> {
    fn without_sentences(mut self, _own: Self) -> Self {
        if let Some(reply) = &mut self.reply {
            reply.reason.clear();
            reply.working.clear();
        }
        self
    }
}
