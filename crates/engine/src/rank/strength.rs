//! Ranks ideas that were shown in windows, by the model of Bradley and Terry (1952) for the pairs that the answers order.
//!
//! Minorization and maximization fits the strengths (Hunter 2004). Each idea is also given wins and losses against an idea of strength 1, so no strength is
//! infinite whatever the answers are. Only sums and quotients are used, so all machines find the same ranking.

use std::collections::BTreeMap;

use precedent_domain::PositionInterval;

use super::chance::Placed;
use crate::board::SeededRng;

/// Wins and losses of each idea against an idea of strength 1. Chosen by hand, not measured: half a pair, so that the answers soon weigh more.
const PRIOR: f64 = 0.5;
/// Rounds of the fit. Chosen by hand: enough to recover the order of a consistent judge of 50 ideas (`the_order_of_a_consistent_judge_is_recovered`).
const ROUNDS: usize = 30;
/// Resamples of the windows. Chosen by hand: a 95 % interval leaves out 5 positions at each end, and more resamples take longer.
const SAMPLES: usize = 200;
/// Resamples outside the 95 % interval, at each end.
const OUTSIDE: usize = SAMPLES / 40;
/// Resamples in which an idea must be below another to get a lower rank: as many as are not outside at one end of the interval. The test
/// `a_judge_that_errs_gets_shared_ranks_instead_of_wrong_ones` counts the wrong orders that remain.
const ORDERED: usize = SAMPLES - OUTSIDE;
/// Relative difference of strengths that are the same up to rounding.
const SAME: f64 = 1e-9;

/// How often the answers put either of two ideas first.
#[derive(Debug, Clone, Copy)]
pub(super) struct PairCount {
    one: usize,
    other: usize,
    one_first: u32,
    other_first: u32,
}

/// The pairs that these answers order.
pub(super) fn pair_counts<'a>(answers: impl Iterator<Item = &'a Placed>) -> Vec<PairCount> {
    let mut counts: BTreeMap<(usize, usize), PairCount> = BTreeMap::new();
    for answer in answers {
        for (at, better) in answer.order.iter().enumerate() {
            for worse in answer.order.iter().skip(at + 1) {
                let (one, other) = (*better.min(worse), *better.max(worse));
                let count = counts.entry((one, other)).or_insert(PairCount {
                    one,
                    other,
                    one_first: 0,
                    other_first: 0,
                });
                count.one_first += u32::from(better < worse);
                count.other_first += u32::from(worse < better);
            }
        }
    }
    counts.into_values().collect()
}

/// The share of pairs that two answers order the same way, over all pairs of ideas and of answers; `None` if no two answers have two ideas in common.
pub(super) fn agreement(counts: &[PairCount]) -> Option<f64> {
    let twice = |count: u32| f64::from(count) * f64::from(count.saturating_sub(1));
    let same: f64 = counts
        .iter()
        .map(|one| twice(one.one_first) + twice(one.other_first))
        .sum();
    let all: f64 = counts.iter().map(|one| twice(one.one_first + one.other_first)).sum();
    (all > 0.0).then(|| same / all)
}

/// Ranks and intervals by idea number.
pub(super) struct Fitted {
    /// Numbers of ideas, by shared rank.
    pub(super) places: Vec<Vec<u32>>,
    /// In the order of the fit.
    pub(super) intervals: Vec<PositionInterval>,
}

/// Fits the answers. An idea shares the rank of the ideas before it, unless it is below the first of them in 97.5 % of the resamples.
pub(super) fn fitted(ideas: usize, answers: &[Placed]) -> Fitted {
    let mut by_window: BTreeMap<Vec<usize>, Vec<&Placed>> = BTreeMap::new();
    for answer in answers {
        let mut window = answer.shown.clone();
        window.sort_unstable();
        by_window.entry(window).or_default().push(answer);
    }
    let windows: Vec<Vec<PairCount>> = by_window
        .into_values()
        .map(|answers| pair_counts(answers.into_iter()))
        .collect();
    let order = order(&strengths(ideas, &windows, &vec![1; windows.len()]));
    // The answers to a window and to its reverse are not independent, so they are resampled together.
    let mut rng = SeededRng::of(0, &["rank", "windows"]);
    let samples: Vec<Vec<f64>> = (0..SAMPLES)
        .map(|_| {
            let mut times = vec![0_u32; windows.len()];
            for _ in 0..windows.len() {
                if let Some(times) = times.get_mut(rng.below(windows.len())) {
                    *times += 1;
                }
            }
            strengths(ideas, &windows, &times)
        })
        .collect();
    let is_below = |lower: usize, upper: usize| {
        let below = |sample: &&Vec<f64>| match (sample.get(lower), sample.get(upper)) {
            (Some(lower), Some(upper)) => lower * (1.0 + SAME) < *upper,
            _ => false,
        };
        samples.iter().filter(below).count() >= ORDERED
    };
    let positions: Vec<Vec<usize>> = samples.iter().map(|sample| positions(sample)).collect();
    let mut places: Vec<Vec<usize>> = Vec::new();
    for idea in &order {
        match places.last_mut() {
            Some(place) if place.first().is_some_and(|first| !is_below(*idea, *first)) => place.push(*idea),
            _ => places.push(vec![*idea]),
        }
    }
    let interval = |idea: &usize| {
        let mut positions: Vec<usize> = positions.iter().filter_map(|one| one.get(*idea).copied()).collect();
        positions.sort_unstable();
        let at = |index: usize| positions.get(index).map_or(0, |position| number(*position));
        PositionInterval {
            number: number(*idea),
            low: at(OUTSIDE),
            high: at(SAMPLES - 1 - OUTSIDE),
        }
    };
    Fitted {
        intervals: order.iter().map(interval).collect(),
        places: places
            .iter()
            .map(|place| place.iter().copied().map(number).collect())
            .collect(),
    }
}

