//! Commands for the measurements in `docs/benchmarks.md`.
//!
//! Their data are in the folder `PRECEDENT_DEV_DATA`. Programs that do not find them print a message.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::{bench_search, say};

/// The cargo command of an example program.
macro_rules! example {
    ($package:literal, $name:literal) => {
        &[&["run", "--release", "--quiet", "-p", $package, "--example", $name, "--"]]
    };
}

/// Measurements with their cargo commands. Arguments are passed to the last command.
const BENCHES: &[(&str, &[&[&str]])] = &[
    ("read", example!("precedent-read", "measure_read")),
    ("search", example!("precedent-corpus", "measure")),
    ("train-embedding", example!("precedent-corpus", "train_embedding")),
    ("train-matcher", example!("precedent-matcher", "train")),
    ("train-context", example!("precedent-matcher", "context")),
    (
        "quotes",
        &[
            &[
                "test",
                "--release",
                "-p",
                "precedent-text",
                "--test",
                "quotes",
                "--",
                "--nocapture",
            ],
            &["bench", "-p", "precedent-text", "--bench", "quotes", "--"],
        ],
    ),
    ("refute", example!("precedent-engine", "refute")),
    (
        "overlap",
        &[
            &[
                "test",
                "--release",
                "-p",
                "precedent-text",
                "--test",
                "overlap",
                "--test",
                "reuse",
                "--test",
                "retelling",
                "--",
                "--nocapture",
            ],
            &["bench", "-p", "precedent-text", "--bench", "overlap", "--"],
        ],
    ),
];

/// Runs the measurement `name` in a release build with `arguments`.
pub(crate) fn run(root: &Path, name: &str, arguments: &[&str]) -> Result<()> {
    match name {
        "assess" => return assess(root, arguments),
        "bm25s" => return bench_search::beside_bm25s(root, arguments),
        "growth" => return bench_search::growth(root, arguments),
        _ => {}
    }
    let Some((_, commands)) = BENCHES.iter().find(|(known, _)| *known == name) else {
        let known: Vec<&str> = BENCHES.iter().map(|(name, _)| *name).collect();
        bail!(
            "unknown measurement {name}; available: assess, bm25s, growth, {}",
            known.join(", ")
        );
    };
    for (number, command) in commands.iter().enumerate() {
        let mut cargo = Command::new("cargo");
        cargo.current_dir(root).args(*command);
        if number + 1 == commands.len() {
            cargo.args(arguments);
        }
        let status = cargo.status().context("start cargo")?;
        if !status.success() {
            bail!("the measurement {name} failed: {status}");
        }
    }
    Ok(())
}

/// Measures the run time of `precedent assess` for each file against a corpus: `bench assess CORPUS FILE…`.
fn assess(root: &Path, arguments: &[&str]) -> Result<()> {
    let [corpus, files @ ..] = arguments else {
        bail!("usage: cargo xtask bench assess CORPUS FILE…")
    };
    let built = Command::new("cargo")
        .current_dir(root)
        .args(["build", "--release", "--quiet", "-p", "precedent-cli"])
        .status()
        .context("start cargo")?;
    if !built.success() {
        bail!("failed to build the program");
    }
    let program = root.join("target/release/precedent");
    let out = root.join("target/bench-assess");
    let mut seconds = Vec::new();
    for (number, file) in files.iter().enumerate() {
        let run = out.join(number.to_string());
        if run.exists() {
            // An existing run would be reused, not measured.
            std::fs::remove_dir_all(&run).with_context(|| format!("empty {}", run.display()))?;
        }
        let started = Instant::now();
        let status = Command::new(&program)
            .args(["--quiet", "assess", file, "--corpus", corpus, "--out"])
            .arg(&run)
            .stdout(Stdio::null())
            .status()
            .with_context(|| format!("run {}", program.display()))?;
        let took = started.elapsed().as_secs_f64();
        say(&format!("{took:7.2} s  exit {}  {file}", status.code().unwrap_or(-1)));
        seconds.push(took);
    }
    seconds.sort_by(f64::total_cmp);
    if let (Some(median), Some(most)) = (seconds.get(seconds.len() / 2), seconds.last()) {
        say(&format!(
            "{} files: median {median:.2} s, maximum {most:.2} s",
            seconds.len()
        ));
    }
    Ok(())
}
