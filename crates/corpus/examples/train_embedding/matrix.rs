#![expect(
    clippy::indexing_slicing,
    reason = "the hot loops of training; sizes are multiples of the blocks, checked where matrices are made"
)]

use rayon::prelude::*;

/// Dimensions of a vector.
pub(crate) const DIMENSIONS: usize = 256;
/// Rows processed at once.
const ROWS: usize = 4;
/// Numbers added in parallel. The order of additions does not depend on the machine.
const LANES: usize = 16;
/// Columns processed at once.
const COLUMNS: usize = 64;

/// `a` times the transpose of `b`: the inner products of all rows of `a` with all rows of `b`, a row of `b.len() / DIMENSIONS` for each row of `a`.
pub(crate) fn inner_products(a: &[f32], b: &[f32]) -> Vec<f32> {
    let (height, width) = (a.len() / DIMENSIONS, b.len() / DIMENSIONS);
    let mut products = vec![0.0; height * width];
    products
        .par_chunks_mut(width * ROWS)
        .zip(a.par_chunks(DIMENSIONS * ROWS))
        .for_each(|(products, a)| {
            for column in (0..width).step_by(ROWS) {
                let mut sums = [[[0.0_f32; LANES]; ROWS]; ROWS];
                for at in (0..DIMENSIONS).step_by(LANES) {
                    for (j, sums) in sums.iter_mut().enumerate() {
                        let right = &b[(column + j) * DIMENSIONS + at..][..LANES];
                        for (i, sums) in sums.iter_mut().enumerate() {
                            let left = &a[i * DIMENSIONS + at..][..LANES];
                            for lane in 0..LANES {
                                sums[lane] += left[lane] * right[lane];
                            }
                        }
                    }
                }
                for (j, sums) in sums.iter().enumerate() {
                    for (i, sums) in sums.iter().enumerate() {
                        products[i * width + column + j] = sums.iter().sum();
                    }
                }
            }
        });
    products
}

/// Sums of the rows of `b`, weighted by each row of `weights`.
pub(crate) fn weighted_sums(weights: &[f32], b: &[f32]) -> Vec<f32> {
    let width = b.len() / DIMENSIONS;
    let mut sums = vec![0.0; weights.len() / width * DIMENSIONS];
    sums.par_chunks_mut(DIMENSIONS * ROWS)
        .zip(weights.par_chunks(width * ROWS))
        .for_each(|(sums, weights)| {
            for at in (0..DIMENSIONS).step_by(COLUMNS) {
                let mut block = [[0.0_f32; COLUMNS]; ROWS];
                for row in 0..width {
                    let right = &b[row * DIMENSIONS + at..][..COLUMNS];
                    for (i, block) in block.iter_mut().enumerate() {
                        let weight = weights[i * width + row];
                        for column in 0..COLUMNS {
                            block[column] += weight * right[column];
                        }
                    }
                }
                for (i, block) in block.iter().enumerate() {
                    sums[i * DIMENSIONS + at..][..COLUMNS].copy_from_slice(block);
                }
            }
        });
    sums
}

/// The transpose of a square matrix.
pub(crate) fn turned(matrix: &[f32], side: usize) -> Vec<f32> {
    let mut turned = vec![0.0; matrix.len()];
    for (i, row) in matrix.chunks_exact(side).enumerate() {
        for (j, &value) in row.iter().enumerate() {
            turned[j * side + i] = value;
        }
    }
    turned
}
