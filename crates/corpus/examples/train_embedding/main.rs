//! Trains the table of term vectors that `precedent-corpus` embeds: `train_embedding OUT FILE[@YEAR]...`, run by `cargo xtask train-embedding`.
//!
//! In: JSON Lines of works (`title`, `abstract`, `year`, `authors`, `categories`), plain or zstd; `@2016` leaves out what is older. Out: a model
//! file. What is learned: two texts that belong together (a title and its abstract, two parts of one abstract, a sentence and the rest,
//! two papers with two authors in common within three years) shall lie nearer than any other two of a batch (InfoNCE both ways). A text's vector is the
//! sum of its terms' vectors, each times one plus the logarithm of its count. Everything is drawn from one seed; additions are made in one
//! order whatever the number of threads, so the same program on the same files gives the same bytes.
#![expect(clippy::print_stdout, reason = "this is the printer")]

mod bags;
mod matrix;
mod pairs;
mod table;
mod texts;
mod trainer;

use std::error::Error;

/// What a run is made with. The committed model was made with these values.
pub(crate) struct Recipe {
    /// Most terms of the table.
    pub(crate) rows: usize,
    /// Texts that a term must stand in.
    pub(crate) least_texts: u32,
    /// Pairs drawn, in multiples of the number of texts.
    pub(crate) epochs: f32,
    /// Pairs in a batch; each has the others as counter-examples.
    pub(crate) batch: usize,
    /// First step size; it falls to zero in a straight line.
    pub(crate) step: f32,
    /// Temperature of the softmax.
    pub(crate) temperature: f32,
    /// Share of batches drawn from one field alone: their counter-examples are hard.
    pub(crate) one_field: f32,
    /// Share of pairs by kind, in the order of [`pairs::Kind`].
    pub(crate) mix: [f32; 4],
    /// Seed of everything drawn.
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