/// The strength of each idea, each window counted as often as `times` says.
fn strengths(ideas: usize, windows: &[Vec<PairCount>], times: &[u32]) -> Vec<f64> {
    let pairs: Vec<(PairCount, f64)> = windows
        .iter()
        .zip(times)
        .filter(|(_, times)| **times > 0)
        .flat_map(|(window, times)| window.iter().map(|pair| (*pair, f64::from(*times))))
        .collect();
    let (mut wins, mut losses) = (vec![PRIOR; ideas], vec![PRIOR; ideas]);
    let add = |all: &mut Vec<f64>, idea: usize, count: f64| {
        if let Some(sum) = all.get_mut(idea) {
            *sum += count;
        }
    };
    for (pair, times) in &pairs {
        let (one, other) = (f64::from(pair.one_first) * times, f64::from(pair.other_first) * times);
        add(&mut wins, pair.one, one);
        add(&mut losses, pair.other, one);
        add(&mut wins, pair.other, other);
        add(&mut losses, pair.one, other);
    }
    let mut strengths: Vec<f64> = wins.iter().zip(&losses).map(|(wins, losses)| wins / losses).collect();
    for _ in 0..ROUNDS {
        let mut sums: Vec<f64> = strengths.iter().map(|one| 2.0 * PRIOR / (one + 1.0)).collect();
        for (pair, times) in &pairs {
            let (Some(one), Some(other)) = (strengths.get(pair.one), strengths.get(pair.other)) else {
                continue;
            };
            let part = f64::from(pair.one_first + pair.other_first) * times / (one + other);
            add(&mut sums, pair.one, part);
            add(&mut sums, pair.other, part);
        }
        strengths = wins.iter().zip(&sums).map(|(wins, sum)| wins / sum).collect();
    }
    strengths
}

/// The ideas, strongest first.
fn order(strengths: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..strengths.len()).collect();
    let strength = |idea: usize| strengths.get(idea).copied().unwrap_or_default();
    order.sort_by(|a, b| strength(*b).total_cmp(&strength(*a)).then(a.cmp(b)));
    order
}

/// The position of each idea in that order, from 0.
fn positions(strengths: &[f64]) -> Vec<usize> {
    let mut positions = vec![0; strengths.len()];
    for (position, idea) in order(strengths).into_iter().enumerate() {
        if let Some(slot) = positions.get_mut(idea) {
            *slot = position;
        }
    }
    positions
}

/// An index as a number from 1.
pub(super) fn number(at: usize) -> u32 {
    u32::try_from(at + 1).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(order: &[usize]) -> Placed {
        Placed {
            prompt: 0,
            shown: order.to_vec(),
            order: order.to_vec(),
        }
    }

    #[test]
    fn strengths_are_those_of_the_model() {
        // Two wins of three, and half a win and half a loss against strength 1: the strengths s and 1 / s solve 2.5 / s = 3 / (s + 1 / s) + 1 / (s + 1).
        let counts = pair_counts([answer(&[0, 1]), answer(&[0, 1]), answer(&[1, 0])].iter());
        let found = strengths(2, &[counts], &[1]);
        let s: f64 = 1.340_38;
        assert!((2.5 / s - 3.0 / (s + 1.0 / s) - 1.0 / (s + 1.0)).abs() < 1e-4);
        // The common scale of all strengths, which changes no order, converges last.
        assert!((found[0] / found[1] - s * s).abs() < 1e-3, "{found:?}");
    }

    #[test]
    fn a_chain_of_windows_orders_ideas_that_were_never_shown_together() {
        let answers = [answer(&[0, 1, 2]), answer(&[2, 3, 4]), answer(&[4, 5, 6])];
        let windows: Vec<Vec<PairCount>> = answers.iter().map(|one| pair_counts([one].into_iter())).collect();
        assert_eq!(order(&strengths(7, &windows, &[1, 1, 1])), [0, 1, 2, 3, 4, 5, 6]);
        // One answer to each window is too little to give any of them a rank of its own.
        assert!(fitted(7, &answers).places.len() < 7);
    }

    #[test]
    fn ideas_that_no_answer_separates_share_a_rank() {
        let answers = [answer(&[0, 1, 2, 3]), answer(&[0, 2, 1, 3])];
        assert_eq!(fitted(4, &answers).places, [vec![1], vec![2, 3], vec![4]]);
    }

    #[test]
    fn agreement_is_the_share_of_pairs_in_common() {
        let of = |orders: &[&[usize]]| {
            let answers: Vec<Placed> = orders.iter().map(|order| answer(order)).collect();
            agreement(&pair_counts(answers.iter()))
        };
        assert_eq!(of(&[&[0, 1, 2], &[0, 1, 2]]), Some(1.0));
        assert_eq!(of(&[&[0, 1, 2], &[2, 1, 0]]), Some(0.0));
        assert_eq!(of(&[&[0, 1, 2], &[1, 0, 3]]), Some(0.0), "one pair in common");
        assert_eq!(of(&[&[0, 1], &[2, 3]]), None);
    }
}
