//! Builds a corpus from files and measures it: `measure build DIR FILE...`, `measure open DIR`, `measure queries DIR SET [K]`.
//!
//! A SET is a folder with `queries.jsonl` (`_id`, `title`, `text`) and `qrels.tsv` (query, work, grade; one header line).
#![expect(clippy::print_stdout, reason = "this is the printer")]

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs::read_to_string;
use std::path::Path;
use std::time::Instant;

use precedent_corpus::import::{self, Import, ImportSource, ImportStart};
use precedent_corpus::{Corpus, SearchOptions};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["build", dir, files @ ..] => build(dir, files),
        ["open", dir] => open(dir),
        ["queries", dir, sets @ ..] => sets.iter().try_for_each(|set| queries(dir, set)),
        ["search", dir, words @ ..] => search(dir, &words.join(" ")),
        _ => Err("usage: measure build DIR FILE... | open DIR | queries DIR SET... | search DIR WORDS".into()),
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

fn queries(dir: &str, set: &str) -> Result<(), Box<dyn Error>> {
    let corpus = Corpus::open(dir)?;
    let set = Path::new(set);
    let mut wanted: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in read_to_string(set.join("qrels.tsv"))?.lines().skip(1) {
        if let [query, work, grade] = line.split('\t').collect::<Vec<_>>().as_slice()
            && grade.parse::<f64>()? > 0.0
        {
            wanted
                .entry((*query).to_owned())
                .or_default()
                .insert((*work).to_owned());
        }
    }
    let mut sums: BTreeMap<String, f64> = BTreeMap::new();
    let (mut count, mut times) = (0.0, Vec::new());
    for line in read_to_string(set.join("queries.jsonl"))?.lines() {
        let query: serde_json::Value = serde_json::from_str(line)?;
        let field = |name: &str| query.get(name).and_then(serde_json::Value::as_str).unwrap_or_default();
        let Some(relevant) = wanted.get(field("_id")) else {
            continue;
        };
        let text = format!("{} {}", field("title"), field("text"));
        let options = SearchOptions {
            exclude: field("_id").parse().into_iter().collect(),
            ..SearchOptions::top(50)
        };
        corpus.search(&text, &options)?;
        let start = Instant::now();
        corpus.search(&text, &options)?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
        let deep = SearchOptions { limit: 1000, ..options };
        let found = corpus.search(&text, &deep)?;
        let hits: Vec<bool> = found.iter().map(|one| relevant.contains(one.id.as_str())).collect();
        count += 1.0;
        for depth in [10, 50, 100, 1000] {
            let found = hits.iter().take(depth).filter(|&&hit| hit).count() as f64;
            *sums.entry(format!("R@{depth:04}")).or_default() += found / relevant.len() as f64;
        }
        let gain = |place: usize| 1.0 / (place as f64 + 2.0).log2();
        let ideal: f64 = (0..relevant.len().min(10)).map(gain).sum();
        let got: f64 = hits
            .iter()
            .take(10)
            .enumerate()
            .filter(|(_, hit)| **hit)
            .map(|(place, _)| gain(place))
            .sum();
        *sums.entry("nDCG@10".into()).or_default() += got / ideal;
        let first = hits.iter().take(100).position(|&hit| hit);
        *sums.entry("MRR".into()).or_default() += first.map_or(0.0, |place| 1.0 / (place as f64 + 1.0));
    }
    times.sort_by(f64::total_cmp);
    let quantile = |part: f64| times.get((times.len() as f64 * part) as usize).copied().unwrap_or(0.0);
    let figures: Vec<String> = sums
        .iter()
        .map(|(name, sum)| format!("{name} {:.4}", sum / count))
        .collect();
    println!(
        "{}: {} | {count} queries, top 50 in {:.1} ms median, {:.1} ms p99 | {}",
        set.file_name().unwrap_or_default().to_string_lossy(),
        figures.join(" "),
        quantile(0.5),
        quantile(0.99),
        memory()
    );
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
