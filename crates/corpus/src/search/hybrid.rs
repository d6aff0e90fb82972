//! Hybrid search: the weighted sum of a BM25 score, a vector similarity and how well the title fits.
//!
//! Uses pseudo-relevance feedback: the mean vector of the best works by BM25 is added to the query vector, which helps to find works in other words.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::rank::{Place, Scored, Weighted, best, best_first, leaders};
use crate::CorpusError;
use crate::analysis::terms;
use crate::embed::{Vector, model};
use crate::store::Snapshot;

/// Number of best works by BM25 whose vectors are added to the query. The score of the last one is the unit of all weights.
const FEEDBACK: usize = 10;
/// Weight of the mean vector of these works, relative to the query's own vector. `docs/benchmarks.md`, "Ranking quality", compares three values.
const MIDDLE: f32 = 1.0;
/// Number of best works by words and vectors whose titles are compared with the query. Chosen by hand, to bound the time.
pub(super) const TITLES: usize = 1_000;
/// Minimum sum of both similarities of a result that has no word in common with the query. Chosen by hand: with 0.3, the figures for the first 100
/// results of five query sets are the same.
const LEAST_SIMILARITY: f32 = 0.4;

/// Weights of what is added to BM25 scores, fitted to queries with known results by `cargo xtask train ranking`: of the similarity to the query plus
/// that to the mean of the best works, of the share of the title's terms that are in the query, and of the natural logarithm of one plus the number of
/// terms in the title.
pub(super) const SIMILARITY: f32 = 0.91;
const TITLE_SHARE: f32 = 0.49;
const TITLE_LENGTH: f32 = -0.09;

/// How quickly the vectors lose weight if the table does not know the query's words: the known share, by weight, is raised to this power. Otherwise a
/// table learned in one field would rank noise above the words of another.
const TRUST: i32 = 4;

/// With cells: the share of works scanned, in the cells closest to the query, and the number of best works by BM25 scanned in addition. Chosen by
/// recall and run time, see `docs/benchmarks.md`.
const LOOKED_AT: f32 = 0.06;
const LEADERS: usize = 4096;

/// Adds the similarities to BM25 scores, and returns the unit of all weights. `None`, with unchanged scores, if there are no vectors, or none of the
/// query's words has one or is in the corpus.
pub(super) fn blend(
    snapshot: &Snapshot,
    counts: &BTreeMap<String, u32>,
    weighted: &[Weighted],
    scored: &mut [Scored<'_>],
    exact: bool,
) -> Result<Option<f32>, CorpusError> {
    let Some(model) = model() else { return Ok(None) };
    if snapshot.vectors.len() != snapshot.segments.len() {
        return Ok(None);
    }
    let rows = counts
        .iter()
        .filter_map(|(term, &count)| Some((model.row(term)?, count)));
    let own = Vector::of_rows(model, rows);
    if own.is_zero() || weighted.is_empty() {
        return Ok(None);
    }
    let all: f32 = weighted.iter().map(|one| one.text).sum();
    let known = weighted.iter().filter(|one| model.row(&one.term).is_some());
    let trust = (known.map(|one| one.text).sum::<f32>() / all.max(f32::MIN_POSITIVE)).powi(TRUST);
    let first = best(snapshot, scored, FEEDBACK)?;
    let unit = first.last().map_or(1.0, |(place, _)| place.score);
    let middle = Vector::middle(
        first
            .iter()
            .filter_map(|(place, _)| snapshot.vectors.get(place.segment)?.get(place.doc)),
    );
    let query = own.plus(MIDDLE, &middle);
    let share = unit * SIMILARITY * trust;
    let blended = |score: f32, near: f32| {
        if score > 0.0 || near >= LEAST_SIMILARITY {
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
    Ok(Some(unit))
}

/// Ranking features of a title: the share of its terms that are in the query, and the natural logarithm of one plus their number.
pub(super) fn title_features(title: &str, counts: &BTreeMap<String, u32>) -> (f32, f32) {
    let terms = terms(title);
    let shared = terms.iter().filter(|term| counts.contains_key(*term)).count();
    (shared as f32 / terms.len().max(1) as f32, (terms.len() as f32).ln_1p())
}

/// Adds how well the titles fit to the scores of the first [`TITLES`] results, and orders these anew. `title` returns the title of a result.
pub(super) fn add_titles(
    counts: &BTreeMap<String, u32>,
    unit: f32,
    found: &mut [(Place, String)],
    title: impl Fn(Place, &str) -> Result<String, CorpusError> + Sync,
) -> Result<(), CorpusError> {
    let (first, rest) = found.split_at_mut(TITLES.min(found.len()));
    first.par_iter_mut().try_for_each(|(place, id)| {
        let (share, length) = title_features(&title(*place, id)?, counts);
        place.score += unit * (TITLE_SHARE * share + TITLE_LENGTH * length);
        Ok::<_, CorpusError>(())
    })?;
    first.sort_by(best_first);
    let lowest = first.last().map_or(f32::MAX, |(place, _)| place.score);
    for (place, _) in rest {
        place.score = place.score.min(lowest);
    }
    Ok(())
}
