//! Development tasks of this repository.
//!
//! `cargo xtask tidy` checks what the compiler cannot: crate dependencies, file sizes, registry ids and links.
//! `cargo xtask generate [--check]` writes the reference pages that are generated from the code.
//! `cargo xtask fuzz locate|overlap|read [--minutes N] [--seed S] [--files FOLDER]` tests properties of `text` and `read` with damaged inputs.
//! `cargo xtask crash PROGRAM FOLDER FILE` kills imports and checks the resulting corpora.
//! `cargo xtask identity LABELS FILE…` measures the detection of duplicate records.
//! `cargo xtask tree FOLDER [RECORDS…]` measures the trees of reports.
//! `cargo xtask references LABELS FOLDER CORPUS` measures which works a reference list names.
//! `cargo xtask train-embedding OUT FILE[@YEAR]…` trains the built-in term vectors of the search.
//! `cargo xtask train ranking CORPUS=SET…` fits the weights of the hybrid ranking.
//! `cargo xtask train claims OUT FILE…` trains the choice of claims.
//! `cargo xtask train matcher CLAIMS OUT CORPUS…` trains the matcher, and `train context QUERIES CORPUS` measures its use in reports.
//! `cargo xtask simulate venue [OPTIONS]` estimates the time and cost of a batch of many papers.
//! `cargo xtask bench NAME` runs the measurements in `docs/benchmarks.md`.

mod bench;
mod bench_search;
mod crash;
mod fuzz;
mod generate;
mod identity;
mod simulate;
mod tidy;
mod tree;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask tidy | generate [--check] | bench read|assess|parts|refute|verdicts|site|search|bm25s|growth|quotes|overlap|ideas|models [ARGUMENTS] \
                     | train-embedding OUT FILE[@YEAR]… | train ranking CORPUS=SET… | train claims OUT FILE… | train matcher CLAIMS OUT CORPUS… | train context QUERIES CORPUS \
                     | fuzz locate|overlap|read [--minutes N] [--seed S] [--files FOLDER] | crash PROGRAM FOLDER FILE | identity LABELS FILE… | references LABELS FOLDER CORPUS | tree FOLDER [RECORDS…] | simulate venue [OPTIONS]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let root = root();
    let outcome = match words.as_slice() {
        ["tidy"] => tidy::run(&root),
        ["generate"] => generate::run(&root, false),
        ["generate", "--check"] => generate::run(&root, true),
        ["fuzz", name, rest @ ..] => fuzz::run(&root, name, rest),
        ["crash", rest @ ..] => crash::run(rest),
        ["identity", rest @ ..] => identity::run(rest),
        ["references", rest @ ..] => identity::references(rest),
        ["simulate", rest @ ..] => simulate::run(rest),
        ["tree", rest @ ..] => tree::run(rest),
        ["train-embedding", rest @ ..] => bench::run(&root, "train-embedding", rest),
        ["train", "ranking", rest @ ..] => bench::run(&root, "train-ranking", rest),
        ["train", "claims", rest @ ..] => bench::run(&root, "train-claims", rest),
        ["train", "matcher", rest @ ..] => bench::run(&root, "train-matcher", rest),
        ["train", "context", rest @ ..] => bench::run(&root, "train-context", rest),
        ["bench", name, rest @ ..] => bench::run(&root, name, rest),
        _ => Err(anyhow::anyhow!(USAGE)),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// The workspace folder.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// Prints a line to stderr.
fn say(line: &str) {
    use std::io::Write;
    // A closed pipe is no reason to fail.
    let _ = writeln!(std::io::stderr(), "{line}");
}
