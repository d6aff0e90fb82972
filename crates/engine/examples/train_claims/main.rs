//! Trains the choice of claims: `train_claims OUT FILE…`, run by `cargo xtask train claims`.
//!
//! Input: collections of full texts (JSON Lines, zstd) that contain the labelled papers. Output: a file of weights, and the measurements of a
//! cross-validation by paper. No random number is drawn, so the same files give the same weights.
#![expect(clippy::print_stdout, reason = "this is the printer")]
#![expect(
    clippy::indexing_slicing,
    reason = "a tool for developers; rows and columns are numbered here"
)]

#[path = "../records/mod.rs"]
mod records;
mod regression;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};

use precedent_domain::Paper;
use precedent_engine::extract::{ClaimClassifier, Reading, SentenceFeatures, claim_drafts_by, sentence_features};
use serde::Deserialize;
use serde_json::Value;

type Failure = Box<dyn std::error::Error>;

/// Number of folds of the cross-validation.
const FOLDS: usize = 10;
/// Minimum number of training papers with a phrase. Rarer ones are about the subject of a paper.
const FEWEST: usize = 12;
/// Number of claims in a report.
const SHOWN: usize = 3;

/// The sentences of a paper that state contributions, by their first byte: one list for each contribution, most important first.
#[derive(Deserialize)]
struct Labels {
    id: String,
    statements: Vec<Vec<usize>>,
}

struct Labelled {
    id: String,
    paper: Paper,
    statements: Vec<Vec<usize>>,
    sentences: Vec<(usize, SentenceFeatures)>,
}

impl Labelled {
    /// Number of labelled sentences without features.
    fn unread(&self) -> usize {
        let read: BTreeSet<usize> = self.sentences.iter().map(|(start, _)| *start).collect();
        self.starts().difference(&read).count()
    }

    /// The first byte of each labelled sentence.
    fn starts(&self) -> BTreeSet<usize> {
        self.statements.iter().flatten().copied().collect()
    }
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [out, files @ ..] = arguments.as_slice() else {
        return Err("usage: train_claims OUT FILE…".into());
    };
    let papers = labelled(files)?;
    let stated: usize = papers.iter().map(|paper| paper.statements.len()).sum();
    println!("{} papers, {stated} contributions, {FOLDS} folds", papers.len());
    let unread: usize = papers.iter().map(Labelled::unread).sum();
    let labelled: usize = papers.iter().map(|paper| paper.starts().len()).sum();
    println!("{unread} of {labelled} labelled sentences are not among the sentences that are read");
    let mut measured = Measured::default();
    for fold in 0..FOLDS {
        let train: Vec<&Labelled> = papers
            .iter()
            .enumerate()
            .filter(|(at, _)| at % FOLDS != fold)
            .map(|(_, one)| one)
            .collect();
        let classifier = fit(&train);
        for paper in papers.iter().skip(fold).step_by(FOLDS) {
            measured.add(paper, &classifier);
        }
    }
    measured.print();
    let classifier = fit(&papers.iter().collect::<Vec<_>>());
    println!("{} phrases", classifier.phrases.len());
    for (name, weight) in &classifier.signals {
        println!("{name:>14} {weight:7.3}");
    }
    std::fs::write(out, serde_json::to_string_pretty(&classifier)? + "\n")?;
    Ok(())
}

fn labelled(files: &[String]) -> Result<Vec<Labelled>, Failure> {
    let labels = include_str!("labels.jsonl").lines().map(serde_json::from_str::<Labels>);
    let mut labels: BTreeMap<String, Vec<Vec<usize>>> = labels
        .map(|one| one.map(|one| (one.id, one.statements)))
        .collect::<Result<_, _>>()?;
    let mut papers = Vec::new();
    for file in files {
        for line in BufReader::new(zstd::Decoder::new(std::fs::File::open(file)?)?).lines() {
            let record: Value = serde_json::from_str(&line?)?;
            let Some((id, statements)) = record["id"].as_str().and_then(|id| labels.remove_entry(id)) else {
                continue;
            };
            let paper = records::paper(&record);
            let sentences = sentence_features(&Reading::new(&paper));
            papers.push(Labelled {
                id,
                paper,
                statements,
                sentences,
            });
        }
    }
    // So that the order of the files does not matter.
    papers.sort_by(|a: &Labelled, b: &Labelled| a.id.cmp(&b.id));
    match labels.len() {
        0 => Ok(papers),
        missing => Err(format!("{missing} labelled papers are not in these files").into()),
    }
}

