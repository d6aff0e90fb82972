//! Checks and chores of this repository.
//!
//! `cargo xtask tidy` checks what the compiler cannot: arrows between rooms, file sizes, who names whom, links.
//! `cargo xtask generate [--check]` writes the reference pages that are made from the code.
//! `cargo xtask fuzz locate|overlap [--minutes N] [--seed S]` sets made and mangled texts against the laws of the room `text`.
//! `cargo xtask crash PROGRAM FOLDER FILE` kills imports and checks what is left.
//! `cargo xtask identity LABELS FILE…` measures how well works are told apart.
//! `cargo xtask train-embedding OUT FILE[@YEAR]…` trains the table of term vectors that the search brings.
//! `cargo xtask bench NAME` measures what `docs/benchmarks.md` states.

mod bench;
mod bench_search;
mod crash;
mod fuzz;
mod generate;
mod identity;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask tidy | generate [--check] | bench read|assess|search|bm25s|growth|quotes|overlap [ARGUMENTS] \
                     | train-embedding OUT FILE[@YEAR]… \
                     | fuzz locate|overlap [--minutes N] [--seed S] | crash PROGRAM FOLDER FILE | identity LABELS FILE…";

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
        ["train-embedding", rest @ ..] => bench::run(&root, "train-embedding", rest),
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

/// The folder of the workspace.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// The one way this program talks.
fn say(line: &str) {
    use std::io::Write;
    // Nobody listens on a closed pipe; that is no reason to fail.
    let _ = writeln!(std::io::stderr(), "{line}");
}
