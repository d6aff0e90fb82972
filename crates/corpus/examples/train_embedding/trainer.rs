#![expect(
    clippy::indexing_slicing,
    reason = "the hot loops of training; every index is a row, a pair or a dimension counted just before"
)]

use std::collections::BTreeMap;
use std::time::Instant;

use rayon::prelude::*;

use crate::Recipe;
use crate::bags::{Bag, SeededRandom};
use crate::matrix::{DIMENSIONS, inner_products, turned, weighted_sums};
use crate::pairs::Pairs;
use crate::table::Table;
use crate::texts::Texts;

/// Scale of the initial vectors. Rare terms start longer, because they are more informative.
const START: f32 = 0.03;
/// Number of progress reports.
const REPORTS: usize = 10;

/// Trains the table.
pub(crate) fn train(texts: &Texts, recipe: &Recipe) -> Table {
    let (mut table, rows) = start(texts, recipe);
    let pairs = Pairs::new(texts, &rows, recipe.mix);
    let fields = fields(texts, recipe.batch);
    let everything: Vec<u32> = (0..texts.papers.len() as u32).collect();
    let steps = (texts.papers.len() as f32 * recipe.epochs / recipe.batch as f32) as usize;
    let mut random = SeededRandom(recipe.seed);
    let mut seen = vec![0.0_f32; table.len()];
    let (mut loss, began) = (0.0, Instant::now());
    for step in 0..steps {
        let pool = if random.unit() < recipe.one_field {
            pick(&fields, &mut random).unwrap_or(&everything)
        } else {
            &everything
        };
        let drawn: Vec<(u32, u64)> = (0..recipe.batch)
            .map(|_| (pool[random.below(pool.len())], random.next()))
            .collect();
        let size = recipe.step * (1.0 - step as f32 / steps as f32);
        loss += learn(&mut table, &mut seen, &pairs, &drawn, size, recipe.temperature);
        if (step + 1) % (steps / REPORTS).max(1) == 0 {
            let mean = loss / (steps / REPORTS).max(1) as f32;
            println!(
                "{}/{steps} batches, loss {mean:.4}, {:.0} s",
                step + 1,
                began.elapsed().as_secs_f32()
            );
            loss = 0.0;
        }
    }
    table
}

/// The initial table, and the row of each term. The terms in the most texts get a row with a random vector.
fn start(texts: &Texts, recipe: &Recipe) -> (Table, Vec<Option<u32>>) {
    let mut counts = vec![0_u32; texts.terms.len()];
    for paper in &texts.papers {
        let mut terms: Vec<u32> = paper.title.iter().chain(&paper.summary).copied().collect();
        terms.sort_unstable();
        terms.dedup();
        terms.iter().for_each(|&term| counts[term as usize] += 1);
    }
    let mut kept: Vec<usize> = (0..counts.len())
        .filter(|&term| counts[term] >= recipe.least_texts)
        .collect();
    kept.sort_by(|&a, &b| {
        counts[b]
            .cmp(&counts[a])
            .then_with(|| texts.terms[a].cmp(&texts.terms[b]))
    });
    kept.truncate(recipe.rows);
    let mut rows = vec![None; counts.len()];
    let mut vectors = vec![0.0; kept.len() * DIMENSIONS];
    let all = texts.papers.len() as f32;
    for (row, (&term, vector)) in kept.iter().zip(vectors.chunks_exact_mut(DIMENSIONS)).enumerate() {
        rows[term] = Some(row as u32);
        let rarity = (1.0 + all / counts[term] as f32).ln();
        let mut random = SeededRandom(recipe.seed ^ ((row as u64 + 1) << 20));
        for value in vector {
            let drawn: f32 = (0..4).map(|_| random.unit() - 0.5).sum();
            *value = drawn * rarity * START;
        }
    }
    let terms = kept.iter().map(|&term| texts.terms[term].clone()).collect();
    (Table { terms, vectors }, rows)
}

/// Papers by field, for fields with enough papers for a batch.
fn fields(texts: &Texts, batch: usize) -> Vec<Vec<u32>> {
    let mut fields: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for (number, paper) in (0..).zip(&texts.papers) {
        fields.entry(paper.field.as_str()).or_default().push(number);
    }
    fields.into_values().filter(|papers| papers.len() >= batch).collect()
}

/// A random field, weighted by its number of papers.
fn pick<'a>(fields: &'a [Vec<u32>], random: &mut SeededRandom) -> Option<&'a Vec<u32>> {
    let all: usize = fields.iter().map(Vec::len).sum();
    let mut at = random.below(all.max(1));
    fields.iter().find(|papers| {
        let here = at < papers.len();
        at = at.saturating_sub(papers.len());
        here
    })
}