fn fit(papers: &[&Labelled]) -> ClaimClassifier {
    let sentences = || {
        papers
            .iter()
            .flat_map(|paper| paper.sentences.iter().map(move |(start, one)| (*paper, *start, one)))
    };
    let mut frequency: BTreeMap<&str, usize> = BTreeMap::new();
    let mut squares: BTreeMap<&'static str, f64> = BTreeMap::new();
    for paper in papers {
        let phrases: BTreeSet<&str> = paper
            .sentences
            .iter()
            .flat_map(|(_, one)| &one.phrases)
            .map(String::as_str)
            .collect();
        for phrase in phrases {
            *frequency.entry(phrase).or_default() += 1;
        }
    }
    for (_, _, one) in sentences() {
        for (name, value) in &one.signals {
            *squares.entry(name).or_default() += value * value;
        }
    }
    frequency.retain(|_, papers| *papers >= FEWEST);
    let count = sentences().count() as f64;
    // So that the penalty does not depend on the unit of a signal. Phrases are present or not.
    let scale: BTreeMap<&'static str, f64> = squares
        .iter()
        .map(|(name, sum)| (*name, (sum / count).sqrt()))
        .collect();
    let names: BTreeMap<&'static str, usize> = scale.keys().enumerate().map(|(at, name)| (*name, at)).collect();
    let phrases: BTreeMap<&str, usize> = frequency
        .keys()
        .enumerate()
        .map(|(at, phrase)| (*phrase, names.len() + at))
        .collect();
    let rows: Vec<(regression::Row, bool)> = sentences()
        .map(|(paper, start, one)| {
            let of_signals = one
                .signals
                .iter()
                .map(|(name, value)| (names[name], value / scale[name]));
            let of_phrases = one
                .phrases
                .iter()
                .filter_map(|phrase| phrases.get(phrase.as_str()))
                .map(|at| (*at, 1.0));
            let states = paper.statements.iter().flatten().any(|stated| *stated == start);
            (of_signals.chain(of_phrases).collect(), states)
        })
        .collect();
    let (constant, weights) = regression::fit(&rows, names.len() + phrases.len());
    // Four decimals, so that the file does not depend on the last bit.
    let rounded = |weight: f64| (weight * 10_000.0).round() / 10_000.0;
    let kept = |(name, weight): (String, f64)| (weight != 0.0).then_some((name, weight));
    ClaimClassifier {
        constant: rounded(constant),
        signals: names
            .iter()
            .map(|(name, at)| ((*name).to_owned(), rounded(weights[*at] / scale[name])))
            .filter_map(kept)
            .collect(),
        phrases: phrases
            .iter()
            .map(|(phrase, at)| ((*phrase).to_owned(), rounded(weights[*at])))
            .filter_map(kept)
            .collect(),
    }
}

/// How well the claims of papers agree with their labels.
#[derive(Default)]
struct Measured {
    papers: f64,
    claims: f64,
    contributions: f64,
    new: f64,
    recall: f64,
    main: f64,
    first: f64,
    alone: usize,
    none: usize,
}

impl Measured {
    fn add(&mut self, paper: &Labelled, classifier: &ClaimClassifier) {
        let reading = Reading::new(&paper.paper);
        let claims: Vec<_> = claim_drafts_by(&reading, classifier).into_iter().take(SHOWN).collect();
        let mut found = BTreeSet::new();
        for (at, claim) in claims.iter().enumerate() {
            let sentence = paper
                .sentences
                .iter()
                .map(|(start, _)| *start)
                .filter(|start| *start <= claim.claim.start)
                .max();
            let stated: Vec<usize> = (0..paper.statements.len())
                .filter(|&number| sentence.is_some_and(|start| paper.statements[number].contains(&start)))
                .collect();
            self.contributions += f64::from(!stated.is_empty());
            self.new += f64::from(stated.iter().any(|number| !found.contains(number)));
            self.first += f64::from(at == 0 && !stated.is_empty());
            found.extend(stated);
        }
        let most = paper.statements.len().min(SHOWN);
        self.papers += 1.0;
        self.claims += claims.len() as f64;
        self.recall += found.iter().filter(|number| **number < SHOWN).count() as f64 / most as f64;
        self.main += f64::from(found.contains(&0));
        self.alone += usize::from(claims.len() == 1);
        self.none += usize::from(claims.is_empty());
    }

    fn print(&self) {
        println!("claims per paper             {:.2}", self.claims / self.papers);
        println!("papers with one / no claim   {} / {}", self.alone, self.none);
        println!("claims that are contributions {:.3}", self.contributions / self.claims);
        println!("of these, not shown before   {:.3}", self.new / self.claims);
        println!("first claim is a contribution {:.3}", self.first / self.papers);
        println!("main contribution found      {:.3}", self.main / self.papers);
        println!("first three contributions    {:.3}", self.recall / self.papers);
    }
}
