//! Search benchmarks: comparison with bm25s, and scaling with corpus size.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use crate::say;

/// Corpus sizes for the scaling benchmark, in papers.
const SIZES: [&str; 4] = ["10000", "100000", "333361", "3000000"];

/// `bench bm25s SCRATCH SET FILE…`: compares precedent and bm25s on the same files and queries.
pub(crate) fn beside_bm25s(root: &Path, arguments: &[&str]) -> Result<()> {
    let [scratch, set, files @ ..] = arguments else {
        bail!("usage: cargo xtask bench bm25s SCRATCH SET FILE…")
    };
    let there = Command::new("python3")
        .args(["-c", "import bm25s, Stemmer, zstandard"])
        .output()
        .is_ok_and(|output| output.status.success());
    if !there {
        say("skipped: bm25s is not installed; run `pip install bm25s PyStemmer zstandard`");
        return Ok(());
    }
    let (program, measure) = built(root)?;
    let script = root.join("xtask/side_by_side.py");
    let first: [&OsStr; 5] = [
        script.as_os_str(),
        program.as_os_str(),
        measure.as_os_str(),
        scratch.as_ref(),
        set.as_ref(),
    ];
    let status = Command::new("python3")
        .args(first)
        .args(files)
        .status()
        .context("start python3")?;
    ensure!(status.success(), "the comparison failed: {status}");
    Ok(())
}

/// `bench growth SCRATCH SET FILE…`: builds, searches and deletes corpora of increasing size.
pub(crate) fn growth(root: &Path, arguments: &[&str]) -> Result<()> {
    let [scratch, set, files @ ..] = arguments else {
        bail!("usage: cargo xtask bench growth SCRATCH SET FILE…")
    };
    let (_, measure) = built(root)?;
    let run = |arguments: &[&str]| -> Result<()> {
        let started = Instant::now();
        let status = Command::new(&measure)
            .args(arguments)
            .status()
            .context("start measure")?;
        ensure!(status.success(), "measure {arguments:?} failed: {status}");
        say(&format!("  {:.1} s", started.elapsed().as_secs_f64()));
        Ok(())
    };
    for size in SIZES {
        let place = Path::new(scratch).join(format!("growth-{size}"));
        let dir = place.to_str().context("the path is not valid UTF-8")?;
        if place.exists() {
            std::fs::remove_dir_all(&place).with_context(|| format!("empty {dir}"))?;
        }
        say(&format!("{size} papers"));
        run(&[&["grow", dir, size], files].concat())?;
        run(&["vectors", dir, "exact"])?;
        run(&["queries", dir, set])?;
        run(&["vectors", dir, "near"])?;
        run(&["near", dir, set])?;
        std::fs::remove_dir_all(&place).with_context(|| format!("remove {dir}"))?;
    }
    Ok(())
}

/// Release builds of the program and of the example `measure`.
fn built(root: &Path) -> Result<(PathBuf, PathBuf)> {
    for selection in [
        &["-p", "precedent-cli"][..],
        &["-p", "precedent-corpus", "--example", "measure"][..],
    ] {
        let status = Command::new("cargo")
            .current_dir(root)
            .args(["build", "--release", "--quiet"])
            .args(selection)
            .status()
            .context("start cargo")?;
        ensure!(status.success(), "failed to build the program");
    }
    let release = root.join("target/release");
    Ok((release.join("precedent"), release.join("examples/measure")))
}
