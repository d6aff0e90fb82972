//! Words and vectors together: BM25 plus how near the vectors are, on one scale.
//!
//! The best by words tell what the query is about: their middle is taken into the query's vector, which carries it past the words it is put in.

use std::collections::BTreeMap;

use super::rank::{Scored, Weighted, best, leaders};
use crate::CorpusError;
use crate::embed::{Vector, model};
use crate::store::Snapshot;

/// Works, best by words, whose vectors are taken into the query's; the score of the last of them is the scale.
const FEEDBACK: usize = 10;
/// What a vector in full agreement adds, in scales. Chosen on the tuning halves of five sets of queries.
const NEARNESS: f32 = 1.0;
/// Weight of the middle of the best works beside the query's own vector.
const MIDDLE: f32 = 0.5;
/// Without a word in common a work must be at least this near to be a result.
const NEAR_WITHOUT_WORDS: f32 = 0.3;

/// How fast vectors lose their say where the table does not know the query's words: the known share, by weight, is raised to this. A table
/// learned in one field would else put noise before the words of another.
const TRUST: i32 = 4;

/// Where vectors lie in cells: share of the works that are looked at, in the cells nearest to the query, and
/// how many of the best by words are looked at besides. Chosen by what is missed and how long it takes, see `docs/benchmarks.md`.
const LOOKED_AT: f32 = 0.06;
const LEADERS: usize = 4096;

/// Adds the share of the vectors to scores by words. Leaves them as they are where there are no vectors, or none of the words has one.
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
