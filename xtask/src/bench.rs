//! Commands for the measurements in `docs/benchmarks.md`.
//!
//! Their data are in the folder `PRECEDENT_DEV_DATA`. Programs that do not find them print a message or fail.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
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
    ("train-ranking", example!("precedent-corpus", "train_ranking")),
    ("train-matcher", example!("precedent-matcher", "train")),
    ("train-context", example!("precedent-matcher", "context")),
    ("train-claims", example!("precedent-engine", "train_claims")),
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
                "--include-ignored",
            ],
            &["bench", "-p", "precedent-text", "--bench", "quotes", "--"],
        ],
    ),
    ("parts", example!("precedent-engine", "parts")),
    ("refute", example!("precedent-engine", "refute")),
    ("verdicts", example!("precedent-engine", "verdicts")),
    (
        "models",
        &[
            &["build", "--quiet", "-p", "precedent-cli"],
            &[
                "run",
                "--quiet",
                "-p",
                "precedent-scripted",
                "--example",
                "reliability",
                "--",
            ],
        ],
    ),
    (
        "ideas",
        &[
            &["build", "--quiet", "-p", "precedent-cli"],
            &[
                "run",
                "--quiet",
                "-p",
                "precedent-scripted",
                "--example",
                "ideas",
                "--",
                "target/debug/precedent",
            ],
        ],
    ),
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
                "--include-ignored",
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
        "site" => return site(root, arguments),
        _ => {}
    }
    let Some((_, commands)) = BENCHES.iter().find(|(known, _)| *known == name) else {
        let known: Vec<&str> = BENCHES.iter().map(|(name, _)| *name).collect();
        bail!(
            "unknown measurement {name}; available: assess, bm25s, growth, site, {}",
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
    let program = program(root)?;
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

/// The program, built for release.
fn program(root: &Path) -> Result<PathBuf> {
    let built = Command::new("cargo")
        .current_dir(root)
        .args(["build", "--release", "--quiet", "-p", "precedent-cli"])
        .status()
        .context("start cargo")?;
    if !built.success() {
        bail!("failed to build the program");
    }
    Ok(root.join("target/release/precedent"))
}

/// Measures `precedent site` for copies of the runs of a batch, with three reviewers for each paper: `bench site RUNS PAPERS`.
fn site(root: &Path, arguments: &[&str]) -> Result<()> {
    let [runs, papers] = arguments else {
        bail!("usage: cargo xtask bench site RUNS PAPERS")
    };
    let papers: usize = papers.parse().context("the number of papers")?;
    let mut found = Vec::new();
    for entry in std::fs::read_dir(runs).with_context(|| format!("read {runs}"))? {
        let dir = entry?.path();
        if dir.join("report.json").is_file() {
            found.push(dir);
        }
    }
    found.sort();
    if found.is_empty() {
        bail!("{runs} has no runs with a report.json");
    }
    let program = program(root)?;
    let scratch = root.join("target/bench-site");
    if scratch.exists() {
        std::fs::remove_dir_all(&scratch).with_context(|| format!("empty {}", scratch.display()))?;
    }
    let copies = scratch.join("runs");
    let mut table = String::from("paper,reviewer,area\n");
    for (number, run) in (0..papers).zip(found.iter().cycle()) {
        let copy = copies.join(format!("paper-{number:05}"));
        std::fs::create_dir_all(&copy)?;
        std::fs::copy(run.join("report.json"), copy.join("report.json"))?;
        // Runs of one file are runs of one paper, of which a site shows the latest.
        let manifest = std::fs::read(run.join("manifest.json"))?;
        let mut manifest: serde_json::Value = serde_json::from_slice(&manifest)?;
        let input = scratch.join(format!("papers/paper-{number:05}.pdf"));
        let place = manifest
            .pointer_mut("/request/input")
            .context("a manifest without an input")?;
        *place = input.to_string_lossy().into();
        std::fs::write(copy.join("manifest.json"), serde_json::to_vec(&manifest)?)?;
        let reader = |place: usize| format!("Reviewer {}", (number * 3 + place) % (papers / 4).max(1));
        let readers = [reader(0), reader(1), reader(2)].join("; ");
        writeln!(table, "paper-{number:05},{readers},Area {}", number % 10)?;
    }
    let assignments = scratch.join("reviewers.csv");
    std::fs::write(&assignments, table)?;
    for assigned in [false, true] {
        let mut command = Command::new(&program);
        command
            .args(["--quiet", "site"])
            .arg(&copies)
            .arg("--out")
            .arg(scratch.join("site"));
        if assigned {
            command.arg("--assign").arg(&assignments);
        }
        let started = Instant::now();
        let output = command.output().with_context(|| format!("run {}", program.display()))?;
        let took = started.elapsed().as_secs_f64();
        if !output.status.success() {
            bail!("{}", String::from_utf8_lossy(&output.stderr));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        say(&format!("{took:7.2} s  {}", text.lines().next().unwrap_or_default()));
    }
    Ok(())
}