/// Trains on one batch; returns the loss.
fn learn(
    table: &mut Table,
    seen: &mut [f32],
    pairs: &Pairs<'_>,
    drawn: &[(u32, u64)],
    size: f32,
    temperature: f32,
) -> f32 {
    let bags: Vec<[Bag; 2]> = drawn
        .par_iter()
        .map(|&(paper, seed)| pairs.draw(paper, SeededRandom(seed)))
        .collect();
    let (left, left_lengths) = embed(table, &bags, 0);
    let (right, right_lengths) = embed(table, &bags, 1);
    let near = inner_products(&left, &right);
    let batch = drawn.len();
    let papers: Vec<u32> = drawn.iter().map(|&(paper, _)| paper).collect();
    let (from_left, loss) = softmax(near.clone(), &papers, temperature);
    let (from_right, _) = softmax(turned(&near, batch), &papers, temperature);
    let mut pull = turned(&from_right, batch);
    for (pull, other) in pull.iter_mut().zip(&from_left) {
        *pull = (*pull + other) * 0.5 / temperature;
    }
    let mut on_left = weighted_sums(&pull, &right);
    let mut on_right = weighted_sums(&turned(&pull, batch), &left);
    through_norm(&mut on_left, &left, &left_lengths);
    through_norm(&mut on_right, &right, &right_lengths);
    descend(table, seen, &bags, [&on_left, &on_right], size);
    loss
}

/// Unit vectors of one side of a batch, and their original lengths.
fn embed(table: &Table, bags: &[[Bag; 2]], side: usize) -> (Vec<f32>, Vec<f32>) {
    let mut units = vec![0.0; bags.len() * DIMENSIONS];
    let lengths = units
        .par_chunks_mut(DIMENSIONS)
        .zip(bags)
        .map(|(unit, bag)| {
            for &(row, weight) in &bag[side] {
                let vector = &table.vectors[row as usize * DIMENSIONS..][..DIMENSIONS];
                unit.iter_mut()
                    .zip(vector)
                    .for_each(|(sum, value)| *sum += weight * value);
            }
            let length = unit.iter().map(|value| value * value).sum::<f32>().sqrt().max(1e-9);
            unit.iter_mut().for_each(|value| *value /= length);
            length
        })
        .collect();
    (units, lengths)
}

/// Softmax of each row minus its target, and the mean loss. A paper that occurs twice is not a negative of itself.
fn softmax(mut near: Vec<f32>, papers: &[u32], temperature: f32) -> (Vec<f32>, f32) {
    let batch = papers.len();
    let losses: Vec<f32> = near
        .par_chunks_mut(batch)
        .enumerate()
        .map(|(own, row)| {
            let most = row.iter().fold(f32::MIN, |most, &value| most.max(value));
            let mut sum = 0.0;
            for (other, value) in row.iter_mut().enumerate() {
                let same = other != own && papers[other] == papers[own];
                *value = if same {
                    0.0
                } else {
                    ((*value - most) / temperature).exp()
                };
                sum += *value;
            }
            row.iter_mut().for_each(|value| *value /= sum);
            let loss = -row[own].max(1e-30).ln();
            row[own] -= 1.0;
            loss
        })
        .collect();
    (near, losses.iter().sum::<f32>() / batch as f32)
}

/// Backpropagates a gradient on unit vectors to the sums they came from.
fn through_norm(gradient: &mut [f32], units: &[f32], lengths: &[f32]) {
    gradient
        .par_chunks_mut(DIMENSIONS)
        .zip(units.par_chunks(DIMENSIONS))
        .zip(lengths)
        .for_each(|((gradient, unit), length)| {
            let along: f32 = unit.iter().zip(gradient.iter()).map(|(a, b)| a * b).sum();
            for (value, unit) in gradient.iter_mut().zip(unit) {
                *value = (*value - along * unit) / length;
            }
        });
}

/// Adagrad with one rate per row, for the rows in the batch.
fn descend(table: &mut Table, seen: &mut [f32], bags: &[[Bag; 2]], gradients: [&[f32]; 2], size: f32) {
    let mut uses: Vec<(u32, usize, usize, f32)> = Vec::new();
    for (pair, sides) in bags.iter().enumerate() {
        for (side, bag) in sides.iter().enumerate() {
            uses.extend(bag.iter().map(|&(row, weight)| (row, pair, side, weight)));
        }
    }
    uses.par_sort_unstable_by_key(|&(row, pair, side, _)| (row, pair, side));
    let by_row: Vec<&[(u32, usize, usize, f32)]> = uses.chunk_by(|a, b| a.0 == b.0).collect();
    let updates: Vec<(usize, [f32; DIMENSIONS])> = by_row
        .par_iter()
        .map(|uses| {
            let mut sum = [0.0_f32; DIMENSIONS];
            for &(_, pair, side, weight) in *uses {
                let gradient = &gradients[side][pair * DIMENSIONS..][..DIMENSIONS];
                sum.iter_mut()
                    .zip(gradient)
                    .for_each(|(sum, value)| *sum += weight * value);
            }
            (uses[0].0 as usize, sum)
        })
        .collect();
    for (row, update) in updates {
        seen[row] += update.iter().map(|value| value * value).sum::<f32>() / DIMENSIONS as f32;
        let rate = size / (seen[row].sqrt() + 1e-8);
        let vector = &mut table.vectors[row * DIMENSIONS..][..DIMENSIONS];
        for (value, change) in vector.iter_mut().zip(update) {
            *value -= rate * change;
        }
    }
}
