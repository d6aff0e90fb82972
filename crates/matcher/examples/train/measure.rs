//! Order, sensitivity and calibration of weights on lists that they were not trained on.

use precedent_matcher::{OTHERS, Weights};

use crate::lists::List;

/// Results of each claim that are used for training the second regression and for the calibration.
const BEST: usize = 5;
/// Bins of the calibration error.
const BINS: usize = 10;
/// Steps of the bounds that are tried.
const STEPS: usize = 1_000;

/// The result of the matcher for one claim.
pub(crate) struct Outcome {
    /// Number of papers before the stating one; `None` if the search did not find it.
    place: Option<usize>,
    /// The same in the order of the search.
    searched: Option<usize>,
    /// Probabilities of the best papers, and whether they state the claim.
    with: Vec<(f64, bool)>,
    /// Probabilities of the best papers if the stating one is left out.
    without: Vec<f64>,
    /// Probability of the stating paper.
    stating: f64,
}

/// Scores of the papers that the search found, with their index, best first; without the stating paper if `without`.
fn scores(weights: &Weights, list: &List, without: bool) -> Vec<(usize, f64)> {
    let is_left_out = without || list.found.is_none();
    let mut scores: Vec<(usize, f64)> = list
        .features
        .iter()
        .map(|features| weights.score(features))
        .enumerate()
        .filter(|(at, _)| !(is_left_out && list.stating == Some(*at)))
        .collect();
    scores.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    scores
}

fn others(scores: &[(usize, f64)], place: usize) -> Vec<f64> {
    let all = scores.iter().enumerate();
    all.filter(|(at, _)| *at != place)
        .map(|(_, (_, score))| *score)
        .take(OTHERS)
        .collect()
}

fn probabilities(weights: &Weights, scores: &[(usize, f64)]) -> Vec<(usize, f64)> {
    let placed = scores.iter().enumerate();
    placed
        .map(|(place, (at, score))| (*at, weights.probability(*score, &others(scores, place))))
        .collect()
}

