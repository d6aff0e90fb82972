use std::collections::BTreeMap;

use futures_util::future::{BoxFuture, try_join_all};
use precedent_domain::{
    DimensionOrder, DimensionStanding, GroupRanking, GroupedIdea, ModelUse, OrderAnswer, OrderAsked,
    RANKING_SCHEMA_VERSION,
};
use precedent_language::wording::first_words;

use super::material::{GroupAnswer, GroupQuestion, IdeaOfGroup};
use super::model;
use super::tally::{Answered, standing};
use crate::board::{Dimension, SeededRng};
use crate::gaps::sent;
use crate::world::Stage;
use crate::{EngineError, Result, World};

const ORDER: Stage = Stage {
    name: "rank.group",
    version: 1,
};
/// Maximum number of ideas ranked at once. A judge cannot keep track of more.
pub const MOST_IDEAS: usize = 10;
/// Words of an idea that the judge reads.
const WORDS: usize = 1_500;

/// Options of a ranking.
#[derive(Debug, Clone)]
pub struct RankOptions {
    /// Criteria for judging the ideas.
    pub dimensions: Vec<Dimension>,
    /// Number of random orders, at least one. Each is presented forwards and backwards.
    pub draws: usize,
}

/// Ranks ideas. The same ideas, options and world give the same ranking, byte for byte, whatever order the ideas are given in.
///
/// # Errors
/// If there are fewer than two ideas or more than [`MOST_IDEAS`], an idea contains no words, two ideas are the same, no model is available, fewer
/// than two answers name every idea once, or the ledger or the analyst fails.
pub fn rank<'a>(
    ideas: &'a [IdeaOfGroup],
    options: &'a RankOptions,
    world: &'a World,
) -> BoxFuture<'a, Result<GroupRanking>> {
    Box::pin(async move {
        let Some(model) = &world.model else {
            return Err(EngineError::NeedsModel { what: "rank ideas" });
        };
        let read = read(ideas)?;
        let texts: Vec<&str> = read.iter().map(|(_, text)| text.as_str()).collect();
        let hashes: Vec<&str> = read.iter().map(|(idea, _)| idea.sha256.as_str()).collect();
        // The texts are sorted, so the order in which they were given changes nothing.
        world.begin_calls(texts.iter().copied());
        let orders = orders(&hashes, options.draws, world.seed);
        let work = async {
            let ask = |order: &Vec<usize>| {
                let shown: Vec<&str> = order.iter().filter_map(|at| texts.get(*at).copied()).collect();
                async move {
                    let question = GroupQuestion {
                        ideas: &shown,
                        dimensions: &options.dimensions,
                    };
                    model::order_ideas(model, question).await
                }
            };
            try_join_all(orders.iter().map(ask)).await
        };
        let input = (&texts, &options.dimensions, &orders);
        let answers: Vec<Option<GroupAnswer>> = world.stage(ORDER, &input, work).await?;
        let asked: Vec<OrderAsked> = orders
            .iter()
            .zip(answers)
            .map(|(order, answer)| asked(order, answer, &options.dimensions))
            .collect();
        let usable = asked.iter().filter(|one| one.answer.is_some()).count();
        if usable < 2 && model.log().is_over_budget() {
            return Err(EngineError::OverBudget { what: "rank the ideas" });
        }
        if usable < 2 {
            let uses = world.model_uses();
            return Err(EngineError::NoRanking {
                usable,
                asked: asked.len(),
                why: failures(&uses),
                retryable: uses.iter().any(|one| one.retryable > 0),
            });
        }
        Ok(told(read, asked, &options.dimensions, world))
    })
}

