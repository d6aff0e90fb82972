use std::collections::BTreeMap;

use precedent_domain::{Hit, WorkId};

/// Damping of reciprocal-rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009).
const DAMPING: f64 = 60.0;

/// A record with what all rankings together say of it.
#[derive(Debug, Clone, PartialEq)]
pub struct FusedHit {
    /// The record, as the ranking gave it that ranks it highest.
    pub hit: Hit,
    /// Sum of `1 / (60 + rank)` over the rankings that name it.
    pub score: f64,
    /// Names of the sources that found it, sorted.
    pub found_by: Vec<String>,
}

/// Reciprocal-rank fusion of rankings (one for each query and source) into one, best first, of equal ones by source and id. The order of the
/// rankings does not matter.
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
            // Summed in rank order: floating point would let the order of the rankings show.
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
    // The map was in order of source and id, and the sort keeps it among equals.
    fused.sort_by(|a, b| b.score.total_cmp(&a.score));
    fused
}
