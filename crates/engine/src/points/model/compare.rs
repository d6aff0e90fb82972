use precedent_domain::{CitedSentence, CorrectedBy, Correction, PointAnalysis, ReportPart, SentenceCitation, Timing};
use precedent_llm::{Check, Checks, Fence, Violation};
use precedent_text::one_line;
use serde::Serialize;

use super::answers::{ComparedReply, SentenceReply};
use super::sentence::{SentenceCheck, SentenceChecker};
use super::shown;
use crate::Result;
use crate::model::ModelAnalyst;

/// Maximum sentences of a part.
const SENTENCES: usize = 8;

#[derive(Serialize)]
struct CompareInputs {
    mark: String,
    point: String,
    passages: String,
    questions: String,
}

/// A compared point, before its sentences are judged.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Compared {
    pub(crate) analysis: PointAnalysis,
    /// What rules removed or shortened.
    pub(crate) corrections: Vec<Correction>,
    /// Sentences that a rule found false: their part, their index, and the reason.
    pub(crate) faults: Vec<(ReportPart, usize, String)>,
}

/// The comparison of the point at index `at`; `None` if there is no usable answer.
pub(crate) async fn compare_point(
    model: &ModelAnalyst,
    checker: &SentenceChecker<'_>,
    fence: &Fence,
    at: usize,
) -> Result<Option<Compared>> {
    let material = &checker.material;
    let (Some(point), Some(found)) = (material.reading.points.get(at), material.found.get(at)) else {
        return Ok(None);
    };
    let mut numbers: Vec<u32> = found.iter().map(|one| one.passage).collect();
    numbers.sort_unstable();
    let passages = numbers.iter().filter_map(|number| {
        let passage = material.passages.iter().find(|one| one.number == *number)?;
        let work = material.works.iter().find(|one| one.number == passage.reference)?;
        let when = match work.timing {
            Timing::Earlier => "",
            _ => " (not surely earlier than the paper)",
        };
        let text = format!(
            "Of: {}{when}\n{}",
            one_line(&work.work.title),
            one_line(passage.text.text())
        );
        Some(fence.wrap(&format!("passage {number}"), &text))
    });
    let inputs = CompareInputs {
        mark: fence.mark().to_owned(),
        point: shown::point(fence, at + 1, point),
        passages: passages.collect::<Vec<_>>().join("\n"),
        questions: shown::questions(point.class).to_owned(),
    };
    let something = |reply: &ComparedReply| match reply.claimed.is_empty()
        && reply.differences.is_empty()
        && reply.similarities.is_empty()
    {
        true => Err(Violation("it compares nothing".to_owned())),
        false => Ok(()),
    };
    let holds = |reply: &ComparedReply| {
        for (part, sentences) in parts(reply) {
            for sentence in sentences {
                if let SentenceCheck::Rejected(why) | SentenceCheck::NeedsRepair(_, why) =
                    checker.checked(sentence, part, found)
                {
                    return Err(Violation(format!(
                        "{}: {why}",
                        crate::model::checks::head(&sentence.text)
                    )));
                }
            }
        }
        Ok(())
    };
    let must: [Check<'_, ComparedReply>; 1] = [&something];
    let should: [Check<'_, ComparedReply>; 1] = [&holds];
    let checks = Checks {
        must: &must,
        should: &should,
    };
    let reply = model.ask("points.compare", &inputs, checks).await?;
    Ok(reply.map(|reply| compared(&reply.value, checker, at)))
}

fn parts(reply: &ComparedReply) -> [(ReportPart, &[SentenceReply]); 4] {
    [
        (ReportPart::Claimed, &reply.claimed),
        (ReportPart::Similarities, &reply.similarities),
        (ReportPart::Differences, &reply.differences),
        (ReportPart::Details, &reply.details),
    ]
}

/// The sentences of an answer that pass the checks.
fn compared(reply: &ComparedReply, checker: &SentenceChecker<'_>, at: usize) -> Compared {
    let mut out = Compared::default();
    let number = u32::try_from(at + 1).unwrap_or(u32::MAX);
    let found = checker.material.found.get(at).map(Vec::as_slice).unwrap_or_default();
    for (part, sentences) in parts(reply) {
        let mut kept: Vec<CitedSentence> = Vec::new();
        for sentence in sentences.iter().take(SENTENCES) {
            let correction = |after: Option<String>, reason: String| Correction {
                point: Some(number),
                part,
                before: one_line(&sentence.text),
                after,
                reason,
                by: CorrectedBy::Rule,
            };
            match checker.checked(sentence, part, found) {
                SentenceCheck::Accepted(one, left_out) => {
                    if let Some(why) = left_out.into_iter().next() {
                        out.corrections.push(correction(
                            Some(one.text.clone()),
                            format!("a citation was left out: {why}"),
                        ));
                    }
                    kept.push(one);
                }
                SentenceCheck::NeedsRepair(one, why) => {
                    out.faults.push((part, kept.len(), why));
                    kept.push(one);
                }
                SentenceCheck::Rejected(why) => out.corrections.push(correction(None, why)),
            }
        }
        *part_of(&mut out.analysis, part) = kept;
    }
    out
}

/// The sentences of a part.
pub(crate) fn part_of(analysis: &mut PointAnalysis, part: ReportPart) -> &mut Vec<CitedSentence> {
    match part {
        ReportPart::Similarities => &mut analysis.similarities,
        ReportPart::Differences => &mut analysis.differences,
        ReportPart::Details => &mut analysis.details,
        _ => &mut analysis.claimed,
    }
}

/// Sentences per part of a stand-in, and words of each.
const STAND_IN: usize = 4;
const STAND_IN_WORDS: usize = 28;

/// The sentence in other words about the same work, because a similarity and a difference are two pairs.
fn worded_apart(one: &CitedSentence) -> CitedSentence {
    CitedSentence {
        text: format!("{} not", one.text),
        citations: one.citations.clone(),
    }
}

/// A comparison of typical length, made of the texts' own words, to count the requests about it.
pub(crate) fn stand_in(checker: &SentenceChecker<'_>, at: usize) -> Compared {
    let material = &checker.material;
    let head = |text: &str| {
        text.split_whitespace()
            .take(STAND_IN_WORDS)
            .collect::<Vec<_>>()
            .join(" ")
    };
    // A report has no sentence twice, so that these differ.
    let plain = |text: &str, part: &str| -> Vec<CitedSentence> {
        let sentence = |number: usize| CitedSentence {
            text: format!("{} {part} {number}", head(text)),
            citations: Vec::new(),
        };
        (0..STAND_IN).map(sentence).collect()
    };
    let claim = material
        .reading
        .points
        .get(at)
        .map(|point| point.claim.text())
        .unwrap_or_default();
    let found = material.found.get(at).map(Vec::as_slice).unwrap_or_default();
    let cited: Vec<CitedSentence> = found
        .iter()
        .filter_map(|one| {
            let passage = material.passages.iter().find(|passage| passage.number == one.passage)?;
            let quote = one.nearest.clone().unwrap_or_else(|| passage.text.clone());
            let citation = SentenceCitation {
                reference: passage.reference,
                passage: passage.number,
                quote,
            };
            Some(CitedSentence {
                text: head(passage.text.text()),
                citations: vec![citation],
            })
        })
        .take(STAND_IN)
        .collect();
    Compared {
        analysis: PointAnalysis {
            claimed: plain(claim, "claimed"),
            differences: cited.iter().map(worded_apart).collect(),
            similarities: cited,
            details: plain(claim, "details"),
        },
        ..Compared::default()
    }
}
