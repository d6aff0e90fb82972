//! Logistic regression with a quadratic penalty, by Newton's method.

/// Penalty on the squared weights of standardized features.
const PENALTY: f64 = 3.0;
const STEPS: usize = 30;

/// The constant and the weights that fit the rows best; `None` if there is no solution.
pub(crate) fn fit(rows: &[(Vec<f64>, bool)]) -> Option<(f64, Vec<f64>)> {
    let width = rows.first()?.0.len();
    let count = rows.len() as f64;
    let column = |at: usize| rows.iter().filter_map(move |(row, _)| row.get(at).copied());
    let means: Vec<f64> = (0..width).map(|at| column(at).sum::<f64>() / count).collect();
    let spreads: Vec<f64> = means
        .iter()
        .enumerate()
        .map(|(at, mean)| (column(at).map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt())
        .map(|spread| if spread > 0.0 { spread } else { 1.0 })
        .collect();
    let scaled = |row: &[f64]| -> Vec<f64> {
        let values = row.iter().zip(&means).zip(&spreads);
        std::iter::once(1.0)
            .chain(values.map(|((value, mean), spread)| (value - mean) / spread))
            .collect()
    };
    let data: Vec<(Vec<f64>, f64)> = rows
        .iter()
        .map(|(row, stated)| (scaled(row), f64::from(*stated)))
        .collect();
    let mut weights = vec![0.0; width + 1];
    for _ in 0..STEPS {
        let step = newton_step(&data, &weights)?;
        for (weight, step) in weights.iter_mut().zip(step) {
            *weight += step;
        }
    }
    let (constant, scaled_weights) = weights.split_first()?;
    let fitted: Vec<f64> = scaled_weights
        .iter()
        .zip(&spreads)
        .map(|(weight, spread)| weight / spread)
        .collect();
    let shift: f64 = fitted.iter().zip(&means).map(|(weight, mean)| weight * mean).sum();
    Some((round(constant - shift), fitted.into_iter().map(round).collect()))
}

fn newton_step(data: &[(Vec<f64>, f64)], weights: &[f64]) -> Option<Vec<f64>> {
    let width = weights.len();
    let mut gradient = vec![0.0; width];
    let mut curvature = vec![vec![0.0; width]; width];
    for (row, stated) in data {
        let logit: f64 = row.iter().zip(weights).map(|(value, weight)| value * weight).sum();
        let probability = 1.0 / (1.0 + (-logit).exp());
        let spread = probability * (1.0 - probability);
        for ((slope, line), value) in gradient.iter_mut().zip(&mut curvature).zip(row) {
            *slope += (stated - probability) * value;
            for (cell, other) in line.iter_mut().zip(row) {
                *cell += spread * value * other;
            }
        }
    }
    for (at, ((slope, line), weight)) in gradient.iter_mut().zip(&mut curvature).zip(weights).enumerate() {
        let penalty = if at == 0 { 1e-6 } else { PENALTY };
        *slope -= penalty * weight;
        *line.get_mut(at)? += penalty;
    }
    solve(curvature, gradient)
}

/// Solves a system of linear equations by elimination.
fn solve(mut rows: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let width = right.len();
    for at in 0..width {
        let best = (at..width).max_by(|&a, &b| cell(&rows, a, at).abs().total_cmp(&cell(&rows, b, at).abs()))?;
        rows.swap(at, best);
        right.swap(at, best);
        let (pivot_row, pivot_right) = (rows.get(at)?.clone(), *right.get(at)?);
        let pivot = *pivot_row.get(at)?;
        if pivot.abs() < 1e-12 {
            return None;
        }
        for below in at + 1..width {
            let factor = cell(&rows, below, at) / pivot;
            for (value, top) in rows.get_mut(below)?.iter_mut().zip(&pivot_row) {
                *value -= factor * top;
            }
            *right.get_mut(below)? -= factor * pivot_right;
        }
    }
    let mut solution = vec![0.0; width];
    for at in (0..width).rev() {
        let row = rows.get(at)?;
        let known: f64 = row
            .iter()
            .zip(&solution)
            .skip(at + 1)
            .map(|(value, found)| value * found)
            .sum();
        *solution.get_mut(at)? = (right.get(at)? - known) / row.get(at)?;
    }
    Some(solution)
}

fn cell(rows: &[Vec<f64>], row: usize, column: usize) -> f64 {
    rows.get(row)
        .and_then(|row| row.get(column))
        .copied()
        .unwrap_or_default()
}

/// Four decimals, so that the file does not depend on the last bit.
fn round(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}