/// The ideas by the hashes of their texts, each with the words that the judge reads.
fn read(ideas: &[IdeaOfGroup]) -> Result<Vec<(GroupedIdea, String)>> {
    let wrong = |why: String| EngineError::BadGroup { why };
    if !(2..=MOST_IDEAS).contains(&ideas.len()) {
        return Err(wrong(format!(
            "expected 2 to {MOST_IDEAS} ideas, found {}",
            ideas.len()
        )));
    }
    let mut read = Vec::new();
    for one in ideas {
        let text = one.idea.document().text;
        if !text.chars().any(char::is_alphanumeric) {
            return Err(wrong(format!("{} contains no words", one.name)));
        }
        let words = text.split_whitespace().count();
        let kept = first_words(&text, WORDS);
        let idea = GroupedIdea {
            number: 0,
            name: one.name.clone(),
            sha256: one.idea.sha256(),
            words: words.min(WORDS),
            cut: words > WORDS,
        };
        read.push((idea, kept.to_owned()));
    }
    read.sort_by(|a, b| (&a.0.sha256, &a.0.name).cmp(&(&b.0.sha256, &b.0.name)));
    for (number, (idea, _)) in (1..).zip(&mut read) {
        idea.number = number;
    }
    let same = read.windows(2).find_map(|two| match two {
        [(one, a), (other, b)] if a == b => Some((one, other)),
        _ => None,
    });
    match same {
        Some((one, other)) => Err(wrong(format!("{} and {} are the same text", one.name, other.name))),
        None => Ok(read),
    }
}

/// Random orders, each followed by its reverse.
fn orders(hashes: &[&str], draws: usize, seed: u64) -> Vec<Vec<usize>> {
    let group = hashes.join(" ");
    let draw = |draw: usize| {
        let order = SeededRng::of(seed, &["rank", &group, &draw.to_string()]).shuffled(hashes.len());
        let backwards = order.iter().rev().copied().collect();
        [order, backwards]
    };
    (0..draws.max(1)).flat_map(draw).collect()
}

/// The presented order and the answer, as numbers of ideas.
fn asked(order: &[usize], answer: Option<GroupAnswer>, dimensions: &[Dimension]) -> OrderAsked {
    let number = |at: usize| u32::try_from(at + 1).unwrap_or(u32::MAX);
    let numbers = |places: &[usize]| -> Vec<u32> {
        let idea = |place: &usize| order.get(*place).copied().map(number);
        places.iter().filter_map(idea).collect()
    };
    let answer = answer.map(|answer| OrderAnswer {
        order: numbers(&answer.order),
        reason: answer.reason,
        dimensions: dimensions
            .iter()
            .zip(answer.dimensions)
            .map(|(dimension, (order, reason))| DimensionOrder {
                id: dimension.id.clone(),
                order: numbers(&order),
                reason,
            })
            .collect(),
    });
    OrderAsked {
        shown: order.iter().copied().map(number).collect(),
        answer,
    }
}

/// Reasons for failed answers, as text.
fn failures(uses: &[ModelUse]) -> String {
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    for (kind, count) in uses.iter().flat_map(|one| &one.failed) {
        *kinds.entry(kind).or_default() += count;
    }
    let told = kinds.into_iter().map(|(kind, count)| format!("{kind}: {count}"));
    told.collect::<Vec<_>>().join(", ")
}

fn told(
    read: Vec<(GroupedIdea, String)>,
    asked: Vec<OrderAsked>,
    dimensions: &[Dimension],
    world: &World,
) -> GroupRanking {
    let answers: Vec<(&OrderAsked, &OrderAnswer)> = asked
        .iter()
        .filter_map(|one| Some((one, one.answer.as_ref()?)))
        .collect();
    let overall: Vec<Answered<'_>> = answers
        .iter()
        .map(|(one, answer)| Answered {
            shown: &one.shown,
            order: &answer.order,
        })
        .collect();
    let overall = standing(&overall);
    let dimensions = dimensions.iter().map(|dimension| {
        let of_it: Vec<Answered<'_>> = answers
            .iter()
            .filter_map(|(one, answer)| {
                let order = answer.dimensions.iter().find(|order| order.id == dimension.id)?;
                Some(Answered {
                    shown: &one.shown,
                    order: &order.order,
                })
            })
            .collect();
        DimensionStanding {
            id: dimension.id.clone(),
            name: dimension.name.clone(),
            standing: standing(&of_it),
        }
    });
    let dimensions = dimensions.collect();
    let models = world.model_uses();
    GroupRanking {
        schema_version: RANKING_SCHEMA_VERSION.to_owned(),
        ideas: read.into_iter().map(|(idea, _)| idea).collect(),
        overall,
        dimensions,
        orders: asked,
        seed: world.seed,
        program_version: env!("CARGO_PKG_VERSION").to_owned(),
        analyst: world.analyst(),
        sent: sent(&models),
        models,
    }
}
