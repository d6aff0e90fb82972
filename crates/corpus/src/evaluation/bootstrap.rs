use serde::Serialize;

/// Number of resamples.
const SAMPLES: usize = 2000;
/// Share cut off at either end.
const TAIL: f64 = 0.025;

/// A mean with its 95 % bootstrap interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// The mean.
    pub mean: f64,
    /// 2.5th percentile of the resampled means.
    pub low: f64,
    /// 97.5th percentile.
    pub high: f64,
}

/// Percentile bootstrap over queries. To compare two searches, pass their differences per query, which gives the interval of the paired difference.
/// The result depends only on the values and the seed.
#[must_use]
pub fn interval(values: &[f64], seed: u64) -> Interval {
    let count = values.len();
    if count == 0 {
        return Interval {
            mean: 0.0,
            low: 0.0,
            high: 0.0,
        };
    }
    let mut state = seed;
    let mut means: Vec<f64> = (0..SAMPLES)
        .map(|_| {
            let drawn = (0..count).filter_map(|_| values.get(below(&mut state, count)));
            drawn.sum::<f64>() / count as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    let at = |part: f64| {
        let place = (part * (SAMPLES - 1) as f64).round() as usize;
        means.get(place).copied().unwrap_or(0.0)
    };
    Interval {
        mean: values.iter().sum::<f64>() / count as f64,
        low: at(TAIL),
        high: at(1.0 - TAIL),
    }
}

/// A random number below `bound`, by SplitMix64 (Steele, Lea, Flood 2014).
fn below(state: &mut u64, bound: usize) -> usize {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^= mixed >> 31;
    ((u128::from(mixed) * bound as u128) >> 64) as usize
}
