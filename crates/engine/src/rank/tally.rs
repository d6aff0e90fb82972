//! Combines several answers into one ranking, if they support one.

use std::collections::BTreeMap;

use precedent_domain::{POSITION_BIAS_P, RANKING_P, RankingOutcome, Standing};

use super::chance::{Design, Placed, agreement_p, concordance, position_p};
use super::strength::{agreement, fitted, number, pair_counts};

/// Share of pairs or answers from which a tendency is examined: three quarters, half-way between chance and certainty for a pair.
pub(super) const TENDENCY: f64 = 0.75;

/// The combined results of the overall orders and of those on each dimension.
pub(super) fn standings(design: &Design, overall: &[Placed], dimensions: &[Vec<Placed>]) -> (Standing, Vec<Standing>) {
    let judged: Vec<&[Placed]> = std::iter::once(overall)
        .chain(dimensions.iter().map(Vec::as_slice))
        .collect();
    let tested = agreement_p(design, &judged);
    let mut tested = tested.into_iter().zip(position_p(design, &judged, TENDENCY));
    let mut next = |answers: &[Placed]| {
        let (agreement_p, position_p) = tested.next().unwrap_or((1.0, None));
        standing(design, answers, agreement_p, position_p)
    };
    (next(overall), dimensions.iter().map(|answers| next(answers)).collect())
}

/// The combined order: by the mean position of each idea, or fitted if the ideas were shown in windows. There is none if the answers follow the order of
/// presentation, or agree no more than answers that do not depend on the ideas.
fn standing(design: &Design, answers: &[Placed], agreement_p: f64, position_p: Option<f64>) -> Standing {
    let agreement = agreement(&pair_counts(answers.iter())).unwrap_or_default();
    let follows = mean(answers.iter().map(|one| concordance(&one.shown, &one.order)));
    let mut intervals = Vec::new();
    let outcome = if position_p.is_some_and(|p| p <= POSITION_BIAS_P) {
        RankingOutcome::PositionBias
    } else if agreement_p > RANKING_P {
        RankingOutcome::NoAgreement
    } else if design.has_windows() {
        let fitted = fitted(design.ideas, answers);
        intervals = fitted.intervals;
        RankingOutcome::Ranked { places: fitted.places }
    } else {
        let numbers: Vec<Vec<u32>> = answers
            .iter()
            .map(|one| one.order.iter().copied().map(number).collect())
            .collect();
        RankingOutcome::Ranked {
            places: places(numbers.iter().map(Vec::as_slice)),
        }
    };
    Standing {
        outcome,
        agreement: rounded(agreement),
        follows_position: rounded(follows),
        agreement_p: Some(ten_thousandths(agreement_p)),
        position_p: position_p.map(ten_thousandths),
        intervals,
    }
}

/// Numbers of ideas as indices from 0.
pub(super) fn indices(numbers: &[u32]) -> Vec<usize> {
    let idea = |number: &u32| usize::try_from(*number).ok()?.checked_sub(1);
    numbers.iter().filter_map(idea).collect()
}

/// The ideas by the sum of their positions over all answers. Equal sums share a position.
#[must_use]
pub fn places<'a>(orders: impl Iterator<Item = &'a [u32]>) -> Vec<Vec<u32>> {
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
