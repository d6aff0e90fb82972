use precedent_llm::{Check, Checks, Violation};
use serde::Serialize;

use super::answers::OrderReply;
use super::shown;
use crate::Result;
use crate::idea::RankQuestion;
use crate::model::checks::bracketed;
use crate::model::{ModelAnalyst, checks};

#[derive(Serialize)]
struct OrderInputs {
    mark: String,
    idea: String,
    works: String,
    count: String,
}

/// The numbers of the works in the model's order, exactly as in its answer. The caller repairs what is wrong with them.
pub(crate) async fn order_works(model: &ModelAnalyst, question: RankQuestion<'_>) -> Result<Option<Vec<u32>>> {
    let fence = model.fence();
    let works = (1..)
        .zip(question.works)
        .map(|(number, work)| shown::in_short(&fence, number, work));
    let inputs = OrderInputs {
        mark: fence.mark().to_owned(),
        idea: match question.by_facets {
            true => shown::idea(&fence, question.idea),
            false => fence.wrap("idea", &question.idea.document.text),
        },
        works: works.collect::<Vec<_>>().join("\n"),
        count: question.works.len().to_string(),
    };
    let numbers: Vec<u32> = (1..).take(question.works.len()).collect();
    let something = |reply: &OrderReply| match bracketed(&reply.order).iter().any(|number| numbers.contains(number)) {
        true => Ok(()),
        false => Err(Violation("the order names no work as [number]".to_owned())),
    };
    let whole = |reply: &OrderReply| {
        checks::known_once("work", bracketed(&reply.order), &numbers)?;
        checks::none_missing("work", bracketed(&reply.order), &numbers)
    };
    let must: [Check<'_, OrderReply>; 1] = [&something];
    let should: [Check<'_, OrderReply>; 1] = [&whole];
    let checks = Checks {
        must: &must,
        should: &should,
    };
    let prompt = match question.by_facets {
        true => "idea.rank",
        false => "idea.rank_relevance",
    };
    let reply = model.ask(prompt, &inputs, checks).await?;
    Ok(reply.map(|reply| bracketed(&reply.value.order)))
}
