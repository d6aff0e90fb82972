use std::collections::BTreeSet;

use precedent_domain::{
    CorrectedBy, Correction, Gap, GenuineInnovation, NoveltyScore, NoveltySummary, PointAnalysis, ReportPart,
    UnoriginalAspect,
};
use precedent_language::wording::without_marks;
use precedent_llm::{Check, Checks, Fence, Violation};
use serde::Serialize;

use super::answers::ConcludedReply;
use super::sentence::{SentenceChecker, worded};
use super::shown;
use crate::Result;
use crate::model::checks::Checked;
use crate::model::prose::{Prose, folded};
use crate::model::{ModelAnalyst, checks};

/// Maximum sentences of one item.
const SENTENCES: usize = 5;

#[derive(Serialize)]
struct ConcludeInputs {
    mark: String,
    points: String,
    scale: String,
}

/// What a summary may be based on.
struct SummaryGround<'a> {
    checker: &'a SentenceChecker<'a>,
    analyses: &'a [Option<PointAnalysis>],
    /// The sentences of the comparisons.
    reply: Vec<&'a str>,
}

/// The summary of the comparisons, and what was removed from the answer; `None` if no answer passes the checks.
pub(crate) async fn conclude_points(
    model: &ModelAnalyst,
    checker: &SentenceChecker<'_>,
    fence: &Fence,
    analyses: &[Option<PointAnalysis>],
) -> Result<(Option<NoveltySummary>, Vec<Correction>)> {
    // A score needs a comparison that survived validation.
    if !analyses.iter().flatten().any(PointAnalysis::compares) {
        return Ok((None, Vec::new()));
    }
    let ground = SummaryGround::new(checker, analyses);
    let scale = NoveltyScore::ALL
        .iter()
        .map(|score| format!("{} – {}: {}", u8::from(*score), score.name(), score.rubric()));
    let inputs = ConcludeInputs {
        mark: fence.mark().to_owned(),
        points: shown::comparisons(fence, &checker.material, analyses),
        scale: scale.collect::<Vec<_>>().join("\n"),
    };
    let scored = |reply: &ConcludedReply| ground.is_summary(reply);
    let sound = |reply: &ConcludedReply| ground.is_sound(reply);
    let must: [Check<'_, ConcludedReply>; 1] = [&scored];
    let should: [Check<'_, ConcludedReply>; 1] = [&sound];
    let checks = Checks {
        must: &must,
        should: &should,
    };
    let reply = model.ask("points.conclude", &inputs, checks).await?;
    let Some(reply) = reply else {
        return Ok((None, Vec::new()));
    };
    let (summary, corrections) = ground.settled(&reply.value);
    if summary.is_none() {
        model.log().add_gap(Gap::SummaryContradictsItems);
    }
    Ok((summary, corrections))
}

impl<'a> SummaryGround<'a> {
    fn new(checker: &'a SentenceChecker<'a>, analyses: &'a [Option<PointAnalysis>]) -> Self {
        let reply = analyses.iter().flatten().flat_map(|one| {
            one.claimed
                .iter()
                .chain(&one.similarities)
                .chain(&one.differences)
                .chain(&one.details)
        });
        Self {
            reply: reply.map(|one| one.text.as_str()).collect(),
            checker,
            analyses,
        }
    }

    fn of(&self, point: u32) -> Option<&PointAnalysis> {
        let at = usize::try_from(point).ok()?.checked_sub(1)?;
        self.analyses.get(at)?.as_ref()
    }

    /// Checks a sentence of the summary: plain, naming no work, with figures only from the comparisons or the paper.
    fn sentence(&self, text: &str) -> std::result::Result<String, String> {
        let text = without_marks(&precedent_text::one_line(text));
        worded(&text)?;
        if self.checker.names_a_work(&text) {
            return Err("it names a work; do not name works in the summary".to_owned());
        }
        let reply = self.reply.iter().copied();
        let prose = Prose::of(&[self.checker.material.target])
            .given(reply)
            .strict()
            .judging();
        prose.check("it", &text).map_err(|violation| violation.0)?;
        Ok(text)
    }

    fn is_summary(&self, reply: &ConcludedReply) -> Checked {
        if NoveltyScore::try_from(reply.score).is_err() {
            return Err(Violation(format!(
                "the score must be 1, 2, 3 or 4, and is {}",
                reply.score
            )));
        }
        self.sentence(&reply.one_line)
            .map(|_| ())
            .map_err(|why| Violation(format!("one_line: {why}")))
    }

    fn is_sound(&self, reply: &ConcludedReply) -> Checked {
        let (summary, corrections) = self.settled(reply);
        if let Some(one) = corrections.first() {
            return Err(Violation(format!("{}: {}", checks::head(&one.before), one.reason)));
        }
        match summary {
            Some(_) => Ok(()),
            None => Err(Violation(
                "the score does not follow from the innovations and the unoriginal aspects listed".to_owned(),
            )),
        }
    }

    /// The parts of an answer that pass the checks. A score of 3 or 4 needs a valid innovation, and a score of 1 must have none.
    fn settled(&self, reply: &ConcludedReply) -> (Option<NoveltySummary>, Vec<Correction>) {
        let mut corrections = Vec::new();
        let mut out = |point: Option<u32>, before: &str, reason: String| {
            corrections.push(Correction {
                point,
                part: ReportPart::NoveltySummary,
                before: precedent_text::one_line(before),
                after: None,
                reason,
                by: CorrectedBy::Rule,
            });
        };
        let one_line = self.sentence(&reply.one_line).ok();
        let elsewhere = self.reply.iter().copied();
        let elsewhere = elsewhere.chain(self.checker.material.reading.summary.iter().map(String::as_str));
        let mut printed: BTreeSet<String> = elsewhere.chain(one_line.as_deref()).map(folded).collect();
        let mut kept = |point: Option<u32>, sentences: &[String]| -> Vec<String> {
            let mut good = Vec::new();
            for sentence in sentences.iter().take(SENTENCES) {
                match self.sentence(sentence) {
                    Ok(text) if printed.insert(folded(&text)) => good.push(text),
                    Ok(_) => out(point, sentence, "the report already has this sentence".to_owned()),
                    Err(why) => out(point, sentence, why),
                }
            }
            good
        };
        let character = kept(None, &reply.character);
        let mut innovations: Vec<GenuineInnovation> = Vec::new();
        for one in &reply.innovations {
            let sentences = kept(Some(one.point), &one.sentences);
            if !sentences.is_empty() {
                innovations.push(GenuineInnovation {
                    point: one.point,
                    sentences,
                });
            }
        }
        let mut unoriginal: Vec<UnoriginalAspect> = Vec::new();
        for one in &reply.unoriginal {
            let sentences = kept(Some(one.point), &one.sentences);
            let suggestion = kept(Some(one.point), std::slice::from_ref(&one.suggestion));
            if let (false, Some(suggestion)) = (sentences.is_empty(), suggestion.into_iter().next()) {
                unoriginal.push(UnoriginalAspect {
                    point: one.point,
                    kind: one.kind,
                    sentences,
                    suggestion,
                });
            }
        }
        let mut seen = BTreeSet::new();
        innovations.retain(|one| {
            let reason = match self.of(one.point) {
                None => Some("it is about a point that was not compared"),
                Some(analysis) if analysis.differences.is_empty() => Some("no difference of this point is left"),
                Some(_) if !seen.insert(one.point) => Some("the point is named twice"),
                Some(_) => None,
            };
            if let Some(reason) = reason {
                out(Some(one.point), &one.sentences.join(" "), reason.to_owned());
            }
            reason.is_none()
        });
        unoriginal.retain(|one| {
            let reason = match self.of(one.point) {
                None => Some("it is about a point that was not compared"),
                Some(analysis) if analysis.similarities.is_empty() => Some("no similarity of this point is left"),
                Some(_) => None,
            };
            if let Some(reason) = reason {
                out(Some(one.point), &one.sentences.join(" "), reason.to_owned());
            }
            reason.is_none()
        });
        let score = NoveltyScore::try_from(reply.score).ok();
        let follows = score.is_some_and(|score| match score {
            NoveltyScore::Excellent | NoveltyScore::Good => !innovations.is_empty(),
            NoveltyScore::Fair => true,
            NoveltyScore::Poor => innovations.is_empty(),
        });
        let summary = match (score.filter(|_| follows), one_line) {
            (Some(score), Some(one_line)) => Some(NoveltySummary {
                character,
                innovations,
                unoriginal,
                one_line,
                score,
            }),
            _ => None,
        };
        (summary, corrections)
    }
}
