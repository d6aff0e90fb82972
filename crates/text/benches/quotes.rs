//! Quote location, compared with the published method, over a generated source of the length of a paper.

#![expect(clippy::indexing_slicing, clippy::print_stdout, reason = "may panic and print")]

mod yardstick;

use std::collections::BTreeMap;

use divan::{Bencher, black_box};
use precedent_text::{Source, locate};

fn main() {
    side_by_side();
    divan::main();
}

/// Sums the minimum time per labelled quote over interleaved passes of both methods. The minimum is least sensitive to varying load.
fn side_by_side() {
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let (quotes, texts) = labelled();
    if quotes.is_empty() {
        return;
    }
    let prepared: BTreeMap<&String, (Source, String)> = texts
        .iter()
        .map(|(name, text)| (name, (Source::new(text.as_str()), yardstick::normalise(text))))
        .collect();
    let mut least = vec![[f64::INFINITY; 2]; quotes.len()];
    for pass in 0..15 {
        for ((quote, name), least) in quotes.iter().zip(&mut least) {
            let source = &prepared[name].0;
            least[0] = least[0].min(seconds(|| locate(source, black_box(quote)).verified()));
        }
        if pass % 5 == 0 {
            for ((quote, name), least) in quotes.iter().zip(&mut least) {
                let source = &prepared[name].1;
                least[1] = least[1].min(seconds(|| yardstick::verify(black_box(quote), source).0));
            }
        }
    }
    let sum = |of: usize| least.iter().map(|least| least[of]).sum::<f64>() * 1e6 / quotes.len() as f64;
    println!(
        "{} labelled quotes: {:.2} µs each, published method {:.0} µs each, {:.0} times as long",
        quotes.len(),
        sum(0),
        sum(1),
        sum(1) / sum(0)
    );
}

fn seconds(mut work: impl FnMut() -> bool) -> f64 {
    let clock = std::time::Instant::now();
    black_box(work());
    clock.elapsed().as_secs_f64()
}

/// A text of `words` words over a long-tailed vocabulary, identical on every run.
fn prose(words: usize, seed: u64) -> String {
    let mut state = seed;
    let mut text = String::new();
    for word in 0..words {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let uniform = (state >> 33) as f64 / (1_u64 << 31) as f64;
        let rank = (uniform * uniform * uniform * 4000.0) as u64;
        text.push_str(&format!("w{}", rank * 7919 % 99991));
        text.push_str(if word % 17 == 16 { ". " } else { " " });
    }
    text
}

fn quotes(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut found = Vec::new();
    for at in (100..words.len() - 100).step_by(words.len() / 40) {
        found.push(words[at..at + 30].join(" "));
        let mut edited = words[at..at + 30].to_vec();
        edited[15] = "another";
        found.push(edited.join(" "));
        found.push(words[at..at + 30].iter().rev().copied().collect::<Vec<_>>().join(" "));
    }
    found
}

#[divan::bench]
fn prepare_100_000_characters(bencher: Bencher) {
    let text = prose(18_000, 1);
    bencher.bench_local(|| Source::new(black_box(text.as_str())));
}

#[divan::bench]
fn locate_120_quotes(bencher: Bencher) {
    let text = prose(18_000, 1);
    let (source, quotes) = (Source::new(text.as_str()), quotes(&text));
    bencher.bench_local(|| quotes.iter().filter(|quote| locate(&source, quote).verified()).count());
}

#[divan::bench(sample_count = 5)]
fn published_method_120_quotes(bencher: Bencher) {
    let text = prose(18_000, 1);
    let (source, quotes) = (yardstick::normalise(&text), quotes(&text));
    bencher.bench_local(|| {
        quotes
            .iter()
            .filter(|quote| yardstick::verify(quote, &source).0)
            .count()
    });
}

/// Every twentieth labelled quote of the development data with the name of its source, and the sources. Empty if the data is missing.
fn labelled() -> (Vec<(String, String)>, BTreeMap<String, String>) {
    let folder = std::env::var_os("PRECEDENT_DEV_DATA").map_or_else(
        || std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        std::path::PathBuf::from,
    );
    let Ok(lines) = std::fs::read_to_string(folder.join("quotes/quotes.jsonl")) else {
        println!("skipped: no labelled quotes at {}", folder.display());
        return Default::default();
    };
    let read = |line: &str| {
        let quote: serde_json::Value = serde_json::from_str(line).ok()?;
        Some((
            quote["quote"].as_str()?.to_owned(),
            quote["source"].as_str()?.to_owned(),
        ))
    };
    let quotes: Vec<(String, String)> = lines.lines().step_by(20).filter_map(read).collect();
    let text = |name: &String| std::fs::read_to_string(folder.join("quotes/sources").join(name)).ok();
    let sources = quotes
        .iter()
        .filter_map(|(_, name)| Some((name.clone(), text(name)?)))
        .collect();
    (quotes, sources)
}

#[divan::bench(sample_count = 10)]
fn locate_350_labelled_quotes(bencher: Bencher) {
    let (quotes, sources) = labelled();
    let sources: BTreeMap<String, Source> = sources
        .into_iter()
        .map(|(name, text)| (name, Source::new(text)))
        .collect();
    bencher.bench_local(|| {
        quotes
            .iter()
            .filter(|(quote, name)| locate(&sources[name], quote).verified())
            .count()
    });
}

#[divan::bench(sample_count = 2)]
fn published_method_350_labelled_quotes(bencher: Bencher) {
    let (quotes, sources) = labelled();
    let sources: BTreeMap<String, String> = sources
        .into_iter()
        .map(|(name, text)| (name, yardstick::normalise(&text)))
        .collect();
    bencher.bench_local(|| {
        quotes
            .iter()
            .filter(|(quote, name)| yardstick::verify(quote, &sources[name]).0)
            .count()
    });
}
