//! Relevance judged by a model, in batches, from titles and abstracts.

use precedent_domain::{CriterionVerdict, Query, Relevance, Scope, Verdict, Work};
use precedent_llm::{Check, Checks, Fence};
use serde::Serialize;

use super::ModelAnalyst;
use super::answers::{RelevanceSaid, VerdictSaid};
use super::asker::{Work as Doing, all};
use super::checks;
use super::material::{cut, one_line};
use crate::{Analyst, Result};

/// Works per request.
const BATCH: usize = 12;
/// Maximum works of a scope sent to the model, best first by the program's own verdicts.
const MOST_FOR_TOPIC: usize = 80;
const MOST_FOR_CLAIM: usize = 30;
/// Longest abstract, in characters.
const SUMMARY: usize = 800;

/// Verdicts on works, by their index in the input.
type Judged = Vec<(usize, Vec<CriterionVerdict>)>;

#[derive(Serialize)]
struct Inputs {
    mark: String,
    topic: String,
    works: String,
}

impl ModelAnalyst {
    /// The program's verdicts, replaced by the model's for every work that was sent. Works that the program excluded are not sent.
    pub(super) async fn ask_relevance(&self, queries: &[Query], works: &[&Work]) -> Result<Vec<Vec<CriterionVerdict>>> {
        let mut verdicts = self.offline.judge_relevance(queries, works).await?;
        let graded = |wanted: Relevance| {
            let of = verdicts.iter().enumerate();
            of.filter(move |(_, verdicts)| Relevance::from_verdicts(verdicts) == wanted)
                .map(|(at, _)| at)
        };
        let is_topic = queries.first().is_some_and(|query| query.scope == Scope::CoreTask);
        let most = if is_topic { MOST_FOR_TOPIC } else { MOST_FOR_CLAIM };
        let mut asked: Vec<usize> = graded(Relevance::Perfect)
            .chain(graded(Relevance::Partial))
            .take(most)
            .collect();
        asked.sort_unstable();
        let topic: Vec<&str> = queries.iter().map(Query::topic).collect();
        let topic = topic.join("\n");
        let fence = self.fence(works.iter().map(|work| work.title.as_str()).chain([topic.as_str()]));
        let batches: Vec<Doing<'_, Result<Judged>>> = asked
            .chunks(BATCH)
            .map(|batch| -> Doing<'_, _> { Box::pin(self.batch(batch, works, &topic, &fence)) })
            .collect();
        for judged in all(self.settings.at_once, batches).await? {
            for (at, judged) in judged {
                if let Some(verdicts) = verdicts.get_mut(at) {
                    *verdicts = judged;
                }
            }
        }
        Ok(verdicts)
    }

    async fn batch(&self, batch: &[usize], works: &[&Work], topic: &str, fence: &Fence) -> Result<Judged> {
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
        let inputs = Inputs {
            mark: fence.mark().to_owned(),
            topic: fence.wrap("topic", topic),
            works: told.collect::<Vec<_>>().join("\n"),
        };
        let known = |said: &RelevanceSaid| checks::known_once("work", said.works.iter().map(|one| one.work), &numbers);
        let complete =
            |said: &RelevanceSaid| checks::none_missing("work", said.works.iter().map(|one| one.work), &numbers);
        let must: [Check<'_, RelevanceSaid>; 1] = [&known];
        let should: [Check<'_, RelevanceSaid>; 1] = [&complete];
        let said = self
            .asker
            .ask(
                "relevance.judge",
                &inputs,
                Checks {
                    must: &must,
                    should: &should,
                },
            )
            .await?;
        let judged = said.into_iter().flat_map(|said| said.value.works).filter_map(|one| {
            let at = usize::try_from(one.work).ok()?.checked_sub(1)?;
            let verdicts = vec![
                verdict("works on the problem that the topic names", one.problem),
                verdict(
                    "uses, offers or studies means of the kind that the topic names",
                    one.means,
                ),
            ];
            Some((at, verdicts))
        });
        Ok(judged.collect())
    }
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
