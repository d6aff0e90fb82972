use serde::Serialize;

/// Ranking depth that covers every measure.
pub const DEEPEST: usize = 1000;
/// Depth up to which the reciprocal rank looks for a hit.
const MRR_DEPTH: usize = 100;

/// A measure of ranking quality, between 0 and 1; higher is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Share of the relevant works among the first 10 results.
    RecallAt10,
    /// … the first 50.
    RecallAt50,
    /// … the first 100.
    RecallAt100,
    /// … the first 1,000.
    RecallAt1000,
    /// The reciprocal rank of the first hit; 0 if there is none in the first 100.
    Mrr,
    /// Normalized discounted cumulative gain of the first 10, with binary judgements.
    NdcgAt10,
}

impl Measure {
    /// All measures, in display order.
    pub const ALL: [Self; 6] = [
        Self::RecallAt10,
        Self::RecallAt50,
        Self::RecallAt100,
        Self::RecallAt1000,
        Self::Mrr,
        Self::NdcgAt10,
    ];

    /// Its name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::RecallAt10 => "R@10",
            Self::RecallAt50 => "R@50",
            Self::RecallAt100 => "R@100",
            Self::RecallAt1000 => "R@1000",
            Self::Mrr => "MRR",
            Self::NdcgAt10 => "nDCG@10",
        }
    }
}

/// The measures of one ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measures {
    recalls: [f64; 4],
    mrr: f64,
    ndcg: f64,
}

impl Measures {
    /// Computes the measures of a ranking given as hits and misses, for `relevant` (at least one) works in total.
    #[must_use]
    pub fn of(hits: &[bool], relevant: usize) -> Self {
        let wanted = relevant.max(1);
        let recall = |depth: usize| {
            let found = hits.iter().take(depth).filter(|&&hit| hit).count();
            found as f64 / wanted as f64
        };
        let gain = |place: usize| 1.0 / (place as f64 + 2.0).log2();
        let ideal: f64 = (0..wanted.min(10)).map(gain).sum();
        let got: f64 = (0..10)
            .zip(hits)
            .filter(|&(_, &hit)| hit)
            .map(|(place, _)| gain(place))
            .sum();
        let first = hits.iter().take(MRR_DEPTH).position(|&hit| hit);
        Self {
            recalls: [recall(10), recall(50), recall(100), recall(1000)],
            mrr: first.map_or(0.0, |place| 1.0 / (place as f64 + 1.0)),
            ndcg: got / ideal,
        }
    }

    /// The value of one measure.
    #[must_use]
    pub fn get(&self, measure: Measure) -> f64 {
        let [at_10, at_50, at_100, at_1000] = self.recalls;
        match measure {
            Measure::RecallAt10 => at_10,
            Measure::RecallAt50 => at_50,
            Measure::RecallAt100 => at_100,
            Measure::RecallAt1000 => at_1000,
            Measure::Mrr => self.mrr,
            Measure::NdcgAt10 => self.ndcg,
        }
    }
}
