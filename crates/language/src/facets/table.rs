//! The weights of the model.

use std::sync::LazyLock;

use super::features::{ROWS, Reading};

/// Numbers per word: for each facet, whether the statement includes the word, begins with it, ends with it.
pub const OUTPUTS: usize = FACETS * 3;

/// Bytes before the weights: the scale and a constant per output, as 32-bit numbers.
const HEAD: usize = 4 * (1 + OUTPUTS);

/// Weights by row and output. An entry's weight is the entry times its absolute value times the scale, so small weights are stored finely.
#[derive(Debug, Clone)]
pub struct Table {
    scale: f64,
    constants: [f64; OUTPUTS],
    weights: Vec<i8>,
}

impl Table {
    /// The table that is part of the program.
    #[must_use]
    pub fn built_in() -> &'static Self {
        static TABLE: LazyLock<Table> = LazyLock::new(|| {
            let bytes: &[u8; HEAD + ROWS * OUTPUTS] = include_bytes!("facets.bin");
            Table::of(bytes)
        });
        &TABLE
    }

    /// Reads a table.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let (head, weights) = bytes.split_at(HEAD.min(bytes.len()));
        let mut numbers = head.chunks_exact(4).map(|four| {
            let four = <[u8; 4]>::try_from(four).unwrap_or_default();
            f64::from(f32::from_le_bytes(four))
        });
        Self {
            scale: numbers.next().unwrap_or_default(),
            constants: std::array::from_fn(|_| numbers.next().unwrap_or_default()),
            weights: weights.iter().map(|byte| byte.cast_signed()).collect(),
        }
    }

    /// The probabilities of each token.
    #[must_use]
    pub fn probabilities(&self, reading: &Reading) -> Vec<[f64; OUTPUTS]> {
        let of_token = |rows: Vec<usize>| {
            let mut sums = [0_i32; OUTPUTS];
            for row in rows {
                let weights = self.weights.get(row * OUTPUTS..(row + 1) * OUTPUTS).unwrap_or_default();
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    let weight = i32::from(*weight);
                    *sum += weight * weight.abs();
                }
            }
            let mut constants = self.constants.iter();
            sums.map(|sum| {
                let constant = constants.next().copied().unwrap_or_default();
                1.0 / (1.0 + (-(f64::from(sum) * self.scale + constant)).exp())
            })
        };
        reading.rows().into_iter().map(of_token).collect()
    }
}

/// Number of facets.
pub const FACETS: usize = 4;
