//! Hybrid search: the weighted sum of BM25 scores and vector similarities.
//!
//! Uses pseudo-relevance feedback: the mean vector of the best works by BM25 is added to the query vector, which helps to find works in other words.

use std::collections::BTreeMap;

use super::rank::{Scored, Weighted, best, leaders};
use crate::CorpusError;
use crate::embed::{Vector, model};
use crate::store::Snapshot;

/// Number of best works by BM25 whose vectors are added to the query. The score of the last one is the scale for similarities.
const FEEDBACK: usize = 10;
/// Weight of a similarity of 1, in units of that scale. Chosen on the tuning halves of five query sets.
const NEARNESS: f32 = 1.0;
/// Weight of the mean vector of the best works relative to the query's own vector.
const MIDDLE: f32 = 0.5;
/// Minimum similarity of a result that has no word in common with the query.
const NEAR_WITHOUT_WORDS: f32 = 0.3;

/// How quickly the vectors lose weight if the table does not know the query's words: the known share, by weight, is raised to this power. Otherwise a
/// table learned in one field would rank noise above the words of another.
const TRUST: i32 = 4;

/// With cells: the share of works scanned, in the cells closest to the query, and the number of best works by BM25 scanned in addition. Chosen by
/// recall and run time, see `docs/benchmarks.md`.
const LOOKED_AT: f32 = 0.06;
const LEADERS: usize = 4096;

/// Adds the similarities to BM25 scores. Leaves the scores unchanged if there are no vectors, or none of the query's words has one.
pub(super) fn blend(
    snapshot: &Snapshot,
    counts: &BTreeMap<String, u32>,
    weighted: &[Weighted],
    scored: &mut [Scored<'_>],
    exact: bool,
) -> Result<(), CorpusError> {
    let Some(model) = model() else { return Ok(()) };
    if snapshot.vectors.len() != snapshot.segments.len() {
        return Ok(());
    }
    let rows = counts
        .iter()
        .filter_map(|(term, &count)| Some((model.row(term)?, count)));
    let own = Vector::of_rows(model, rows);
    if own.is_zero() {
        return Ok(());
    }
    let all: f32 = weighted.iter().map(|one| one.text).sum();
    let known = weighted.iter().filter(|one| model.row(&one.term).is_some());
    let trust = (known.map(|one| one.text).sum::<f32>() / all.max(f32::MIN_POSITIVE)).powi(TRUST);
    let first = best(snapshot, scored, FEEDBACK)?;
    let scale = first.last().map_or(1.0, |(place, _)| place.score);
    let middle = Vector::middle(
        first
            .iter()
            .filter_map(|(place, _)| snapshot.vectors.get(place.segment)?.get(place.doc)),
    );
    let query = own.plus(MIDDLE, &middle);
    let share = scale * NEARNESS * trust;
    let blended = |score: f32, near: f32| {
        if score > 0.0 || near >= NEAR_WITHOUT_WORDS {
            (score + share * near).max(f32::MIN_POSITIVE)
        } else {
            score
        }
    };
    let celled = !exact && snapshot.cells.iter().any(Option::is_some);
    let leaders = if celled { leaders(scored, LEADERS) } else { Vec::new() };
    for (number, (segment, vectors)) in scored.iter_mut().zip(&snapshot.vectors).enumerate() {
        match snapshot.cells.get(number) {
            Some(Some(cells)) if celled => {
                let leaders = leaders.get(number).map(Vec::as_slice).unwrap_or_default();
                vectors.blend_near((cells, LOOKED_AT), &query, leaders, &mut segment.scores, blended);
            }
            _ => vectors.blend_all(&query, &mut segment.scores, blended),
        }
    }
    Ok(())
}
