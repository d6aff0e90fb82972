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
struct RelevanceSaid {
    works: Vec<WorkJudged>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct WorkJudged {
    /// The work's number.
    work: u32,
    problem: VerdictSaid,
    means: VerdictSaid,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum VerdictSaid {
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
/// Longest abstract, in characters.
const SUMMARY: usize = 800;

/// The relevance of works, by index.
type JudgedWorks = Vec<(usize, Relevance)>;

#[derive(Serialize)]
struct RelevanceInputs {
    mark: String,
    paper: String,
    topic: String,
    works: String,
}

/// The relevance of `works` according to the model, by index: of those that the program does not exclude, best first up to a limit. Judged from
/// title and abstract. `graded` is the program's relevance; `queries` are all of one scope.
pub(super) async fn judge_relevance(
    model: &ModelAnalyst,
    queries: &[Query],
    works: &[&Work],
    graded: &[Relevance],
) -> Result<BTreeMap<usize, Relevance>> {
    let of_grade = |wanted: Relevance| {
        let of = graded.iter().enumerate();
        of.filter(move |(_, grade)| **grade == wanted).map(|(at, _)| at)
    };
    let is_topic = queries.first().is_some_and(|query| query.scope == Scope::CoreTask);
    let most = if is_topic { MOST_FOR_TOPIC } else { MOST_FOR_CLAIM };
    let mut asked: Vec<usize> = of_grade(Relevance::Perfect)
        .chain(of_grade(Relevance::Partial))
        .take(most)
        .collect();
    asked.sort_unstable();
    let topic: Vec<&str> = queries.iter().map(Query::topic).collect();
    let topic = topic.join("\n");
    let fence = model.fence();
    let batches: Vec<Task<'_, Result<JudgedWorks>>> = asked
        .chunks(BATCH)
        .map(|batch| -> Task<'_, _> { Box::pin(judge_batch(model, batch, works, &topic, &fence)) })
        .collect();
    let judged = model.all("relevance", batches).await?;
    Ok(judged.into_iter().flatten().collect())
}

async fn judge_batch(
    model: &ModelAnalyst,
    batch: &[usize],
    works: &[&Work],
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
    works: &[&Work],
    topic: &str,
    fence: &Fence,
) -> Result<JudgedWorks> {
    let number = |at: usize| u32::try_from(at + 1).unwrap_or(u32::MAX);
    let numbers: Vec<u32> = batch.iter().map(|at| number(*at)).collect();
    let told = batch.iter().filter_map(|at| Some((*at, works.get(*at)?)));
    let told = told.map(|(at, work)| {
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
        works: told.collect::<Vec<_>>().join("\n"),
    };
    let known = |said: &RelevanceSaid| checks::known_once("work", said.works.iter().map(|one| one.work), &numbers);
    let complete = |said: &RelevanceSaid| checks::none_missing("work", said.works.iter().map(|one| one.work), &numbers);
    let must: [Check<'_, RelevanceSaid>; 1] = [&known];
    let should: [Check<'_, RelevanceSaid>; 1] = [&complete];
    let checks = Checks {
        must: &must,
        should: &should,
    };
    let said = model.ask_part("relevance.judge", &inputs, checks, batch, parts).await?;
    let judged = said.into_iter().flat_map(|said| said.value.works).filter_map(|one| {
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

fn verdict(criterion: &str, said: VerdictSaid) -> CriterionVerdict {
    CriterionVerdict {
        criterion: criterion.to_owned(),
        about_time: false,
        verdict: match said {
            VerdictSaid::Support => Verdict::Support,
            VerdictSaid::SomewhatSupport => Verdict::SomewhatSupport,
            VerdictSaid::Reject => Verdict::Reject,
            VerdictSaid::InsufficientInformation => Verdict::InsufficientInformation,
        },
    }
}
