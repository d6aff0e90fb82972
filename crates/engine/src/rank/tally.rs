//! Combines several answers into one ranking, if they support one.

use std::collections::BTreeMap;

use precedent_domain::{POSITION_BIAS_P, RANKING_P, RankingOutcome, Standing};

use super::chance::{Design, Placed, agreement_p, position_p};

/// Share of pairs or answers from which a tendency is examined: three quarters, half-way between chance and certainty for a pair.
pub(super) const TENDENCY: f64 = 0.75;

/// One answer: the presented and the returned order, as numbers of ideas.
pub(super) struct Answered<'a> {
    /// Index of the prompt in the sequence of prompts.
    pub(super) prompt: usize,
    pub(super) shown: &'a [u32],
    pub(super) order: &'a [u32],
}

/// The combined order, by the mean position of each idea. There is none if the answers follow the order of presentation, or agree no more than answers
/// that do not depend on the ideas.
pub(super) fn standing(draws: usize, answers: &[Answered<'_>]) -> Standing {
    let design = Design {
        ideas: answers.first().map_or(0, |one| one.shown.len()),
        draws,
    };
    let placed: Vec<Placed> = answers.iter().map(placed).collect();
    let agreement = mean(
        pairs(answers.len())
            .filter_map(|(one, other)| Some(concordance(answers.get(one)?.order, answers.get(other)?.order))),
    );
    let follows = mean(answers.iter().map(|one| concordance(one.shown, one.order)));
    let agreement_p = agreement_p(design, &placed);
    let position_p = position_p(design, &placed, TENDENCY);
    let outcome = if position_p.is_some_and(|p| p <= POSITION_BIAS_P) {
        RankingOutcome::PositionBias
    } else if agreement_p > RANKING_P {
        RankingOutcome::NoAgreement
    } else {
        RankingOutcome::Ranked {
            places: places(answers.iter().map(|one| one.order)),
        }
    };
    Standing {
        outcome,
        agreement: rounded(agreement),
        follows_position: rounded(follows),
        agreement_p: Some(ten_thousandths(agreement_p)),
        position_p: position_p.map(ten_thousandths),
    }
}

fn placed(answer: &Answered<'_>) -> Placed {
    let ideas = |numbers: &[u32]| -> Vec<usize> {
        let idea = |number: &u32| usize::try_from(*number).ok()?.checked_sub(1);
        numbers.iter().filter_map(idea).collect()
    };
    Placed {
        prompt: answer.prompt,
        shown: ideas(answer.shown),
        order: ideas(answer.order),
    }
}

/// The ideas by the sum of their positions over all answers. Equal sums share a position.
pub(super) fn places<'a>(orders: impl Iterator<Item = &'a [u32]>) -> Vec<Vec<u32>> {
    let mut sums: BTreeMap<u32, usize> = BTreeMap::new();
    for order in orders {
        for (place, number) in order.iter().enumerate() {
            *sums.entry(*number).or_default() += place;
        }
    }
    let mut by_sum: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
    for (number, sum) in sums {
        by_sum.entry(sum).or_default().push(number);
    }
    by_sum.into_values().collect()
}

/// The share of the pairs with different ranks for which `holds`, given the better and the worse idea; `None` if all ideas share one rank.
pub(super) fn share_of_ranked_pairs(
    places: &[Vec<u32>],
    mut holds: impl FnMut(u32, u32) -> Option<bool>,
) -> Option<f64> {
    let mut held = Vec::new();
    for (at, better) in places.iter().enumerate() {
        for worse in places.iter().skip(at + 1).flatten() {
            let results = better.iter().filter_map(|better| holds(*better, *worse));
            held.extend(results.map(|holds| if holds { 1.0 } else { 0.0 }));
        }
    }
    crate::board::mean(held)
}

/// The share of pairs in the same order in both.
pub(super) fn concordance<T: PartialEq>(one: &[T], other: &[T]) -> f64 {
    let place = |number: &T| other.iter().position(|known| known == number);
    let placed: Vec<Option<usize>> = one.iter().map(place).collect();
    mean(pairs(placed.len()).filter_map(|(first, second)| {
        let (first, second) = ((*placed.get(first)?)?, (*placed.get(second)?)?);
        Some(if first < second { 1.0 } else { 0.0 })
    }))
}

fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |first| (first + 1..count).map(move |second| (first, second)))
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    crate::board::mean(values).unwrap_or(1.0)
}

/// To three digits.
pub(super) fn rounded(share: f64) -> f64 {
    (share * 1_000.0).round() / 1_000.0
}

/// Four digits are printed of a p value, because bounds are as low as 0.0025.
const DIGITS: f64 = 10_000.0;

fn ten_thousandths(p: f64) -> f64 {
    (p * DIGITS).round() / DIGITS
}
