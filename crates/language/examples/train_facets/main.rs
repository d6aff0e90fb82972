//! Trains the model that finds the facets of an idea (`crates/language/src/facets/facets.bin` and `words.txt`).
//!
//! `cargo run --release -p precedent-language --example train_facets -- OUT FILE…` writes both files to the folder OUT. The files are collections of
//! records in JSON Lines, compressed with zstd, that contain the papers of `papers.tsv`. That file and `ideas.tsv` have the byte ranges of purpose,
//! mechanism, evaluation and domain of each text, labelled by reading; the ideas were written for this purpose. The text of a paper is its title, a
//! full stop and its abstract, with single spaces.
//!
//! First it trains on four fifths of the texts and compares the statements found in the others with the labels, five times. Then it trains on all
//! texts. With `--score LABELS` instead of OUT, it compares other ranges in the format of `papers.tsv` with the labels.
#![expect(clippy::print_stdout, reason = "a tool that prints its results")]
#![expect(
    clippy::indexing_slicing,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "indexes are below sizes by construction, and numbers are small"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::path::Path;

use precedent_language::facets::{FACETS, OUTPUTS, ROWS, Reading, Statements, Table, statements};
use precedent_language::wording::content_stems;

/// A word counts as frequent if this many texts use it. With 20, F1 is up to .05 lower, and up to .01 higher for some facets.
const FREQUENT: usize = 8;
/// Strength of the regularisation. With 1e-4 or 1e-3, F1 is up to .04 lower, and up to .02 higher for some facets.
const DECAY: f64 = 4e-4;
/// The first step of the descent; later steps shrink with the number of words seen.
const FIRST_STEP: f64 = 0.1;
const PASSES: usize = 10;
/// Weight of an idea's words beside a paper's: ideas are what the model is for, and fewer.
const IDEAS: f64 = 2.0;
const FOLDS: usize = 5;
const SEED: u64 = 42;

type Failure = Box<dyn std::error::Error>;
type Ranges = [Option<Range<usize>>; FACETS];

struct Text {
    id: String,
    text: String,
    labels: Ranges,
}

fn main() -> Result<(), Failure> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    if args.len() < 2 {
        return Err("usage: train_facets OUT|--score LABELS FILE…".into());
    }
    let scored = (args[0] == "--score").then(|| args.remove(1));
    let mut texts = labelled(&args[1..])?;
    shuffle(&mut texts);
    if let Some(file) = scored {
        let other: BTreeMap<String, Ranges> = lines(Path::new(&file))?
            .iter()
            .map(|line| Ok((line[0].clone(), ranges(&line[1..])?)))
            .collect::<Result<_, Failure>>()?;
        let found = texts.iter().map(|one| other.get(&one.id).cloned().unwrap_or_default());
        print(&texts, &found.collect::<Vec<_>>());
        return Ok(());
    }
    let mut found = vec![Ranges::default(); texts.len()];
    for fold in 0..FOLDS {
        let of_fold = |at: usize| at % FOLDS == fold;
        let training: Vec<&Text> = (0..texts.len())
            .filter(|at| !of_fold(*at))
            .map(|at| &texts[at])
            .collect();
        let words = frequent(&training);
        let table = Table::of(&bytes(&train(&training, &words)));
        for at in (0..texts.len()).filter(|at| of_fold(*at)) {
            let reading = Reading::with(&texts[at].text, |word| words.contains(word));
            let Statements {
                purpose,
                mechanism,
                evaluation,
                domain,
            } = statements(&reading, &table.probabilities(&reading), [None, None]);
            found[at] = [purpose, mechanism, evaluation, domain];
        }
        println!("fold {} of {FOLDS}", fold + 1);
    }
    print(&texts, &found);
    let all: Vec<&Text> = texts.iter().collect();
    let words = frequent(&all);
    std::fs::write(Path::new(&args[0]).join("facets.bin"), bytes(&train(&all, &words)))?;
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    std::fs::write(Path::new(&args[0]).join("words.txt"), words.join("\n") + "\n")?;
    Ok(())
}

/// The lines of a file as fields.
fn lines(file: &Path) -> Result<Vec<Vec<String>>, Failure> {
    let text = std::fs::read_to_string(file)?;
    Ok(text
        .lines()
        .map(|line| line.split('\t').map(str::to_owned).collect())
        .collect())
}

