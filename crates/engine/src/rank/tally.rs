//! Combines several answers into one ranking.

use std::collections::BTreeMap;

use precedent_domain::{RankingOutcome, Standing};

/// Minimum share of pairs in the presented order, or in reverse, at which answers may have followed the presentation.
const FOLLOWS: f64 = 0.75;

/// One answer: the presented and the returned order, as numbers of ideas.
pub(super) struct Answered<'a> {
    pub(super) shown: &'a [u32],
    pub(super) order: &'a [u32],
}

/// The combined order, by the mean position of each idea. There is none if the answers agree more with the order of presentation, forwards or
/// backwards, than with each other.
pub(super) fn standing(answers: &[Answered<'_>]) -> Standing {
    let agreement = mean(
        pairs(answers.len())
            .filter_map(|(one, other)| Some(concordance(answers.get(one)?.order, answers.get(other)?.order))),
    );
    let follows = mean(answers.iter().map(|one| concordance(one.shown, one.order)));
    let pull = follows.max(1.0 - follows);
    let outcome = if pull >= FOLLOWS && pull > agreement {
        RankingOutcome::PositionBias
    } else {
        RankingOutcome::Ranked {
            places: places(answers),
        }
    };
    Standing {
        outcome,
        agreement: rounded(agreement),
        follows_position: rounded(follows),
    }
}

/// The ideas by the sum of their positions over all answers. Equal sums share a position.
fn places(answers: &[Answered<'_>]) -> Vec<Vec<u32>> {
    let mut sums: BTreeMap<u32, usize> = BTreeMap::new();
    for answer in answers {
        for (place, number) in answer.order.iter().enumerate() {
            *sums.entry(*number).or_default() += place;
        }
    }
    let mut by_sum: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
    for (number, sum) in sums {
        by_sum.entry(sum).or_default().push(number);
    }
    by_sum.into_values().collect()
}

/// The share of pairs in the same order in both.
fn concordance(one: &[u32], other: &[u32]) -> f64 {
    let place = |number: &u32| other.iter().position(|known| known == number);
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

fn rounded(share: f64) -> f64 {
    (share * 1_000.0).round() / 1_000.0
}
