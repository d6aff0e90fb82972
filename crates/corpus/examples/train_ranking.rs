//! Fits the weights of a hybrid ranking: `train_ranking CORPUS=SET...`, run by `cargo xtask train ranking`.
//!
//! A SET is a folder with `queries.jsonl` and `qrels.tsv`, as for `measure queries`; CORPUS is the corpus that holds its works. The weights are fitted
//! on the tuning halves of the sets, which count equally. Each relevant work should score higher than the works that are not relevant (softmax).
//! Prints the weights relative to BM25, and figures of the held-out halves with all weights and without each of them.
#![expect(clippy::print_stdout, reason = "this is the printer")]

use std::error::Error;
use std::path::Path;

use precedent_corpus::evaluation::{Half, JudgedSet, Measure, Measures, interval};
use precedent_corpus::{Corpus, RankingFeatures, SearchOptions};
use rayon::prelude::*;

/// Number of weights.
const WIDTH: usize = 4;
const NAMES: [&str; WIDTH] = ["words", "similarity", "title_share", "title_length"];
/// Steps of gradient descent, their size and momentum.
const STEPS: usize = 400;
const STEP: f64 = 0.3;
const MOMENTUM: f64 = 0.9;
/// Factor of the squares of the weights that is added to the loss, so that a feature that says nothing has no weight.
const PENALTY: f64 = 1e-3;

/// The results of a query.
struct Ranked {
    half: Half,
    rows: Vec<[f64; WIDTH]>,
    relevant: Vec<bool>,
    /// Number of relevant works, found or not.
    all: usize,
}

/// The queries of a set.
struct Queries {
    name: String,
    ranked: Vec<Ranked>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let sets: Vec<Queries> = arguments
        .iter()
        .map(|argument| {
            let (corpus, set) = argument.split_once('=').ok_or("usage: train_ranking CORPUS=SET...")?;
            read(corpus, set)
        })
        .collect::<Result<_, Box<dyn Error>>>()?;
    if tuning(&sets).next().is_none() {
        return Err("no query of the tuning halves finds a relevant work; usage: train_ranking CORPUS=SET...".into());
    }
    let all = fit(&sets, None);
    let relative: Vec<String> = NAMES
        .iter()
        .zip(all)
        .map(|(name, weight)| format!("{name} {:.2}", weight / all[0]))
        .collect();
    println!("{}", relative.join(", "));
    print("all", &sets, &all);
    for (at, name) in NAMES.iter().enumerate() {
        print(&format!("without {name}"), &sets, &fit(&sets, Some(at)));
    }
    Ok(())
}

fn read(corpus: &str, set: &str) -> Result<Queries, Box<dyn Error>> {
    let corpus = Corpus::open(corpus)?;
    let set = JudgedSet::read(Path::new(set))?;
    let ranked = set
        .queries
        .par_iter()
        .map(|query| {
            let options = SearchOptions {
                exclude: query.exclude.clone(),
                exact: true,
                ..SearchOptions::default()
            };
            let found = corpus.ranking_features(&query.text, &options)?;
            Ok(Ranked {
                half: query.half(),
                rows: found.iter().map(row).collect(),
                relevant: found
                    .iter()
                    .map(|one| query.relevant.contains(one.id.as_str()))
                    .collect(),
                all: query.relevant.len(),
            })
        })
        .collect::<Result<_, precedent_corpus::CorpusError>>()?;
    Ok(Queries { name: set.name, ranked })
}

fn row(one: &RankingFeatures) -> [f64; WIDTH] {
    [one.words, one.similarity, one.title_share, one.title_length].map(f64::from)
}

fn dot(row: &[f64; WIDTH], weights: &[f64; WIDTH]) -> f64 {
    row.iter().zip(weights).map(|(value, weight)| value * weight).sum()
}

/// The weights with the lowest loss on the tuning halves; the one at `left_out` is zero.
fn fit(sets: &[Queries], left_out: Option<usize>) -> [f64; WIDTH] {
    let spreads = spreads(sets);
    let (mut weights, mut speed) = ([0.0; WIDTH], [0.0; WIDTH]);
    for _ in 0..STEPS {
        let gradient = gradient(sets, &weights);
        for (at, (weight, speed)) in weights.iter_mut().zip(&mut speed).enumerate() {
            if left_out == Some(at) {
                continue;
            }
            // Steps and penalty are those of features with a standard deviation of 1.
            let (slope, spread) = (
                gradient.get(at).copied().unwrap_or(0.0),
                spreads.get(at).copied().unwrap_or(1.0),
            );
            *speed = MOMENTUM * *speed - STEP * (slope / spread + 2.0 * PENALTY * *weight * spread) / spread;
            *weight += *speed;
        }
    }
    weights
}