fn ranges(fields: &[String]) -> Result<Ranges, Failure> {
    let mut ranges = Ranges::default();
    for (range, field) in ranges.iter_mut().zip(fields) {
        if let Some((start, end)) = field.split_once('-').filter(|_| field != "-") {
            *range = Some(start.parse()?..end.parse()?);
        }
    }
    Ok(ranges)
}

fn labelled(files: &[String]) -> Result<Vec<Text>, Failure> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/train_facets");
    let mut texts = Vec::new();
    for line in lines(&folder.join("ideas.tsv"))? {
        texts.push(Text {
            id: line[0].clone(),
            text: line[5].clone(),
            labels: ranges(&line[1..5])?,
        });
    }
    let papers: BTreeMap<String, Vec<String>> = lines(&folder.join("papers.tsv"))?
        .into_iter()
        .map(|line| (line[0].clone(), line))
        .collect();
    let mut missing: BTreeSet<&String> = papers.keys().collect();
    for file in files {
        for line in BufReader::new(zstd::Decoder::new(std::fs::File::open(file)?)?).lines() {
            let record: serde_json::Value = serde_json::from_str(&line?)?;
            let of = |key: &str| record.get(key).and_then(serde_json::Value::as_str).unwrap_or_default();
            let Some(line) = papers.get(of("id")).filter(|line| missing.remove(&line[0])) else {
                continue;
            };
            let text = format!("{}. {}", of("title").trim().trim_end_matches('.'), of("abstract"));
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            texts.push(Text {
                id: line[0].clone(),
                text,
                labels: ranges(&line[1..])?,
            });
        }
    }
    match missing.first() {
        Some(id) => Err(format!(
            "{} papers of papers.tsv are in none of the files, such as {id}",
            missing.len()
        )
        .into()),
        None => Ok(texts),
    }
}

fn random(state: &mut u64, below: usize) -> usize {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    usize::try_from(*state >> 33).unwrap_or_default() % below
}

fn shuffle<T>(all: &mut [T]) {
    let mut state = SEED;
    for last in (1..all.len()).rev() {
        all.swap(last, random(&mut state, last + 1));
    }
}

/// The words that at least [`FREQUENT`] texts use.
fn frequent(texts: &[&Text]) -> BTreeSet<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for one in texts {
        let reading = Reading::of(&one.text);
        let words: BTreeSet<String> = reading.tokens().map(|range| one.text[range].to_lowercase()).collect();
        for word in words {
            *counts.entry(word).or_default() += 1;
        }
    }
    counts
        .into_iter()
        .filter(|(_, count)| *count >= FREQUENT)
        .map(|(word, _)| word)
        .collect()
}

struct Weights {
    weights: Vec<f64>,
    constants: [f64; OUTPUTS],
}

/// A word with its rows and what the labels say of it.
struct Example {
    rows: Vec<usize>,
    wanted: [f64; OUTPUTS],
    weight: f64,
}

fn examples(texts: &[&Text], words: &BTreeSet<String>) -> Vec<Example> {
    let mut all = Vec::new();
    for one in texts {
        let reading = Reading::with(&one.text, |word| words.contains(word));
        let tokens: Vec<Range<usize>> = reading.tokens().collect();
        let mut wanted = vec![[0.0; OUTPUTS]; tokens.len()];
        for (facet, label) in one.labels.iter().enumerate() {
            let Some(label) = label else { continue };
            let inside = |token: &Range<usize>| token.start >= label.start && token.end <= label.end;
            let inside: Vec<usize> = (0..tokens.len()).filter(|at| inside(&tokens[*at])).collect();
            for at in &inside {
                wanted[*at][facet * 3] = 1.0;
            }
            for (at, column) in [(inside.first(), 1), (inside.last(), 2)] {
                if let Some(at) = at {
                    wanted[*at][facet * 3 + column] = 1.0;
                }
            }
        }
        let weight = if is_idea(one) { IDEAS } else { 1.0 };
        let of_text = reading.rows().into_iter().zip(wanted);
        all.extend(of_text.map(|(rows, wanted)| Example { rows, wanted, weight }));
    }
    all
}

