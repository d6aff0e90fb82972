//! Figures with bootstrap intervals, for benchmarks.

use std::collections::BTreeMap;

use serde::Serialize;

/// Bootstrap samples.
const SAMPLES: usize = 2_000;

/// A figure with its 95 % bootstrap interval. Ideas that share papers are resampled together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Clustered {
    /// The figure.
    pub value: f64,
    /// 2.5th percentile.
    pub low: f64,
    /// 97.5th percentile.
    pub high: f64,
}

/// The mean of values over ideas, with its interval.
#[must_use]
pub fn recall_at(values: &[f64], groups: &[usize], seed: u64) -> Clustered {
    clustered(values, groups, seed, &|all| {
        all.iter().sum::<f64>() / all.len().max(1) as f64
    })
}

/// A figure with its bootstrap interval; whole groups are resampled together.
pub(crate) fn clustered<T: Clone>(values: &[T], groups: &[usize], seed: u64, of: &dyn Fn(&[T]) -> f64) -> Clustered {
    let mut members: BTreeMap<usize, Vec<T>> = BTreeMap::new();
    for (value, group) in values.iter().zip(groups) {
        members.entry(*group).or_default().push(value.clone());
    }
    let members: Vec<Vec<T>> = members.into_values().collect();
    let mut state = seed;
    let mut drawn: Vec<f64> = (0..SAMPLES)
        .map(|_| {
            let sample = (0..members.len()).filter_map(|_| members.get(below(&mut state, members.len())));
            of(&sample.flatten().cloned().collect::<Vec<T>>())
        })
        .collect();
    drawn.sort_by(f64::total_cmp);
    let at = |thousandths: usize| {
        drawn
            .get((SAMPLES - 1) * thousandths / 1_000)
            .copied()
            .unwrap_or_default()
    };
    Clustered {
        value: of(values),
        low: at(25),
        high: at(975),
    }
}

/// A random number below `bound`, by SplitMix64 (Steele, Lea, Flood 2014).
fn below(state: &mut u64, bound: usize) -> usize {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^= mixed >> 31;
    usize::try_from((u128::from(mixed) * bound as u128) >> 64).unwrap_or_default()
}
