//! Overlap of one target with many texts, and worst cases: tables, repeated lines, five megabytes.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a benchmark may panic and print"
)]

#[path = "../tests/papers/mod.rs"]
mod papers;

use divan::{Bencher, black_box};
use papers::{full_texts, prose};
use precedent_text::{OverlapOptions, Source, locate, overlap};

fn main() {
    if papers::development_data().is_some_and(|data| data.join("fulltext").is_dir()) {
        println!("using full texts of papers, repeated or cut to 10,000 words");
    } else {
        println!("no full texts found; using generated prose");
    }
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().ok();
    divan::main();
}

/// Eighty-one texts of 10,000 words.
fn texts() -> Vec<Source> {
    let mut papers: Vec<String> = ["acl", "plos_elife", "neurips2025"]
        .iter()
        .flat_map(|set| full_texts(set, 60))
        .collect();
    if papers.is_empty() {
        papers = (0..81).map(|seed| prose(10_000, seed)).collect();
    }
    let long: Vec<String> = papers
        .chunks(2)
        .map(|pair| {
            pair.concat()
                .split_whitespace()
                .take(10_000)
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
    let words: usize = long.iter().take(81).map(|text| text.split_whitespace().count()).sum();
    println!("{} texts, {} words", long.len().min(81), words);
    long.into_iter().take(81).map(Source::new).collect()
}

#[divan::bench(sample_count = 10)]
fn one_target_against_80_texts(bencher: Bencher) {
    let texts = texts();
    let (target, others) = (texts.first().cloned(), texts.iter().skip(1).collect::<Vec<_>>());
    let Some(target) = target else { return };
    bencher.bench_local(|| overlap(&target, black_box(&others), &OverlapOptions::default()));
}

/// Repeated lines, as in logs, tables and running heads.
fn repeated(bytes: usize) -> String {
    "Published as a conference paper | 0.5 | 0.7 | 0.5 |\n".repeat(bytes / 52)
}

#[divan::bench(sample_count = 3)]
fn prepare_5_megabytes_of_prose(bencher: Bencher) {
    let text = prose(800_000, 3);
    bencher.bench_local(|| Source::new(black_box(text.as_str())));
}

#[divan::bench(sample_count = 3)]
fn prepare_5_megabytes_of_repeated_lines(bencher: Bencher) {
    let text = repeated(5_000_000);
    bencher.bench_local(|| Source::new(black_box(text.as_str())));
}

#[divan::bench(sample_count = 5)]
fn locate_in_5_megabytes_of_repeated_lines(bencher: Bencher) {
    let source = Source::new(repeated(5_000_000));
    let quote = repeated(600).replacen("0.7", "0.8", 1);
    bencher.bench_local(|| locate(&source, black_box(&quote)));
}

#[divan::bench(sample_count = 3)]
fn overlap_of_1_megabyte_of_repeated_lines(bencher: Bencher) {
    let (one, other) = (
        Source::new(repeated(1_000_000)),
        Source::new(format!("Other. {}", repeated(900_000))),
    );
    bencher.bench_local(|| overlap(&one, &[&other], &OverlapOptions::default()));
}