fn is_idea(text: &Text) -> bool {
    text.id.starts_with("own-") || text.id.starts_with("gen-")
}

/// Logistic regression by stochastic gradient descent, on one thread, so that the same texts give the same bytes.
fn train(texts: &[&Text], words: &BTreeSet<String>) -> Weights {
    let mut examples = examples(texts, words);
    let mut weights = vec![0.0; ROWS * OUTPUTS];
    let mut constants = [0.0; OUTPUTS];
    // The weights are `scale * weights`, so that shrinking all of them is one product.
    let (mut scale, mut seen) = (1.0_f64, 0.0);
    for _ in 0..PASSES {
        shuffle(&mut examples);
        for one in &examples {
            seen += 1.0;
            let step = 1.0 / (1.0 / FIRST_STEP + DECAY * seen);
            let mut sums = [0.0; OUTPUTS];
            for row in &one.rows {
                for (sum, weight) in sums.iter_mut().zip(&weights[row * OUTPUTS..(row + 1) * OUTPUTS]) {
                    *sum += weight;
                }
            }
            let errors: [f64; OUTPUTS] = std::array::from_fn(|at| {
                let probability = 1.0 / (1.0 + (-(sums[at] * scale + constants[at])).exp());
                (probability - one.wanted[at]) * one.weight * step
            });
            scale *= 1.0 - step * DECAY;
            for row in &one.rows {
                for (weight, error) in weights[row * OUTPUTS..(row + 1) * OUTPUTS].iter_mut().zip(errors) {
                    *weight -= error / scale;
                }
            }
            for (constant, error) in constants.iter_mut().zip(errors) {
                *constant -= error;
            }
        }
    }
    for weight in &mut weights {
        *weight *= scale;
    }
    Weights { weights, constants }
}

/// The table as the program reads it: see `table.rs`.
fn bytes(trained: &Weights) -> Vec<u8> {
    let most = trained
        .weights
        .iter()
        .fold(f64::MIN_POSITIVE, |most, weight| most.max(weight.abs()));
    let byte = |weight: &f64| (((weight.abs() / most).sqrt() * 127.0).round() * weight.signum()) as i8;
    let head = [most / (127.0 * 127.0)].into_iter().chain(trained.constants);
    let head = head.flat_map(|number| (number as f32).to_le_bytes());
    head.chain(trained.weights.iter().map(|weight| byte(weight).cast_unsigned()))
        .collect()
}

/// Whether a text is of a kind.
type Kind = fn(&Text) -> bool;

/// Prints for each kind of text and each facet the mean F1 of the words, the share of statements with at least one half, and the statements found
/// where the label has none.
fn print(texts: &[Text], found: &[Ranges]) {
    let kinds: [(&str, Kind); 3] = [
        ("ideas in many forms", |text| text.id.starts_with("own-")),
        ("ideas in the form that models write", |text| {
            text.id.starts_with("gen-")
        }),
        ("titles and abstracts", |text| !is_idea(text)),
    ];
    for (kind, is_one) in kinds {
        println!("{kind}");
        for (facet, name) in ["purpose", "mechanism", "evaluation", "domain"].into_iter().enumerate() {
            let (mut sum, mut right, mut labelled, mut none, mut extra) = (0.0, 0, 0, 0, 0);
            for (text, found) in texts.iter().zip(found).filter(|(text, _)| is_one(text)) {
                match (&text.labels[facet], &found[facet]) {
                    (Some(label), found) => {
                        let words = |range: &Range<usize>| content_stems(&text.text[range.clone()]);
                        let agreement = found.as_ref().map_or(0.0, |found| f1(&words(label), &words(found)));
                        sum += agreement;
                        right += usize::from(agreement >= 0.5);
                        labelled += 1;
                    }
                    (None, found) => {
                        none += 1;
                        extra += usize::from(found.is_some());
                    }
                }
            }
            println!(
                "  {name:<11} F1 {:.3}, at least half {right} of {labelled}, found {extra} of {none} that are not stated",
                sum / (labelled.max(1) as f64)
            );
        }
    }
}

fn f1(label: &BTreeSet<String>, found: &BTreeSet<String>) -> f64 {
    let shared = label.intersection(found).count() as f64;
    2.0 * shared / ((label.len() + found.len()).max(1) as f64)
}