/// The usual score of a paper that is among the best for a claim and does not state it: the median, over the lists, of the mean of the best five.
pub(crate) fn usual_score(weights: &Weights, lists: &[&List]) -> f64 {
    let mut means: Vec<f64> = lists
        .iter()
        .map(|list| {
            let best = scores(weights, list, true).into_iter().take(OTHERS);
            best.map(|(_, score)| score).sum::<f64>() / OTHERS as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    let median = means.get(means.len() / 2).copied().unwrap_or_default();
    (median * 100.0).round() / 100.0
}

/// Rows for the second regression: score and margin of the best papers.
pub(crate) fn list_rows(weights: &Weights, list: &List, without: bool) -> Vec<(Vec<f64>, bool)> {
    let scores = scores(weights, list, without);
    let best = scores.iter().enumerate().take(BEST);
    best.map(|(place, (at, score))| {
        let margin = weights.margin(*score, &others(&scores, place));
        (vec![*score, margin], list.stating == Some(*at))
    })
    .collect()
}

impl Outcome {
    pub(crate) fn of(weights: &Weights, list: &List) -> Self {
        let with = probabilities(weights, &scores(weights, list, false));
        let without = probabilities(weights, &scores(weights, list, true));
        let place = with.iter().position(|(at, _)| list.stating == Some(*at));
        Self {
            place,
            searched: list.found,
            stating: place.and_then(|at| with.get(at)).map_or(0.0, |(_, p)| *p),
            with: with
                .iter()
                .take(BEST)
                .map(|(at, p)| (*p, list.stating == Some(*at)))
                .collect(),
            without: without.iter().take(BEST).map(|(_, p)| *p).collect(),
        }
    }
}

/// The lowest bound at which at most `share` of the claims have a flagged paper although no paper states them.
pub(crate) fn bound(outcomes: &[Outcome], share: f64) -> f64 {
    let steps = (0..=STEPS).map(|step| step as f64 / STEPS as f64);
    steps
        .into_iter()
        .find(|&bound| flagged_without(outcomes, bound) <= share)
        .unwrap_or(1.0)
}

fn flagged_without(outcomes: &[Outcome], bound: f64) -> f64 {
    share(outcomes, |outcome| outcome.without.iter().any(|p| *p >= bound))
}

fn share(outcomes: &[Outcome], holds: impl Fn(&Outcome) -> bool) -> f64 {
    outcomes.iter().filter(|outcome| holds(outcome)).count() as f64 / outcomes.len().max(1) as f64
}

pub(crate) fn print(outcomes: &[Outcome]) {
    for first in [1, 3, 10] {
        let within = share(outcomes, |outcome| outcome.place.is_some_and(|place| place < first));
        let searched = share(outcomes, |outcome| outcome.searched.is_some_and(|place| place < first));
        println!("  stating paper in the first {first:>2}: {within:.3} (search: {searched:.3})");
    }
    for false_alarms in [0.05, 0.1, 0.2] {
        let bound = bound(outcomes, false_alarms);
        let flagged = share(outcomes, |outcome| outcome.stating >= bound);
        println!(
            "  false alarms for {false_alarms:.2} of the claims at {bound:.3}: stating paper flagged for {flagged:.3}"
        );
    }
    println!(
        "  expected calibration error of the best {BEST}, with and without: {:.3}",
        calibration(outcomes)
    );
}

/// The share of the claims that have a marked paper in a corpus without stating papers.
pub(crate) fn print_false_alarms(corpus: &str, weights: &Weights, lists: &[List], bound: f64) {
    let marked = lists.iter().filter(|list| {
        let best = probabilities(weights, &scores(weights, list, true));
        best.iter().any(|(_, p)| *p >= bound)
    });
    println!(
        "{corpus}: false alarms for {} of {} claims",
        marked.count(),
        lists.len()
    );
}

/// What the level `similar` means: how many marked papers state the claim, in equal parts of claims with and without a stating paper.
pub(crate) fn print_level(corpus: &str, outcomes: &[Outcome], bound: f64) {
    let flagged = |pairs: &[(f64, bool)]| {
        pairs
            .iter()
            .filter(|(p, _)| *p >= bound)
            .map(|(_, stated)| *stated)
            .collect()
    };
    let with: Vec<bool> = outcomes
        .iter()
        .flat_map(|outcome| -> Vec<bool> { flagged(&outcome.with) })
        .collect();
    let without = outcomes
        .iter()
        .flat_map(|outcome| &outcome.without)
        .filter(|p| **p >= bound)
        .count();
    let right = with.iter().filter(|stated| **stated).count();
    if !outcomes.is_empty() {
        println!(
            "{corpus}: {right} of {} marked papers state the claim, {} of {} stating papers are marked",
            with.len() + without,
            outcomes.iter().filter(|outcome| outcome.stating >= bound).count(),
            outcomes.len()
        );
    }
}

fn calibration(outcomes: &[Outcome]) -> f64 {
    let mut bins = vec![(0.0_f64, 0.0_f64, 0.0_f64); BINS];
    let pairs = outcomes.iter().flat_map(|outcome| {
        outcome
            .with
            .iter()
            .copied()
            .chain(outcome.without.iter().map(|p| (*p, false)))
    });
    let mut all = 0.0;
    for (p, stated) in pairs {
        let at = ((p * BINS as f64) as usize).min(BINS - 1);
        if let Some(bin) = bins.get_mut(at) {
            *bin = (bin.0 + 1.0, bin.1 + p, bin.2 + f64::from(stated));
            all += 1.0;
        }
    }
    for (at, (count, estimated, stated)) in bins.iter().enumerate().filter(|(_, bin)| bin.0 > 0.0) {
        println!(
            "    {:.1}-{:.1}: {count:>5} papers, estimated {:.3}, stated {:.3}",
            at as f64 / BINS as f64,
            (at + 1) as f64 / BINS as f64,
            estimated / count,
            stated / count
        );
    }
    bins.iter()
        .map(|(_, estimated, stated)| (estimated - stated).abs())
        .sum::<f64>()
        / f64::max(all, 1.0)
}
