//! Builds a corpus from files and measures it: `measure build|words DIR FILE...`, `measure grow DIR WORKS FILE...`, `measure open DIR`,
//! `measure vectors DIR [exact|near]`, `measure queries DIR SET...`, `measure near DIR SET...`, `measure batch DIR LIMIT words|hybrid SET`.
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
use rayon::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["build", dir, files @ ..] => build(dir, files, true),
        ["words", dir, files @ ..] => build(dir, files, false),
        ["open", dir] => open(dir),
        ["grow", dir, works, files @ ..] => grow(dir, works.parse()?, files),
        ["vectors", dir] => vectors(dir, None),
        ["vectors", dir, scan] => vectors(dir, Some(*scan == "near")),
        ["near", dir, sets @ ..] => sets.iter().try_for_each(|set| near(dir, set)),
        ["batch", dir, limit, ranking, set] => batch(dir, limit.parse()?, ranking, set),
        ["queries", dir, sets @ ..] => sets.iter().try_for_each(|set| queries(dir, set)),
        ["search", dir, words @ ..] => search(dir, &words.join(" ")),
        _ => Err(
            "usage: measure build|words DIR FILE... | grow DIR WORKS FILE... | open DIR | vectors DIR [exact|near] | queries DIR SET... \
             | near DIR SET... | batch DIR LIMIT words|hybrid SET | search DIR WORDS"
                .into(),
        ),
    }
}

fn build(dir: &str, files: &[&str], vectors: bool) -> Result<(), Box<dyn Error>> {
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
    if !vectors {
        import.finish_words()?;
        println!(
            "{} works after {:.1} s, {}",
            corpus.len(),
            start.elapsed().as_secs_f64(),
            memory()
        );
        return Ok(());
    }
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

fn vectors(dir: &str, near: Option<bool>) -> Result<(), Box<dyn Error>> {
    let corpus = Corpus::open(dir)?;
    let start = Instant::now();
    match near {
        Some(near) => corpus.make_vectors_with_cells(near)?,
        None => corpus.make_vectors()?,
    }
    println!(
        "{} vectors after {:.1} s, {}",
        corpus.len(),
        start.elapsed().as_secs_f64(),
        memory()
    );
    Ok(())
}

/// Indexes the first `works` records. If there are fewer, adds copies with a third of their words replaced. Makes no vectors.
fn grow(dir: &str, works: usize, files: &[&str]) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let corpus = Corpus::create_or_open(dir)?;
    let mut writer = corpus.writer()?;
    let (mut made, mut copy, mut random) = (0, 0, SeededRandom(1));
    let mut words: Vec<String> = Vec::new();
    while made < works {
        for file in files {
            for mut record in import::open(Path::new(file))?.flatten().take(works - made) {
                if copy > 0 {
                    record.work.id = format!("{}-{copy}", record.work.id).parse()?;
                    record.work.title = perturbed(&record.work.title, &mut words, &mut random);
                    record.work.summary = record
                        .work
                        .summary
                        .map(|text| perturbed(&text, &mut words, &mut random));
                }
                writer.add(record)?;
                made += 1;
                if made % 200_000 == 0 {
                    writer.commit()?;
                }
            }
        }
        copy += 1;
    }
    writer.finish_words()?;
    println!(
        "{} works after {:.1} s, {}, {} bytes",
        corpus.len(),
        start.elapsed().as_secs_f64(),
        memory(),
        corpus.stats()?.bytes
    );
    Ok(())
}

/// Pseudorandom numbers from a seed (Knuth's linear congruential generator).
struct SeededRandom(u64);

impl SeededRandom {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

fn perturbed(text: &str, words: &mut Vec<String>, random: &mut SeededRandom) -> String {
    const KEPT: usize = 50_000;
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        let taken = (random.below(3) == 0)
            .then(|| random.below(words.len()))
            .and_then(|at| words.get(at));
        out.push_str(taken.map_or(word, String::as_str));
        out.push(' ');
        if words.len() < KEPT {
            words.push(word.to_owned());
        } else if random.below(8) == 0
            && let Some(place) = words.get_mut(random.0 as usize % KEPT)
        {
            word.clone_into(place);
        }
    }
    out
}

/// Overlap of a search that scans only the closest cells with one that scans all vectors, and the time of each.
fn near(dir: &str, set: &str) -> Result<(), Box<dyn Error>> {
    let corpus = Corpus::open(dir)?;
    let set = JudgedSet::read(Path::new(set))?;
    let mut shared = [(10, 0.0), (50, 0.0), (100, 0.0), (1000, 0.0)];
    let (mut fast, mut slow) = (Vec::new(), Vec::new());
    for query in &set.queries {
        let mut found = Vec::new();
        for exact in [true, false] {
            let options = SearchOptions {
                exclude: query.exclude.clone(),
                exact,
                ..SearchOptions::top(1000)
            };
            let start = Instant::now();
            let ids = corpus.search(&query.text, &options)?.into_iter().map(|one| one.id);
            found.push(ids.collect::<Vec<_>>());
            if exact { &mut slow } else { &mut fast }.push(start.elapsed().as_secs_f64() * 1e3);
        }
        let [all, some] = found.as_slice() else { continue };
        for (depth, sum) in &mut shared {
            let all: std::collections::BTreeSet<_> = all.iter().take(*depth).collect();
            let kept = some.iter().take(*depth).filter(|id| all.contains(id)).count();
            *sum += kept as f64 / all.len().max(1) as f64;
        }
    }
    let count = set.queries.len() as f64;
    let shared: Vec<String> = shared
        .map(|(depth, sum)| format!("{:.4} of {depth}", sum / count))
        .into();
    println!(
        "{}: overlap {}; median {:.1} ms with all vectors, {:.1} ms with the closest cells",
        set.name,
        shared.join(", "),
        quantile(&mut slow, 0.5),
        quantile(&mut fast, 0.5)
    );
    Ok(())
}

/// All queries of a set on all processors: the time per query under concurrent load.
fn batch(dir: &str, limit: usize, ranking: &str, set: &str) -> Result<(), Box<dyn Error>> {
    let corpus = Corpus::open(dir)?;
    let set = JudgedSet::read(Path::new(set))?;
    let ranking = if ranking == "words" {
        Ranking::Words
    } else {
        Ranking::Hybrid
    };
    let options = SearchOptions {
        ranking,
        ..SearchOptions::top(limit)
    };
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let start = Instant::now();
        let found: Vec<_> = set
            .queries
            .par_iter()
            .map(|query| corpus.search(&query.text, &options))
            .collect();
        best = best.min(start.elapsed().as_secs_f64() * 1e3 / found.len() as f64);
        found.into_iter().collect::<Result<Vec<_>, _>>()?;
    }
    println!("{{\"ranking\": \"{ranking:?}\", \"limit\": {limit}, \"ms\": {best:.3}}}");
    Ok(())
}

fn quantile(times: &mut [f64], part: f64) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get((times.len() as f64 * part) as usize).copied().unwrap_or(0.0)
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

/// Both rankings, on all queries and on each half.
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
        println!(
            "{} {ranking:?}: {} queries, top 50 in {:.1} ms median, {:.1} ms p99, {}",
            set.name,
            times.len(),
            quantile(&mut times, 0.5),
            quantile(&mut times, 0.99),
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

/// Peak memory of this process, if the system reports it.
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
