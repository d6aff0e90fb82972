//! Relevance judged by a model, in batches, from titles and abstracts.

use std::collections::BTreeMap;

use precedent_domain::{CriterionVerdict, Query, Relevance, Scope, Verdict, Work};
use precedent_llm::{Check, Checks, Fence};
use precedent_text::one_line;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::model::asker::{Parts, Task};
use crate::model::texts::cut;
use crate::model::{ModelAnalyst, checks};

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct RelevanceReply {
    works: Vec<WorkJudged>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct WorkJudged {
    /// The work's number.
    work: u32,
    problem: VerdictReply,
    means: VerdictReply,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum VerdictReply {
    Support,
    SomewhatSupport,
    Reject,
    InsufficientInformation,
}

/// Works per request.
const BATCH: usize = 12;
/// Maximum works of a scope sent to the model, best first by the program's own verdicts.
const MOST_FOR_TOPIC: usize = 80;
const MOST_FOR_CLAIM: usize = 30;
/// Longest abstract, in characters. A small encoder finds cited papers about as well with it as with 800 or all of them (docs/benchmarks.md, "Beginnings that prompts share").
const SUMMARY: usize = 600;

/// The relevance of works, by index.
type JudgedWorks = Vec<(usize, Relevance)>;

#[derive(Serialize)]
struct RelevanceInputs {
    mark: String,
    paper: String,
    topic: String,
    works: String,
}

/// A work that the model may judge.
pub(super) struct ToJudge<'w> {
    pub(super) work: &'w Work,
    /// Whether it can become a candidate: it is neither the paper itself nor later.
    pub(super) eligible: bool,
}

/// The relevance of `works` according to the model, by index. Judged from title and abstract, from the first on, until `wanted` eligible works are
/// fully relevant: the later ones could not become candidates. `queries` are all of one scope.
pub(super) async fn judge_relevance(
    model: &ModelAnalyst,
    queries: &[Query],
    works: &[ToJudge<'_>],
    wanted: usize,
) -> Result<BTreeMap<usize, Relevance>> {
    let is_topic = queries.first().is_some_and(|query| query.scope == Scope::CoreTask);
    let most = if is_topic { MOST_FOR_TOPIC } else { MOST_FOR_CLAIM };
    let asked: Vec<usize> = (0..works.len().min(most)).collect();
    let topic: Vec<&str> = queries.iter().map(Query::topic).collect();
    let topic = topic.join("\n");
    let fence = model.fence();
    let (mut judged, mut rest) = (BTreeMap::new(), asked.as_slice());
    let mut missing = wanted;
    while missing > 0 && !rest.is_empty() {
        let (now, later) = rest.split_at(missing.next_multiple_of(BATCH).min(rest.len()));
        rest = later;
        let batches: Vec<Task<'_, Result<JudgedWorks>>> = now
            .chunks(BATCH)
            .map(|batch| -> Task<'_, _> { Box::pin(judge_batch(model, batch, works, &topic, &fence)) })
            .collect();
        judged.extend(model.all("relevance", batches).await?.into_iter().flatten());
        let counts = |(at, relevance): (&usize, &Relevance)| {
            *relevance == Relevance::Perfect && works.get(*at).is_some_and(|one| one.eligible)
        };
        missing = wanted.saturating_sub(judged.iter().filter(|one| counts(*one)).count());
    }
    Ok(judged)
}

async fn judge_batch(
    model: &ModelAnalyst,
    batch: &[usize],
    works: &[ToJudge<'_>],
    topic: &str,
    fence: &Fence,
) -> Result<JudgedWorks> {
    let (mut parts, mut judged) = (Parts::of(batch), JudgedWorks::new());
    while let Some(part) = parts.next() {
        judged.extend(judge_part(model, part, &mut parts, works, topic, fence).await?);
    }
    Ok(judged)
}

async fn judge_part<'b>(
    model: &ModelAnalyst,
    batch: &'b [usize],
    parts: &mut Parts<'b, usize>,
    works: &[ToJudge<'_>],
    topic: &str,
    fence: &Fence,
) -> Result<JudgedWorks> {
    let number = |at: usize| u32::try_from(at + 1).unwrap_or(u32::MAX);
    let numbers: Vec<u32> = batch.iter().map(|at| number(*at)).collect();
    let shown = batch.iter().filter_map(|at| Some((*at, works.get(*at)?.work)));
    let shown = shown.map(|(at, work)| {
        let summary = cut(&one_line(work.summary.as_deref().unwrap_or_default()), SUMMARY);
        fence.wrap(
            &format!("work {}", number(at)),
            &format!("{}\n{summary}", one_line(&work.title)),
        )
    });
    let inputs = RelevanceInputs {
        mark: fence.mark().to_owned(),
        paper: model.shown_paper(),
        topic: fence.wrap("topic", topic),
        works: shown.collect::<Vec<_>>().join("\n"),
    };
    let known = |reply: &RelevanceReply| checks::known_once("work", reply.works.iter().map(|one| one.work), &numbers);
    let complete =
        |reply: &RelevanceReply| checks::none_missing("work", reply.works.iter().map(|one| one.work), &numbers);
    let must: [Check<'_, RelevanceReply>; 1] = [&known];
    let should: [Check<'_, RelevanceReply>; 1] = [&complete];
    let checks = Checks {
        must: &must,
        should: &should,
    };
    let reply = model.ask_part("relevance.judge", &inputs, checks, batch, parts).await?;
    if let Some(reply) = &reply {
        let answered = reply.value.works.iter().map(|one| one.work);
        model.report_left_out("relevance.judge", answered, &numbers);
    }
    let judged = reply.into_iter().flat_map(|reply| reply.value.works).filter_map(|one| {
        let at = usize::try_from(one.work).ok()?.checked_sub(1)?;
        let verdicts = vec![
            verdict("works on the problem that the topic names", one.problem),
            verdict(
                "uses, offers or studies means of the kind that the topic names",
                one.means,
            ),
        ];
        Some((at, Relevance::from_verdicts(&verdicts)))
    });
    Ok(judged.collect())
}

fn verdict(criterion: &str, reply: VerdictReply) -> CriterionVerdict {
    CriterionVerdict {
        criterion: criterion.to_owned(),
        about_time: false,
        verdict: match reply {
            VerdictReply::Support => Verdict::Support,
            VerdictReply::SomewhatSupport => Verdict::SomewhatSupport,
            VerdictReply::Reject => Verdict::Reject,
            VerdictReply::InsufficientInformation => Verdict::InsufficientInformation,
        },
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use precedent_scripted::Say;
    use serde_json::json;

    use super::*;
    use crate::model::ModelSettings;
    use crate::sample::work;
    use crate::scripted_tests::scripted;

    /// The works that are asked about for a claim, if the model supports those whose number is a multiple of `every`. The first work is later than the paper.
    async fn asked(every: u32) -> Vec<u32> {
        let works: Vec<Work> = (1..=40)
            .map(|at| {
                work(
                    &format!("w:{at}"),
                    &format!("Kelp ropes, part {at}"),
                    "Ane Berg",
                    Some("2010"),
                    "Ropes.",
                )
            })
            .collect();
        let works: Vec<ToJudge<'_>> = (0..)
            .zip(&works)
            .map(|(at, work)| ToJudge {
                work,
                eligible: at != 0,
            })
            .collect();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let record = Arc::clone(&seen);
        let model = scripted(
            move |question| {
                let text = question.whole();
                let numbers = text
                    .lines()
                    .filter_map(|line| line.strip_prefix("[work ")?.split(' ').next()?.parse().ok());
                let numbers: Vec<u32> = numbers.collect();
                record.lock().unwrap().extend(&numbers);
                let works: Vec<_> = numbers
                    .iter()
                    .map(|number| {
                        let verdict = if number % every == 0 { "support" } else { "reject" };
                        json!({"work": number, "problem": verdict, "means": verdict})
                    })
                    .collect();
                Say::Text(json!({ "works": works }).to_string())
            },
            ModelSettings::default(),
        );
        let query = Query {
            text: "kelp ropes".into(),
            scope: Scope::Contribution(1),
            variant: 0,
        };
        let judged = judge_relevance(&model, &[query], &works, 10).await.unwrap();
        let mut seen = seen.lock().unwrap().clone();
        seen.sort_unstable();
        assert_eq!(judged.len(), seen.len());
        seen
    }

    #[tokio::test]
    async fn works_are_judged_best_first_until_enough_are_relevant() {
        assert_eq!(asked(1).await, (1..=12).collect::<Vec<u32>>());
        // Six of the first twelve, so twelve more.
        assert_eq!(asked(2).await, (1..=24).collect::<Vec<u32>>());
        assert_eq!(asked(50).await, (1..=30).collect::<Vec<u32>>(), "none is relevant");
    }
}
