//! One-line descriptions of papers.

use precedent_domain::OneLiner;
use precedent_llm::{Check, Checks};
use serde::Serialize;

use super::answers::{LineReply, LinesReply};
use crate::Result;
use crate::assess::model::context::{CompareContext, in_short};
use crate::model::asker::{Parts, Task};
use crate::model::checks::Checked;
use crate::model::prose::Prose;
use crate::model::{ModelAnalyst, checks};

/// Works per request.
const BATCH: usize = 10;

#[derive(Serialize)]
struct FieldInputs {
    mark: String,
    works: String,
}

/// The program's lines, each with the model's sentence if there is one.
pub(crate) async fn ask_lines(
    model: &ModelAnalyst,
    context: &CompareContext<'_>,
    mut own: Vec<OneLiner>,
) -> Result<Vec<OneLiner>> {
    let numbers: Vec<u32> = own.iter().map(|line| line.candidate).collect();
    let batches: Vec<Task<'_, Result<Vec<LineReply>>>> = numbers
        .chunks(BATCH)
        .map(|batch| -> Task<'_, _> { Box::pin(batch_of_lines(model, context, batch)) })
        .collect();
    for answers in model.all("lines", batches).await? {
        for one in answers {
            if let Some(line) = own.iter_mut().find(|line| line.candidate == one.work) {
                line.text = Some(one.line.trim().to_owned());
            }
        }
    }
    Ok(own)
}

async fn batch_of_lines(model: &ModelAnalyst, context: &CompareContext<'_>, batch: &[u32]) -> Result<Vec<LineReply>> {
    let (mut parts, mut lines) = (Parts::of(batch), Vec::new());
    while let Some(part) = parts.next() {
        lines.extend(part_of_lines(model, context, part, &mut parts).await?);
    }
    Ok(lines)
}

async fn part_of_lines<'b>(
    model: &ModelAnalyst,
    context: &CompareContext<'_>,
    batch: &'b [u32],
    parts: &mut Parts<'b, u32>,
) -> Result<Vec<LineReply>> {
    let fenced = batch.iter().filter_map(|number| {
        Some(
            context
                .fence
                .wrap(&format!("work {number}"), &in_short(context.prior(*number)?)),
        )
    });
    let inputs = FieldInputs {
        mark: context.mark(),
        works: fenced.collect::<Vec<_>>().join("\n"),
    };
    let known = |reply: &LinesReply| checks::known_once("work", reply.lines.iter().map(|one| one.work), batch);
    let complete = |reply: &LinesReply| {
        checks::none_missing("work", reply.lines.iter().map(|one| one.work), batch)?;
        reply.lines.iter().try_for_each(|one| fits(one, context))
    };
    let must: [Check<'_, LinesReply>; 1] = [&known];
    let should: [Check<'_, LinesReply>; 1] = [&complete];
    let checks = Checks {
        must: &must,
        should: &should,
    };
    let reply = model
        .ask_part("lines.one_liners", &inputs, checks, batch, parts)
        .await?;
    let lines = reply.map(|reply| reply.value.lines).unwrap_or_default();
    Ok(lines.into_iter().filter(|one| fits(one, context).is_ok()).collect())
}

fn fits(one: &LineReply, context: &CompareContext<'_>) -> Checked {
    let prior = context.prior(one.work);
    let sources: Vec<_> = prior.iter().map(|prior| prior.reading.quotable()).collect();
    let work = prior.map(|prior| &prior.candidate.work);
    let prose = Prose::of(&sources).given(work.map(|work| work.title.as_str()));
    prose
        .dated(work.and_then(|work| work.year()))
        .check("a line", &one.line)?;
    checks::sentences_between("a line", &one.line, (1, 2))?;
    checks::words_between("a line", &one.line, 12, 36)
}
