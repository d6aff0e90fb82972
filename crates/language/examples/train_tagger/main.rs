//! Trains the weight table of the tagger (`crates/language/src/wording/tagging/tags.bin`).
//!
//! `cargo run --release -p precedent-language --example train_tagger -- SILVER.tsv OUT`. `SILVER.tsv` is the output of `silver.py` in this folder: one
//! word per line with its Penn Treebank tag and whether a space follows, and an empty line after each sentence. Trains an averaged perceptron from
//! left to right on its own preceding predictions, in six passes with seed 42, and holds out a twentieth of the sentences. It uses a single thread,
//! so the same file gives the same bytes.
#![expect(clippy::print_stdout, reason = "a tool that prints its results")]
#![expect(
    clippy::indexing_slicing,
    reason = "rows are below ROWS by their mask, tags below TAGS by their number"
)]

use std::io::{BufRead, BufReader};

#[path = "../../src/wording/tagging/features.rs"]
mod features;
mod silver;
#[expect(dead_code, reason = "only the tagger itself uses all of it")]
#[expect(unreachable_pub, reason = "public in the crate that this file belongs to")]
#[path = "../../src/wording/tagging/tag.rs"]
mod tag;
#[path = "../../src/wording/tagging/tokens.rs"]
mod tokens;

use features::{FEATURES, ROWS, rows};
use silver::{Sentence, sentence};
use tag::Tag;

const TAGS: usize = Tag::GUESSED.len();
const PASSES: usize = 6;
const SEED: u64 = 42;
/// One in this many sentences is held out.
const HELD_OUT: usize = 20;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let mut args = std::env::args().skip(1);
    let (Some(from), Some(to)) = (args.next(), args.next()) else {
        return Err("usage: train_tagger SILVER.tsv OUT".into());
    };
    let sentences = read(&from)?;
    let (held_out, training) = sentences.split_at(sentences.len() / HELD_OUT);
    println!("{} training sentences, {} held out", training.len(), held_out.len());
    let weights = train(training);
    let table = quantised(&weights);
    let (right, all) = held_out
        .iter()
        .map(|one| score(&table, one))
        .fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    println!("{right} of {all} words in held-out sentences match the silver tags");
    std::fs::write(
        to,
        table.iter().map(|weight| weight.cast_unsigned()).collect::<Vec<u8>>(),
    )?;
    Ok(())
}

fn read(path: &str) -> Result<Vec<Sentence>, Failure> {
    let (mut sentences, mut lines) = (Vec::new(), Vec::new());
    for line in BufReader::new(std::fs::File::open(path)?).lines() {
        let line = line?;
        let fields: Vec<&str> = line.split('\t').collect();
        match fields.as_slice() {
            [form, tag, space] => lines.push(((*form).to_owned(), (*tag).to_owned(), *space == "1")),
            _ => {
                sentences.extend(sentence(&lines));
                lines.clear();
            }
        }
    }
    Ok(sentences)
}

/// Weights with the sums needed for averaging.
struct Learner {
    weights: Vec<f32>,
    sums: Vec<f64>,
    touched: Vec<u32>,
    step: u32,
}

impl Learner {
    fn add(&mut self, cell: usize, by: f32) {
        self.sums[cell] += f64::from(self.weights[cell]) * f64::from(self.step - self.touched[cell]);
        self.touched[cell] = self.step;
        self.weights[cell] += by;
    }

    fn best(&self, rows: &[usize; FEATURES]) -> usize {
        let mut sums = [0_f32; TAGS];
        for row in rows {
            for (sum, weight) in sums.iter_mut().zip(&self.weights[row * TAGS..(row + 1) * TAGS]) {
                *sum += weight;
            }
        }
        (1..TAGS).fold(0, |best, tag| if sums[tag] > sums[best] { tag } else { best })
    }

    fn averaged(mut self) -> Vec<f32> {
        for cell in 0..self.weights.len() {
            self.add(cell, 0.0);
        }
        let steps = f64::from(self.step.max(1));
        #[expect(clippy::cast_possible_truncation, reason = "weights are small")]
        let averaged = self.sums.iter().map(|sum| (sum / steps) as f32).collect();
        averaged
    }
}

fn train(sentences: &[Sentence]) -> Vec<f32> {
    let cells = ROWS * TAGS;
    let mut learner = Learner {
        weights: vec![0.0; cells],
        sums: vec![0.0; cells],
        touched: vec![0; cells],
        step: 0,
    };
    let mut order: Vec<usize> = (0..sentences.len()).collect();
    let mut state = SEED;
    for pass in 1..=PASSES {
        for last in (1..order.len()).rev() {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let other = usize::try_from(state >> 33).unwrap_or_default() % (last + 1);
            order.swap(last, other);
        }
        let wrong: usize = order.iter().map(|&at| learn(&mut learner, &sentences[at])).sum();
        println!("pass {pass}: {wrong} wrong");
    }
    learner.averaged()
}

/// Corrects the weights for each wrong prediction in a sentence. Returns the number of wrong predictions.
fn learn(learner: &mut Learner, sentence: &Sentence) -> usize {
    let (mut before, mut wrong) = ([None, None], 0);
    for (at, &right) in sentence.tags.iter().enumerate() {
        let mut guess = Tag::Mark;
        if right != Tag::Mark {
            let rows = rows(&sentence.forms, at, before);
            let best = learner.best(&rows);
            learner.step += 1;
            guess = Tag::GUESSED[best];
            if guess != right {
                wrong += 1;
                for row in rows {
                    learner.add(row * TAGS + right as usize, 1.0);
                    learner.add(row * TAGS + best, -1.0);
                }
            }
        }
        before = [Some(guess), before[0]];
    }
    wrong
}

/// One byte per weight: the sign and the square root of its share of the largest weight, so that small weights stay distinct.
fn quantised(weights: &[f32]) -> Vec<i8> {
    let most = weights
        .iter()
        .fold(f32::MIN_POSITIVE, |most, weight| most.max(weight.abs()));
    #[expect(clippy::cast_possible_truncation, reason = "at most 127 by construction")]
    let byte = |weight: &f32| (((weight.abs() / most).sqrt() * 127.0).round() * weight.signum()) as i8;
    weights.iter().map(byte).collect()
}

/// The number of words that the table tags like the sentence, and the number of all its words.
fn score(table: &[i8], sentence: &Sentence) -> (usize, usize) {
    let (mut before, mut right, mut all) = ([None, None], 0, 0);
    for (at, &wanted) in sentence.tags.iter().enumerate() {
        let mut guess = Tag::Mark;
        if wanted != Tag::Mark {
            let mut sums = [0_i32; TAGS];
            for row in rows(&sentence.forms, at, before) {
                for (sum, weight) in sums.iter_mut().zip(&table[row * TAGS..(row + 1) * TAGS]) {
                    *sum += i32::from(*weight) * i32::from(weight.abs());
                }
            }
            guess = Tag::GUESSED[(1..TAGS).fold(0, |best, tag| if sums[tag] > sums[best] { tag } else { best })];
            all += 1;
            right += usize::from(guess == wanted);
        }
        before = [Some(guess), before[0]];
    }
    (right, all)
}
