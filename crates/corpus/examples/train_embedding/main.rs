//! Trains the table of term vectors in `precedent-corpus`: `train_embedding OUT FILE[@YEAR]...`, run by `cargo xtask train-embedding`.
//!
//! Input: JSON Lines of works (`title`, `abstract`, `year`, `authors`, `categories`), plain or zstd; `@2016` skips older works. Output: a model file.
//! The objective is InfoNCE in both directions: two texts that belong together (a title and its abstract, two parts of one abstract, a sentence and
//! the rest, two papers with two common authors within three years) should be closer than any other two of a batch. A text's vector is the sum of its
//! terms' vectors, each times one plus the logarithm of its count.
//! One seed determines all random numbers, and the order of additions does not depend on the number of threads, so the same program gives the same
//! bytes for the same files.
#![expect(clippy::print_stdout, reason = "this is the printer")]

mod bags;
mod matrix;
mod pairs;
mod table;
mod texts;
mod trainer;

use std::error::Error;

/// Hyperparameters of a run. The committed model uses these values.
pub(crate) struct Recipe {
    /// Maximum number of terms in the table.
    pub(crate) rows: usize,
    /// Minimum number of texts that contain a term.
    pub(crate) least_texts: u32,
    /// Sampled pairs, in multiples of the number of texts.
    pub(crate) epochs: f32,
    /// Pairs per batch; each has the others as negatives.
    pub(crate) batch: usize,
    /// Initial step size, which decreases linearly to zero.
    pub(crate) step: f32,
    /// Temperature of the softmax.
    pub(crate) temperature: f32,
    /// Share of batches from a single field, whose negatives are hard.
    pub(crate) one_field: f32,
    /// Share of pairs by kind, in the order of [`pairs::Kind`].
    pub(crate) mix: [f32; 4],
    /// Random seed.
    pub(crate) seed: u64,
}

const RECIPE: Recipe = Recipe {
    rows: 44_000,
    least_texts: 4,
    epochs: 3.0,
    batch: 1024,
    step: 0.05,
    temperature: 0.05,
    one_field: 0.5,
    mix: [0.45, 0.25, 0.15, 0.15],
    seed: 42,
};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [out, files @ ..] = arguments.as_slice() else {
        return Err("usage: train_embedding OUT FILE[@YEAR]...".into());
    };
    let texts = texts::read(files)?;
    println!("{} texts, {} different terms", texts.papers.len(), texts.terms.len());
    let table = trainer::train(&texts, &RECIPE);
    let bytes = table.bytes()?;
    std::fs::write(out, &bytes)?;
    println!("{} terms, {} bytes", table.len(), bytes.len());
    Ok(())
}
