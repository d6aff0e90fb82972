//! Measures how much the similarity of two whole papers adds to the matcher: `context QUERIES CORPUS`, run by `cargo xtask train context`.
//!
//! Input: a folder of judged queries (title and abstract of papers, and the papers that they cite), and a corpus that has the cited papers. Each
//! sentence in which an abstract says what its paper offers is a claim. Output: how well the order of the candidates puts the cited ones first, for
//! several weights of the similarity. A cited paper need not state the claim, but a reader of the claim wants to see it before a chance match.
#![expect(clippy::print_stdout, reason = "this is the printer")]

use std::collections::HashMap;

use anyhow::{Result, bail};
use precedent_corpus::evaluation::JudgedSet;
use precedent_corpus::{Corpus, SearchOptions, TopicVector};
use precedent_matcher::{Claim, OTHERS, PreparedText, features, weights};
use precedent_text::sentences;
use rayon::prelude::*;

/// Papers found for the claim, and as many for the whole abstract.
const SEARCHED: usize = 40;
/// Weights that are tried, in units of the matcher's score for a similarity of 1.
const WEIGHTS: [f64; 8] = [0.0, 2.0, 4.0, 6.0, 8.0, 12.0, 20.0, 1000.0];

#[derive(serde::Deserialize)]
struct Line {
    #[serde(rename = "_id")]
    id: String,
    title: String,
    text: String,
}

struct Row {
    score: f64,
    /// In per cent, as it is shown.
    probability: f64,
    similarity: f64,
    cited: bool,
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [queries, corpus] = arguments.as_slice() else {
        bail!("usage: context QUERIES CORPUS");
    };
    let set = JudgedSet::read(queries.as_ref())?;
    let lines = std::fs::read_to_string(std::path::Path::new(queries).join("queries.jsonl"))?;
    let papers: HashMap<String, Line> = lines
        .lines()
        .map(|line| serde_json::from_str(line).map(|line: Line| (line.id.clone(), line)))
        .collect::<Result<_, _>>()?;
    let corpus = Corpus::open(corpus)?;
    let lists: Vec<Vec<Row>> = set
        .queries
        .par_iter()
        .map(|query| {
            let (title, summary) = papers
                .get(&query.id)
                .map_or(("", query.text.as_str()), |paper| (&paper.title, &paper.text));
            let own = TopicVector::of(title, summary);
            let mut lists = Vec::new();
            for claim in sentences(summary)
                .iter()
                .filter_map(|span| span.slice(summary))
                .filter(|one| is_claim(one))
            {
                let options = SearchOptions {
                    exclude: query.exclude.clone(),
                    ..SearchOptions::top(SEARCHED)
                };
                let mut ids: Vec<_> = corpus
                    .search(claim, &options)?
                    .into_iter()
                    .map(|found| found.id)
                    .collect();
                for found in corpus.search(&query.text, &options)? {
                    if !ids.contains(&found.id) {
                        ids.push(found.id);
                    }
                }
                let claim = Claim::new(claim);
                let mut rows = Vec::new();
                for id in ids {
                    let (Some(work), Some(document)) = (corpus.work(&id)?, corpus.document(&id)?) else {
                        continue;
                    };
                    let topic = TopicVector::of(&work.title, work.summary.as_deref().unwrap_or_default());
                    let similarity = own.topic_similarity(&topic);
                    let score = weights().score(&features(&claim, &PreparedText::with_topic(topic, &document)));
                    rows.push(Row {
                        score,
                        probability: 0.0,
                        similarity,
                        cited: query.relevant.contains(id.as_str()),
                    });
                }
                if rows.iter().any(|row| row.cited) {
                    add_probabilities(&mut rows);
                    lists.push(rows);
                }
            }
            Ok(lists)
        })
        .collect::<Result<Vec<_>>>()?
        .into_iter()
        .flatten()
        .collect();
    println!("{} claims with a cited paper among the candidates", lists.len());
    for weight in WEIGHTS {
        for by_probability in [false, true] {
            measure(&lists, weight, by_probability);
        }
    }
    Ok(())
}

/// The probabilities of the texts in their list, as `precedent_matcher::rank` computes them.
fn add_probabilities(rows: &mut [Row]) {
    rows.sort_by(|a, b| b.score.total_cmp(&a.score));
    let best: Vec<f64> = rows.iter().map(|row| row.score).take(OTHERS + 1).collect();
    for (place, row) in rows.iter_mut().enumerate() {
        let mut others = best.clone();
        if place < others.len() {
            others.remove(place);
        }
        row.probability = (100.0 * weights().probability(row.score, &others)).round();
    }
}

/// Prints how well the order by score and similarity puts cited papers first. With `by_probability`, the first five are ordered by it.
fn measure(lists: &[Vec<Row>], weight: f64, by_probability: bool) {
    let order = |row: &Row| row.score + weight * row.similarity;
    let (mut first, mut five, mut precision) = (0.0, 0.0, 0.0);
    for list in lists {
        let mut places: Vec<&Row> = list.iter().collect();
        places.sort_by(|a, b| order(b).total_cmp(&order(a)));
        if by_probability && let Some(shown) = places.get_mut(..5) {
            shown.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        }
        first += f64::from(places.first().is_some_and(|row| row.cited));
        five += places.iter().take(5).filter(|row| row.cited).count() as f64 / 5.0;
        let all = places.iter().filter(|row| row.cited).count();
        let mut seen = 0.0;
        let mut sum = 0.0;
        for (place, row) in places.iter().enumerate() {
            if row.cited {
                seen += 1.0;
                sum += seen / (place + 1) as f64;
            }
        }
        precision += sum / all as f64;
    }
    let count = lists.len() as f64;
    let label = if by_probability { ", five by probability" } else { "" };
    println!(
        "weight {weight:>6.1}{label}: first cited {:.3}, cited among five {:.3}, mean average precision {:.3}",
        first / count,
        five / count,
        precision / count
    );
}

/// Whether a sentence says what its paper offers.
fn is_claim(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    [
        "we propose",
        "we introduce",
        "we present",
        "we develop",
        "this paper proposes",
        "this paper presents",
        "this paper introduces",
    ]
    .iter()
    .any(|opening| lower.contains(opening))
}
