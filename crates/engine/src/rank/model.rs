use precedent_llm::{Check, Checks, Violation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::model::checks::Checked;
use crate::model::policy::Worded;
use crate::model::prose::Prose;
use crate::model::texts::one_line;
use crate::model::{ModelAnalyst, checks};
use crate::rank::{GroupAnswer, GroupQuestion};

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct GroupSaid {
    dimensions: Vec<DimensionSaid>,
    /// The numbers of all ideas, each once, from the best.
    order: Vec<u32>,
    /// Two or three sentences.
    reason: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct DimensionSaid {
    /// The dimension's id.
    id: String,
    /// The numbers of all ideas, each once, from the best.
    order: Vec<u32>,
    /// One or two sentences.
    reason: String,
}

#[derive(Serialize)]
struct GroupInputs {
    mark: String,
    ideas: String,
    dimensions: String,
    count: String,
    ids: String,
}

/// Ranks ideas; `None` if there is no answer.
pub(crate) async fn order_ideas(model: &ModelAnalyst, question: GroupQuestion<'_>) -> Result<Option<GroupAnswer>> {
    let answer = ask_order(model, question).await?;
    Ok(answer.map(|answer| model.printed(answer.clone(), || answer)))
}

/// The model's ranking of ideas, as indices into the question; `None` if no answer names each idea once.
async fn ask_order(model: &ModelAnalyst, question: GroupQuestion<'_>) -> Result<Option<GroupAnswer>> {
    let fence = model.fence();
    let ideas = (1..)
        .zip(question.ideas)
        .map(|(number, text)| fence.wrap(&format!("idea {number}"), text));
    let described: Vec<String> = question
        .dimensions
        .iter()
        .map(crate::board::Dimension::described)
        .collect();
    let ids: Vec<&str> = question.dimensions.iter().map(|one| one.id.as_str()).collect();
    let inputs = GroupInputs {
        mark: fence.mark().to_owned(),
        ideas: ideas.collect::<Vec<_>>().join("\n"),
        dimensions: described.join("\n\n"),
        count: question.ideas.len().to_string(),
        ids: ids.join(", "),
    };
    let numbers: Vec<u32> = (1..).take(question.ideas.len()).collect();
    let every = |order: &[u32]| -> Checked {
        checks::known_once("idea", order.iter().copied(), &numbers)?;
        checks::none_missing("idea", order.iter().copied(), &numbers)
    };
    let whole = |said: &GroupSaid| {
        every(&said.order)?;
        for id in &ids {
            match said
                .dimensions
                .iter()
                .filter(|one| one.id == *id)
                .collect::<Vec<_>>()
                .as_slice()
            {
                [one] => every(&one.order)?,
                [] => return Err(Violation(format!("the dimension {id} is missing"))),
                _ => return Err(Violation(format!("the dimension {id} appears twice"))),
            }
        }
        match said.dimensions.iter().find(|one| !ids.contains(&one.id.as_str())) {
            Some(one) => Err(Violation(format!("there is no dimension {}", checks::head(&one.id)))),
            None => Ok(()),
        }
    };
    let prose = Prose::of(&[])
        .given(
            question
                .ideas
                .iter()
                .copied()
                .chain(described.iter().map(String::as_str)),
        )
        .numbering(numbers.iter().copied())
        .judging();
    let plain = |said: &GroupSaid| {
        let reasons = said.dimensions.iter().map(|one| &one.reason).chain([&said.reason]);
        reasons
            .into_iter()
            .try_for_each(|reason| prose.check("a reason", reason))
    };
    let must: [Check<'_, GroupSaid>; 1] = [&whole];
    let should: [Check<'_, GroupSaid>; 1] = [&plain];
    let checks = Checks {
        must: &must,
        should: &should,
    };
    let said = model.ask("rank.group", &inputs, checks).await?;
    Ok(said.map(|said| {
        let said = said.value;
        let dimensions = ids
            .iter()
            .filter_map(|id| said.dimensions.iter().find(|one| one.id == *id));
        GroupAnswer {
            dimensions: dimensions
                .map(|one| (places(&one.order), printed(&prose, &one.reason)))
                .collect(),
            order: places(&said.order),
            reason: printed(&prose, &said.reason),
        }
    }))
}

fn places(numbers: &[u32]) -> Vec<usize> {
    let place = |number: &u32| usize::try_from(*number).ok()?.checked_sub(1);
    numbers.iter().filter_map(place).collect()
}

/// A reason if it can be printed, else an empty string.
fn printed(prose: &Prose<'_>, reason: &str) -> String {
    let reason = one_line(reason);
    match prose.check("a reason", &reason) {
        Ok(()) => reason,
        Err(_) => String::new(),
    }
}

impl Worded for GroupAnswer {
    fn without_sentences(mut self, _own: Self) -> Self {
        self.reason.clear();
        self.dimensions.iter_mut().for_each(|(_, reason)| reason.clear());
        self
    }
}
