use precedent_domain::Work;
use precedent_llm::{Check, Checks, Fence, Violation};
use precedent_text::one_line;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::queries::statements;
use crate::Result;
use crate::model::asker::{Parts, Task};
use crate::model::checks::Checked;
use crate::model::texts::cut;
use crate::model::{ModelAnalyst, checks};
use crate::review::BearingQuestion;

/// Records per request.
pub(crate) const BATCH: usize = 12;
/// Longest summary, in characters.
const SUMMARY: usize = 800;

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct BearingReply {
    records: Vec<RecordReply>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct RecordReply {
    /// The record's number.
    record: u32,
    /// 0 to 10.
    score: f64,
}

/// Scores of records, 0 to 1, by their index in the input.
type Scores = Vec<(usize, f64)>;

/// How records are judged: popularity is no evidence of relevance.
const BY_CONTENT: &str = "Judge by content, not by similar names. Ignore fame, date and praise.";
/// How the published system judges them (InnoEval, 3.1).
const AS_PUBLISHED: &str = "Judge by content first, not by similar names. Of records with similar content, score the one higher that has more citations, a better known venue or more stars, where these are given. Ignore date and praise.";

#[derive(Serialize)]
struct BearingInputs {
    mark: String,
    rule: &'static str,
    statements: String,
    records: String,
}

/// How relevant each record is to the idea, 0 to 1; `None` where the model gave no valid number.
pub(crate) async fn judge_knowledge(model: &ModelAnalyst, question: BearingQuestion<'_>) -> Result<Vec<Option<f64>>> {
    let fence = model.fence();
    let places: Vec<usize> = (0..question.works.len()).collect();
    let batches: Vec<Task<'_, Result<Scores>>> = places
        .chunks(BATCH)
        .map(|batch| -> Task<'_, _> { Box::pin(batch_of_records(model, batch, question, &fence)) })
        .collect();
    let mut by_work = vec![None; question.works.len()];
    for (at, score) in model.all("relevance", batches).await?.into_iter().flatten() {
        if let Some(place) = by_work.get_mut(at) {
            *place = Some(score);
        }
    }
    Ok(by_work)
}

async fn batch_of_records(
    model: &ModelAnalyst,
    batch: &[usize],
    question: BearingQuestion<'_>,
    fence: &Fence,
) -> Result<Scores> {
    let (mut parts, mut scores) = (Parts::of(batch), Scores::new());
    while let Some(part) = parts.next() {
        scores.extend(part_of_records(model, part, &mut parts, question, fence).await?);
    }
    Ok(scores)
}

async fn part_of_records<'b>(
    model: &ModelAnalyst,
    batch: &'b [usize],
    parts: &mut Parts<'b, usize>,
    question: BearingQuestion<'_>,
    fence: &Fence,
) -> Result<Scores> {
    let number = |at: usize| u32::try_from(at + 1).unwrap_or(u32::MAX);
    let numbers: Vec<u32> = batch.iter().map(|at| number(*at)).collect();
    let shown = batch.iter().filter_map(|at| Some((*at, question.works.get(*at)?)));
    let shown = shown.map(|(at, work)| {
        let summary = cut(&one_line(work.summary.as_deref().unwrap_or_default()), SUMMARY);
        let mut text = format!("{}: {}\n", question.kind.name(), one_line(&work.title));
        if let Some(popularity) = popularity(work).filter(|_| question.as_published) {
            text.push_str(&format!("{popularity}\n"));
        }
        text.push_str(&summary);
        fence.wrap(&format!("record {}", number(at)), text.trim_end())
    });
    let inputs = BearingInputs {
        mark: fence.mark().to_owned(),
        rule: if question.as_published {
            AS_PUBLISHED
        } else {
            BY_CONTENT
        },
        statements: statements(fence, question.idea),
        records: shown.collect::<Vec<_>>().join("\n"),
    };
    let known =
        |reply: &BearingReply| checks::known_once("record", reply.records.iter().map(|one| one.record), &numbers);
    let complete = |reply: &BearingReply| {
        checks::none_missing("record", reply.records.iter().map(|one| one.record), &numbers)?;
        reply.records.iter().try_for_each(|one| in_range(one.score))
    };
    let must: [Check<'_, BearingReply>; 1] = [&known];
    let should: [Check<'_, BearingReply>; 1] = [&complete];
    let checks = Checks {
        must: &must,
        should: &should,
    };
    let reply = model
        .ask_part("review.relevance", &inputs, checks, batch, parts)
        .await?;
    let judged = reply
        .into_iter()
        .flat_map(|reply| reply.value.records)
        .filter_map(|one| {
            in_range(one.score).ok()?;
            let at = usize::try_from(one.record).ok()?.checked_sub(1)?;
            Some((at, one.score / 10.0))
        });
    Ok(judged.collect())
}

/// Venue, citations and stars of a record. What is unknown is left out.
fn popularity(work: &Work) -> Option<String> {
    let venue = work.venue.as_deref().map(|venue| format!("venue: {}", one_line(venue)));
    let cited = work.cited_by.map(|count| format!("citations: {count}"));
    let stars = work.stars.map(|count| format!("stars: {count}"));
    let known: Vec<String> = venue.into_iter().chain(cited).chain(stars).collect();
    (!known.is_empty()).then(|| known.join("; "))
}

/// Checks that a score is from 0 to 10.
pub(crate) fn in_range(score: f64) -> Checked {
    match (0.0..=10.0).contains(&score) {
        true => Ok(()),
        false => Err(Violation(format!("a score must be from 0 to 10 and is {score}"))),
    }
}
