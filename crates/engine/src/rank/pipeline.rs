use std::collections::BTreeMap;

use futures_util::future::{BoxFuture, try_join_all};
use precedent_domain::{
    DimensionOrder, DimensionStanding, GroupRanking, GroupedIdea, IdeaReview, ModelUse, OrderAnswer, OrderAsked,
    RANKING_SCHEMA_VERSION, SentContent, SentRecord, Standing,
};
use precedent_language::wording::first_words;

use super::chance::{Design, Placed};
use super::evidence::{self, ReviewShown};
use super::material::{GroupAnswer, GroupQuestion, IdeaOfGroup};
use super::prompt::{RankPrompt, reversed};
use super::tally::{self, indices};
use super::windows::{FEWEST_DRAWS, GROUP_LIMIT, join_all, windows};
use super::{length, model, pair};
use crate::board::{Dimension, SeededRng};
use crate::model::ModelAnalyst;
use crate::model::sent;
use crate::review::sent_together;
use crate::world::Stage;
use crate::{EngineError, Result, World};

const ORDER: Stage = Stage {
    name: "rank.group",
    version: 2,
};
const LENGTH: Stage = Stage {
    name: "rank.length",
    version: 1,
};
/// The same with the reviews of the ideas.
const REVIEWED: Stage = Stage {
    name: "rank.reviewed",
    version: 1,
};
const REVIEWED_LENGTH: Stage = Stage {
    name: "rank.reviewed_length",
    version: 1,
};
/// Most attempts to draw a prompt that differs from the others. Five dimensions have 120 orders, and 12 of them are needed at most.
const ATTEMPTS: usize = 1_000;
/// Words of an idea that the judge reads.
const WORDS: usize = 1_500;

/// Options of a ranking.
#[derive(Debug, Clone)]
pub struct RankOptions {
    /// Criteria for judging the ideas.
    pub dimensions: Vec<Dimension>,
    /// Number of random orders, each also presented in reverse; by default [`default_draws`].
    pub draws: Option<usize>,
}

/// Number of random orders of ideas that are shown in windows, so that 12 prompts contain each idea. Chosen by hand: with it, 50 ideas take fewer than 100
/// calls, and the test `the_order_of_a_consistent_judge_is_recovered` finds a Kendall tau of .9 or more.
const DRAWS_OF_WINDOWS: usize = 6;

/// Number of random orders for this number of ideas. With it, one of the answers on a pair may dissent and still `p` is small enough for a ranking; larger
/// groups need fewer orders, because each answer says more.
#[must_use]
pub fn default_draws(ideas: usize) -> usize {
    match ideas {
        ..=2 => 7,
        3 => 4,
        4..=GROUP_LIMIT => 3,
        _ => DRAWS_OF_WINDOWS,
    }
}

/// What the judge sees of all ideas, in the order of the report.
struct Shown<'a> {
    texts: &'a [&'a str],
    /// Empty if the judge sees only the texts.
    reviews: &'a [ReviewShown],
    /// Of the text and the review of each idea, in bytes.
    lengths: &'a [usize],
    hashes: &'a [&'a str],
}

