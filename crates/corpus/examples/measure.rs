//! Builds a corpus from files and measures it: `measure build DIR FILE...`, `measure open DIR`, `measure vectors DIR`,
//! `measure queries DIR SET...`.
//!
//! A SET is a folder with `queries.jsonl` (`_id`, `title`, `text`) and `qrels.tsv` (query, work, grade; one header line).
#![expect(clippy::print_stdout, reason = "this is the printer")]

use std::error::Error;
use std::fs::read_to_string;
use std::path::Path;
use std::time::Instant;

use precedent_corpus::evaluation::{DEEPEST, Half, JudgedSet, Measure, Measures, interval};
use precedent_corpus::import::{self, Import, ImportSource, ImportStart};
use precedent_corpus::{Corpus, Ranking, SearchOptions};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["build", dir, files @ ..] => build(dir, files),
        ["open", dir] => open(dir),
        ["vectors", dir] => vectors(dir),
        ["queries", dir, sets @ ..] => sets.iter().try_for_each(|set| queries(dir, set)),
        ["search", dir, words @ ..] => search(dir, &words.join(" ")),
        _ => Err(
            "usage: measure build DIR FILE... | open DIR | vectors DIR | queries DIR SET... | search DIR WORDS".into(),
        ),
    }
}

fn build(dir: &str, files: &[&str]) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let corpus = Corpus::create_or_open(dir)?;
    let mut sources = Vec::new();
    for file in files {
        sources.push(ImportSource::file(Path::new(file), "jsonl")?);
    }
    let mut import = Import::begin(corpus.writer()?, &sources, 50_000);
    let (mut good, mut bad) = (0, 0);
    for (file, source) in files.iter().zip(&sources) {
        if let ImportStart::After(items) = import.start(source)? {
            let mut records = import::open(Path::new(file))?;
            records.pass_over(items);
            for record in records {
                import.take(record)?;
            }
            let entry = import.end()?;
            good += entry.items - entry.rejected;
            bad += entry.rejected;
        }
    }
    import.commit()?;
    println!(
        "{good} records, {bad} bad, committed after {:.1} s",
        start.elapsed().as_secs_f64()
    );
    import.finish()?;
    println!(
        "{} works, merged after {:.1} s, {}, {} bytes",
        corpus.len(),
        start.elapsed().as_secs_f64(),
        memory(),
        corpus.stats()?.bytes
    );
    Ok(())
}

fn open(dir: &str) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let corpus = Corpus::open(dir)?;
    println!(
        "{} works, open after {:.1} ms, {}",
        corpus.len(),
        start.elapsed().as_secs_f64() * 1e3,
        memory()
    );
    let start = Instant::now();
    let stats = corpus.stats()?;
    println!("{stats:?} in {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    Ok(())
}

fn vectors(dir: &str) -> Result<(), Box<dyn Error>> {
    let corpus = Corpus::open(dir)?;
    let start = Instant::now();
    corpus.make_vectors()?;
    println!(
        "{} vectors after {:.1} s, {}",
        corpus.len(),
        start.elapsed().as_secs_f64(),
        memory()
    );
    Ok(())
}

fn search(dir: &str, query: &str) -> Result<(), Box<dyn Error>> {
    let corpus = Corpus::open(dir)?;
    let start = Instant::now();
    let found = corpus.search(query, &SearchOptions::top(20))?;
    println!("{:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    for one in found {
        println!(
            "{:7.3} {} {:?} {} {:?}",
            one.score, one.id, one.year, one.title, one.passage
        );
    }
    Ok(())
}

/// Both rankings, on all queries, those for choosing parameters, and the others.
fn queries(dir: &str, set: &str) -> Result<(), Box<dyn Error>> {
    let corpus = Corpus::open(dir)?;
    let set = JudgedSet::read(Path::new(set))?;
    for ranking in [Ranking::Words, Ranking::Hybrid] {
        let mut measured: Vec<(Half, Measures)> = Vec::new();
        let mut times = Vec::new();
        for query in &set.queries {
            let options = SearchOptions {
                exclude: query.exclude.clone(),
                ranking,
                ..SearchOptions::top(DEEPEST)
            };
            let found = corpus.search(&query.text, &options)?;
            let hits: Vec<bool> = found
                .iter()
                .map(|one| query.relevant.contains(one.id.as_str()))
                .collect();
            measured.push((query.half(), Measures::of(&hits, query.relevant.len())));
            let start = Instant::now();
            corpus.search(&query.text, &SearchOptions { limit: 50, ..options })?;
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
        times.sort_by(f64::total_cmp);
        let quantile = |part: f64| times.get((times.len() as f64 * part) as usize).copied().unwrap_or(0.0);
        println!(
            "{} {ranking:?}: {} queries, top 50 in {:.1} ms median, {:.1} ms p99, {}",
            set.name,
            times.len(),
            quantile(0.5),
            quantile(0.99),
            memory()
        );
        for (label, wanted) in [
            ("all", None),
            ("tuning", Some(Half::Tuning)),
            ("held out", Some(Half::HeldOut)),
        ] {
            let figures: Vec<String> = Measure::ALL
                .iter()
                .map(|&measure| {
                    let values: Vec<f64> = measured
                        .iter()
                        .filter(|(half, _)| wanted.is_none_or(|wanted| wanted == *half))
                        .map(|(_, measures)| measures.get(measure))
                        .collect();
                    let found = interval(&values, 1);
                    format!(
                        "{} {:.4} [{:.3}, {:.3}]",
                        measure.name(),
                        found.mean,
                        found.low,
                        found.high
                    )
                })
                .collect();
            println!("  {label:<8} {}", figures.join("  "));
        }
    }
    Ok(())
}

/// Peak memory of this process, where the system tells.
fn memory() -> String {
    let status = read_to_string("/proc/self/status").unwrap_or_default();
    let lines = status
        .lines()
        .filter(|line| line.starts_with("VmHWM") || line.starts_with("RssAnon"));
    lines
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect::<Vec<_>>()
        .join(", ")
}
