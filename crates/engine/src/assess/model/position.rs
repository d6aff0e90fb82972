//! What distinguishes the paper from the works in its leaf, or from neighbouring topics.

use futures_util::future::try_join;
use precedent_domain::{Position, SubtopicComparison};
use precedent_llm::{Check, Checks, Violation};
use serde::Serialize;

use super::answers::{NeighboursReply, SiblingReply, SiblingsReply};
use crate::Result;
use crate::assess::model::context::{CompareContext, in_short};
use crate::model::asker::{Parts, Task};
use crate::model::checks::Checked;
use crate::model::prose::Prose;
use crate::model::{ModelAnalyst, checks};

/// Works per request.
const BATCH: usize = 8;

#[derive(Serialize)]
struct Siblings {
    mark: String,
    paper: String,
    works: String,
}

#[derive(Serialize)]
struct NeighbourWorks {
    mark: String,
    paper: String,
    topics: String,
    works: String,
}

/// The program's position with the model's sentences.
pub(crate) async fn ask_position(
    model: &ModelAnalyst,
    context: &CompareContext<'_>,
    mut own: Position,
) -> Result<Position> {
    let numbers: Vec<u32> = own.siblings.iter().map(|one| one.candidate).collect();
    let batches: Vec<Task<'_, Result<Vec<SiblingReply>>>> = numbers
        .chunks(BATCH)
        .map(|batch| -> Task<'_, _> { Box::pin(ask_siblings(model, context, batch)) })
        .collect();
    let neighbours = own.neighbours.take();
    let path = own.path.clone();
    let beside: Task<'_, Result<Option<SubtopicComparison>>> = Box::pin(async {
        match neighbours {
            Some(neighbours) => ask_neighbours(model, context, &path, neighbours).await.map(Some),
            None => Ok(None),
        }
    });
    let (answers, neighbours) = try_join(model.all("position", batches), beside).await?;
    for reply in answers.into_iter().flatten() {
        if let Some(sibling) = own.siblings.iter_mut().find(|one| one.candidate == reply.work) {
            // The texts decide whether two are versions of one work, never a model alone.
            sibling.distinction = reply.distinction.trim().to_owned();
        }
    }
    own.neighbours = neighbours;
    Ok(own)
}

async fn ask_siblings(model: &ModelAnalyst, context: &CompareContext<'_>, batch: &[u32]) -> Result<Vec<SiblingReply>> {
    let (mut parts, mut siblings) = (Parts::of(batch), Vec::new());
    while let Some(part) = parts.next() {
        siblings.extend(part_of_siblings(model, context, part, &mut parts).await?);
    }
    Ok(siblings)
}

async fn part_of_siblings<'b>(
    model: &ModelAnalyst,
    context: &CompareContext<'_>,
    batch: &'b [u32],
    parts: &mut Parts<'b, u32>,
) -> Result<Vec<SiblingReply>> {
    let inputs = Siblings {
        mark: context.mark(),
        paper: context.fence.wrap("paper", &context.paper_in_short()),
        works: works(context, batch),
    };
    let known = |reply: &SiblingsReply| checks::known_once("work", reply.works.iter().map(|one| one.work), batch);
    let complete = |reply: &SiblingsReply| {
        checks::none_missing("work", reply.works.iter().map(|one| one.work), batch)?;
        reply.works.iter().try_for_each(|one| fits(one, context))
    };
    let must: [Check<'_, SiblingsReply>; 1] = [&known];
    let should: [Check<'_, SiblingsReply>; 1] = [&complete];
    let checks = Checks {
        must: &must,
        should: &should,
    };
    let reply = model
        .ask_part("position.siblings", &inputs, checks, batch, parts)
        .await?;
    let works = reply.map(|reply| reply.value.works).unwrap_or_default();
    Ok(works.into_iter().filter(|one| fits(one, context).is_ok()).collect())
}

async fn ask_neighbours(
    model: &ModelAnalyst,
    context: &CompareContext<'_>,
    path: &[String],
    own: SubtopicComparison,
) -> Result<SubtopicComparison> {
    let numbers: Vec<u32> = own.papers.iter().filter_map(|paper| paper.candidate()).collect();
    let topics = format!("{}\n{}", path.join(" > "), own.overall);
    let beside = works(context, &numbers);
    let inputs = NeighbourWorks {
        mark: context.mark(),
        paper: context.fence.wrap("paper", &context.paper_in_short()),
        topics: context.fence.wrap("topics", &topics),
        works: beside.clone(),
    };
    let sound = |reply: &NeighboursReply| {
        let prose = Prose::of(&[context.target]).given([topics.as_str(), beside.as_str()]);
        let fits = |what: &str, text: &str, most: usize| {
            prose.check(what, text)?;
            checks::sentences_between(what, text, (1, most))
        };
        fits("overall", &reply.overall, 5)?;
        for (what, list) in [
            ("a similarity", &reply.similarities),
            ("a difference", &reply.differences),
        ] {
            if !(1..=4).contains(&list.len()) {
                return Err(Violation(format!(
                    "there are {} entries where {what} is asked for; 1 to 4 are",
                    list.len()
                )));
            }
            list.iter().try_for_each(|text| fits(what, text, 4))?;
        }
        if reply.suggested_directions.len() > 3 {
            return Err(Violation("there are more than 3 suggested directions".to_owned()));
        }
        reply
            .suggested_directions
            .iter()
            .try_for_each(|text| fits("a direction", text, 2))
    };
    let must: [Check<'_, NeighboursReply>; 1] = [&sound];
    let reply = model
        .ask(
            "position.neighbours",
            &inputs,
            Checks {
                must: &must,
                should: &[],
            },
        )
        .await?;
    Ok(match reply {
        Some(reply) => SubtopicComparison {
            overall: reply.value.overall,
            similarities: reply.value.similarities,
            differences: reply.value.differences,
            suggested_directions: reply.value.suggested_directions,
            papers: own.papers,
        },
        None => own,
    })
}

fn works(context: &CompareContext<'_>, numbers: &[u32]) -> String {
    let fenced = numbers.iter().filter_map(|number| {
        Some(
            context
                .fence
                .wrap(&format!("work {number}"), &in_short(context.prior(*number)?)),
        )
    });
    fenced.collect::<Vec<_>>().join("\n")
}

fn fits(one: &SiblingReply, context: &CompareContext<'_>) -> Checked {
    let prior = context.prior(one.work);
    let sources: Vec<_> = std::iter::once(context.target)
        .chain(prior.map(|prior| prior.reading.quotable()))
        .collect();
    let work = prior.map(|prior| &prior.candidate.work);
    let prose = Prose::of(&sources).given(work.map(|work| work.title.as_str()));
    prose
        .dated(work.and_then(|work| work.year()))
        .check("a distinction", &one.distinction)?;
    checks::sentences_between("a distinction", &one.distinction, (1, 4))?;
    checks::words_between("a distinction", &one.distinction, 5, 120)
}