/// Ranks ideas. The same ideas, options and world give the same ranking, byte for byte, whatever order the ideas are given in.
///
/// # Errors
/// If there are fewer than two ideas, an idea contains no words, two ideas are the same, one random order is wanted of more ideas than one prompt shows, no
/// model is available, fewer than two answers name every idea shown once, the answers do not connect all ideas, or the ledger or the analyst fails.
pub fn rank<'a>(
    ideas: &'a [IdeaOfGroup],
    options: &'a RankOptions,
    world: &'a World,
) -> BoxFuture<'a, Result<GroupRanking>> {
    Box::pin(async move {
        let Some(model) = &world.model else {
            return Err(EngineError::NeedsModel { what: "rank ideas" });
        };
        let mut read = read(ideas)?;
        let with_reviews: Vec<&IdeaReview> = read.iter().filter_map(|one| one.review).collect();
        let reviews = evidence::shown(&with_reviews, &options.dimensions);
        for (one, shown) in read.iter_mut().zip(&reviews) {
            let short = one
                .review
                .map(|review| evidence::in_short(review, shown, &options.dimensions));
            one.idea.review = short.map(Box::new);
        }
        let texts: Vec<&str> = read.iter().map(|one| one.text.as_str()).collect();
        let hashes: Vec<&str> = read.iter().map(|one| one.idea.sha256.as_str()).collect();
        let length = |(at, text): (usize, &&str)| text.len() + reviews.get(at).map_or(0, ReviewShown::len);
        let lengths: Vec<usize> = texts.iter().enumerate().map(length).collect();
        let shown = Shown {
            texts: &texts,
            reviews: &reviews,
            lengths: &lengths,
            hashes: &hashes,
        };
        // The texts are sorted, so the order in which they were given changes nothing.
        world.begin_calls(texts.iter().copied());
        let draws = options.draws.unwrap_or_else(|| default_draws(texts.len())).max(1);
        if texts.len() > GROUP_LIMIT && draws < FEWEST_DRAWS {
            return Err(EngineError::BadGroup {
                why: format!("more than {GROUP_LIMIT} ideas need {FEWEST_DRAWS} random orders or more"),
            });
        }
        let prompts = prompts(&hashes, options.dimensions.len(), draws, world.seed);
        let answered = answers([ORDER, REVIEWED], &shown, &prompts, &options.dimensions, model, world).await?;
        let mut left_out: usize = answered.iter().map(|(_, left_out)| left_out).sum();
        let answered: Vec<OrderAsked> = answered.into_iter().map(|(one, _)| one).collect();
        let usable = answered.iter().filter(|one| one.answer.is_some()).count();
        // A ranking from the answers that the budget happened to pay for would be another one after resuming.
        if usable < answered.len() && model.log().is_over_budget() {
            return Err(EngineError::OverBudget { what: "rank the ideas" });
        }
        if model.only_counts() {
            // Any ranking may resemble the order of lengths.
            length_answers(&shown, &options.dimensions, model, world).await?;
            pair::compare(&texts, &reviews, model, world).await?;
        }
        let windows = answered.iter().filter(|one| one.answer.is_some());
        let joined = join_all(windows.map(|one| one.shown.as_slice()), texts.len());
        if usable < 2 || !joined {
            let uses = world.model_uses();
            return Err(EngineError::NoRanking {
                usable,
                asked: answered.len(),
                why: failures(&uses),
                retryable: uses.iter().any(|one| one.retryable > 0),
                first: answered.first().map_or_else(Vec::new, |one| names(one, &read)),
            });
        }
        let (mut overall, mut dimensions) = standings(&answered, &options.dimensions);
        let resembles = |one: &Standing| length::resembles_lengths(&lengths, one);
        let to_test = resembles(&overall) || dimensions.iter().any(|one| resembles(&one.standing));
        let length_check = match to_test {
            false => None,
            true => {
                let orders = length_answers(&shown, &options.dimensions, model, world).await?;
                left_out += orders.iter().map(|(_, left_out)| left_out).sum::<usize>();
                let orders: Vec<OrderAsked> = orders.into_iter().map(|(one, _)| one).collect();
                if orders.iter().any(|one| one.answer.is_none()) && model.log().is_over_budget() {
                    return Err(EngineError::OverBudget { what: "rank the ideas" });
                }
                Some(length::checked(&lengths, orders, &mut overall, &mut dimensions))
            }
        };
        let comparison = pair::compare(&texts, &reviews, model, world).await?;
        let of_reviews = with_reviews.iter().flat_map(|review| review.metadata.models.clone());
        let models = ModelUse::together(world.model_uses().into_iter().chain(of_reviews));
        Ok(GroupRanking {
            schema_version: RANKING_SCHEMA_VERSION.to_owned(),
            sent: sent_in_all(&models, &with_reviews),
            evidence: reviews.iter().flat_map(|one| one.evidence.clone()).collect(),
            ideas: read.into_iter().map(|one| one.idea).collect(),
            overall,
            dimensions,
            orders: answered,
            length_check,
            comparison,
            left_out,
            seed: world.seed,
            program_version: env!("CARGO_PKG_VERSION").to_owned(),
            analyst: world.analyst(),
            models,
        })
    })
}

/// What was sent to models, and what the reviews sent to services.
fn sent_in_all(models: &[ModelUse], reviews: &[&IdeaReview]) -> Vec<SentRecord> {
    let of_reviews = reviews.iter().flat_map(|review| review.metadata.sent.iter().cloned());
    let to_services = of_reviews.filter(|one| !matches!(one.content, Some(SentContent::Texts { .. })));
    sent_together(sent(models), to_services.collect())
}

