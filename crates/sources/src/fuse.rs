use std::collections::BTreeMap;

use precedent_domain::{Hit, WorkId};

/// Damping of reciprocal-rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009).
const DAMPING: f64 = 60.0;

/// A record with its combined score over all rankings.
#[derive(Debug, Clone, PartialEq)]
pub struct FusedHit {
    /// The record, from the ranking that has it highest.
    pub hit: Hit,
    /// Sum of `1 / (60 + rank)` over the rankings that contain it.
    pub score: f64,
    /// Names of the sources that found it, sorted.
    pub found_by: Vec<String>,
}

/// Fuses rankings (one for each query and source) into one by reciprocal rank, best first, ties by source and id. The order of the rankings does not
/// matter.
#[must_use]
pub fn fuse(rankings: &[Vec<Hit>]) -> Vec<FusedHit> {
    let mut by_record: BTreeMap<(&str, &WorkId), Vec<(usize, &Hit)>> = BTreeMap::new();
    for ranking in rankings {
        for (rank, hit) in (1..).zip(ranking) {
            let record = by_record.entry((&hit.source, &hit.work.id)).or_default();
            record.push((rank, hit));
        }
    }
    let mut fused: Vec<FusedHit> = by_record
        .into_values()
        .filter_map(|mut places| {
            // Summed in rank order, because floating-point addition would depend on the order of the rankings.
            places.sort_by_key(|&(rank, _)| rank);
            let score = places.iter().map(|&(rank, _)| 1.0 / (DAMPING + rank as f64)).sum();
            let (_, hit) = places.first()?;
            Some(FusedHit {
                hit: (*hit).clone(),
                score,
                found_by: vec![hit.source.clone()],
            })
        })
        .collect();
    // The map was ordered by source and id, and the stable sort keeps that order among ties.
    fused.sort_by(|a, b| b.score.total_cmp(&a.score));
    fused
}