/// Standard deviation of each feature.
fn spreads(sets: &[Queries]) -> [f64; WIDTH] {
    let (mut sums, mut squares, mut count) = ([0.0; WIDTH], [0.0; WIDTH], 0.0);
    for row in tuning(sets).flat_map(|(one, _)| &one.rows) {
        count += 1.0;
        for ((sum, square), value) in sums.iter_mut().zip(&mut squares).zip(row) {
            *sum += value;
            *square += value * value;
        }
    }
    let mut spreads = [1.0; WIDTH];
    for ((spread, sum), square) in spreads.iter_mut().zip(sums).zip(squares) {
        *spread = (square / count - (sum / count) * (sum / count)).sqrt().max(1e-6);
    }
    spreads
}

/// The queries of the tuning halves with something to learn from, and the weight of each.
fn tuning(sets: &[Queries]) -> impl Iterator<Item = (&Ranked, f64)> {
    sets.iter().flat_map(move |set| {
        let usable =
            |one: &&Ranked| one.half == Half::Tuning && one.relevant.contains(&true) && one.relevant.contains(&false);
        let count = set.ranked.iter().filter(usable).count() * sets.len();
        set.ranked
            .iter()
            .filter(usable)
            .map(move |one| (one, 1.0 / count as f64))
    })
}

/// Gradient of the loss: for each relevant work, minus the logarithm of its share among itself and the works that are not relevant.
fn gradient(sets: &[Queries], weights: &[f64; WIDTH]) -> [f64; WIDTH] {
    let mut slope = [0.0; WIDTH];
    for (one, count) in tuning(sets) {
        let scores: Vec<f64> = one.rows.iter().map(|row| dot(row, weights)).collect();
        let most = scores.iter().copied().fold(f64::MIN, f64::max);
        let (mut others, mut pull) = (0.0, [0.0; WIDTH]);
        let scored = || one.rows.iter().zip(&scores).zip(&one.relevant);
        for ((row, score), _) in scored().filter(|(_, relevant)| !**relevant) {
            let share = (score - most).exp();
            others += share;
            pull.iter_mut().zip(row).for_each(|(sum, value)| *sum += share * value);
        }
        let hits = one.relevant.iter().filter(|relevant| **relevant).count() as f64;
        for ((row, score), _) in scored().filter(|(_, relevant)| **relevant) {
            let own = (score - most).exp();
            for ((slope, value), pull) in slope.iter_mut().zip(row).zip(pull) {
                *slope += count / hits * (pull - others * value) / (own + others);
            }
        }
    }
    slope
}

/// Prints figures of the held-out halves.
fn print(label: &str, sets: &[Queries], weights: &[f64; WIDTH]) {
    let wanted = ["R@50", "R@100", "nDCG@10"];
    for set in sets {
        let measured: Vec<Measures> = set
            .ranked
            .iter()
            .filter(|one| one.half == Half::HeldOut)
            .map(|one| {
                let mut order: Vec<(f64, bool)> = one
                    .rows
                    .iter()
                    .map(|row| dot(row, weights))
                    .zip(one.relevant.iter().copied())
                    .collect();
                order.sort_by(|a, b| b.0.total_cmp(&a.0));
                let hits: Vec<bool> = order.into_iter().map(|(_, relevant)| relevant).collect();
                Measures::of(&hits, one.all)
            })
            .collect();
        let figures = Measure::ALL.iter().filter(|measure| wanted.contains(&measure.name()));
        let figures = figures.map(|&measure| {
            let values: Vec<f64> = measured.iter().map(|one| one.get(measure)).collect();
            format!("{} {:.3}", measure.name(), interval(&values, 1).mean)
        });
        println!(
            "{label:<22} {:<22} {}",
            set.name,
            figures.collect::<Vec<_>>().join("  ")
        );
    }
}