/// The judge's answers to all prompts, in their order, each with the number of sentences that were left out. The stage is the first without reviews, and
/// the second with them.
async fn answers(
    [of_texts, of_reviews]: [Stage; 2],
    shown: &Shown<'_>,
    prompts: &[RankPrompt],
    dimensions: &[Dimension],
    model: &ModelAnalyst,
    world: &World,
) -> Result<Vec<(OrderAsked, usize)>> {
    let work = async {
        let ask = |prompt: &RankPrompt| {
            let of_order = prompt.order.iter();
            let ideas: Vec<&str> = of_order
                .clone()
                .filter_map(|at| shown.texts.get(*at).copied())
                .collect();
            let reviews: Vec<&ReviewShown> = of_order.filter_map(|at| shown.reviews.get(*at)).collect();
            let of_prompt = prompt.dimensions.iter().filter_map(|at| dimensions.get(*at).cloned());
            let dimensions: Vec<Dimension> = of_prompt.collect();
            async move {
                let question = GroupQuestion {
                    ideas: &ideas,
                    reviews: &reviews,
                    dimensions: &dimensions,
                };
                model::order_ideas(model, question).await
            }
        };
        try_join_all(prompts.iter().map(ask)).await
    };
    let texts = shown.texts;
    let answers: Vec<Option<GroupAnswer>> = match shown.reviews.is_empty() {
        true => world.stage(of_texts, &(texts, dimensions, prompts), work).await?,
        false => {
            let input = (texts, dimensions, prompts, shown.reviews);
            world.stage(of_reviews, &input, work).await?
        }
    };
    let answered = prompts.iter().zip(answers);
    Ok(answered
        .map(|(prompt, answer)| {
            let left_out = answer.as_ref().map_or(0, |answer| answer.left_out);
            (presented(prompt, answer, dimensions), left_out)
        })
        .collect())
}

/// The judge's answers to the prompts of the length test.
async fn length_answers(
    shown: &Shown<'_>,
    dimensions: &[Dimension],
    model: &ModelAnalyst,
    world: &World,
) -> Result<Vec<(OrderAsked, usize)>> {
    let (longer, prompts) = length::prompts((shown.texts, shown.lengths), shown.hashes, dimensions, world.seed);
    let longer: Vec<&str> = longer.iter().map(String::as_str).collect();
    let shown = Shown {
        texts: &longer,
        ..*shown
    };
    answers([LENGTH, REVIEWED_LENGTH], &shown, &prompts, dimensions, model, world).await
}

/// An idea with the words that the judge reads, and its review.
struct ReadIdea<'a> {
    idea: GroupedIdea,
    text: String,
    review: Option<&'a IdeaReview>,
}

/// The names of the ideas in the order of an answer; empty without one.
fn names(asked: &OrderAsked, read: &[ReadIdea<'_>]) -> Vec<String> {
    let order = asked.answer.iter().flat_map(|answer| &answer.order);
    let named = order.filter_map(|number| read.iter().find(|one| one.idea.number == *number));
    named.map(|one| one.idea.name.clone()).collect()
}

/// The ideas by the hashes of their texts, each with the words that the judge reads.
fn read(ideas: &[IdeaOfGroup]) -> Result<Vec<ReadIdea<'_>>> {
    let wrong = |why: String| EngineError::BadGroup { why };
    if ideas.len() < 2 {
        return Err(wrong(format!("expected 2 ideas or more, found {}", ideas.len())));
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
            review: None,
        };
        read.push(ReadIdea {
            idea,
            text: kept.to_owned(),
            review: one.review.as_deref(),
        });
    }
    read.sort_by(|a, b| (&a.idea.sha256, &a.idea.name).cmp(&(&b.idea.sha256, &b.idea.name)));
    for (number, one) in (1..).zip(&mut read) {
        one.idea.number = number;
    }
    if read
        .iter()
        .any(|one| one.review.is_some() != ideas.iter().any(|one| one.review.is_some()))
    {
        return Err(wrong("some ideas have a review and others have none".to_owned()));
    }
    let same = read.windows(2).find_map(|two| match two {
        [one, other] if one.text == other.text => Some((&one.idea, &other.idea)),
        _ => None,
    });
    match same {
        Some((one, other)) => Err(wrong(format!("{} and {} are the same text", one.name, other.name))),
        None => Ok(read),
    }
}

