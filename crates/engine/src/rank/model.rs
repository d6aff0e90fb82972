use precedent_llm::{Check, Checks, Fence, Violation};
use precedent_text::{one_line, pattern};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::evidence::PromptEvidence;
use crate::Result;
use crate::model::checks::Checked;
use crate::model::policy::Worded;
use crate::model::prose::Prose;
use crate::model::{ModelAnalyst, checks};
use crate::rank::material::{GroupAnswer, GroupQuestion};
use crate::review::model::sentences::{Ground, sentences};

/// Maximum sentences of a reason about reviews. More are left out.
const SENTENCES: usize = 4;

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct GroupReply {
    dimensions: Vec<DimensionReply>,
    /// The numbers of all ideas, each once, from the best.
    order: Vec<u32>,
    /// Two or three sentences.
    reason: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct DimensionReply {
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
pub(super) async fn order_ideas(model: &ModelAnalyst, question: GroupQuestion<'_>) -> Result<Option<GroupAnswer>> {
    let answer = ask_order(model, question).await?;
    Ok(answer.map(|answer| model.printed(answer.clone(), || answer)))
}

/// The model's ranking of ideas, as indices into the question; `None` if no answer names each idea once.
async fn ask_order(model: &ModelAnalyst, question: GroupQuestion<'_>) -> Result<Option<GroupAnswer>> {
    let fence = model.fence();
    let evidence = (!question.reviews.is_empty()).then(|| PromptEvidence::new(question.ideas, question.reviews));
    let described: Vec<String> = question
        .dimensions
        .iter()
        .map(crate::board::Dimension::described)
        .collect();
    let ids: Vec<&str> = question.dimensions.iter().map(|one| one.id.as_str()).collect();
    let inputs = GroupInputs {
        mark: fence.mark().to_owned(),
        ideas: wrapped(&fence, question.ideas, evidence.as_ref()),
        dimensions: described.join("\n\n"),
        count: question.ideas.len().to_string(),
        ids: ids.join(", "),
    };
    let numbers: Vec<u32> = (1..).take(question.ideas.len()).collect();
    let every = |order: &[u32]| -> Checked {
        checks::known_once("idea", order.iter().copied(), &numbers)?;
        checks::none_missing("idea", order.iter().copied(), &numbers)
    };
    let whole = |reply: &GroupReply| {
        every(&reply.order)?;
        for id in &ids {
            match reply
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
        match reply.dimensions.iter().find(|one| !ids.contains(&one.id.as_str())) {
            Some(one) => Err(Violation(format!("there is no dimension {}", checks::head(&one.id)))),
            None => Ok(()),
        }
    };
    let reasons = match &evidence {
        Some(evidence) => Reasons::Reviews(evidence, evidence.ground(&fence)),
        None => Reasons::Texts(
            Prose::of(&[])
                .given(
                    question
                        .ideas
                        .iter()
                        .copied()
                        .chain(described.iter().map(String::as_str)),
                )
                .judging(),
        ),
    };
    let plain = |reply: &GroupReply| {
        let all = reply.dimensions.iter().map(|one| &one.reason).chain([&reply.reason]);
        all.into_iter().try_for_each(|reason| reasons.check(reason))
    };
    let must: [Check<'_, GroupReply>; 1] = [&whole];
    let should: [Check<'_, GroupReply>; 1] = [&plain];
    let checks = Checks {
        must: &must,
        should: &should,
    };
    let prompt = if evidence.is_some() {
        "rank.reviewed"
    } else {
        "rank.group"
    };
    let reply = model.ask(prompt, &inputs, checks).await?;
    Ok(reply.map(|reply| {
        let reply = reply.value;
        let mut left_out = 0;
        let mut printed = |reason: &str| {
            let (reason, more) = reasons.printed(reason);
            left_out += more;
            reason
        };
        let named = ids
            .iter()
            .filter_map(|id| reply.dimensions.iter().find(|one| one.id == *id));
        let dimensions = named.map(|one| (places(&one.order), printed(&one.reason))).collect();
        GroupAnswer {
            dimensions,
            order: places(&reply.order),
            reason: printed(&reply.reason),
            left_out,
        }
    }))
}

/// The ideas as the judge sees them, each followed by its review.
pub(super) fn wrapped(fence: &Fence, ideas: &[&str], evidence: Option<&PromptEvidence<'_>>) -> String {
    let of_one = |(at, text): (usize, &&str)| {
        let idea = fence.wrap(&format!("idea {}", at + 1), text);
        match evidence {
            Some(evidence) => format!("{idea}\n{}", evidence.wrapped(fence, at)),
            None => idea,
        }
    };
    let all: Vec<String> = ideas.iter().enumerate().map(of_one).collect();
    all.join("\n")
}

/// What the reasons of an answer may cite and quote.
enum Reasons<'a> {
    /// The texts.
    Texts(Prose<'a>),
    /// The texts, and the documents of their reviews.
    Reviews(&'a PromptEvidence<'a>, Ground<'a>),
}

impl Reasons<'_> {
    fn check(&self, reason: &str) -> Checked {
        if names_an_idea(reason) {
            return Err(Violation("a reason names an idea by its number".to_owned()));
        }
        match self {
            Self::Texts(prose) => prose.check("a reason", reason),
            Self::Reviews(_, ground) => ground.holds("a reason", reason, SENTENCES),
        }
    }

    /// What can be printed of a reason, and how many sentences were left out. A reason about texts is printed whole or not at all, and not counted.
    fn printed(&self, reason: &str) -> (String, usize) {
        match self {
            Self::Texts(_) => {
                let reason = one_line(reason);
                match self.check(&reason) {
                    Ok(()) => (reason, 0),
                    Err(_) => (String::new(), 0),
                }
            }
            Self::Reviews(evidence, ground) => {
                let kept = ground.kept("a reason", reason, SENTENCES);
                let (named, others): (Vec<&str>, Vec<&str>) =
                    sentences(&kept.text).into_iter().partition(|one| names_an_idea(one));
                (evidence.in_report(&others.join(" ")), kept.left_out.len() + named.len())
            }
        }
    }
}

/// Whether a reason has the number of an idea in the prompt, which is not its number in the report.
fn names_an_idea(reason: &str) -> bool {
    pattern!(r"(?i)\bideas?\s+(?:no\.\s*|number\s+|#\s*)?\d").is_match(reason)
}

fn places(numbers: &[u32]) -> Vec<usize> {
    let place = |number: &u32| usize::try_from(*number).ok()?.checked_sub(1);
    numbers.iter().filter_map(place).collect()
}

impl Worded for GroupAnswer {
    fn without_sentences(mut self, _own: Self) -> Self {
        self.reason.clear();
        self.dimensions.iter_mut().for_each(|(_, reason)| reason.clear());
        self
    }
}