/// Prompts with random orders and their reverses, in random sequence. A pair has only two orders, so the order of the dimensions is random too, and no
/// two prompts are the same.
fn prompts(hashes: &[&str], dimensions: usize, draws: usize, seed: u64) -> Vec<RankPrompt> {
    let group = hashes.join(" ");
    let rng = |purpose: &str, draw: usize, attempt: usize| {
        SeededRng::of(
            seed,
            &["rank", purpose, &group, &draw.to_string(), &attempt.to_string()],
        )
    };
    let mut prompts: Vec<RankPrompt> = Vec::new();
    for draw in 0..draws {
        let drawn = (0..ATTEMPTS).map(|attempt| {
            let mut of_dimensions = rng("dimensions", draw, attempt);
            let prompt = |order: Vec<usize>| {
                let mut shown: Vec<usize> = (0..dimensions).collect();
                of_dimensions.shuffle(&mut shown);
                RankPrompt {
                    order,
                    dimensions: shown,
                }
            };
            let order = rng("order", draw, attempt).shuffled(hashes.len());
            windows(&order).into_iter().map(prompt).collect::<Vec<_>>()
        });
        let is_new = |prompt: &RankPrompt| !prompts.contains(prompt) && !prompts.contains(&reversed(prompt));
        if let Some(drawn) = drawn.into_iter().find(|drawn| drawn.iter().all(is_new)) {
            prompts.extend(drawn.into_iter().flat_map(|prompt| [reversed(&prompt), prompt]));
        }
    }
    // A judge that alternates between positions would agree with itself if each order were followed by its reverse.
    SeededRng::of(seed, &["rank", "sequence", &group]).shuffle(&mut prompts);
    prompts
}

/// The presented order and the answer, as numbers of ideas. The dimensions are in the order of the options.
fn presented(prompt: &RankPrompt, answer: Option<GroupAnswer>, dimensions: &[Dimension]) -> OrderAsked {
    let number = |at: usize| u32::try_from(at + 1).unwrap_or(u32::MAX);
    let numbers = |places: &[usize]| -> Vec<u32> {
        let idea = |place: &usize| prompt.order.get(*place).copied().map(number);
        places.iter().filter_map(idea).collect()
    };
    let answer = answer.map(|answer| OrderAnswer {
        order: numbers(&answer.order),
        reason: answer.reason,
        dimensions: (0..)
            .zip(dimensions)
            .filter_map(|(at, dimension)| {
                let shown = prompt.dimensions.iter().position(|shown| *shown == at)?;
                let (order, reason) = answer.dimensions.get(shown)?;
                Some(DimensionOrder {
                    id: dimension.id.clone(),
                    order: numbers(order),
                    reason: reason.clone(),
                })
            })
            .collect(),
    });
    OrderAsked {
        shown: prompt.order.iter().copied().map(number).collect(),
        answer,
    }
}

/// Reasons for failed answers, as text.
fn failures(uses: &[ModelUse]) -> String {
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    for (kind, count) in uses.iter().flat_map(|one| &one.failed) {
        *kinds.entry(kind).or_default() += count;
    }
    let reasons = kinds.into_iter().map(|(kind, count)| format!("{kind}: {count}"));
    reasons.collect::<Vec<_>>().join(", ")
}

/// The result of the answers, overall and for each dimension.
fn standings(answers: &[OrderAsked], dimensions: &[Dimension]) -> (Standing, Vec<DimensionStanding>) {
    let shown: Vec<Vec<usize>> = answers.iter().map(|one| indices(&one.shown)).collect();
    let of = |order: &dyn Fn(&OrderAnswer) -> Option<Vec<usize>>| -> Vec<Placed> {
        let placed = |(prompt, (one, shown)): (usize, (&OrderAsked, &Vec<usize>))| {
            Some(Placed {
                prompt,
                shown: shown.clone(),
                order: order(one.answer.as_ref()?)?,
            })
        };
        answers.iter().zip(&shown).enumerate().filter_map(placed).collect()
    };
    let overall = of(&|answer| Some(indices(&answer.order)));
    let by_dimension: Vec<Vec<Placed>> = dimensions
        .iter()
        .map(|dimension| {
            of(&|answer| {
                let own = answer.dimensions.iter().find(|order| order.id == dimension.id)?;
                Some(indices(&own.order))
            })
        })
        .collect();
    let (overall, standings) = tally::standings(&Design::of(&shown), &overall, &by_dimension);
    let named = dimensions
        .iter()
        .zip(standings)
        .map(|(dimension, standing)| DimensionStanding {
            id: dimension.id.clone(),
            name: dimension.name.clone(),
            standing,
        });
    (overall, named.collect())
}
